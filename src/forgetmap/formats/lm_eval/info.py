"""What the results file of lm-eval says about a run as a whole."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from forgetmap.formats.opening import slug
from forgetmap.records.schema import RunInfo

Results = Mapping[str, Any]

_WEIGHTS = ("peft", "delta", "pretrained", "model", "path", "engine")
"""Arguments that name weights; an adapter names them better than what it is laid upon."""
_SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")
_STEP = re.compile(r"(?:step|checkpoint|ckpt|iter)[-_]?(\d{1,12})(?![\d.])", re.IGNORECASE)
_IS_FOLDER = re.compile(r"^(?:[/~.]|[A-Za-z]:[\\/])|\\")


def run_info(results: Results, tasks: Iterable[str], source: tuple[str, ...], fallback: str) -> RunInfo:
    """Everything about a run but its rows, `fallback` naming the checkpoint where the results do not."""
    config, arguments, tasks = _mapping(results.get("config")), model_arguments(results), list(tasks)
    checkpoint = checkpoint_of(results) or fallback
    shots = _shots(results, tasks)
    step = _STEP.search(checkpoint)
    return RunInfo(
        run_id=run_name(checkpoint),
        checkpoint=checkpoint,
        parents=_parents(arguments),
        step=int(step[1]) if step else None,
        engine=_model(results) if arguments else None,
        prompt=_prompt_style(results, shots),
        shots=shots,
        template=_template(results),
        decoding=_decoding(results, tasks),
        seeds=tuple(int(seed) for name in _SEEDS if isinstance(seed := config.get(name), int)),
        dtype=_dtype(arguments, config),
        harness="lm-evaluation-harness",
        harness_version=_text(results.get("lm_eval_version")),
        created=_created(results.get("date")),
        source=source,
        hashes=_hashes(results, tasks),
    )


def checkpoint_of(results: Results) -> str | None:
    """The weights that were asked, with their revision where it is not the usual one."""
    arguments = model_arguments(results)
    named = next((str(arguments[name]) for name in _WEIGHTS if arguments.get(name)), None)
    named = named or _text(results.get("model_name")) or (None if arguments else _model(results))
    revision = arguments.get("revision")
    return f"{named}@{revision}" if named and revision and revision != "main" else named


def _model(results: Results) -> str | None:
    """The engine's name; where `simple_evaluate` was given a model and no arguments, that of the model."""
    return _text(_mapping(results.get("config")).get("model"))


def run_name(checkpoint: str) -> str:
    """A short name: a folder's last part, or organisation and name.

    >>> run_name("org/name"), run_name("/big/disk/checkpoint-200/")
    ('org__name', 'checkpoint-200')
    """
    if _IS_FOLDER.search(checkpoint):
        checkpoint = re.split(r"[\\/]", checkpoint.rstrip("\\/"))[-1]
    return slug(checkpoint)


def model_arguments(results: Results) -> Mapping[str, Any]:
    """The model's arguments, which older files spell as "a=b,c=d"."""
    given = _mapping(results.get("config")).get("model_args")
    if isinstance(given, str):
        return dict(_pairs(given))
    return _mapping(given)


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split(","):
        name, found, value = part.partition("=")
        if found:
            yield name.strip(), value.strip()


def _parents(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """What an adapter is laid upon."""
    under = arguments.get("pretrained")
    return (str(under),) if under and (arguments.get("peft") or arguments.get("delta")) else ()


def _shots(results: Results, tasks: list[str]) -> dict[str, int]:
    given = _mapping(results.get("n-shot"))
    return {task: int(given[task]) for task in tasks if isinstance(given.get(task), int)}


def _prompt_style(results: Results, shots: Mapping[str, int]) -> str | None:
    """In words: shots, chat template, system prompt."""
    parts = []
    if shots:
        least, most = min(shots.values()), max(shots.values())
        parts.append(f"{least}-shot" if least == most else f"{least} to {most}-shot")
    if results.get("chat_template"):
        parts.append("chat template")
    if results.get("system_instruction"):
        parts.append("system prompt")
    return ", ".join(parts) or None


def _template(results: Results) -> str | None:
    named = _text(results.get("chat_template_sha"))
    return named[:12] if named else None


def _decoding(results: Results, tasks: list[str]) -> dict[str, Any]:
    """Settings of generation by task, and those that the user set for all."""
    configs = _mapping(results.get("configs"))
    by_task = {task: _mapping(configs.get(task)) for task in tasks}
    decoding: dict[str, Any] = {
        task: dict(_mapping(config.get("generation_kwargs")))
        for task, config in by_task.items()
        if config.get("generation_kwargs") and config.get("output_type") == "generate_until"
    }
    given = _mapping(results.get("config")).get("gen_kwargs")
    return decoding | (dict(_pairs(given)) if isinstance(given, str) else dict(_mapping(given)))


def _dtype(arguments: Mapping[str, Any], config: Mapping[str, Any]) -> str | None:
    """As asked for, or as loaded where that was left open; in memory it is an object of torch, not a text."""
    asked, loaded = arguments.get("dtype"), config.get("model_dtype")
    given = loaded if loaded and asked in (None, "auto") else asked
    return str(given).removeprefix("torch.") if given else None


def _created(date: Any) -> str | None:
    if not isinstance(date, int | float):
        return None
    try:
        return datetime.fromtimestamp(date, tz=UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def _hashes(results: Results, tasks: list[str]) -> dict[str, str]:
    given = _mapping(results.get("task_hashes"))
    found = {task: given[task] for task in tasks if isinstance(given.get(task), str)}
    system = _text(results.get("system_instruction_sha"))
    return found | ({"system_instruction": system} if system else {})


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
