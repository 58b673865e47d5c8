"""Two folded runs joined item by item: what pairs, what does not, and what differs besides the weights."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forgetmap.errors import PairingError
from forgetmap.measure.fold import Columns, Folded
from forgetmap.measure.settings_differ import differences

TOLERATED = 0.01
"""Share of the items of common tasks that may lack a partner before `compare` stops."""
PREFERRED = ("acc", "exact_match", "correct", "choice", "pred")
"""Scorers taken first where a task has several and the user names none; then the log's own order."""


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


class Pairing(NamedTuple):
    """Everything two runs share, and all they do not."""

    before: Folded
    after: Folded
    tasks: list[TaskPairs]
    tasks_only_before: list[str]
    tasks_only_after: list[str]
    differs: list[str]

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


def pair(
    before: Folded, after: Folded, *, scorers: Sequence[str] = (), aliases: Mapping[str, str] | None = None
) -> Pairing:
    """Join two runs by (task, item id), and by native id where a log has no content. Never by the order of rows.

    `scorers` are names ("acc_norm", "exact_match,strict-match") or "TASK_PATTERN=NAME"; `aliases` maps a task's name to another.
    """
    left, right = _tasks(before, aliases or {}), _tasks(after, aliases or {})
    common = [task for task in left if task in right]
    if not common:
        raise PairingError(_nothing_common(before, after))
    pairs = []
    for task in common:
        chosen = _choose(task, (before.scorers(left[task]), after.scorers(right[task])), scorers)
        sides = before.columns[left[task], chosen[0]], after.columns[right[task], chosen[1]]
        pairs.append(_join(task, *sides))
    pairing = Pairing(
        before=before,
        after=after,
        tasks=pairs,
        tasks_only_before=[task for task in left if task not in right],
        tasks_only_after=[task for task in right if task not in left],
        differs=differences(before.info, after.info, [(p.before, p.after, p.rows_before, p.rows_after) for p in pairs]),
    )
    if pairing.paired == 0:
        raise PairingError(_nothing_common(before, after))
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


def _tasks(run: Folded, aliases: Mapping[str, str]) -> dict[str, str]:
    """Tasks by the name they pair under."""
    return {aliases.get(task, task): task for task in run.tasks()}


def _choose(task: str, found: tuple[list[str], list[str]], wanted: Sequence[str]) -> tuple[str, str]:
    """One scorer a side: the one asked for, else one that both sides have, else each side's own first."""
    for rule in wanted:
        pattern, _, name = rule.rpartition("=")
        if pattern and not fnmatchcase(task, pattern):
            continue
        named = [next((s for s in side if name in (s, s.split(",")[0])), None) for side in found]
        if named[0] and named[1]:
            return named[0], named[1]
        if pattern or not any(named):
            _missing_scorer(task, name, found)
    common = [scorer for scorer in found[0] if scorer in found[1]]
    if common:
        first = min(common, key=_preference)
        return first, first
    return min(found[0], key=_preference), min(found[1], key=_preference)


def _missing_scorer(task: str, name: str, found: tuple[list[str], list[str]]) -> None:
    sides = " and ".join(", ".join(side) for side in found)
    raise PairingError(f"no scorer called {name!r} scored {task} on both sides: there are {sides}.")


def _preference(scorer: str) -> int:
    metric = scorer.split(",")[0]
    return PREFERRED.index(metric) if metric in PREFERRED else len(PREFERRED)


def _join(task: str, before: Columns, after: Columns) -> TaskPairs:
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


def _nothing_common(before: Folded, after: Folded) -> str:
    left, right = before.tasks(), after.tasks()
    common = [task for task in left if task in right]
    if common:
        return (
            f"no item is in both runs, though both have {_some(common)}: questions, options and golds differ on the two sides. "
            "Check that both logs are of the same version and language of the task, or give both an item_id."
        )
    return (
        f"no task is in both runs: {before.info.run_id} has {_some(left)}, {after.info.run_id} has {_some(right)}. "
        "If they are the same task under two names, say so with `[aliases]` in study.toml."
    )


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
