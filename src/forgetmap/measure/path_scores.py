"""What the answers of every item count for every path, task by task, seed by seed."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from forgetmap.measure.align import Aligned
from forgetmap.measure.evidence import Leaf, cluster_codes, leaf_codes
from forgetmap.measure.paths import NAMES, Shape, all_paths, bounds, name_of, patterns
from forgetmap.measure.patterns import (
    answered,
    chances,
    kinds_of,
    right_path,
    right_shares,
    sides_of,
    too_many,
    tuples,
)
from forgetmap.stats.arrays import Bools, Floats, Ints
from forgetmap.taxonomy.place import Taxonomy


class PathItems(NamedTuple):
    """Items of all tasks, with what their answers count for every path and every name; entries are means over seeds."""

    leaf: Ints
    items: Floats
    cluster: Ints
    status: Ints
    raw: Floats
    """Items × paths: share of the tuples of draws whose right answers follow the path."""
    right: Floats
    """Items × stages: share of all draws that are right."""
    sampled: Bools
    """Whether an item has more tuples of draws than were looked at."""
    by_seed: Floats
    """Items × seeds × keys of scores."""
    low: Floats
    high: Floats
    """The least and the most that the scores may stand for; other than the scores only for items of a band."""
    low_end: Floats
    high_end: Floats
    """The least and the most that an item of its shape can count."""


class PathEvidence(NamedTuple):
    """What the cells rest on."""

    leaves: list[Leaf]
    items: PathItems
    failed: Ints
    """Per leaf, items without an answer at some stage."""


def keys(stages: int) -> dict[str, tuple[str, ...]]:
    """Every path by itself, then the paths of each name.

    >>> keys(2)["lost"], len(keys(3))
    (('KU',), 14)
    """
    every = all_paths(stages)
    named = {name: tuple(path for path in every if name_of(path) == name) for name in NAMES}
    return {path: (path,) for path in every} | {name: paths for name, paths in named.items() if paths}


def gather_paths(
    tasks: Sequence[Aligned], chains: Sequence[tuple[int, ...]], taxonomy: Taxonomy
) -> PathEvidence | None:
    """Scores of all right/wrong tasks for every chain of runs (one a seed); null where all are graded."""
    leaves: dict[Leaf, int] = {}
    parts: list[PathItems] = []
    failed: list[Ints] = []
    clusters = 0
    for task in tasks:
        if task.graded:
            continue
        leaf, usable = leaf_codes(task.pair(0, 1), taxonomy, leaves), answered(task)
        failed.append(leaf[~usable])
        task, leaf = task.only(usable), leaf[usable]
        cluster, clusters = cluster_codes(task.pair(0, 1), clusters)
        parts.append(score_items(task, chains, leaf, cluster))
    if not parts:
        return None
    return PathEvidence(list(leaves), _joined(parts), np.bincount(np.concatenate(failed), minlength=len(leaves)))


def score_items(task: Aligned, chains: Sequence[tuple[int, ...]], leaf: Ints, cluster: Ints) -> PathItems:
    stages = len(chains[0])
    chance = chances(task, stages)
    scored = [_scored(task, chain, chance.shape) for chain in chains]
    sides = [sides_of(task, chain) for chain in chains]
    # Every length is said, for of no item none can be told from the others.
    ends = np.array([_ends(Shape(*map(int, shape)), stages) for shape in chance.shape])
    ends = ends.reshape(task.items, 2, len(keys(stages)))
    return PathItems(
        leaf=leaf,
        items=np.ones(task.items),
        cluster=cluster,
        status=chance.status,
        raw=np.mean([one.raw for one in scored], axis=0),
        right=np.mean([right_shares(own) for own in sides], axis=0),
        sampled=np.full(task.items, any(map(too_many, sides))),
        by_seed=np.stack([one.scores[0] for one in scored], axis=1),
        low=np.mean([one.scores[1] for one in scored], axis=0),
        high=np.mean([one.scores[2] for one in scored], axis=0),
        low_end=ends[:, 0],
        high_end=ends[:, 1],
    )


class _Scored(NamedTuple):
    raw: Floats
    scores: Floats
    """Score, least and most × items × keys."""


def _scored(task: Aligned, chain: tuple[int, ...], shape: Ints) -> _Scored:
    """One chain of runs: means over the tuples of draws."""
    stages = len(chain)
    raw, scores = np.zeros((task.items, 2**stages)), np.zeros((3, task.items, len(keys(stages))))
    weight = np.zeros(task.items)
    for drawn in tuples(sides_of(task, chain), shape[:, 0] == 0):
        told, which = kinds_of(drawn.pattern, shape)
        table = np.array([_counts(*one) for one in told]).reshape(len(told), 3, len(keys(stages)))
        raw[np.arange(task.items), right_path(drawn.pattern)] += drawn.counts
        scores += np.moveaxis(table[which], 1, 0) * drawn.counts[:, None]
        weight += drawn.counts
    return _Scored(raw / weight[:, None], scores / weight[:, None])


@cache
def _counts(pattern: tuple[int, ...], shape: Shape) -> list[tuple[float, ...]]:
    """Score, least and most × keys; zeros where no formula holds."""
    every = keys(len(pattern))
    if shape.golds and (shape.wrong < 1 or max(pattern) > shape.wrong):
        return [(0.0,) * len(every)] * 3
    return list(zip(*(bounds(pattern, shape, paths) for paths in every.values()), strict=True))


@cache
def _ends(shape: Shape, stages: int) -> list[tuple[float, ...]]:
    """The least and the most that an item of this shape can count for each key."""
    if shape.golds and shape.wrong < 1:
        return [(0.0,) * len(keys(stages))] * 2
    found = np.array([_counts(pattern, shape) for pattern in patterns(stages, shape)])
    return [tuple(found[:, 1].min(axis=0)), tuple(found[:, 2].max(axis=0))]


def _joined(parts: Sequence[PathItems]) -> PathItems:
    return PathItems(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
