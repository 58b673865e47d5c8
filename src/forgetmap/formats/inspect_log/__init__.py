"""Logs of Inspect: `.eval` (a zip with a member for each sample) and `.json`; a file, or a folder searched to its depth.

Only logs of status success are read; `PARTIAL` reads the others too, and is taken only where it is named. Inspect is not imported.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.closed import Golds
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.inspect_log.info import checkpoint_of, decoding, draws, run_info, task_names, wants_several
from forgetmap.formats.inspect_log.logs import Log, logs_in, read_log, samples
from forgetmap.formats.inspect_log.plain import mapping, whole
from forgetmap.formats.inspect_log.rows import Setting, row
from forgetmap.formats.inspect_log.scores import scale
from forgetmap.formats.lm_eval.answers import open_golds
from forgetmap.formats.lm_eval.info import run_name
from forgetmap.formats.opening import slug
from forgetmap.records.mending import Said, k_said
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row

PARTIAL_NAME = "inspect_partial"
_SUCCESS = "success"
_SAID_FILES = 5


class Found(NamedTuple):
    """Logs that are read, and why others are not."""

    logs: list[Log]
    notes: list[str]


def sniff(path: Path) -> bool:
    return (path.is_file() or path.is_dir()) and next(logs_in(path), None) is not None


def read(path: Path, hints: Hints, *, partial_too: bool = False) -> Iterator[Run]:
    """Runs at a path, one for each folder and checkpoint."""
    found = _found(path, hints.run, partial_too)
    groups: dict[tuple[Path, str], list[Log]] = defaultdict(list)
    for log in found.logs:
        groups[log.path.parent, checkpoint_of(log)].append(log)
    names = [run_name(checkpoint) for _, checkpoint in groups]
    for (folder, checkpoint), logs in groups.items():
        plain = run_name(checkpoint)
        name = plain if names.count(plain) == 1 else f"{_below(folder, path)}-{plain}"
        yield _run(hints.name if hints.name and len(groups) == 1 else name, logs, hints, found.notes)


FORMAT = Format(sniff=sniff, read=read, logs=r".*\.json(?:\.gz)?")
PARTIAL = Format(sniff=lambda _: False, read=partial(read, partial_too=True))


def _below(folder: Path, path: Path) -> str:
    inside = folder.relative_to(path) if path.is_dir() else Path()
    return "-".join(inside.parts) or folder.name


def _found(path: Path, wanted: str | None, partial_too: bool) -> Found:
    """The logs at a path; FormatError where it is one that cannot be used, or holds none that can."""
    if path.is_file():
        return Found([_usable(read_log(path), partial_too)], [])
    logs, troubles = list[Log](), list[str]()
    for file in _files(path, wanted):
        try:
            logs.append(_usable(read_log(file), partial_too))
        except FormatError as error:
            troubles.append(str(error))
    if troubles and not logs:
        raise FormatError(troubles[0])
    more = f" (and {len(troubles) - 1} more such files)" if len(troubles) > 1 else ""
    return Found(logs, [f"a file is left out{more}: {troubles[0]}"] if troubles else [])


def _files(path: Path, wanted: str | None) -> list[Path]:
    """The logs below a folder, and files that by their name should be some."""
    files = {*logs_in(path), *(file for file in path.rglob("*.eval") if file.is_file())}
    return sorted(file for file in files if wanted is None or wanted in file.name)


def _usable(log: Log, partial_too: bool) -> Log:
    if log.status != _SUCCESS and not partial_too:
        raise FormatError(
            f"{log.path} should be a finished log of Inspect, but its status is {log.status}: "
            f"finish it with `inspect eval-retry`, or read what it holds with --format {PARTIAL_NAME}."
        )
    return log


def _run(name: str, logs: list[Log], hints: Hints, left_out: list[str]) -> Run:
    taken = _latest(logs)
    notes = [*left_out, *_notes_on_times(logs, taken), *_notes_on_state(list(taken.values()))]
    settings = [(log, task, k_said(hints.k, task)) for task, log in taken.items()]
    return Run(run_info(slug(name), taken), partial(_rows, settings, notes), notes=notes)


def _latest(logs: list[Log]) -> dict[str, Log]:
    """The latest log of each task, by the name of the task; finished ones before others."""
    latest = dict[str, Log]()
    for task, log in sorted(zip(task_names(logs), logs, strict=True), key=lambda pair: _age(pair[1])):
        latest[task] = log
    return dict(sorted(latest.items()))


def _age(log: Log) -> tuple[bool, str, bool, str]:
    return log.status == _SUCCESS, log.created, log.path.suffix == ".eval", log.path.name


def _notes_on_times(logs: list[Log], taken: dict[str, Log]) -> Iterator[str]:
    others = [log for log in logs if log not in taken.values()]
    if others:
        tasks = _listed(sorted({log.task for log in others}))
        yield (
            f"{checkpoint_of(logs[0])} was logged several times for {tasks}: the latest log of each is taken; "
            f"also there: {_listed([log.path.name for log in others])}, to be had by path."
        )


def _notes_on_state(logs: Sequence[Log]) -> Iterator[str]:
    for log in logs:
        if log.status != _SUCCESS:
            yield f"{log.path.name} has the status {log.status}: items may be missing."
        if log.header.get("invalidated") is True:
            yield f"{log.path.name} was marked as invalid by its authors."
        if wants_several(log):
            yield f"{log.task} asks for all right options of a question: how often a guess is right is unknown."


def _listed(names: list[str]) -> str:
    more = len(names) - _SAID_FILES
    return ", ".join(names[:_SAID_FILES]) + (f" and {more} more" if more > 0 else "")


def _rows(logs: list[tuple[Log, str, Said]], notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    for log, task, said in logs:
        setting = _setting(log, task, said, notes)
        count = len(problems)
        read_any = False
        for place, entry in samples(log.path, problems):
            read_any = True
            try:
                yield row(entry, setting)
            except ValueError as error:
                problems.append(Problem(place, str(error)))
        if not read_any and len(problems) == count:
            problems.append(
                Problem(log.path.name, "holds no samples: it was written with --no-log-samples, or too early")
            )


def _setting(log: Log, task: str, said: Said, notes: list[str]) -> Setting:
    """What the samples share; all are looked through first, for a scorer's scale and a closed set of golds show in all of them only."""
    golds = Golds()
    found = scale(_scores_of(mapping(entry), golds) for _, entry in samples(log.path, []))
    for scorer, trouble in found.left_out.items():
        note = f"{task}: the scorer {scorer} is left out, for it gives {trouble}, not numbers from 0 to 1."
        if note not in notes:
            notes.append(note)
    settings = decoding(log)
    # With one seed for all tries of an item they would count as one and the same draw.
    seed = whole(settings.get("seed")) if draws(log) == 1 else None
    return Setting(task, found, said, whole(settings.get("max_tokens")), seed, wants_several(log), golds.closed)


def _scores_of(entry: Mapping[str, Any], golds: Golds) -> Any:
    """The scores of a sample; its golds are counted where it lists no options."""
    if not entry.get("choices"):
        golds.add(str(entry.get("id")), open_golds(entry.get("target")))
    return entry.get("scores")
