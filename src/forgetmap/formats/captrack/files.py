"""Files of answers in a model's folder: which they are, and their rows as the file holds them."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from forgetmap.errors import FormatError
from forgetmap.formats.captrack.tasks import ENDINGS, Named, named
from forgetmap.formats.lines import DAMAGED, open_bytes
from forgetmap.formats.table import csv_file
from forgetmap.formats.table.json_file import first_of_lines, first_of_list, rows_of_lines, rows_of_list
from forgetmap.records.schema import Problem

OUTPUTS, GOLD = "outputs", "gold"
ASKED = frozenset({"prompt", "formatted_prompt", "family"})
"""Columns of CapTrack's data set of which answers keep at least one."""
_DEPTH = 3
"""Folders below the one asked for in which models are looked for."""
_HEAD = 1 << 16
_ROWS = 256
_BROKEN = (pa.ArrowException, OSError, ValueError, MemoryError)
"""What reading a damaged Parquet file raises."""

Cells = Mapping[str, Any]


class Answers(NamedTuple):
    """One file of answers."""

    path: Path
    named: Named

    def where(self, place: int) -> str:
        """Where a row stands, in words."""
        unit = {".jsonl": "line", ".csv": "line", ".json": "entry"}.get(self.path.suffix.lower(), "row")
        return f"{self.path.name} {unit} {place}"


def answers_below(path: Path) -> Iterator[Answers]:
    """Every file whose name is that of a task: `path` itself, or those in a folder and below it, by name."""
    found = [path] if path.is_file() else _files(path)
    for file in found:
        if (task := named(file.name)) is not None:
            yield Answers(file, task)


def others_in(folder: Path) -> list[str]:
    """Names of tables in a model's folder that are of no task."""
    files = (file for file in sorted(folder.iterdir()) if file.is_file() and file.suffix.lower() in ENDINGS)
    return [file.name for file in files if named(file.name) is None]


def is_answers(file: Answers) -> bool:
    """Whether the first row has the columns of the layout. Never raises."""
    try:
        names = columns(file.path)
    except (FormatError, *DAMAGED, ValueError):
        return False
    return {OUTPUTS, GOLD} <= names and not ASKED.isdisjoint(names)


def columns(path: Path) -> frozenset[str]:
    """Names of the columns of a file's first row; none where there is no row."""
    ending = path.suffix.lower()
    if ending in (".parquet", ".pq"):
        with _opened(path) as table:
            return frozenset(table.schema_arrow.names)
    try:
        with open_bytes(path) as file:
            head = file.read(_HEAD)
            if ending != ".csv" and _first(head, ending, whole=len(head) < _HEAD) is None:
                head += file.read()
    except DAMAGED as error:
        raise FormatError(f"{path} is a damaged or cut gzip file: fetch it again.") from error
    if ending == ".csv":
        return frozenset(_header(head))
    return frozenset(_first(head, ending, whole=True) or ())


def rows_of(file: Answers, problems: list[Problem]) -> Iterator[tuple[int, Cells]]:
    """Number and cells of each row. What is no row becomes a problem."""

    def report(where: str, why: str) -> None:
        problems.append(Problem(f"{file.path.name} {where}", why))

    ending = file.path.suffix.lower()
    if ending in (".jsonl", ".json"):
        entries = rows_of_lines(file.path, report) if _is_lines(file.path) else rows_of_list(file.path, report)
        yield from ((place, cells) for place, cells, _ in entries)
    elif ending == ".csv":
        names = csv_file.columns(file.path)
        for lot in csv_file.lots(file.path, names, report):
            table = [lot.cells[name] for name in names]
            yield from zip(
                lot.places, (dict(zip(names, row, strict=True)) for row in zip(*table, strict=True)), strict=True
            )
    else:
        yield from _of_parquet(file, problems)


def _files(folder: Path) -> list[Path]:
    found = [file for depth in range(_DEPTH + 1) for file in folder.glob("*/" * depth + "*") if file.is_file()]
    return sorted(file for file in found if not any(part.startswith(".") for part in file.relative_to(folder).parts))


def _is_lines(path: Path) -> bool:
    """Whether a file holds an object a line, whatever its ending says."""
    with open_bytes(path) as file:
        return not file.read(_HEAD).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")


def _first(head: bytes, ending: str, *, whole: bool) -> dict[str, Any] | None:
    text = head.decode("utf-8", "surrogateescape")
    return first_of_list(text) or first_of_lines(text, whole=whole)


def _header(head: bytes) -> list[str]:
    line = head.decode("utf-8", "replace").removeprefix("\ufeff").lstrip().partition("\n")[0].rstrip("\r")
    try:
        return [name.strip() for name in next(csv.reader([line], delimiter=csv_file.separator(line)), [])]
    except csv.Error:
        return []


def _opened(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except _BROKEN as error:
        raise FormatError(
            f"{path} is a damaged or cut Parquet file, of which nothing can be read: fetch it again."
        ) from error


def _of_parquet(file: Answers, problems: list[Problem]) -> Iterator[tuple[int, Cells]]:
    with _opened(file.path) as table:
        read, batches = 0, table.iter_batches(_ROWS)
        while True:
            try:
                batch = next(batches, None)
            except _BROKEN as error:
                where = f"{file.path.name} rows {read + 1} to {table.metadata.num_rows}"
                problems.append(
                    Problem(where, f"cannot be read: the file is damaged ({str(error).partition(chr(10))[0]})")
                )
                return
            if batch is None:
                return
            for place in range(batch.num_rows):
                try:
                    yield read + place + 1, batch.slice(place, 1).to_pylist()[0]
                except _BROKEN:
                    problems.append(Problem(file.where(read + place + 1), "holds a value that is no text (not UTF-8)"))
            read += batch.num_rows
