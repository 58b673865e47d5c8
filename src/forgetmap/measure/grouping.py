"""Which leaves make up each cell: all, category, task, domain."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from forgetmap.measure.cell import ESTIMATES, Cell, Estimate, Level, Wanted
from forgetmap.measure.estimates import Groups
from forgetmap.measure.evidence import Leaf
from forgetmap.stats.arrays import Ints

MACRO = "macro"
"""The note of a cell that is a mean over domains."""
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
    return list(_grouped(tuple(leaves), level, graded=graded))


@lru_cache(maxsize=16)
def _grouped(leaves: tuple[Leaf, ...], level: Level, *, graded: bool) -> tuple[Group, ...]:
    """The same; comparisons of runs that asked the same items ask for the same groups."""
    members: dict[tuple[str, ...], list[int]] = {}
    for place, leaf in enumerate(leaves):
        if leaf.graded == graded:
            members.setdefault(_key(leaf, level), []).append(place)
    return tuple(_named(level, [leaves[place] for place in places], tuple(places)) for places in members.values())


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


def codes(groups: Sequence[Group], leaves: int, leaf: Ints, *, macro: bool = False) -> Groups:
    """The group of each row, from the leaf of each row; with `macro` every leaf of a group counts the same."""
    of_leaf = np.full(leaves, -1, np.int64)
    for code, one in enumerate(groups):
        of_leaf[list(one.leaves)] = code
    return Groups(of_leaf[leaf], len(groups), leaf if macro else None)


def is_macro(wanted: Wanted, level: Level) -> bool:
    """Whether cells of a level are means over domains; a domain itself is a mean over items."""
    return wanted.macro and level != "domain"


def name_macro(cell: Cell) -> None:
    """Say in each estimate of a cell that it is a mean over domains."""
    for name in ESTIMATES:
        found = getattr(cell, name)
        if found is not None:
            setattr(cell, name, _macro(found))
    cell.alternatives = {
        name: {side: found and _macro(found) for side, found in both.items()}
        for name, both in cell.alternatives.items()
    }
    cell.notes[MACRO] = "every domain counts the same, whatever its number of items; counts are sums over items"


def _macro(found: Estimate) -> Estimate:
    return found._replace(method=found.method.replace("padded", "padded, macro").replace("band", "band, macro"))


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
