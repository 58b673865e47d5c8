"""Names of files as lm-eval 0.4.0 to 0.4.2 gave them: ARGUMENTS_TASK.jsonl beside results.json, or beside results of any name.

ARGUMENTS is the text of `--model_args` with "/" and "=" written as "__". Where it ends and the task begins, only the results tell.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

_FIRST = re.compile(r"(?:pretrained|model|path|engine|peft|delta)__")
_PLAIN = re.compile(r"(?:True|False|None|auto|b?float\d+|int\d+|\d+(?:\.\d+)?)_(?P<task>.+)")
"""Last arguments that no task's name can be taken for."""


def task_named(stem: str, results: Mapping[str, Any]) -> str | None:
    """The task in a file's name, where these results were written with it.

    >>> results = {"config": {"model_args": "pretrained=lab/m"}, "configs": {"quiz": {}}}
    >>> task_named("pretrained__lab__m_quiz", results), task_named("pretrained__lab__n_quiz", results)
    ('quiz', None)
    """
    config, configs = results.get("config"), results.get("configs")
    given = config.get("model_args") if isinstance(config, Mapping) else None
    begin = f"{re.sub('/|=', '__', given if isinstance(given, str) else '')}_"
    task = stem.removeprefix(begin)
    return task if stem.startswith(begin) and isinstance(configs, Mapping) and task in configs else None


class Told(NamedTuple):
    """What a name tells by itself."""

    arguments: dict[str, str]
    """Those of the model, without the last where its end is unknown."""
    task: str | None


def told_by_name(stem: str, tasks: Iterable[str] = ()) -> Told | None:
    """What a name of these versions tells where its results are lost; `tasks` may be its task. Null for other names.

    >>> told_by_name("pretrained__lab__m,dtype__float32_quiz")
    Told(arguments={'pretrained': 'lab__m', 'dtype': 'float32'}, task='quiz')
    >>> told_by_name("pretrained__lab__m_quiz"), told_by_name("quiz")
    (Told(arguments={}, task=None), None)
    >>> told_by_name("pretrained__lab__m_quiz", ["quiz", "law"])
    Told(arguments={'pretrained': 'lab__m'}, task='quiz')
    """
    if not _FIRST.match(stem):
        return None
    *others, (name, value) = [part.partition("__")[::2] for part in stem.split(",")]
    task = max((task for task in tasks if value.endswith(f"_{task}")), key=len, default=None)
    if task is None and (plain := _PLAIN.fullmatch(value)):
        task = plain["task"]
    last = {} if task is None else {name: value.removesuffix(f"_{task}")}
    return Told(dict(others) | last, task)
