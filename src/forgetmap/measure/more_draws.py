"""A second run of one checkpoint joined to the first as further draws: `--null`."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from forgetmap.measure.fold import ABSENT, NO_CHOICE, Columns, Folded
from forgetmap.measure.pair import Pairing, join, pair
from forgetmap.measure.scorer_choice import Scorers


class WithNull(NamedTuple):
    """The runs with the null run's draws, and how it was joined to the run of its checkpoint."""

    before: Folded
    after: list[Folded]
    pairing: Pairing


def with_null(before: Folded, after: Sequence[Folded], null: Folded, scorers: Scorers) -> WithNull:
    """Join `null` to the run of its own checkpoint: to an AFTER that names the same checkpoint, else to BEFORE."""
    same = [run.info.checkpoint == null.info.checkpoint for run in after]
    if before.info.checkpoint == null.info.checkpoint or not any(same):
        sure = before.info.checkpoint == null.info.checkpoint
        pairing = pair(before, null, scorers=scorers)
        return WithNull(joined(before, null, pairing, sure=sure), list(after), pairing)
    first = after[same.index(True)]
    pairing = pair(first, null, scorers=scorers)
    return WithNull(before, [joined(run, null, pairing, sure=True) if run is first else run for run in after], pairing)


def joined(run: Folded, again: Folded, pairing: Pairing, *, sure: bool) -> Folded:
    """The run with the other's answers as further draws of the same items."""
    shared = [key for key in run.columns if key in again.columns]
    columns = {
        key: _joined(table, again.columns[key]) if key in shared else table for key, table in run.columns.items()
    }
    note = f"{again.info.run_id} was taken as a second run of {run.info.run_id}" + (
        "" if sure else ", though it names another checkpoint"
    )
    other = [f"{again.info.run_id}, the null run, differs from {run.info.run_id} in {line}" for line in pairing.differs]
    return run._replace(columns=columns, notes=[*run.notes, note, *other])


def _joined(first: Columns, second: Columns) -> Columns:
    same = join(first.task, first, second)
    rows = np.full(len(first.item_ids), -1)
    rows[same.rows_before] = same.rows_after
    if (rows < 0).all():
        return first
    absent = (rows < 0)[:, None]

    def add(ours: np.ndarray, theirs: np.ndarray, nothing: float | bool) -> np.ndarray:
        return np.hstack([ours, np.where(absent, nothing, theirs[rows]).astype(ours.dtype)])

    return first._replace(
        seeds=[*first.seeds, *second.seeds],
        state=add(first.state, second.state, ABSENT),
        choice=add(first.choice, second.choice, NO_CHOICE),
        value=add(first.value, second.value, np.nan),
        looping=add(first.looping, second.looping, False),
        graded=first.graded or second.graded,
    )
