"""What differs between two runs besides the weights: prompts, templates, shots, dtype, decoding, harness, scorers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from forgetmap.measure.fold import Columns
from forgetmap.records.schema import RunInfo

Joined = tuple[Columns, Columns, NDArray[np.int64], NDArray[np.int64]]


def differences(before: RunInfo, after: RunInfo, tasks: Sequence[Joined]) -> list[str]:
    """One line for each setting that is not the same on both sides; a side that does not say counts as different from one that does."""
    said = [
        *_prompts(tasks),
        *_scorers(tasks),
        *_graded(tasks),
        *_shots(before, after, [task[0].task for task in tasks]),
        _line("prompt style", before.prompt, after.prompt),
        _line("chat template", before.template, after.template),
        _line("dtype", before.dtype, after.dtype),
        _line("decoding", _decoding(before, tasks), _decoding(after, tasks)),
        _line("harness", _harness(before), _harness(after)),
    ]
    return [line for line in said if line]


def _line(what: str, before: object, after: object) -> str | None:
    if before == after:
        return None
    return f"{what}: {'not said' if before is None else before} before, {'not said' if after is None else after} after"


def _decoding(run: RunInfo, tasks: Sequence[Joined]) -> object:
    """Settings of decoding; those that are given by task count for the common tasks alone."""
    names = {task[0].task for task in tasks} | {task[1].task for task in tasks}
    told = {key: value for key, value in run.decoding.items() if key in names or not isinstance(value, dict)}
    return told or None


def _harness(run: RunInfo) -> str | None:
    return f"{run.harness} {run.harness_version or ''}".strip() if run.harness else None


def _prompts(tasks: Sequence[Joined]) -> list[str]:
    known = other = 0
    for before, after, rows_before, rows_after in tasks:
        both = [(before.prompts[i], after.prompts[j]) for i, j in zip(rows_before, rows_after, strict=True)]
        told = [(one, two) for one, two in both if one is not None and two is not None]
        known += len(told)
        other += sum(one != two for one, two in told)
    return [f"prompts: {other} of {known} items were asked in other words"] if other else []


def _scorers(tasks: Sequence[Joined]) -> list[str]:
    return [
        f"scorer of {before.task}: {before.scorer} before, {after.scorer} after"
        for before, after, *_ in tasks
        if before.scorer != after.scorer
    ]


def _graded(tasks: Sequence[Joined]) -> list[str]:
    """A task whose scores are 0 or 1 on one side and between on the other is compared as graded."""
    return [
        f"scores of {before.task}: {'graded' if before.graded else '0 or 1'} before, "
        f"{'graded' if after.graded else '0 or 1'} after; compared as graded, without a chance term"
        for before, after, *_ in tasks
        if before.graded != after.graded
    ]


def _shots(before: RunInfo, after: RunInfo, tasks: list[str]) -> list[str]:
    other = [task for task in tasks if before.shots.get(task) != after.shots.get(task)]
    if not other:
        return []
    first = _line(f"shots of {other[0]}", before.shots.get(other[0]), after.shots.get(other[0]))
    return [f"{first}" + (f"; so {len(other) - 1} more of the tasks" if len(other) > 1 else "")]
