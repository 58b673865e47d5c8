"""Evidence to cells: every metric once a level, then one `Cell` a group."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

import numpy as np

from forgetmap.measure import ESTIMATORS, METRICS
from forgetmap.measure.band import band, band_gain, usable
from forgetmap.measure.cell import Cell, Level, Wanted
from forgetmap.measure.cell_tests import luck, net_p, two_sided
from forgetmap.measure.columns import REFUSED, TRUNCATED, UNPARSED
from forgetmap.measure.estimates import Bands, Estimates, Groups, fold_scores
from forgetmap.measure.evidence import Evidence
from forgetmap.measure.filling import Filling, Numbers
from forgetmap.measure.forgetting import unanswered_part
from forgetmap.measure.graded_cells import graded_cells
from forgetmap.measure.grouping import LEVELS, Group, codes, group, is_macro
from forgetmap.measure.known import known_before
from forgetmap.measure.notes import reasons
from forgetmap.measure.published import PUBLISHED, in_order
from forgetmap.measure.transitions import IDENTIFIED, OTHER, REASONS, SAME, Pairs, condensed, joined, swapped
from forgetmap.stats.arrays import Bools, Floats, totals
from forgetmap.stats.interval import mean, standard_error, tail
from forgetmap.stats.significance import benjamini_hochberg, detectable
from forgetmap.tables import load

AT_ONCE = 10_000
"""Rows of evidence that are worked on together: enough to forget what a call costs, and few enough to take no memory to speak of."""


def cells(evidence: Evidence, wanted: Wanted) -> list[Cell]:
    """All cells of one comparison, widest level first."""
    return next(cells_of([(evidence, wanted)]))


def cells_of(found: Iterable[tuple[Evidence, Wanted]]) -> Iterator[list[Cell]]:
    """The same for each of several comparisons; every estimate is made for the cells of many of them in one call."""
    for some in _portions(found):
        by_comparison: list[list[Cell]] = [[] for _ in some]
        for level in LEVELS:
            for own, plain, (evidence, wanted) in zip(by_comparison, _right_wrong(some, level), some, strict=True):
                own += plain
                own += graded_cells(evidence, level, wanted)
        for own in by_comparison:
            _adjust(own)
            yield own


Portion = list[tuple[Evidence, Wanted]]


def _portions(found: Iterable[tuple[Evidence, Wanted]]) -> Iterator[Portion]:
    """Comparisons that are worked on together; one whose items share passages is by itself, for passages are numbered by comparison."""
    some: Portion = []
    rows = 0
    for evidence, wanted in found:
        own = 0 if evidence.pairs is None else len(evidence.pairs.leaf)
        alone = evidence.pairs is not None and bool((evidence.pairs.cluster >= 0).any())
        if some and (alone or rows + own > AT_ONCE):
            yield some
            some, rows = [], 0
        some.append((evidence, wanted))
        rows += AT_ONCE if alone else own
    if some:
        yield some


def _right_wrong(some: Portion, level: Level) -> list[list[Cell]]:
    """The right/wrong cells of one level, one list a comparison."""
    macro = is_macro(some[0][1], level)
    groups = [[] if one.pairs is None else group(one.leaves, level, graded=False) for one, _ in some]
    told = [(one, own) for (one, _), own in zip(some, groups, strict=True) if one.pairs is not None and own]
    if not told:
        return [[] for _ in some]
    failed, lost = (np.concatenate(part) for part in zip(*(_by_group(*one) for one in told), strict=True))
    numbers = _numbers(*_together(told, macro=macro), some[0][1])
    if PUBLISHED in some[0][1].estimators:
        numbers = numbers._replace(by_paper=[cell for one, own in told for cell in in_order(one, own, level)])
    filling = Filling(numbers, failed, lost)
    place = count()
    return [
        [filling.cell(one, next(place), wanted) for one in own] for own, (_, wanted) in zip(groups, some, strict=True)
    ]


def _together(told: Sequence[tuple[Evidence, list[Group]]], *, macro: bool) -> tuple[Pairs, Groups]:
    """The pairs of several comparisons as one, in groups (and with `macro`, domains) numbered one after the other."""
    rows, code, start, leaves = [], [], 0, 0
    for one, own in told:
        assert one.pairs is not None
        found = codes(own, len(one.leaves), one.pairs.leaf).code
        code.append(np.where(found < 0, -1, found + start))
        rows.append(one.pairs._replace(leaf=one.pairs.leaf + leaves))
        start, leaves = start + len(own), leaves + len(one.leaves)
    groups, every = np.concatenate(code), joined(rows)
    inside = groups >= 0
    every, groups = every.take(inside), groups[inside]
    if macro:
        return every, Groups(groups, start, every.leaf)
    # Items that are alike in one group are counted once more: of what is left there are few at the wider levels.
    few = condensed(every._replace(leaf=groups))
    return few, Groups(few.leaf, start)


def _numbers(pairs: Pairs, groups: Groups, wanted: Wanted) -> Numbers:
    metrics: dict[str, Estimates] = {
        name: load(METRICS, name, group="metrics")(pairs, groups, confidence=wanted.confidence) for name in METRICS
    }
    counts = _counts(pairs, groups)
    by_band = counts["band_only"] > (counts["band_only"] + counts["identified"]) / 2
    rests_on = np.where(by_band[np.maximum(groups.code, 0)], usable(pairs), pairs.status == IDENTIFIED)
    return Numbers(
        metrics=metrics,
        accuracy=_accuracy(pairs, groups, counts),
        bands=_bands(pairs, groups, by_band, wanted) if by_band.any() else None,
        by_band=by_band,
        known=(
            known_before(pairs, groups, used=rests_on).value,
            known_before(swapped(pairs), groups, used=rests_on).value,
        ),
        counts=counts,
        alternatives={name: _both_ways(name, pairs, groups, wanted) for name in wanted.estimators if name != PUBLISHED},
        p=tail(metrics["excess"].sums),
        p_net=net_p(metrics["net"], counts) if groups.domains is None else two_sided(metrics["net"]),
        p_luck=luck(pairs, groups, by_band),
        detectable=detectable(standard_error(metrics["forgetting"].sums), confidence=wanted.confidence),
    )


def _accuracy(pairs: Pairs, groups: Groups, counts: dict[str, Floats]) -> tuple[Floats, Floats]:
    """Share right before and after: of all items, or the mean of the domains' shares."""
    if groups.domains is None:
        n = np.where(counts["n"] > 0, counts["n"], np.nan)
        return counts["right_before"] / n, counts["right_after"] / n
    one = np.ones(len(pairs.leaf))
    before, after = (
        mean(fold_scores(score, pairs, groups, one > 0, (0 * one, one)))
        for score in (pairs.score_before, pairs.score_after)
    )
    return before, after


