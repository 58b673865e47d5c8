"""A second run of one checkpoint joined to the first as further draws: `--null`."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from forgetmap.measure.columns import ABSENT, NO_CHOICE, Columns, Folded, small
from forgetmap.measure.pair import Pairing, TaskPairs, join, pair
from forgetmap.measure.scorer_choice import Scorers
from forgetmap.measure.task_names import Aliases
from forgetmap.taxonomy.aliases import same_kind


class WithNull(NamedTuple):
    """The runs with the null run's draws, and how it was joined to the run of its checkpoint."""

    before: Folded
    after: list[Folded]
    pairing: Pairing


def with_null(
    before: Folded, after: Sequence[Folded], null: Folded, *, scorers: Scorers = (), aliases: Aliases | None = None
) -> WithNull:
    """Join `null` to the run of its own checkpoint: to an AFTER that names the same checkpoint, else to BEFORE."""
    same = [run.info.checkpoint == null.info.checkpoint for run in after]
    if before.info.checkpoint == null.info.checkpoint or not any(same):
        sure = before.info.checkpoint == null.info.checkpoint
        pairing = pair(before, null, scorers=scorers, aliases=aliases)
        return WithNull(joined(before, null, pairing, sure=sure), list(after), pairing)
    first = after[same.index(True)]
    pairing = pair(first, null, scorers=scorers, aliases=aliases)
    return WithNull(before, [joined(run, null, pairing, sure=True) if run is first else run for run in after], pairing)


def joined(run: Folded, again: Folded, pairing: Pairing, *, sure: bool) -> Folded:
    """The run with the other's answers as further draws of the same items, task by task and scorer by scorer."""
    tasks = {pair.before.task: pair for pair in pairing.tasks}
    columns = {key: _with_more(table, again, tasks.get(table.task)) for key, table in run.columns.items()}
    note = f"{again.info.run_id} was taken as a second run of {run.info.run_id}" + (
        "" if sure else ", though it names another checkpoint"
    )
    other = [f"{again.info.run_id}, the null run, differs from {run.info.run_id} in {line}" for line in pairing.differs]
    return run._replace(columns=columns, notes=[*run.notes, note, *other])


def _with_more(table: Columns, again: Folded, pair: TaskPairs | None) -> Columns:
    """The other run's columns of the same task and scorer, where it has them; by another name only what was chosen to go with it."""
    if pair is None:
        return table
    other = again.columns.get((pair.after.task, table.scorer))
    if other is None and table.scorer == pair.before.scorer and same_kind(table.scorer, pair.after.scorer):
        other = pair.after
    return table if other is None else _joined(table, other)


def _joined(first: Columns, second: Columns) -> Columns:
    same = join(first.task, first, second)
    rows = np.full(len(first.items), -1)
    rows[same.rows_before] = same.rows_after
    if (rows < 0).all():
        return first
    absent = (rows < 0)[:, None]

    def add(ours: np.ndarray, theirs: np.ndarray, nothing: float | bool) -> np.ndarray:
        return np.hstack([ours, np.where(absent, nothing, theirs[rows]).astype(theirs.dtype)])

    scored = first.marks is not None or second.marks is not None
    loop = first.loops is not None or second.loops is not None
    return first._replace(
        seeds=[*first.seeds, *second.seeds],
        state=add(first.state, second.state, ABSENT),
        choice=small(add(first.choice, second.choice, NO_CHOICE)),
        marks=add(first.value, second.value, np.nan) if scored else None,
        loops=add(first.looping, second.looping, False) if loop else None,
    )
