"""The entries that a `study.toml` may have, and the sentence on one that it may not."""

from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StrictStr, ValidationError

from forgetmap.errors import SettingError
from forgetmap.records.settings import Settings, StageSetting


def _options(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return str(value)
    raise ValueError


def _share(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise ValueError


_Share = Annotated[float, BeforeValidator(_share)]


class _Gate(BaseModel):
    """What may be forgotten."""

    model_config = ConfigDict(extra="forbid")
    max_forgetting: _Share | None = None
    budgets: dict[str, _Share] = {}


class _Task(BaseModel):
    """What is said about tasks that match a pattern."""

    model_config = ConfigDict(extra="forbid")
    k: Annotated[str, BeforeValidator(_options)] | None = None


def _runs(value: object) -> list[str]:
    runs = [value] if isinstance(value, str) else value
    if (
        isinstance(runs, list)
        and runs
        and all(isinstance(run, str) and run for run in runs)
        and len(set(runs)) == len(runs)
    ):
        return runs
    raise ValueError


class _Stage(BaseModel):
    """One stage of a chain."""

    model_config = ConfigDict(extra="forbid")
    name: StrictStr | None = None
    runs: Annotated[list[str], BeforeValidator(_runs)]


class _Page(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid")
    name: StrictStr | None = None
    taxonomy: StrictStr | None = None
    gate: _Gate = _Gate()
    aliases: dict[str, StrictStr] = {}
    tasks: dict[str, _Task] = {}
    stages: list[_Stage] = []


_INSIDE: dict[str, type[BaseModel]] = {"tasks": _Task, "gate": _Gate, "stages": _Stage}
_WANTED = {
    "name": "a text",
    "taxonomy": 'the path of a taxonomy, such as "mine.toml", or the name of a built-in one',
    "aliases": 'a table of task = "task"',
    "tasks": 'tables such as [tasks."mmlu_*"] with k = 4',
    "gate": "max_forgetting, and a table budgets of name = share, each a share between 0 and 1 such as 0.02",
    "stages": 'tables [[stages]] with name = "sft" and runs = ["sft-seed0", "sft-seed1"], in order, each run once',
    "k": 'the number of options (1 or more), "open", or where the log lists them, such as "doc.options"',
}


def settings_from(page: Mapping[str, Any], path: Path) -> Settings:
    """The settings of a parsed `study.toml`; a SettingError that names the first entry that is wrong."""
    try:
        said = _Page.model_validate(page)
    except ValidationError as error:
        raise SettingError(_sentence(error, path)) from None
    stages = tuple(StageSetting(stage.name or stage.runs[0], tuple(stage.runs)) for stage in said.stages)
    twice = [name for name, times in Counter(stage.name for stage in stages).items() if times > 1]
    if twice:
        raise SettingError(
            f"{path} has several [[stages]] called {twice[0]}: wanted is a name of its own for each; seeds of one stage stand "
            'together, as in runs = ["sft-seed0", "sft-seed1"].'
        )
    return Settings(
        name=said.name,
        taxonomy=None if said.taxonomy is None else _taxonomy(said.taxonomy, path.parent),
        aliases=dict(said.aliases),
        max_forgetting=said.gate.max_forgetting,
        budgets=dict(said.gate.budgets),
        stages=stages,
        k=tuple((pattern, task.k) for pattern, task in said.tasks.items() if task.k is not None),
    )


def _taxonomy(said: str, folder: Path) -> Path:
    """A path from the study's folder; a bare word that is no file there names a built-in taxonomy."""
    bare = Path(said).name == said and not Path(said).suffix
    return Path(said) if bare and not (folder / said).exists() else folder / said


def _sentence(error: ValidationError, path: Path) -> str:
    first = error.errors(include_url=False)[0]
    place = [str(part) for part in first["loc"]]
    entry = ".".join(_keys(place))
    if first["type"] == "extra_forbidden":
        known = list((_INSIDE.get(place[0], _Page) if len(place) > 1 else _Page).model_fields)
        close = get_close_matches(place[-1], known, n=1)
        meant = f" Is {close[0]} meant?" if close else ""
        return f"{path} has an entry {entry}, which is unknown; known here are: {', '.join(known)}.{meant}"
    wanted = _WANTED["k" if place[-1] == "k" and place[0] == "tasks" else place[0]]
    return f"{entry} in {path} is {first['input']!r}: wanted is {wanted}."


def _keys(place: list[str]) -> Iterator[str]:
    """The parts of an entry's name as TOML writes them."""
    return (part if part.replace("_", "").replace("-", "").isalnum() else f'"{part}"' for part in place)
