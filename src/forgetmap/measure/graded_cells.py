"""Cells of graded scores: losses and gains without right and wrong."""

import numpy as np

from forgetmap.measure.cell import Cell, Level, Wanted
from forgetmap.measure.cell_tests import two_sided
from forgetmap.measure.estimates import Estimates, fold_scores
from forgetmap.measure.evidence import Evidence
from forgetmap.measure.graded import (
    graded_excess,
    graded_forgetting,
    graded_gain,
    graded_net,
    graded_noise_floor,
)
from forgetmap.measure.grouping import Group, cell_of, codes, group, is_macro, name_macro
from forgetmap.measure.numbers import estimate_at, number, rests_at
from forgetmap.stats.arrays import Floats, totals
from forgetmap.stats.interval import mean, standard_error, tail
from forgetmap.stats.significance import detectable

_METRICS = {
    "forgetting": graded_forgetting,
    "gain": graded_gain,
    "net": graded_net,
    "noise_floor": graded_noise_floor,
    "excess": graded_excess,
}


def graded_cells(evidence: Evidence, level: Level, wanted: Wanted) -> list[Cell]:
    """The cells of one level whose tasks have graded scores."""
    groups, items = group(evidence.leaves, level, graded=True), evidence.graded
    if items is None or not groups:
        return []
    coded = codes(groups, len(evidence.leaves), items.leaf, macro=is_macro(wanted, level))
    metrics = {name: metric(items, coded, confidence=wanted.confidence) for name, metric in _METRICS.items()}
    size = totals(coded.code, items.items, coded.size)
    whole = np.ones(len(items.leaf))
    means = {
        side: mean(fold_scores(getattr(items, f"score_{side}"), items, coded, whole > 0, (0 * whole, whole)))
        for side in ("before", "after")
    }
    found = []
    for place, one in enumerate(groups):
        cell = _cell(evidence, one, wanted)
        cell.n = int(size[place])
        cell.accuracy_before, cell.accuracy_after = number(means["before"][place]), number(means["after"][place])
        _fill(cell, metrics, place, wanted)
        if is_macro(wanted, level):
            name_macro(cell)
        found.append(cell)
    return found


def _cell(evidence: Evidence, one: Group, wanted: Wanted) -> Cell:
    places = list(one.leaves)
    lacking = {"failed": int(evidence.failed[places].sum()), "unanswered": int(evidence.unanswered[places].sum())}
    cell = cell_of(one, wanted, "graded")
    cell.dropped = {reason: items for reason, items in lacking.items() if items}
    cell.notes["n11"] = "graded scores have no right and wrong"
    return cell


def _fill(cell: Cell, metrics: dict[str, Estimates], place: int, wanted: Wanted) -> None:
    for name, found in metrics.items():
        setattr(cell, name, estimate_at(found, place))
    cell.rests_on = rests_at(metrics["forgetting"], place)
    cell.p = number(tail(metrics["excess"].sums)[place])
    cell.p_net = number(two_sided(metrics["net"])[place])
    errors: Floats = standard_error(metrics["forgetting"].sums)
    cell.detectable = number(detectable(errors, confidence=wanted.confidence)[place])
    if wanted.estimators:
        cell.notes["alternatives"] = "estimators of right and wrong answers"
