"""What the names of files in a dataset tell: which are logs of a harness, of which task and time, and which are their sums."""

import re
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from forgetmap.formats.lighteval.files import log_of as details_of
from forgetmap.formats.lm_eval.files import named as samples_named

Kind = Literal["lighteval", "lm_eval"]
_DETAILS = re.compile(r"details_.+\.parquet")
_DATA = re.compile(r".+\.(?:csv|tsv|json|jsonl|ndjson|parquet|eval|zip)(?:\.gz)?", re.IGNORECASE)
_ABOUT_DATA = frozenset({"dataset_infos.json", "dataset_info.json", "state.json"})
_NO_SIGN = re.compile(r"[\x00-\x1f\x7f-\x9f\\\ud800-\udfff]")
_OWN = (".part", ".part.json", ".tmp")
"""How names of files end that are on their way into the cache."""
_LONGEST_NAME = 240
"""Bytes; disks allow 255, with such an ending."""
_LONGEST_PATH = 2000
_PATTERN = re.compile(r"[*?\[]")


class Named(NamedTuple):
    """A log of a harness, by its path in the dataset."""

    path: str
    kind: Kind
    folder: str
    """That of the checkpoint."""
    task: str
    time: str


def named(path: str) -> Named | None:
    """What a path says; null where it is no log of a harness that writes names of this form.

    >>> named("org__m/samples_leaderboard_gpqa_main_2024-06-16T19-10-04.926831.json")[1:]
    ('lm_eval', 'org__m', 'leaderboard_gpqa_main', '2024-06-16T19-10-04.926831')
    """
    file = Path(path)
    if _DETAILS.fullmatch(file.name):
        details = details_of(file)
        return Named(path, "lighteval", details.model.as_posix(), details.task, details.time)
    if (samples := samples_named(file.name)) is not None:
        return Named(path, "lm_eval", file.parent.as_posix(), samples.task, samples.time)
    return None


def strange(paths: Collection[str]) -> frozenset[str]:
    """Those that cannot be files in a folder of ours: no names, steps out of it, names of folders among the others, too long.

    >>> sorted(strange(["a/b.csv", "a", "../c.csv", "d//e.csv", "f\\0.csv", "g.csv"]))
    ['../c.csv', 'a', 'd//e.csv', 'f\\x00.csv']
    """
    folders = {parent for path in paths for parent in _above(path)}
    return frozenset(path for path in paths if path in folders or not _can_be(path))


def _above(path: str) -> Iterable[str]:
    return (path[:place] for place, sign in enumerate(path) if sign == "/")


def _can_be(path: str) -> bool:
    if _NO_SIGN.search(path) or path.endswith(_OWN) or len(path.encode()) > _LONGEST_PATH:
        return False
    return all(part not in ("", ".", "..") and len(part.encode()) <= _LONGEST_NAME for part in path.split("/"))


def below(paths: Iterable[str], wanted: str) -> list[str]:
    """Paths in a folder, of a file, or that fit a pattern; "" means all."""
    if not wanted:
        return list(paths)
    if _PATTERN.search(wanted):
        return [path for path in paths if fnmatchcase(path, wanted)]
    return [path for path in paths if path == wanted or path.startswith(f"{wanted}/")]


def data(paths: Iterable[str], wanted: str) -> list[str]:
    """Those that may be logs of another form: tables, archives; a file that was named is always one."""
    return [path for path in paths if path == wanted or (_DATA.fullmatch(path) and _is_data(PurePosixPath(path)))]


def _is_data(path: PurePosixPath) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    return not hidden and path.name not in _ABOUT_DATA and not path.name.startswith("results_")


def sums(paths: Iterable[str], folder: str, time: str) -> list[str]:
    """The results of one time: in the folder of a checkpoint, above it, or in a folder of its name elsewhere."""
    name = f"results_{time}.json"
    same = [path for path in paths if path.rpartition("/")[2] == name]
    near = [path for path in same if _belongs(path.rpartition("/")[0], folder)]
    return near[:1] or same[:1]


def _belongs(place: str, folder: str) -> bool:
    own = "" if folder == "." else folder
    return place == own or place.startswith(f"{own}/") or place.rpartition("/")[2] == own.rpartition("/")[2]


def fits(task: str, patterns: tuple[str, ...]) -> bool:
    """Whether a task is among those wanted: patterns, or parts of a name.

    >>> fits("bbh_navigate", ("bbh",)), fits("bbh_navigate", ("bbh_[a-m]*", "math*"))
    (True, False)
    """
    return not patterns or any(
        fnmatchcase(task, pattern) if _PATTERN.search(pattern) else pattern in task for pattern in patterns
    )
