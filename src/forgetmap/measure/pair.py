"""Two folded runs joined item by item: what pairs, what does not, and what differs besides the weights."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forgetmap.errors import PairingError
from forgetmap.measure.fold import Columns, Folded
from forgetmap.measure.scorer_choice import Scorers, choose
from forgetmap.measure.settings_differ import differences
from forgetmap.measure.task_names import Aliases, task_names

TOLERATED = 0.01
"""Share of the items of common tasks that may lack a partner before `compare` stops."""


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

    def said(self, what: Literal["domains", "categories", "clusters"]) -> list[str | None]:
        """What the logs say of each paired item: before's word, else after's."""
        here, there = getattr(self.before, what), getattr(self.after, what)
        rows = zip(self.rows_before, self.rows_after, strict=True)
        return [here[i] if here[i] is not None else there[j] for i, j in rows]


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
        raise PairingError(
            f"{share:.1%} of the items of common tasks have no partner ({pairing.only_before} only in "
            f"{pairing.before.info.run_id}, {pairing.only_after} only in {pairing.after.info.run_id}; most of them in "
            f"{worst.task}). Look at them with --dry-run, then compare what pairs with --allow-unpaired."
        )


def join(task: str, before: Columns, after: Columns) -> TaskPairs:
    """The same items of two tables, by item id, and by native id where one has no content."""
    place = {item: row for row, item in enumerate(after.item_ids)}
    rows = [(row, place[item]) for row, item in enumerate(before.item_ids) if item in place]
    rows += _join_by_native_id(before, after, rows)
    taken_before, taken_after = {row for row, _ in rows}, {row for _, row in rows}
    alone_before = [row for row in range(len(before.item_ids)) if row not in taken_before]
    alone_after = [row for row in range(len(after.item_ids)) if row not in taken_after]
    natives = {after.natives[row] for row in alone_after} - {None}
    return TaskPairs(
        task=task,
        before=before,
        after=after,
        rows_before=np.array([row for row, _ in rows], np.int64),
        rows_after=np.array([row for _, row in rows], np.int64),
        only_before=[before.item_ids[row] for row in alone_before],
        only_after=[after.item_ids[row] for row in alone_after],
        content_differs=sum(before.natives[row] in natives for row in alone_before),
    )


def _join_by_native_id(before: Columns, after: Columns, joined: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The last resort: where one side's log has no content at all, native ids stand for items."""
    if before.has_content and after.has_content:
        return []
    taken_before, taken_after = {row for row, _ in joined}, {row for _, row in joined}
    place = {native: row for row, native in enumerate(after.natives) if native is not None and row not in taken_after}
    free = (row for row in range(len(before.natives)) if row not in taken_before)
    return [(row, place[native]) for row in free if (native := before.natives[row]) is not None and native in place]


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
