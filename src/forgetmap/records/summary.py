"""`run.json`: what a run is and what its tables hold. It is written last, so that a folder with it is whole."""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap import __version__
from forgetmap.errors import StudyError
from forgetmap.records.parquet import TABLES, Size, check, damaged, other_schema
from forgetmap.records.plain_json import dump, load
from forgetmap.records.schema import SCHEMA, Problem, RunInfo

NAME = "run.json"
_LISTS = ("parents", "seeds", "source")


class Shard(NamedTuple):
    """Up to 10,000 rows of a run, in one file a table."""

    rows: int
    digest: str
    """Hash of the run's rows up to the end of this shard."""
    borrows: int | None
    """The oldest shard that holds an item or a prompt of this one, where that is not this one itself."""
    files: dict[str, Size]


class TaskSummary(NamedTuple):
    """What a run holds of a task."""

    items: int
    samples: int
    scorers: tuple[str, ...]


class RunSummary(NamedTuple):
    """What is known of a stored run without reading its tables."""

    info: RunInfo
    folder: Path
    rows: int
    items: int
    tasks: dict[str, TaskSummary]
    problems: tuple[Problem, ...]
    duplicates: int
    notes: tuple[str, ...]
    content_hash: str
    shards: tuple[Shard, ...]

    @property
    def bytes(self) -> int:
        """What its tables take on disk."""
        return sum(size.bytes for shard in self.shards for size in shard.files.values())


def shard_file(folder: Path, table: str, number: int) -> Path:
    """Where a table of a shard stands."""
    return folder / f"{table}-{number:04d}.parquet"


def page(summary: RunSummary) -> bytes:
    """The text of `run.json`: the fields of `RunInfo`, then what is stored; `hashes.content` is the hash of all rows."""
    info = asdict(replace(summary.info, hashes={**summary.info.hashes, "content": summary.content_hash}))
    return dump(
        {
            "schema": SCHEMA,
            "forgetmap": __version__,
            **info,
            "rows": summary.rows,
            "items": summary.items,
            "tasks": {name: task._asdict() for name, task in summary.tasks.items()},
            "duplicates": summary.duplicates,
            "problems": [list(problem) for problem in summary.problems],
            "notes": summary.notes,
            "shards": [plain_shard(shard) for shard in summary.shards],
        },
        indent=True,
    )


def read_summary(folder: Path) -> RunSummary:
    """What `run.json` in this folder says; a StudyError where it is damaged, foreign or of another version."""
    path = folder / NAME
    page = read_json(path)
    if not isinstance(page, dict) or "schema" not in page or "forgetmap" not in page:
        raise StudyError(f"{path} is no run of forgetmap: another program wrote it, so move it elsewhere.")
    if page["schema"] != SCHEMA:
        raise other_schema(path, page["schema"])
    try:
        return _summary(folder, page)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise damaged(path, f"it lacks what a run has ({error})") from error


def read_json(path: Path) -> Any:
    """The JSON of a file of ours."""
    try:
        return load(path.read_bytes())
    except OSError as error:
        raise StudyError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError:
        raise damaged(path, "it is not whole JSON") from None


def check_files(folder: Path, shards: tuple[Shard, ...]) -> None:
    """Refuse shards of which a file is not as it was written."""
    for number, shard in enumerate(shards):
        for table, size in shard.files.items():
            check(shard_file(folder, table, number), table, size)


def plain_info(info: RunInfo) -> dict[str, Any]:
    """The fields of a run's info as JSON holds them."""
    plain: dict[str, Any] = load(dump(asdict(info)))
    return plain


def info_from(page: Mapping[str, Any]) -> RunInfo:
    """The run's info among the entries of a page."""
    said = {field.name: page[field.name] for field in fields(RunInfo)}
    lists = {name: tuple(said[name]) for name in _LISTS}
    if not all(isinstance(said[name], str) for name in ("run_id", "checkpoint")):
        raise TypeError("run_id and checkpoint are texts")
    return RunInfo(**{**said, **lists})


def plain_shard(shard: Shard) -> dict[str, Any]:
    """A shard as JSON holds it."""
    return {**shard._asdict(), "files": {table: size._asdict() for table, size in shard.files.items()}}


def shard_from(page: Mapping[str, Any]) -> Shard:
    """The shard of an entry."""
    files = {table: Size(int(page["files"][table]["rows"]), int(page["files"][table]["bytes"])) for table in TABLES}
    return Shard(int(page["rows"]), str(page["digest"]), page["borrows"], files)


def _summary(folder: Path, page: Mapping[str, Any]) -> RunSummary:
    tasks = {
        name: TaskSummary(task["items"], task["samples"], tuple(task["scorers"]))
        for name, task in page["tasks"].items()
    }
    return RunSummary(
        info=info_from(page),
        folder=folder,
        rows=int(page["rows"]),
        items=int(page["items"]),
        tasks=tasks,
        problems=tuple(Problem(*problem) for problem in page["problems"]),
        duplicates=int(page["duplicates"]),
        notes=tuple(page["notes"]),
        content_hash=str(page["hashes"]["content"]),
        shards=tuple(shard_from(shard) for shard in page["shards"]),
    )
