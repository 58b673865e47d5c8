"""Which files of a folder are lm-eval logs, and which of them belong together.

lm-eval writes OUTPUT/MODEL/samples_TASK_TIME.jsonl and OUTPUT/MODEL/results_TIME.json, or STEM_TIME.json where the output path named a
file. One folder may hold several models, and several times of one model. Names without a time are those of `older`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.lines import DAMAGED, open_bytes, parse_json
from forgetmap.formats.lm_eval.lines import parse_entry
from forgetmap.formats.lm_eval.lists import first_of_list
from forgetmap.formats.lm_eval.older import task_named, told_by_name

_TIME = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?"
_SAMPLES = re.compile(rf"samples_(?P<task>.+?)(?:_(?P<time>{_TIME}))?\.jsonl?(?:\.gz)?")
_RESULTS = re.compile(rf"(?!samples_).+_(?P<time>{_TIME})\.json(?:\.gz)?")
LOGS = r".*\.jsonl(?:\.gz)?|samples_.*\.json(?:\.gz)?"
_SUFFIX = re.compile(r"\.jsonl?(\.gz)?$")
_HEAD_LINES = 3
_LONGEST_HEAD = 1 << 25
_LARGEST_RESULTS = 1 << 26
_IN_A_SAMPLE = frozenset({"doc", "arguments", "resps", "filtered_resps"})
_BEGIN = re.compile(rb"\s*\{\s*\"results\"")
_HEAD = 1 << 10


class Named(NamedTuple):
    """What the name of a samples file says since 0.4.3."""

    task: str
    time: str
    """"" where the name tells none."""


class Sums(NamedTuple):
    """A results file, or why there is none."""

    name: str | None
    results: Mapping[str, Any]
    trouble: str | None


class Log(NamedTuple):
    """One samples file: its task, its time where the name tells, and the results written with it."""

    path: Path
    task: str
    time: str
    sums: Sums


def named(name: str) -> Named | None:
    """Task and time in the name of a samples file; null for names of another form.

    >>> named("samples_gsm8k_2024-06-16T19-10-04.926831.json"), named("gsm8k.jsonl")
    (Named(task='gsm8k', time='2024-06-16T19-10-04.926831'), None)
    """
    found = _SAMPLES.fullmatch(name)
    return Named(found["task"], found["time"] or "") if found else None


class Shelf:
    """Results files, each read once."""

    def __init__(self) -> None:
        self._read: dict[Path, Sums] = {}
        self._timed: dict[Path, dict[str, Path]] = {}
        """Those of a folder by the time in their names."""
        self._untimed: dict[Path, list[Sums]] = {}
        """Those of a folder whose names hold no time."""

    def log_of(self, path: Path) -> Log:
        """Task and time from a file's name; of a name that says neither, all but the suffix is the task."""
        found = named(path.name)
        if found is not None:
            return Log(path, found.task, found.time, self._of_time(path, found.time))
        return self._untimed_log(path, _SUFFIX.sub("", path.name))

    def _untimed_log(self, path: Path, stem: str) -> Log:
        beside = self._without_time(path.parent)
        for sums in beside:
            if (task := task_named(stem, sums.results)) is not None:
                return Log(path, task, "", sums)
        told = told_by_name(stem, (task for sums in beside for task in sums.results["configs"]))
        if told is None:
            return Log(path, stem, "", _missing(path))
        why = "" if told.task else ", which would tell where in its name the task begins"
        sums = Sums(
            None, {"config": {"model_args": told.arguments}}, f"{path.name} has no results of its own beside it{why}"
        )
        return Log(path, told.task or stem, "", sums)

    def _of_time(self, path: Path, time: str) -> Sums:
        if path.parent not in self._timed:
            last_first = sorted(path.parent.iterdir(), reverse=True)
            names = ((_RESULTS.fullmatch(other.name), other) for other in last_first)
            self._timed[path.parent] = {name["time"]: other for name, other in names if name}
        found = self._timed[path.parent].get(time)
        return self._loaded(found) if found else _missing(path)

    def _without_time(self, folder: Path) -> list[Sums]:
        if folder not in self._untimed:
            loaded = [self._loaded(path) for path in sorted(folder.glob("*.json")) if _may_be_sums(path)]
            self._untimed[folder] = [sums for sums in loaded if _are_sums(sums)]
        return self._untimed[folder]

    def _loaded(self, path: Path) -> Sums:
        if path not in self._read:
            self._read[path] = _loaded(path)
        return self._read[path]


def _missing(path: Path) -> Sums:
    return Sums(None, {}, f"{path.name} has no results file beside it")


def _may_be_sums(path: Path) -> bool:
    named = _RESULTS.fullmatch(path.name) or path.name.startswith("samples_")
    return not named and path.is_file() and path.stat().st_size <= _LARGEST_RESULTS


def logs_in(folder: Path) -> Iterator[Log]:
    """Every samples file below a folder, in the order of their names."""
    shelf = Shelf()
    return map(shelf.log_of, samples_in(folder))


def samples_in(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if re.fullmatch(LOGS, path.name) and path.is_file() and is_samples(path):
            yield path


def is_samples(path: Path) -> bool:
    """Whether one of the first lines of a file, or entries of a list, is a sample of lm-eval."""
    try:
        with open_bytes(path) as file:
            return any(map(_is_sample, _first_lines(file))) or any(map(_is_sample, first_of_list(file, _HEAD_LINES)))
    except (FormatError, *DAMAGED):
        return False


def _first_lines(file: Any) -> Iterator[bytes]:
    for _ in range(_HEAD_LINES):
        yield file.readline(_LONGEST_HEAD)


def _is_sample(line: bytes) -> bool:
    try:
        return not _IN_A_SAMPLE.isdisjoint(parse_entry(line))
    except ValueError:
        return False


def is_results(path: Path) -> bool:
    """Whether this is a results file: one that is named so, or holds what only such a file does."""
    if _RESULTS.fullmatch(path.name):
        return "results" in _loaded(path).results
    return path.suffix == ".json" and _may_be_sums(path) and _begins_like_sums(path) and _are_sums(_loaded(path))


def _begins_like_sums(path: Path) -> bool:
    with path.open("rb") as file:
        return _BEGIN.match(file.read(_HEAD)) is not None


def _are_sums(sums: Sums) -> bool:
    """Whether a file without a time in its name holds what the results of a run do."""
    return all(isinstance(sums.results.get(name), Mapping) for name in ("results", "configs", "config"))


def _loaded(path: Path) -> Sums:
    try:
        with open_bytes(path) as file:
            results = parse_json(file.read())
    except (FormatError, *DAMAGED, ValueError) as error:
        return Sums(None, {}, f"{path.name} cannot be read ({error})")
    if not isinstance(results, Mapping):
        return Sums(None, {}, f"{path.name} holds no results")
    return Sums(path.name, results, None)
