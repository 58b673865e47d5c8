"""Files that hold one JSON list of objects, plain or .gz, in a folder or alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from forgetmap.errors import FormatError
from forgetmap.formats.lines import DAMAGED, open_bytes
from forgetmap.formats.table.json_file import List, first_of_list
from forgetmap.records.schema import Problem

_HEADS = (1 << 16, 1 << 22)
"""Bytes in which the first entry is looked for; a prompt can be long."""
_ENDINGS = (".json", ".json.gz")

Entry = Mapping[str, Any]


def first_entry(file: Path) -> Entry | None:
    """The first object of a list; null where the file begins otherwise, or cannot be read."""
    for size in _HEADS:
        head = head_of(file, size)
        found = first_of_list(head.decode("utf-8", "replace"))
        if found is not None or not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[") or len(head) < size:
            return found
    return None


def head_of(file: Path, size: int) -> bytes:
    """The first bytes of a plain or .gz file; none where it cannot be read."""
    try:
        with open_bytes(file) as stream:
            return stream.read(size)
    except (FormatError, *DAMAGED):
        return b""


def files_at(path: Path, is_ours: Callable[[Path], bool], endings: Sequence[str] = _ENDINGS) -> Iterator[Path]:
    """The file itself, or every file below a folder that has one of these endings, as far as they are ours, by name."""
    if path.is_file():
        yield from [path] if is_ours(path) else []
        return
    below = (file for file in sorted(path.rglob("*")) if file.name.endswith(tuple(endings)) and file.is_file())
    for file in below:
        if not any(part.startswith(".") for part in file.relative_to(path).parts) and is_ours(file):
            yield file


def is_any_at(path: Path, is_ours: Callable[[Path], bool], endings: Sequence[str] = _ENDINGS) -> bool:
    """Whether there is such a file."""
    try:
        return next(files_at(path, is_ours, endings), None) is not None
    except OSError:
        return False


def name_below(file: Path, path: Path) -> str:
    """A file's name, as seen from the folder that was named."""
    return file.relative_to(path).as_posix() if path.is_dir() else file.name


def entries(
    file: Path, name: str, fields: Sequence[str], problems: list[Problem]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and some fields of every object of the list; what is no object, and where a cut list ends, are problems."""

    def report(where: str, why: str) -> None:
        problems.append(Problem(f"{name} {where}", why))

    for lot in List.lots(file, list(fields), report):
        columns = [lot.cells[field] for field in fields]
        for place, *cells in zip(lot.places, *columns, strict=True):
            yield place, dict(zip(fields, cells, strict=True))
