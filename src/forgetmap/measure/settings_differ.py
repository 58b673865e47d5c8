"""What differs between two runs besides the weights: prompts, templates, shots, dtype, decoding, harness, scorers."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from forgetmap.measure.columns import Columns
from forgetmap.records.schema import RunInfo

Joined = tuple[Columns, Columns, NDArray[np.int64], NDArray[np.int64]]


def differences(before: RunInfo, after: RunInfo, tasks: Sequence[Joined]) -> list[str]:
    """One line for each setting that is not the same on both sides; a side that does not say counts as different from one that does."""
    said = [
        *_names(tasks),
        *_prompts(tasks),
        *_scorers(tasks),
        *_graded(tasks),
        *_shots(before, after, [(task[0].task, task[1].task) for task in tasks]),
        _line("prompt style", before.prompt, after.prompt),
        _line("chat template", before.template, after.template),
        _line("dtype", before.dtype, after.dtype),
        _line(
            "decoding",
            _decoding(before, {task[0].task: task[0].task for task in tasks}),
            _decoding(after, {task[1].task: task[0].task for task in tasks}),
        ),
        _line("harness", _harness(before), _harness(after)),
    ]
    return [line for line in said if line]


def _line(what: str, before: object, after: object) -> str | None:
    if before == after:
        return None
    return f"{what}: {'not said' if before is None else before} before, {'not said' if after is None else after} after"


def _decoding(run: RunInfo, names: Mapping[str, str]) -> object:
    """Settings of decoding; those that are given by task count for the common tasks alone, by their names before."""
    told = {
        names.get(key, key): value for key, value in run.decoding.items() if key in names or not isinstance(value, dict)
    }
    return told or None


def _harness(run: RunInfo) -> str | None:
    return f"{run.harness} {run.harness_version or ''}".strip() if run.harness else None


def _prompts(tasks: Sequence[Joined]) -> list[str]:
    known = other = 0
    for before, after, rows_before, rows_after in tasks:
        if before.prompts is after.prompts and rows_before is rows_after:
            known += int(np.count_nonzero(before.prompts))
            continue
        one, two = before.prompts[rows_before], after.prompts[rows_after]
        told = (one != 0) & (two != 0)
        known += int(told.sum())
        other += int((told & (one != two)).sum())
    return [f"prompts: {other} of {known} items were asked in other words"] if other else []


def _names(tasks: Sequence[Joined]) -> list[str]:
    other = [(before.task, after.task) for before, after, *_ in tasks if before.task != after.task]
    return [f"task: {one} before, {two} after, taken as one task{_more(other)}" for one, two in other[:1]]


def _scorers(tasks: Sequence[Joined]) -> list[str]:
    """One line for each two names, with the first of the tasks."""
    scored: dict[tuple[str, str], list[str]] = {}
    for before, after, *_ in tasks:
        if before.scorer != after.scorer:
            scored.setdefault((before.scorer, after.scorer), []).append(before.task)
    return [f"scorer of {names[0]}: {one} before, {two} after{_more(names)}" for (one, two), names in scored.items()]


def _graded(tasks: Sequence[Joined]) -> list[str]:
    """A task whose scores are 0 or 1 on one side and between on the other is compared as graded."""
    return [
        f"scores of {before.task}: {'graded' if before.graded else '0 or 1'} before, "
        f"{'graded' if after.graded else '0 or 1'} after; compared as graded, without a chance term"
        for before, after, *_ in tasks
        if before.graded != after.graded
    ]


def _shots(before: RunInfo, after: RunInfo, tasks: Sequence[tuple[str, str]]) -> list[str]:
    other = [(one, two) for one, two in tasks if before.shots.get(one) != after.shots.get(two)]
    return [
        f"{_line(f'shots of {one}', before.shots.get(one), after.shots.get(two))}{_more(other)}"
        for one, two in other[:1]
    ]


def _more(of: Sequence[object]) -> str:
    """How many besides the first."""
    return f"; so {len(of) - 1} more of the tasks" if len(of) > 1 else ""
