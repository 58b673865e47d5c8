"""The items that were lost or gained between two runs, without their texts: found once a pair, then filtered and paged."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from forgetmap.measure.causes import causes
from forgetmap.measure.cell import CAUSES
from forgetmap.measure.columns import RIGHT
from forgetmap.measure.lost import LOWER, places_of
from forgetmap.measure.pair import Pairing, TaskPairs
from forgetmap.measure.transitions import answered, graded, transitions
from forgetmap.measure.visible import visible
from forgetmap.stats.arrays import Floats
from forgetmap.taxonomy.place import Taxonomy

LEVELS = ("task", "domain", "category")
_METRICS = (" (graded)", " (right/wrong)")


class Changed(NamedTuple):
    """An item that was lost, gained, or both in different draws."""

    lost: float
    gained: float
    cause: str | None
    """Why it was lost; null where it was only gained."""
    ids: tuple[tuple[str, str], tuple[str, str]]
    """Task and item id on either side."""
    scorers: tuple[str, str]
    places: tuple[str, str, str]
    """Task, domain and category."""

    def within(self, level: str, name: str) -> bool:
        """Whether it lies in a cell, by the label that the cell bears."""
        if level not in LEVELS:
            return True
        for metric in _METRICS:
            name = name.removesuffix(metric)
        place = visible(self.places[LEVELS.index(level)])
        return name == place or (level == "domain" and name == f"{visible(self.places[0])} · {place}")


def changed(pairing: Pairing, taxonomy: Taxonomy) -> list[Changed]:
    """Every changed item, those lost most certainly first, then those gained."""
    found = [one for task in pairing.tasks for one in _of(task, taxonomy)]
    return sorted(found, key=lambda one: (-one.lost, -one.gained))


def _of(task: TaskPairs, taxonomy: Taxonomy) -> Iterator[Changed]:
    task = task.only(answered(task, scored=task.graded))
    lost, gained = _shares(task)
    moved = (lost > 1e-9) | (gained > 1e-9)
    task, lost, gained = task.only(moved), lost[moved], gained[moved]
    why, places = _causes(task, lost), places_of(task, taxonomy)
    scorers = task.before.scorer, task.after.scorer
    for row, place in enumerate(places):
        here = task.before.task, task.before.item_id(int(task.rows_before[row]))
        there = task.after.task, task.after.item_id(int(task.rows_after[row]))
        yield Changed(float(lost[row]), float(gained[row]), why[row], (here, there), scorers, place)


def _shares(task: TaskPairs) -> tuple[Floats, Floats]:
    nobody = np.zeros(len(task.rows_before), np.int64)
    if task.graded:
        found = graded(task, nobody, nobody - 1)
        return found.loss, found.gain
    pairs = transitions(task, nobody, nobody - 1)
    kept = pairs.share[:, 0]
    return pairs.states("before")[:, RIGHT] - kept, pairs.states("after")[:, RIGHT] - kept


def _causes(task: TaskPairs, lost: Floats) -> Sequence[str | None]:
    if task.graded:
        return [LOWER if share > 1e-9 else None for share in lost]
    return [CAUSES[int(row.argmax())] if row.any() else None for row in causes(task)]
