"""Which files of a folder are lm-eval logs, and which of them belong together.

lm-eval writes OUTPUT/MODEL/samples_TASK_TIME.jsonl and OUTPUT/MODEL/results_TIME.json, or STEM_TIME.json where the output path named a
file. One folder may hold several models, and several times of one model.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.lines import DAMAGED, open_bytes, parse_json
from forgetmap.formats.lm_eval.lines import parse_entry

_TIME = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?"
_SAMPLES = re.compile(rf"samples_(?P<task>.+?)(?:_(?P<time>{_TIME}))?\.jsonl?(?:\.gz)?")
_RESULTS = re.compile(rf"(?!samples_).+_(?P<time>{_TIME})\.json(?:\.gz)?")
_LOGS = re.compile(r".*\.jsonl(?:\.gz)?|samples_.*\.json(?:\.gz)?")
_HEAD_LINES = 3
_LONGEST_HEAD = 1 << 25
_IN_A_SAMPLE = frozenset({"doc", "arguments", "resps", "filtered_resps"})


class Log(NamedTuple):
    """One samples file: its task, and its time where the name tells."""

    path: Path
    task: str
    time: str


class Sums(NamedTuple):
    """A results file, or why there is none."""

    name: str | None
    results: Mapping[str, Any]
    trouble: str | None


def log_of(path: Path) -> Log:
    """Task and time from a file's name; of any other name all but the suffix is the task."""
    named = _SAMPLES.fullmatch(path.name)
    if named:
        return Log(path, named["task"], named["time"] or "")
    return Log(path, re.sub(r"\.jsonl?(\.gz)?$", "", path.name), "")


def logs_in(folder: Path) -> Iterator[Log]:
    """Every samples file below a folder, in the order of their names."""
    for path in sorted(folder.rglob("*")):
        if _LOGS.fullmatch(path.name) and path.is_file() and is_samples(path):
            yield log_of(path)


def is_samples(path: Path) -> bool:
    """Whether one of the first lines of a file is a sample of lm-eval."""
    try:
        with open_bytes(path) as file:
            return any(_is_sample(line) for line in _first_lines(file))
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


def results_time(path: Path) -> str | None:
    """The time in the name of a results file; null for other files."""
    named = _RESULTS.fullmatch(path.name)
    return named["time"] if named and "results" in _loaded(path).results else None


def sums_beside(log: Log) -> Sums:
    """The results written together with a samples file."""
    beside = [path for path in sorted(log.path.parent.iterdir()) if _has_time(path, log.time)] if log.time else []
    if not beside:
        return Sums(None, {}, f"{log.path.name} has no results file beside it")
    return _loaded(beside[0])


def _has_time(path: Path, time: str) -> bool:
    named = _RESULTS.fullmatch(path.name)
    return named is not None and named["time"] == time


def _loaded(path: Path) -> Sums:
    try:
        with open_bytes(path) as file:
            results = parse_json(file.read())
    except (FormatError, *DAMAGED, ValueError) as error:
        return Sums(None, {}, f"{path.name} cannot be read ({error})")
    if not isinstance(results, Mapping):
        return Sums(None, {}, f"{path.name} holds no results")
    return Sums(path.name, results, None)
