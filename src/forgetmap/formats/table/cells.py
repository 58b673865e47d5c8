"""Cells as text: what CSV, JSON and Parquet say differently becomes the same text, so that one reading serves all three."""

import json
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import orjson
import pyarrow as pa

from forgetmap.formats.lines import parse_json

Report = Callable[[str, str], None]
"""Takes a row that cannot be read: where it stands in the file ("line 7"), and why."""


NUMBERS = "numbers"
"""Where a table notes which of its columns were integers by type before they became text."""


class Lot(NamedTuple):
    """Some rows of a file: where each stands, and their cells by the file's own names of columns."""

    places: list[int]
    cells: dict[str, "Sequence[object] | pa.Array"]
    numbers: frozenset[str] = frozenset()
    """Columns that hold integers by type, and not digits in text."""


def text(value: object) -> str | None:
    """Say any cell as text; null and NaN are absent, a list becomes a JSON list of texts.

    >>> text(3), text(True), text(0.5), text(float("nan")), text(["a", 1])
    ('3', 'True', '0.5', None, '["a","1"]')
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else repr(value)
    if isinstance(value, list | tuple):
        return in_json([in_json(entry) if isinstance(entry, list | dict) else text(entry) for entry in value])
    if isinstance(value, dict):
        return in_json(value)
    return value.decode() if isinstance(value, bytes) else str(value)


def texts(cells: "Sequence[object] | pa.Array") -> pa.Array:
    """One column as text, null where absent."""
    if isinstance(cells, pa.Array):
        return cells
    return pa.array([cell if type(cell) is str else text(cell) for cell in cells], pa.large_string())


def joined(columns: Sequence[pa.Array]) -> pa.Array:
    """Several columns as one of JSON lists, in the order given; null in every row that has none of them."""
    rows = zip(*(column.to_pylist() for column in columns), strict=True)
    return pa.array([in_json([cell or None for cell in row]) if any(row) else None for row in rows], pa.large_string())


def listed(cell: str) -> list[str | None] | None:
    """The entries of a JSON list as text; null where the cell is no JSON list.

    >>> listed('["a", 1, null]'), listed("[not JSON]"), listed("a")
    (['a', '1', None], None, None)
    """
    if not cell.startswith("["):
        return None
    try:
        entries = parse_json(cell.encode())
    except ValueError:
        return None
    return [text(entry) for entry in entries] if isinstance(entries, list) else None


def in_json(value: object) -> str:
    """Any value as JSON; what JSON has no word for is quoted."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        # The fast library knows no integers beyond 64 bits and nothing nested deeper than 254.
        return _in_json_slowly(value)


def _in_json_slowly(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "(nested too deeply to be shown)"
