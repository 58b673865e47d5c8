"""CSV and TSV: quoted fields over several lines, either line end, a byte order mark, `,` or `;` or tab between fields."""

import csv
import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from forgetmap.errors import FormatError
from forgetmap.formats.lines import BOM, DAMAGED, open_bytes
from forgetmap.formats.table.cells import Lot, Report
from forgetmap.formats.table.columns import OURS

if TYPE_CHECKING:
    from _csv import Reader

UNIT = "line"
ROWS_IN_LOT = 8192
TEXT_IN_LOT = 1 << 24
SEPARATORS = (",", ";", "\t")
LONGEST_NAME = 200
"""Characters that a name of a column may have; what is longer is prose with commas in it."""


def columns(path: Path) -> list[str]:
    """Names in the header; a table without any row is an error."""
    with _Records(path) as records:
        header = records.header
        for _ in records:
            return header
        if records.damaged is None and not records.unread:
            raise FormatError(f"{path} has a header and no rows: was it written to its end?")
    return header


def is_table(head: str, *, whole: bool) -> bool:
    """Whether text begins as a table does: a header of two or more different short names, and rows of as many fields below
    (or two names that are ours, whatever stands below).

    `head` is the beginning of a file, or the `whole` of it.
    """
    records = _some_records(head, whole=whole)
    header, rows = [name.strip() for name in records[0]] if records else [], records[1:]
    if (
        not has_header(head, whole=whole)
        or len({*header} - {""}) < 2
        or any(len(name) > LONGEST_NAME for name in header)
    ):
        return False
    return len(set(OURS) & set(header)) >= 2 or 2 * sum(len(row) == len(header) for row in rows) > len(rows)


def has_header(head: str, *, whole: bool) -> bool:
    """Whether the first line of text can be a header: two or more names, and no bytes that text does not have."""
    first = _first_line(head)
    if not whole and first == head.removeprefix("\ufeff"):
        return False
    return "\0" not in first and _count_fields(first, separator(first)) > 1


def separator(header: str) -> str:
    r"""Whichever of `,` `;` and tab makes most fields of the header.

    >>> separator("id;gold,silver;choice")
    ';'
    """
    return max(SEPARATORS, key=lambda mark: _count_fields(header, mark))


def lots(path: Path, names: list[str], report: Report) -> Iterator[Lot]:
    """The rows, some at a time; records that are no rows are reported."""
    with _Records(path, report) as records:
        at = {name: records.header.index(name) for name in names}
        places: list[int] = []
        rows: list[list[str]] = []
        size = 0
        for place, row in records:
            places.append(place)
            rows.append(row)
            size += sum(map(len, row))
            if len(rows) == ROWS_IN_LOT or size > TEXT_IN_LOT:
                yield _lot(places, rows, at)
                places, rows, size = [], [], 0
        if rows:
            yield _lot(places, rows, at)


def _lot(places: list[int], rows: list[list[str]], at: dict[str, int]) -> Lot:
    fields = list(zip(*rows, strict=True))
    return Lot(places, {name: [cell or None for cell in fields[place]] for name, place in at.items()})


def _reader(lines: Iterable[str], mark: str) -> "Reader":
    # One long response must not stop the reading: the limit is the process's own, and small at first.
    csv.field_size_limit(sys.maxsize)
    return csv.reader(lines, delimiter=mark, strict=True)


def _count_fields(line: str, mark: str) -> int:
    try:
        return len(next(_reader([line, '"'] if line.count('"') % 2 else [line], mark), []))
    except csv.Error:
        return 0


def _first_line(head: str) -> str:
    return next((line for line in head.removeprefix("\ufeff").split("\n") if line.strip()), "")


def _some_records(head: str, *, whole: bool) -> list[list[str]]:
    """Up to twenty whole records of the beginning of a file."""
    text = head.removeprefix("\ufeff")
    kept = text if whole else text[: text.rfind("\n") + 1]
    reader = _reader(StringIO(kept, newline=""), separator(_first_line(head)))
    records = []
    try:
        for record in islice(filter(None, reader), 20):
            records.append(record)  # noqa: PERF402  (those before a broken one count)
    except csv.Error:
        pass  # What is wrong further down is said when the file is read.
    return records


class _Records:
    """Whole records of a file below its header, each with the line on which it begins. Everything else is reported."""

    def __init__(self, path: Path, report: Report | None = None) -> None:
        self.unread = 0
        self.damaged: Exception | None = None
        self._path, self._say = path, report
        self._undecoded = False
        self._skipped = 0
        self._file = open_bytes(path)
        first = self._header_line()
        self._csv = _reader(self._lines(first), separator(first))
        self.header = self._header()

    def __enter__(self) -> "_Records":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        width, line = len(self.header), self._next_line()
        while True:
            try:
                record = next(self._csv)
            except StopIteration:
                break
            except csv.Error as error:
                self._cut(line, error)
            else:
                if self._undecoded:
                    self._report(line, "is not UTF-8 text: save the file as UTF-8")
                elif len(record) == width:
                    yield line, record
                elif record:
                    self._report(line, f"has {_fields(record)} where the header has {width}")
            line = self._next_line()
        if self.damaged is not None:
            self._report(line, f"the compressed data is damaged or cut off from here on ({self.damaged})")

    def _next_line(self) -> int:
        return self._skipped + self._csv.line_num + 1

    def _header_line(self) -> str:
        for line in self._bytes():
            if line.strip() not in (b"", BOM):
                return self._decoded(line.removeprefix(BOM))
            self._skipped += 1
        return ""

    def _header(self) -> list[str]:
        try:
            names = [name.strip() for name in next(self._csv, [])]
        except csv.Error as error:
            self._file.close()
            raise FormatError(f"{self._path} begins with a header that is not whole CSV: {error}.") from error
        if self._undecoded:
            self._file.close()
            raise FormatError(f"{self._path} is not UTF-8 text: save it as UTF-8.")
        return names

    def _lines(self, first: str) -> Iterator[str]:
        yield first
        yield from map(self._decoded, self._bytes())

    def _decoded(self, line: bytes) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError:
            self._undecoded = True
            return line.decode("utf-8", "surrogateescape")

    def _bytes(self) -> Iterator[bytes]:
        try:
            for line in self._file:  # noqa: UP028  (`yield from` would close the file with the first reader of it)
                yield line
        except DAMAGED as error:
            self.damaged = error

    def _cut(self, line: int, error: csv.Error) -> None:
        """Report a record that breaks the rules of quoting, unless it only stops where the compressed data does."""
        if "unexpected end" not in str(error):
            self._report(line, f"is not CSV: {error}")
        elif self.damaged is None:
            self._report(line, "a quoted field begins here and is never closed; nothing below it can be read")

    def _report(self, line: int, why: str) -> None:
        self._undecoded = False
        self.unread += 1
        if self._say is not None:
            self._say(f"{UNIT} {line}", why)


def _fields(record: list[str]) -> str:
    return f"{len(record)} field{'s' if len(record) != 1 else ''}"
