"""What the logs of one checkpoint say about its run as a whole."""

from collections.abc import Mapping, Sequence
from typing import Any

from forgetmap.formats.helm.files import Log
from forgetmap.formats.helm.names import model_in
from forgetmap.formats.inspect_log.plain import text, whole
from forgetmap.formats.lm_eval.info import run_name
from forgetmap.records.schema import RunInfo

HARNESS = "HELM"
_DECODING = ("temperature", "max_tokens", "num_outputs", "num_train_trials", "num_trials", "stop_sequences", "random")


def checkpoint_of(log: Log) -> str:
    """The checkpoint as its settings name it, else the name of the run spec, else the folder."""
    named = text(log.adapter.get("model")) or text(log.adapter.get("model_deployment")) or model_in(log)
    return named or log.folder.resolve().name or "model"


def deployment_of(log: Log) -> str:
    """Where the checkpoint was asked; empty where that is not said."""
    return text(log.adapter.get("model_deployment")) or ""


def run_info(logs: Mapping[str, Log], checkpoint: str) -> RunInfo:
    """Everything about a run but its rows; `logs` by the name of their task."""
    shots = {
        task: count
        for task, log in logs.items()
        if (count := whole(log.adapter.get("max_train_instances"))) is not None
    }
    deployments = {deployment_of(log) for log in logs.values()} - {""}
    return RunInfo(
        run_id=run_name(checkpoint),
        checkpoint=checkpoint,
        engine=", ".join(sorted(deployments)) or None,
        prompt=_style(list(logs.values()), shots),
        shots=shots,
        decoding=_decoding(logs),
        harness=HARNESS,
        source=tuple(dict.fromkeys(log.called(kind) for log in logs.values() for kind in log.files)),
    )


def _style(logs: Sequence[Log], shots: Mapping[str, int]) -> str | None:
    """In words: shots, and the ways of asking."""
    methods = sorted({method for log in logs if (method := text(log.adapter.get("method"))) is not None})
    least, most = min(shots.values(), default=0), max(shots.values(), default=0)
    counted = [f"{least}-shot" if least == most else f"{least} to {most}-shot"] if shots else []
    return ", ".join([*counted, *methods]) or None


def _decoding(logs: Mapping[str, Log]) -> dict[str, Any]:
    """One for all tasks where they agree, else one for each."""
    by_task = {task: _settings(log) for task, log in logs.items()}
    settings = list(by_task.values())
    return settings[0] if all(one == settings[0] for one in settings) else by_task


def _settings(log: Log) -> dict[str, Any]:
    return {name: log.adapter[name] for name in _DECODING if log.adapter.get(name) not in (None, [])}
