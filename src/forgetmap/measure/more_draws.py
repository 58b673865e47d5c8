"""A second run of one checkpoint joined to the first as further draws: `--null`."""

from collections.abc import Sequence

import numpy as np

from forgetmap.errors import PairingError
from forgetmap.measure.fold import ABSENT, NO_CHOICE, Columns, Folded


def with_null(before: Folded, after: Sequence[Folded], null: Folded) -> tuple[Folded, list[Folded]]:
    """Join `null` to the run of its own checkpoint: to an AFTER that names the same checkpoint, else to BEFORE."""
    same = [run.info.checkpoint == null.info.checkpoint for run in after]
    if before.info.checkpoint == null.info.checkpoint or not any(same):
        return joined(before, null, sure=before.info.checkpoint == null.info.checkpoint), list(after)
    return before, [joined(run, null, sure=True) if is_same else run for run, is_same in zip(after, same, strict=True)]


def joined(run: Folded, again: Folded, *, sure: bool) -> Folded:
    """The run with the other's answers as further draws of the same items."""
    shared = [key for key in run.columns if key in again.columns]
    columns = {
        key: _joined(table, again.columns[key]) if key in shared else table for key, table in run.columns.items()
    }
    matched = any(table.state.shape[1] > run.columns[key].state.shape[1] for key, table in columns.items())
    if not matched:
        raise PairingError(
            f"the null run {again.info.run_id} shares no item with {run.info.run_id}: it must be a second run of the same "
            "checkpoint on the same tasks."
        )
    note = f"{again.info.run_id} was taken as a second run of {run.info.run_id}" + (
        "" if sure else ", though it names another checkpoint"
    )
    return run._replace(columns=columns, notes=[*run.notes, note])


def _joined(first: Columns, second: Columns) -> Columns:
    place = {item: row for row, item in enumerate(second.item_ids)}
    rows = np.array([place.get(item, -1) for item in first.item_ids])
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
