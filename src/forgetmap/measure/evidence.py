"""All tasks of a pairing as one set of pairs, with the leaves (task × domain) that cells are made of."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from forgetmap.measure.causes import causes
from forgetmap.measure.cell import CAUSES
from forgetmap.measure.counting import Counted, Known, Strata, countable, counted, plan, strata
from forgetmap.measure.pair import Pairing, TaskPairs
from forgetmap.measure.transitions import Graded, Pairs, answered, condensed, graded, joined, transitions
from forgetmap.stats.arrays import Floats, Ints
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


class Asked(NamedTuple):
    """A task with its strata, and the leaf of every stratum."""

    task: TaskPairs
    strata: Strata
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
    asked: tuple[Asked, ...] = ()

    @property
    def parts(self) -> Iterator[Part]:
        """The answered items of every task of right and wrong."""
        for task, found, leaf in self.asked:
            if not task.graded:
                usable = answered(task)
                yield Part(task.only(usable), leaf[found.of][usable])


def gather(pairing: Pairing, taxonomy: Taxonomy, known: Known | None = None) -> Evidence:
    """Transitions of every task, named by leaf; `known` remembers strata from pairing to pairing of runs that share their items."""
    known = Known.nothing() if known is None else known
    key = _key(pairing)
    if key is not None and key in known.plans:
        leaves, by, asked = known.plans[key]
        found = [Asked(task, *rest) for task, (_, *rest) in zip(pairing.tasks, asked, strict=True)]
        return _all_counted(counted(pairing.tasks, by, len(leaves)), leaves, found)
    return _task_by_task(pairing, _Places(taxonomy, known.categories), known)


def _key(pairing: Pairing) -> tuple[tuple[str, str, str, int], ...] | None:
    """By what a pairing is known whose items are all shared; null for others."""
    if not all(task.aligned and len(task.before.seeds) == len(task.after.seeds) == 1 for task in pairing.tasks):
        return None
    if any(task.before.marks is not None or task.after.marks is not None for task in pairing.tasks):
        return None
    return tuple((task.task, task.before.scorer, task.after.scorer, id(task.before.items)) for task in pairing.tasks)


def _all_counted(some: Counted, leaves: list[Leaf], asked: Sequence[Asked]) -> Evidence:
    return Evidence(
        leaves=leaves,
        pairs=some.pairs,
        graded=None,
        causes=some.causes,
        failed=some.failed,
        unanswered=np.zeros(len(leaves), np.int64),
        asked=tuple(asked),
    )


def _task_by_task(pairing: Pairing, places: "_Places", known: Known) -> Evidence:
    leaves: dict[Leaf, int] = {}
    every: list[Asked] = []
    by_count: list[Asked] = []
    found = _ItemByItem()
    for task in pairing.tasks:
        own = strata(task, known)
        every.append(Asked(task, own, _leaves(task, own, places, leaves)))
        if countable(task):
            by_count.append(every[-1])
        else:
            found.add(task, every[-1].leaf[own.of])
    size = len(leaves)
    some = None
    if by_count:
        by = plan([(one.strata, one.leaf) for one in by_count])
        some = counted([one.task for one in by_count], by, size)
        key = _key(pairing)
        if key is not None and len(by_count) == len(pairing.tasks):
            # The items are held on to, for another could come to stand where one stood.
            known.plans[key] = list(leaves), by, every
            return _all_counted(some, list(leaves), every)
    rows = [some.pairs] if some else []
    return Evidence(
        leaves=list(leaves),
        pairs=joined([*rows, condensed(joined(found.plain))] if found.plain else rows) if rows or found.plain else None,
        graded=Graded(*map(np.concatenate, zip(*found.scored, strict=True))) if found.scored else None,
        causes=_by_leaf(found.lost, size) + (some.causes if some else 0),
        failed=_by_number(found.failed, size) + (some.failed if some else 0),
        unanswered=_by_number(found.unanswered, size),
        asked=tuple(every),
    )


def _by_number(leaf: list[Ints], size: int) -> Ints:
    return np.bincount(np.concatenate([*leaf, _NONE]), minlength=size)


_NONE = np.zeros(0, np.int64)


class _ItemByItem:
    """Tasks with several draws, with passages or with graded scores: one row an item."""

    def __init__(self) -> None:
        self.plain: list[Pairs] = []
        self.scored: list[Graded] = []
        self.lost: list[tuple[Ints, Floats]] = []
        self.failed: list[Ints] = []
        self.unanswered: list[Ints] = []
        self._clusters = 0

    def add(self, task: TaskPairs, leaf: Ints) -> None:
        """The paired items of one task."""
        tried, usable = answered(task), answered(task, scored=task.graded)
        self.failed.append(leaf[~tried])
        self.unanswered.append(leaf[tried & ~usable])
        task, leaf = task.only(usable), leaf[usable]
        cluster, self._clusters = cluster_codes(task, self._clusters)
        if task.graded:
            self.scored.append(graded(task, leaf, cluster))
        else:
            self.plain.append(transitions(task, leaf, cluster))
            self.lost.append((leaf, causes(task)))


class _Places(NamedTuple):
    """Where things belong, each looked up once."""

    taxonomy: Taxonomy
    found: dict[tuple[str, str | None, str | None], str]

    def category(self, task: str, domain: str | None, said: str | None) -> str:
        place = self.found.get((task, domain, said))
        if place is None:
            place = self.found[task, domain, said] = self.taxonomy.place(task, domain, said=said)
        return place


def leaf_codes(task: TaskPairs, taxonomy: Taxonomy, leaves: dict[Leaf, int]) -> Ints:
    """The leaf of each paired item; leaves that are new are put last."""
    asked = strata(task, Known.nothing())
    return np.asarray(_leaves(task, asked, _Places(taxonomy, {}), leaves)[asked.of])


def _leaves(task: TaskPairs, asked: Strata, places: _Places, leaves: dict[Leaf, int]) -> Ints:
    """The leaf of each stratum."""
    scorer = (
        task.before.scorer if task.before.scorer == task.after.scorer else f"{task.before.scorer} / {task.after.scorer}"
    )
    graded = task.graded
    placed: dict[tuple[str | None, str | None], int] = {}
    for said in asked.said:
        if said not in placed:
            leaf = Leaf(task.task, said[0] or task.task, places.category(task.task, *said), scorer, graded)
            placed[said] = leaves.setdefault(leaf, len(leaves))
    return np.array([placed[said] for said in asked.said], np.int64)


def cluster_codes(task: TaskPairs, start: int) -> tuple[Ints, int]:
    """One code a passage, beginning at `start`; −1 for items alone in theirs."""
    named = task.coded("clusters")
    codes, counts = named.codes, np.bincount(named.codes[named.codes >= 0], minlength=1)
    alone = (codes < 0) | (counts[codes] < 2)
    return np.where(alone, -1, codes.astype(np.int64) + start), start + len(named.words)


def _by_leaf(parts: list[tuple[Ints, Floats]], size: int) -> Floats:
    total = np.zeros((size, len(CAUSES)))
    for leaf, found in parts:
        np.add.at(total, leaf, found)
    return total
