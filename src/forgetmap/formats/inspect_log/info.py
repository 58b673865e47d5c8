"""What the headers of Inspect's logs say about a run as a whole."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from forgetmap.formats.inspect_log.logs import Log
from forgetmap.formats.inspect_log.plain import listed, mapping, text, whole
from forgetmap.formats.opening import slug
from forgetmap.records.schema import RunInfo

_LOCAL = "/local"
"""How Inspect calls weights given as `-M model_path=...`."""


def checkpoint_of(log: Log) -> str:
    """The model as Inspect names it; where that is only "local", the path of its weights."""
    named = text(log.said.get("model")) or "model"
    weights = text(mapping(log.said.get("model_args")).get("model_path"))
    return weights if weights and named.endswith(_LOCAL) else named


def run_info(name: str, logs: Mapping[str, Log]) -> RunInfo:
    """Everything about a run but its rows; `logs` by the name of their task."""
    latest = max(logs.values(), key=lambda log: log.created)
    seeds = {seed for log in logs.values() if (seed := whole(decoding(log).get("seed"))) is not None}
    return RunInfo(
        run_id=slug(name),
        checkpoint=checkpoint_of(latest),
        engine=(text(latest.said.get("model")) or "").partition("/")[0] or None,
        prompt=", ".join(sorted({solver for log in logs.values() for solver in _solvers(log)})) or None,
        decoding=_decoding(logs),
        seeds=tuple(sorted(seeds)),
        dtype=text(mapping(latest.said.get("model_args")).get("dtype")),
        harness="Inspect",
        harness_version=text(mapping(latest.said.get("packages")).get("inspect_ai")),
        created=latest.created or None,
        source=tuple(log.path.name for log in logs.values()),
    )


def decoding(log: Log) -> dict[str, Any]:
    """Settings of generation: the checkpoint's, over which the task's own go."""
    plan = mapping(log.header.get("plan"))
    return {**mapping(log.said.get("model_generate_config")), **mapping(plan.get("config"))}


def draws(log: Log) -> int:
    """How often each item was tried."""
    return whole(mapping(log.said.get("config")).get("epochs")) or 1


def wants_several(log: Log) -> bool:
    """Whether the solver asks for all right options of a question."""
    return any(mapping(step.get("params")).get("multiple_correct") is True for step in _steps(log))


def task_names(logs: Sequence[Log]) -> list[str]:
    """A name for each log's task; where one task ran with several arguments, those that differ belong to it."""
    return [log.task + _arguments(log, [other for other in logs if other.task == log.task]) for log in logs]


def _arguments(log: Log, alike: Sequence[Log]) -> str:
    given = [mapping(other.said.get("task_args")) for other in alike]
    own = mapping(log.said.get("task_args"))
    names = sorted({name for arguments in given for name in arguments})
    differ = [name for name in names if any(arguments.get(name) != own.get(name) for arguments in given)]
    return "(" + ", ".join(f"{name}={own.get(name)}" for name in differ) + ")" if differ else ""


def _decoding(logs: Mapping[str, Log]) -> dict[str, Any]:
    """One for all tasks where they agree, else one for each."""
    by_task = {task: decoding(log) for task, log in logs.items()}
    settings = list(by_task.values())
    return settings[0] if all(setting == settings[0] for setting in settings) else by_task


def _solvers(log: Log) -> Iterator[str]:
    return (solver for step in _steps(log) if (solver := text(step.get("solver"))) is not None)


def _steps(log: Log) -> list[Mapping[str, Any]]:
    return [mapping(step) for step in listed(mapping(log.header.get("plan")).get("steps"))]