def _bands(pairs: Pairs, groups: Groups, by_band: Bools, wanted: Wanted) -> tuple[Bands, Bands]:
    """The bands of the groups that show one; of the others there is nothing to be halved forty times."""
    rows = np.flatnonzero((groups.code >= 0) & by_band[np.maximum(groups.code, 0)])
    domains = None if groups.domains is None else groups.domains[rows]
    pairs, groups = pairs.take(rows), Groups(groups.code[rows], groups.size, domains)
    return band(pairs, groups, confidence=wanted.confidence), band_gain(pairs, groups, confidence=wanted.confidence)


def _both_ways(name: str, pairs: Pairs, groups: Groups, wanted: Wanted) -> tuple[Estimates, Estimates]:
    estimator: Callable[..., Estimates] = load(ESTIMATORS, name, group="estimators")
    return (
        estimator(pairs, groups, confidence=wanted.confidence),
        estimator(swapped(pairs), groups, confidence=wanted.confidence),
    )


def _counts(pairs: Pairs, groups: Groups) -> dict[str, Floats]:
    """Sums over items, one entry a group."""
    before, after = pairs.states("before"), pairs.states("after")
    right = pairs.share[:, 0]
    rows = {
        "n": np.ones(len(right)),
        "n11": right,
        "n10": before[:, 0] - right,
        "n01": after[:, 0] - right,
        "n00": 1 - before[:, 0] - after[:, 0] + right,
        "unanswered_before": before[:, UNPARSED:].sum(axis=1),
        "unanswered_after": after[:, UNPARSED:].sum(axis=1),
        "right_before": pairs.score_before,
        "right_after": pairs.score_after,
        "identified": (pairs.status == IDENTIFIED).astype(float),
        "draws_before": (~np.isnan(pairs.noise_before)).astype(float),
        "draws_after": (~np.isnan(pairs.noise_after)).astype(float),
        **{reason: (pairs.status == status).astype(float) for status, reason in REASONS.items()},
        **{
            f"lost_{state}": np.where(usable(pairs), unanswered_part(pairs, (state,)), 0.0)
            for state in (UNPARSED, REFUSED, TRUNCATED)
        },
        "repeated_wrong": np.where(pairs.luck > 0, pairs.share[:, SAME], 0.0),
        "wrong_twice": np.where(pairs.luck > 0, pairs.share[:, SAME] + pairs.share[:, OTHER], 0.0),
    }
    inside = groups.code >= 0
    code, count = groups.code[inside], pairs.items[inside]
    return {name: totals(code, row[inside] * count, groups.size) for name, row in rows.items()}


def _by_group(evidence: Evidence, groups: Sequence[Group]) -> tuple[Floats, Floats]:
    """Items that failed, and items lost to each cause, one line a group."""
    of_leaf = codes(groups, len(evidence.leaves), np.arange(len(evidence.leaves)))
    inside = of_leaf.code >= 0
    failed, lost = np.zeros(of_leaf.size), np.zeros((of_leaf.size, evidence.causes.shape[1]))
    np.add.at(failed, of_leaf.code[inside], evidence.failed[inside])
    np.add.at(lost, of_leaf.code[inside], evidence.causes[inside])
    return failed, lost


def _adjust(found: Sequence[Cell]) -> None:
    """q and q_net over the leaf cells of the comparison; every null gets its reason."""
    leaves = [cell for cell in found if cell.level == "domain"]
    for name, adjusted_name in (("p", "q"), ("p_net", "q_net")):
        known = np.array([np.nan if (p := getattr(cell, name)) is None else p for cell in leaves])
        for cell, q in zip(leaves, benjamini_hochberg(known).tolist(), strict=True):
            setattr(cell, adjusted_name, None if q != q else q)
    for cell in found:
        cell.notes |= reasons(cell)
