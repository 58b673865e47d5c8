"""Which leaves make up each cell: all, category, task, domain."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from forgetmap.measure.cell import Cell, Level, Wanted
from forgetmap.measure.estimates import Groups
from forgetmap.measure.evidence import Leaf
from forgetmap.stats.arrays import Ints

LEVELS: tuple[Level, ...] = ("all", "category", "task", "domain")


class Group(NamedTuple):
    """One cell to be: where it stands in the map, and the leaves it is made of."""

    level: Level
    name: str
    parent: str | None
    task: str | None
    scorer: str | None
    leaves: tuple[int, ...]


def group(leaves: Sequence[Leaf], level: Level, *, graded: bool) -> list[Group]:
    """The groups of one level, in the order in which their leaves come."""
    members: dict[tuple[str, ...], list[int]] = {}
    for place, leaf in enumerate(leaves):
        if leaf.graded == graded:
            members.setdefault(_key(leaf, level), []).append(place)
    return [_named(level, [leaves[place] for place in places], tuple(places)) for places in members.values()]


def cell_of(one: Group, wanted: Wanted, metric: Literal["accuracy", "graded"]) -> Cell:
    """The cell of a group, with everything still to be filled in."""
    return Cell(
        before=wanted.before,
        after=wanted.after,
        level=one.level,
        name=one.name,
        parent=one.parent,
        task=one.task,
        scorer=one.scorer,
        metric=metric,
        n=0,
        dropped={},
        accuracy_before=None,
        accuracy_after=None,
    )


def codes(groups: Sequence[Group], leaves: int, leaf: Ints) -> Groups:
    """The group of each row, from the leaf of each row."""
    of_leaf = np.full(leaves, -1, np.int64)
    for code, one in enumerate(groups):
        of_leaf[list(one.leaves)] = code
    return Groups(of_leaf[leaf], len(groups))


def _key(leaf: Leaf, level: Level) -> tuple[str, ...]:
    return {"all": (), "category": (leaf.category,), "task": (leaf.task,)}.get(level, (leaf.task, leaf.domain))


def _named(level: Level, leaves: list[Leaf], places: tuple[int, ...]) -> Group:
    first = leaves[0]
    name = {"all": "all", "category": first.category, "task": first.task}.get(level, first.domain)
    categories = {leaf.category for leaf in leaves}
    parent = {"all": None, "category": "all", "task": first.category if len(categories) == 1 else "all"}.get(
        level, first.task
    )
    tasks, scorers = {leaf.task for leaf in leaves}, {leaf.scorer for leaf in leaves}
    return Group(
        level,
        name,
        parent,
        first.task if len(tasks) == 1 else None,
        scorers.pop() if len(scorers) == 1 else None,
        places,
    )
