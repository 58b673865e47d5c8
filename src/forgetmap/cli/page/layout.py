"""How wide a table's columns become, which are left out, and where it breaks into blocks. Widths are cells of a terminal."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len, chop_cells

from forgetmap.cli.page.blocks import Entry, Table

GAP = 2
NARROWEST = 14
"""Cells that the first column keeps at least; longer names go on in the next line."""
FULL = 20
"""Cells that the first column keeps before other columns are left out."""
LONGEST_WORD = 13
"""Words of a title up to this length are not broken."""
WIDEST_SHARE = 0.5
"""Share of the width that the first column takes at most in a table that wraps."""


class Laid(NamedTuple):
    """A table that fits: its widths, and the titles of columns left out."""

    table: Table
    widths: tuple[int, ...]
    left_out: tuple[str, ...] = ()


def laid_out(table: Table, width: int) -> Iterator[Laid]:
    """The table in one piece or in blocks, each at most `width` wide where its entries allow it."""
    return _blocks(table, width) if table.wrap else iter([_fitted(table, width)])


def _fitted(table: Table, width: int) -> Laid:
    left_out: list[str] = []
    while _needed(table) > width and (spare := max(column.spare for column in table.columns)):
        place = next(place for place, column in enumerate(table.columns) if column.spare == spare)
        left_out.append(table.columns[place].title)
        table = _without(table, place)
    return Laid(table, _widths(table, width), tuple(left_out))


def _blocks(table: Table, width: int) -> Iterator[Laid]:
    first = min(_natural(table, 0), max(NARROWEST, int(width * WIDEST_SHARE)))
    start = 1
    while start < len(table.columns):
        end, used = start, first
        while end < len(table.columns) and (end == start or used + GAP + _least(table, end) <= width):
            used += GAP + _least(table, end)
            end += 1
        places = (0, *range(start, end))
        block = _only(table, places)
        yield Laid(block, _widths(block, width))
        start = end


def _widths(table: Table, width: int) -> tuple[int, ...]:
    others = [_least(table, place) for place in range(1, len(table.columns))]
    room = width - sum(others) - GAP * len(others)
    return (max(min(_natural(table, 0), room), min(NARROWEST, _natural(table, 0))), *others)


def _needed(table: Table) -> int:
    others = [_least(table, place) + GAP for place in range(1, len(table.columns))]
    return min(_natural(table, 0), FULL) + sum(others)


def _natural(table: Table, place: int) -> int:
    return max(cell_len(text) for text in (table.columns[place].title, *(row[place].text for row in table.rows)))


def _least(table: Table, place: int) -> int:
    """Entries are never broken; a title may be, between words or after an underscore."""
    entries = max((cell_len(row[place].text) for row in table.rows), default=0)
    words = max((cell_len(word) for word in pieces(table.columns[place].title)), default=0)
    return max(entries, min(words, LONGEST_WORD))


def pieces(text: str, after: str = " _-/") -> list[str]:
    """Text cut after each of these signs.

    >>> pieces("science_and art"), pieces("a name-with signs", " ")
    (['science_', 'and ', 'art'], ['a ', 'name-with ', 'signs'])
    """
    found = [""]
    for sign in text:
        found[-1] += sign
        if sign in after:
            found.append("")
    return [piece for piece in found if piece]


def folded(text: str, width: int, after: str = " ") -> list[str]:
    """Text in lines of at most `width` cells, broken after these signs where it can be.

    >>> folded("science_technology of today", 12, " _"), folded("antidisestablishment", 8)
    (['science_', 'technology', 'of today'], ['antidise', 'stablish', 'ment'])
    """
    lines = [""]
    for piece in pieces(text, after):
        for part in chop_cells(piece, width) if cell_len(piece.rstrip()) > width else [piece]:
            if lines[-1] and cell_len(lines[-1]) + cell_len(part.rstrip()) > width:
                lines.append(part)
            else:
                lines[-1] += part
    return [line.rstrip(" ") for line in lines]


def _without(table: Table, place: int) -> Table:
    return _only(table, [other for other in range(len(table.columns)) if other != place])


def _only(table: Table, places: Sequence[int]) -> Table:
    rows: list[tuple[Entry, ...]] = [tuple(row[place] for place in places) for row in table.rows]
    return table._replace(columns=tuple(table.columns[place] for place in places), rows=rows)
