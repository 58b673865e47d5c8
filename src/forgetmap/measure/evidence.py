"""All tasks of a pairing as one set of pairs, with the leaves (task × domain) that cells are made of."""

from typing import NamedTuple, TypeVar

import numpy as np

from forgetmap.measure.causes import causes
from forgetmap.measure.cell import CAUSES
from forgetmap.measure.pair import Pairing, TaskPairs
from forgetmap.measure.transitions import Graded, Pairs, answered, condensed, graded, transitions
from forgetmap.stats.arrays import Bools, Floats, Ints
from forgetmap.taxonomy.place import Taxonomy


class Leaf(NamedTuple):
    """The smallest cell: a domain of a task."""

    task: str
    domain: str
    category: str
    scorer: str
    graded: bool


class Part(NamedTuple):
    """The right/wrong items of one task as they were folded, draw by draw, for what cannot be read off shares of transitions."""

    task: TaskPairs
    leaf: Ints


class Evidence(NamedTuple):
    """What the cells of one comparison rest on."""

    leaves: list[Leaf]
    pairs: Pairs | None
    """Right/wrong items of all tasks; null where there are none."""
    graded: Graded | None
    causes: Floats
    """Leaves × causes: items lost to each."""
    failed: Ints
    """Per leaf, paired items without an answer on one side."""
    unanswered: Ints
    """Per leaf of graded scores, paired items without a score on one side, failed ones apart."""
    parts: tuple[Part, ...] = ()


def gather(pairing: Pairing, taxonomy: Taxonomy) -> Evidence:
    """Transitions of every task, named by leaf."""
    leaves: dict[Leaf, int] = {}
    plain: list[Pairs] = []
    scored: list[Graded] = []
    lost: list[tuple[Ints, Floats]] = []
    failed: list[Ints] = []
    unanswered: list[Ints] = []
    parts: list[Part] = []
    clusters = 0
    for task in pairing.tasks:
        leaf = leaf_codes(task, taxonomy, leaves)
        tried, usable = answered(task), answered(task, scored=task.graded)
        failed.append(leaf[~tried])
        unanswered.append(leaf[tried & ~usable])
        task, leaf = _only(task, usable), leaf[usable]
        cluster, clusters = cluster_codes(task, clusters)
        if task.graded:
            scored.append(graded(task, leaf, cluster))
        else:
            plain.append(transitions(task, leaf, cluster))
            lost.append((leaf, causes(task)))
            parts.append(Part(task, leaf))
    size = len(leaves)
    return Evidence(
        leaves=list(leaves),
        pairs=condensed(_joined(Pairs, plain)) if plain else None,
        graded=_joined(Graded, scored) if scored else None,
        causes=_by_leaf(lost, size),
        failed=np.bincount(np.concatenate(failed), minlength=size),
        unanswered=np.bincount(np.concatenate(unanswered), minlength=size),
        parts=tuple(parts),
    )


def leaf_codes(task: TaskPairs, taxonomy: Taxonomy, leaves: dict[Leaf, int]) -> Ints:
    scorer = (
        task.before.scorer if task.before.scorer == task.after.scorer else f"{task.before.scorer} / {task.after.scorer}"
    )
    known: dict[tuple[str | None, str | None], int] = {}
    codes = np.empty(len(task.rows_before), np.int64)
    for place, said in enumerate(zip(task.said("domains"), task.said("categories"), strict=True)):
        if said not in known:
            category = taxonomy.place(task.task, said[0], said=said[1])
            leaf = Leaf(task.task, said[0] or task.task, category, scorer, task.graded)
            known[said] = leaves.setdefault(leaf, len(leaves))
        codes[place] = known[said]
    return codes


def _only(task: TaskPairs, rows: Bools) -> TaskPairs:
    return task._replace(rows_before=task.rows_before[rows], rows_after=task.rows_after[rows])


def cluster_codes(task: TaskPairs, start: int) -> tuple[Ints, int]:
    """One code a passage, beginning at `start`; −1 for items alone in theirs."""
    names = task.said("clusters")
    if not any(names):
        return np.full(len(names), -1, np.int64), start
    labels = np.array([name or "" for name in names])
    _, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    alone = (labels == "") | (counts[inverse] < 2)
    return np.where(alone, -1, inverse + start), start + len(counts)


T = TypeVar("T", Pairs, Graded)


def _joined(kind: type[T], parts: list[T]) -> T:
    return kind(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _by_leaf(parts: list[tuple[Ints, Floats]], size: int) -> Floats:
    total = np.zeros((size, len(CAUSES)))
    for leaf, found in parts:
        np.add.at(total, leaf, found)
    return total
