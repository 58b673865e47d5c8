"""What the results of lighteval say about a run as a whole."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from forgetmap.formats.lighteval.files import Log
from forgetmap.formats.lm_eval.info import run_name
from forgetmap.records.schema import RunInfo

Content = Mapping[str, Any]

_DECODING = ("temperature", "top_p", "top_k", "min_p", "max_new_tokens", "repetition_penalty")
_SHA = 12
"""Characters of a commit that name it."""
_STEP = re.compile(r"(?:step|checkpoint|ckpt|iter)[-_]?(\d{1,12})(?![\d.])", re.IGNORECASE)


def run_info(results: Content, logs: Sequence[Log], source: tuple[str, ...], fallback: str) -> RunInfo:
    """Everything about a run but its rows, `fallback` naming the checkpoint where the results do not."""
    checkpoint = checkpoint_of(results) or fallback
    shots = {log.task: log.shots for log in logs if log.shots is not None}
    step, seed = _STEP.search(checkpoint), seed_of(results)
    general, model = _mapping(results.get("config_general")), _model(results)
    version = _text(general.get("lighteval_sha"))
    return RunInfo(
        run_id=run_name(checkpoint),
        checkpoint=checkpoint,
        step=int(step[1]) if step else None,
        prompt=_style(shots, model, general),
        shots=shots,
        decoding=_decoding(results),
        seeds=() if seed is None else (seed,),
        dtype=_dtype(model, general),
        harness="lighteval",
        harness_version=None if version == "?" else version,
        source=source,
        hashes=_hashes(results, logs),
    )


def checkpoint_of(results: Content) -> str | None:
    """The weights that were asked, with their revision where it is not the usual one."""
    general, model = _mapping(results.get("config_general")), _model(results)
    named = next((name for part in (model, general) if (name := _text(part.get("model_name")))), None)
    named = named or _text(model.get("pretrained"))
    revision = _text(model.get("revision")) or (_text(general.get("model_sha")) or "")[:_SHA]
    return f"{named}@{revision}" if named and revision and revision != "main" else named


def seed_of(results: Content) -> int | None:
    """The seed of generation."""
    seed = _generation(results).get("seed")
    return seed if isinstance(seed, int) and not isinstance(seed, bool) else None


def task_config(results: Content, log: Log) -> Content:
    """The settings of one task."""
    configs = _mapping(results.get("config_tasks"))
    found = next((configs[name] for name in (log.full, log.full.rpartition("|")[0], log.task) if name in configs), None)
    return _mapping(found)


def token_limit(results: Content, log: Log) -> int | None:
    """The most tokens of an answer: as the user set it for all, else as the task does."""
    limits = (_generation(results).get("max_new_tokens"), task_config(results, log).get("generation_size"))
    return next((limit for limit in limits if isinstance(limit, int) and limit > 0), None)


def _model(results: Content) -> Content:
    return _mapping(_mapping(results.get("config_general")).get("model_config"))


def _generation(results: Content) -> Content:
    inner = _mapping(_model(results).get("generation_parameters"))
    return inner or _mapping(_mapping(results.get("config_general")).get("generation_parameters"))


def _decoding(results: Content) -> dict[str, Any]:
    given = _generation(results)
    return {name: given[name] for name in _DECODING if isinstance(given.get(name), int | float)}


def _style(shots: Mapping[str, int], model: Content, general: Content) -> str | None:
    """In words: shots, chat template, system prompt."""
    parts = []
    if shots:
        least, most = min(shots.values()), max(shots.values())
        parts.append(f"{least}-shot" if least == most else f"{least} to {most}-shot")
    if general.get("use_chat_template") is True or model.get("use_chat_template") is True:
        parts.append("chat template")
    if model.get("system_prompt") or general.get("system_prompt"):
        parts.append("system prompt")
    return ", ".join(parts) or None


def _dtype(model: Content, general: Content) -> str | None:
    given = _text(model.get("dtype")) or _text(general.get("model_dtype"))
    return given.removeprefix("torch.") if given else None


def _hashes(results: Content, logs: Sequence[Log]) -> dict[str, str]:
    """The hash of each task's items, as the harness made it."""
    summaries = _mapping(results.get("summary_tasks")) or _mapping(results.get("config_tasks"))
    found = {log.task: _mapping(_mapping(summaries.get(log.full)).get("hashes")).get("hash_examples") for log in logs}
    return {task: said for task, said in found.items() if isinstance(said, str)}


def _mapping(value: Any) -> Content:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
