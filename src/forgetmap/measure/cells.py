"""Evidence to cells: every metric once a level, then one `Cell` a group."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from forgetmap.measure import ESTIMATORS, METRICS
from forgetmap.measure.band import band, band_gain, usable
from forgetmap.measure.cell import CAUSES, Cell, Level, Wanted
from forgetmap.measure.cell_tests import luck, net_p, two_sided
from forgetmap.measure.estimates import Bands, Estimates, Groups, fold_scores
from forgetmap.measure.evidence import Evidence
from forgetmap.measure.fold import REFUSED, TRUNCATED, UNPARSED
from forgetmap.measure.forgetting import unanswered_part
from forgetmap.measure.graded_cells import graded_cells
from forgetmap.measure.grouping import LEVELS, Group, cell_of, codes, group, is_macro, name_macro
from forgetmap.measure.known import known_before
from forgetmap.measure.notes import Basis, explain, reasons
from forgetmap.measure.numbers import band_at, estimate_at, number, rests_at, whole
from forgetmap.measure.published import PUBLISHED, InOrder, in_order
from forgetmap.measure.transitions import IDENTIFIED, OTHER, REASONS, SAME, Pairs, swapped
from forgetmap.stats.arrays import Bools, Floats, totals
from forgetmap.stats.interval import mean, standard_error, tail
from forgetmap.stats.significance import benjamini_hochberg, detectable
from forgetmap.tables import load


def cells(evidence: Evidence, wanted: Wanted) -> list[Cell]:
    """All cells of one comparison, widest level first."""
    found: list[Cell] = []
    for level in LEVELS:
        found += _right_wrong(evidence, level, wanted)
        found += graded_cells(evidence, level, wanted)
    _adjust(found)
    return found


class _Numbers(NamedTuple):
    """Everything the right/wrong cells of one level are filled from."""

    metrics: dict[str, Estimates]
    accuracy: tuple[Floats, Floats]
    bands: tuple[Bands, Bands] | None
    by_band: Bools
    known: tuple[Floats, Floats]
    counts: dict[str, Floats]
    alternatives: dict[str, tuple[Estimates, Estimates]]
    p: Floats
    p_net: Floats
    p_luck: list[float | None]
    detectable: Floats
    by_paper: tuple[InOrder, ...] = ()
    """One a cell where it was asked for: it is no metric over groups, since its order of means asks for tasks and seeds."""


def _right_wrong(evidence: Evidence, level: Level, wanted: Wanted) -> list[Cell]:
    groups = group(evidence.leaves, level, graded=False)
    if evidence.pairs is None or not groups:
        return []
    coded = codes(groups, len(evidence.leaves), evidence.pairs.leaf, macro=is_macro(wanted, level))
    numbers = _numbers(evidence.pairs, coded, wanted)
    if PUBLISHED in wanted.estimators:
        numbers = numbers._replace(by_paper=tuple(in_order(evidence, groups, level)))
    return [_cell(evidence, numbers, one, place, wanted) for place, one in enumerate(groups)]


def _numbers(pairs: Pairs, groups: Groups, wanted: Wanted) -> _Numbers:
    metrics: dict[str, Estimates] = {
        name: load(METRICS, name, group="metrics")(pairs, groups, confidence=wanted.confidence) for name in METRICS
    }
    counts = _counts(pairs, groups)
    by_band = counts["band_only"] > (counts["band_only"] + counts["identified"]) / 2
    rests_on = np.where(by_band[np.maximum(groups.code, 0)], usable(pairs), pairs.status == IDENTIFIED)
    return _Numbers(
        metrics=metrics,
        accuracy=_accuracy(pairs, groups, counts),
        bands=_bands(pairs, groups, wanted) if by_band.any() else None,
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


def _bands(pairs: Pairs, groups: Groups, wanted: Wanted) -> tuple[Bands, Bands]:
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


def _cell(evidence: Evidence, numbers: _Numbers, one: Group, place: int, wanted: Wanted) -> Cell:
    counts = {name: float(column[place]) for name, column in numbers.counts.items()}
    places = list(one.leaves)
    lacking = {reason: int(counts[reason]) for reason in REASONS.values()} | {
        "failed": int(evidence.failed[places].sum())
    }
    cell = cell_of(one, wanted, "accuracy")
    cell.n = round(counts["n"])
    cell.dropped = {reason: items for reason, items in lacking.items() if items}
    cell.accuracy_before, cell.accuracy_after = (number(side[place]) for side in numbers.accuracy)
    for name in ("n11", "n10", "n01", "n00", "unanswered_before", "unanswered_after"):
        setattr(cell, name, whole(counts[name]))
    cell.causes = dict(zip(CAUSES, map(whole, evidence.causes[places].sum(axis=0)), strict=True))
    _fill(cell, numbers, place)
    if is_macro(wanted, one.level):
        name_macro(cell)
    if numbers.by_paper:
        _fill_published(cell, numbers.by_paper[place], wanted)
    cell.notes = explain(cell, _basis(numbers, place, counts)) | cell.notes
    return cell


def _basis(numbers: _Numbers, place: int, counts: dict[str, float]) -> Basis:
    bands = numbers.bands if numbers.by_band[place] else None
    band = (float(bands[0].least[place]), float(bands[0].greatest[place])) if bands else None
    return Basis(counts, band, float(numbers.metrics["net"].sums.clusters[place]))


def _fill(cell: Cell, numbers: _Numbers, place: int) -> None:
    """Estimates and tests."""
    for name, found in numbers.metrics.items():
        setattr(cell, name, estimate_at(found, place))
    cell.rests_on = rests_at(numbers.metrics["forgetting"], place)
    if numbers.bands is not None and numbers.by_band[place]:
        cell.forgetting, cell.gain = (band_at(found, place) for found in numbers.bands)
        cell.rests_on = rests_at(numbers.bands[0], place)
        cell.dropped.pop("band_only", None)
    cell.known_before, cell.known_after = (number(column[place]) for column in numbers.known)
    cell.p, cell.p_net, cell.p_luck = number(numbers.p[place]), number(numbers.p_net[place]), numbers.p_luck[place]
    cell.detectable = None if numbers.by_band[place] else number(numbers.detectable[place])
    cell.alternatives = {
        name: {"forgetting": estimate_at(both[0], place), "gain": estimate_at(both[1], place)}
        for name, both in numbers.alternatives.items()
    }


def _fill_published(cell: Cell, found: InOrder, wanted: Wanted) -> None:
    """The paper's estimate among the others, in the order asked for, with its spread over seeds as a note."""
    estimates = found.estimates(macro=cell.level in ("all", "category"))
    both = cell.alternatives | {PUBLISHED: estimates}
    cell.alternatives = {name: both[name] for name in wanted.estimators}
    if estimates["forgetting"] is not None:
        cell.notes[PUBLISHED] = found.note()


def _adjust(found: Sequence[Cell]) -> None:
    """q and q_net over the leaf cells of the comparison; every null gets its reason."""
    leaves = [cell for cell in found if cell.level == "domain"]
    for name, adjusted_name in (("p", "q"), ("p_net", "q_net")):
        known = np.array([np.nan if getattr(cell, name) is None else getattr(cell, name) for cell in leaves])
        for cell, q in zip(leaves, benjamini_hochberg(known), strict=True):
            setattr(cell, adjusted_name, number(q))
    for cell in found:
        cell.notes |= reasons(cell)
