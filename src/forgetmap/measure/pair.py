"""Two folded runs joined item by item: what pairs, what does not, and what differs besides the weights."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forgetmap.errors import PairingError
from forgetmap.measure.columns import Columns, Folded
from forgetmap.measure.names import Coded, Names
from forgetmap.measure.scorer_choice import Scorers, choose
from forgetmap.measure.settings_differ import differences
from forgetmap.measure.task_names import TOLERATED, Aliases, task_names
from forgetmap.stats.arrays import Bools, Ints


class TaskPairs(NamedTuple):
    """One task on both sides: rows of `before` and `after` that are the same item."""

    task: str
    before: Columns
    after: Columns
    rows_before: NDArray[np.int64]
    rows_after: NDArray[np.int64]
    only_before: list[str]
    only_after: list[str]
    content_differs: int
    """Items without a partner whose native id stands for other content on the other side."""

    @property
    def graded(self) -> bool:
        return self.before.graded or self.after.graded

    @property
    def aligned(self) -> bool:
        """Whether both sides hold the same items, each in the same row, and all of them are meant."""
        every = self.rows_before is self.rows_after is _every(len(self.before.items))
        return every and self.before.items is self.after.items

    def only(self, pairs: Ints | Bools) -> "TaskPairs":
        """The same with some of the paired items."""
        return self._replace(rows_before=self.rows_before[pairs], rows_after=self.rows_after[pairs])

    def coded(self, what: Literal["domains", "categories", "clusters"]) -> Coded:
        """What the logs say of each paired item: before's word, else after's."""
        here: Coded = getattr(self.before, what)
        if self.aligned:
            return here
        there: Coded = getattr(self.after, what)
        return here.take(self.rows_before).filled(there.take(self.rows_after))

    def said(self, what: Literal["domains", "categories", "clusters"]) -> list[str | None]:
        """The same as texts."""
        return list(self.coded(what))


class Pairing(NamedTuple):
    """Everything two runs share, and all they do not."""

    before: Folded
    after: Folded
    tasks: list[TaskPairs]
    tasks_only_before: list[str]
    tasks_only_after: list[str]
    differs: list[str]
    apart: Sequence[str] = ()
    """Tasks that look like one under two names and were not joined, and why."""

    @property
    def paired(self) -> int:
        return sum(len(task.rows_before) for task in self.tasks)

    @property
    def only_before(self) -> int:
        return sum(len(task.only_before) for task in self.tasks)

    @property
    def only_after(self) -> int:
        return sum(len(task.only_after) for task in self.tasks)

    @property
    def content_differs(self) -> int:
        return sum(task.content_differs for task in self.tasks)

    @property
    def duplicates(self) -> int:
        return self.before.duplicates + self.after.duplicates


def pair(before: Folded, after: Folded, *, scorers: Scorers = (), aliases: Aliases | None = None) -> Pairing:
    """Join two runs by (task, item id), and by native id where a log has no content. Never by the order of rows.

    `scorers` are names ("acc_norm", "exact_match,strict-match", a filter alone) or "TASK_PATTERN=NAME", or exactly one a side for each
    task; `aliases` maps a task's name to another, and goes before the names that harnesses are known to give one task.
    """
    left, right, apart = task_names(before, after, aliases or {})
    common = [task for task in left if task in right]
    if not common:
        raise PairingError(_nothing_common(before, after, apart))
    offers = {task: (before.scorers(left[task]), after.scorers(right[task])) for task in common}
    chosen = scorers if isinstance(scorers, Mapping) else choose(offers, scorers, right)
    pairs = [
        join(task, before.columns[left[task], chosen[task][0]], after.columns[right[task], chosen[task][1]])
        for task in common
    ]
    pairing = Pairing(
        before=before,
        after=after,
        tasks=pairs,
        tasks_only_before=[task for task in left if task not in right],
        tasks_only_after=[task for task in right if task not in left],
        differs=differences(before.info, after.info, [(p.before, p.after, p.rows_before, p.rows_after) for p in pairs]),
        apart=apart,
    )
    if pairing.paired == 0:
        raise PairingError(_nothing_common(before, after, apart))
    return pairing


def demand_coverage(pairing: Pairing) -> None:
    """Stop where more than 1 % of the items of common tasks have no partner."""
    alone = pairing.only_before + pairing.only_after
    share = alone / (pairing.paired + alone)
    if share > TOLERATED:
        worst = max(pairing.tasks, key=lambda task: len(task.only_before) + len(task.only_after))
        here, there = worst.before.task, worst.after.task
        joined = (
            ""
            if here == there
            else f", joined with {there} after as one task"
            if worst.task == here
            else f" ({here} with {there})"
        )
        raise PairingError(
            f"{share:.1%} of the items of common tasks have no partner ({pairing.only_before} only in "
            f"{pairing.before.info.run_id}, {pairing.only_after} only in {pairing.after.info.run_id}; most of them in "
            f"{worst.task}{joined}). Look at them with `forgetmap compare BEFORE AFTER --dry-run`, then compare what pairs with "
            "--allow-unpaired."
        )


def join(task: str, before: Columns, after: Columns) -> TaskPairs:
    """The same items of two tables, by item id, and by native id where one has no content."""
    if before.item_ids == after.item_ids:
        every = _every(len(before.items))
        after = after._replace(items=before.items) if before.items.same(after.items) else after
        return TaskPairs(task, before, after, every, every, [], [], 0)
    places = before.item_ids.places(after.item_ids)
    rows_before = np.flatnonzero(places >= 0)
    rows_before, rows_after = _with_native_ids(before, after, rows_before, places[rows_before])
    alone_before, alone_after = _others(rows_before, len(before.items)), _others(rows_after, len(after.items))
    natives = set(after.natives.take(alone_after)) - {None}
    return TaskPairs(
        task=task,
        before=before,
        after=after,
        rows_before=rows_before,
        rows_after=rows_after,
        only_before=_texts(before.item_ids.take(alone_before)),
        only_after=_texts(after.item_ids.take(alone_after)),
        content_differs=sum(native in natives for native in before.natives.take(alone_before)),
    )


@lru_cache(maxsize=1024)
def _every(items: int) -> NDArray[np.int64]:
    """The rows of a table whose items all pair in their order: one array for all such tables, never written to."""
    rows = np.arange(items)
    rows.setflags(write=False)
    return rows


def _others(rows: NDArray[np.int64], items: int) -> NDArray[np.int64]:
    alone = np.ones(items, bool)
    alone[rows] = False
    return np.flatnonzero(alone)


def _texts(names: Names) -> list[str]:
    return [name for name in names if name is not None]


def _with_native_ids(
    before: Columns, after: Columns, rows_before: NDArray[np.int64], rows_after: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The last resort: where one side's log has no content at all, native ids stand for the items that are left."""
    free_before, free_after = _others(rows_before, len(before.items)), _others(rows_after, len(after.items))
    if not len(free_before) or not len(free_after) or (before.has_content and after.has_content):
        return rows_before, rows_after
    natives = zip(after.natives.take(free_after), free_after.tolist(), strict=True)
    place = {native: row for native, row in natives if native is not None}
    free = zip(before.natives.take(free_before), free_before.tolist(), strict=True)
    more = [(row, place[native]) for native, row in free if native in place]
    joined = np.array(more, np.int64).reshape(-1, 2)
    return np.concatenate([rows_before, joined[:, 0]]), np.concatenate([rows_after, joined[:, 1]])


def _nothing_common(before: Folded, after: Folded, apart: Sequence[str]) -> str:
    left, right = before.tasks(), after.tasks()
    common = [task for task in left if task in right]
    if common:
        return (
            f"no item is in both runs, though both have {_some(common)}: questions, options and golds differ on the two sides. "
            "Check that both logs are of the same version and language of the task, or give both an item_id."
        )
    if apart:
        return f"no task is in both runs: {'; '.join(apart)}."
    return (
        f"no task is in both runs: {before.info.run_id} has {_some(left)}, {after.info.run_id} has {_some(right)}. "
        "If they are the same task under two names, say so with `[aliases]` in study.toml."
    )


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
