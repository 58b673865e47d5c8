"""JSON lines, and one JSON list of objects."""

import re
from collections.abc import Iterator, Mapping, Sequence
from json import JSONDecoder
from pathlib import Path
from typing import Any

from forgetmap.errors import FormatError
from forgetmap.formats.lines import BOM, DAMAGED, damage, open_bytes, parse_json, text_lines
from forgetmap.formats.table.cells import Lot, Report
from forgetmap.records.schema import Problem

ROWS_IN_LOT = 4096
TEXT_IN_LOT = 1 << 24
LINES_TRIED = 5
SPACE = re.compile(r"[\s,]*")
CUT = "the list is not whole JSON from here on; only what stands before is read"

Entry = tuple[int, dict[str, Any], int]
"""Number of a row in its file, the row, and its size in characters (0 = not known)."""


def first_of_lines(head: str, *, whole: bool) -> dict[str, Any] | None:
    """The first object among the first few lines of text."""
    lines = head.removeprefix("\ufeff").split("\n")
    kept = [line for line in (lines if whole else lines[:-1]) if line.strip()]
    found = (_object(line.encode("utf-8", "surrogateescape")) for line in kept[:LINES_TRIED])
    return next((row for row in found if row is not None), None)


def first_of_list(head: str) -> dict[str, Any] | None:
    """The first entry of a JSON list, where that is an object."""
    start = head.removeprefix("\ufeff").lstrip()
    first = next(_pieces(start, CUT), None) if start.startswith("[") else None
    return first if isinstance(first, dict) else None


class Lines:
    """One object a line."""

    UNIT = "line"

    @staticmethod
    def columns(path: Path) -> list[str]:
        """Every name that some line uses, in the order of first use."""
        return _names(rows_of_lines(path, _ignore), path)

    @staticmethod
    def lots(path: Path, names: list[str], report: Report) -> Iterator[Lot]:
        """The rows, some at a time; lines that hold no object are reported."""
        return _lots(rows_of_lines(path, report), names)


class List:
    """One JSON list of objects."""

    UNIT = "entry"

    @staticmethod
    def columns(path: Path) -> list[str]:
        """Every name that some entry uses, in the order of first use."""
        return _names(rows_of_list(path, _ignore), path)

    @staticmethod
    def lots(path: Path, names: list[str], report: Report) -> Iterator[Lot]:
        """The rows, some at a time; entries that are no object, and where a cut list ends, are reported."""
        return _lots(rows_of_list(path, report), names)


def _ignore(where: str, why: str) -> None:
    pass


def _names(entries: Iterator[Entry], path: Path) -> list[str]:
    names: dict[str, None] = {}
    for _, row, _ in entries:
        if not names.keys() >= row.keys():
            names.update(dict.fromkeys(row))
    if not names:
        raise FormatError(f'{path} holds no row: objects with named values are wanted, such as {{"item_id": 1, ...}}.')
    return list(names)


def _lots(entries: Iterator[Entry], names: Sequence[str]) -> Iterator[Lot]:
    places: list[int] = []
    rows: list[dict[str, Any]] = []
    total = 0
    for place, row, size in entries:
        places.append(place)
        rows.append(row)
        total += size
        if len(rows) == ROWS_IN_LOT or total > TEXT_IN_LOT:
            yield _lot(places, rows, names)
            places, rows, total = [], [], 0
    if rows:
        yield _lot(places, rows, names)


def rows_of_lines(path: Path, report: Report) -> Iterator[Entry]:
    """Every object of a file of JSON lines; lines that hold none are reported."""
    problems: list[Problem] = []
    for number, line in text_lines(path, problems):
        _pass_on(problems, path, report)
        if not line or line.isspace():
            continue
        try:
            row = parse_json(line.encode())
        except ValueError as error:
            report(f"line {number}", str(error))
            continue
        if isinstance(row, dict):
            yield number, row, len(line)
        else:
            report(f"line {number}", "is JSON but no object with named values")
    _pass_on(problems, path, report)


def _pass_on(problems: list[Problem], path: Path, report: Report) -> None:
    for problem in problems:
        report(problem.where.removeprefix(path.name).strip() or "end", problem.why)
    problems.clear()


def rows_of_list(path: Path, report: Report) -> Iterator[Entry]:
    """Every object of a JSON list; entries that are none, and where a cut list ends, are reported."""
    content, damaged = _whole(path)
    for number, row in enumerate(_entries(content, damaged), start=1):
        if isinstance(row, dict):
            yield number, row, 0
        else:
            report(f"entry {number}", str(row) if isinstance(row, ValueError) else "is no object with named values")


def _entries(content: bytes, damaged: str | None) -> Iterator[Any]:
    """What the list holds; in place of what cannot be read, the error that says why."""
    try:
        whole = parse_json(content)
    except ValueError:
        whole = None
    if isinstance(whole, list):
        yield from whole
    else:
        yield from _pieces(content.decode("utf-8", "surrogateescape"), damaged or CUT)


def _pieces(listed: str, cut: str) -> Iterator[Any]:
    """The same, entry by entry; where the list breaks off, `cut`."""
    decoder, at = JSONDecoder(), listed.find("[") + 1
    while not listed.startswith("]", at := SPACE.match(listed, at).end()):  # type: ignore[union-attr]
        try:
            _, end = decoder.raw_decode(listed, at)
        except (ValueError, RecursionError):
            yield ValueError(cut)
            return
        yield _piece(listed[at:end])
        at = end


def _piece(entry: str) -> Any:
    try:
        return parse_json(entry.encode())
    except UnicodeEncodeError:
        return ValueError("is not UTF-8 text")
    except ValueError as error:
        return error


def _whole(path: Path) -> tuple[bytes, str | None]:
    """All bytes of a file, or those before the damage and what that is."""
    blocks = []
    with open_bytes(path) as file:
        try:
            while block := file.read1(1 << 20):  # type: ignore[attr-defined]
                blocks.append(block)
        except DAMAGED as error:
            return b"".join(blocks).removeprefix(BOM), damage(path, error).why
    return b"".join(blocks).removeprefix(BOM), None


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        row = parse_json(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) else None


def _lot(places: list[int], rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Lot:
    cells: dict[str, Any] = {name: [row.get(name) for row in rows] for name in names}
    return Lot(places, cells, frozenset(name for name, column in cells.items() if all(map(_is_number, column))))


def _is_number(cell: object) -> bool:
    return cell is None or (isinstance(cell, int) and not isinstance(cell, bool))
