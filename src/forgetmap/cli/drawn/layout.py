"""How wide a table's columns become, which are left out, and where it breaks into blocks. Widths are cells of a terminal."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len, chop_cells

from forgetmap.pages.blocks import Entry, Table

GAP = 2
NARROWEST = 14
"""Cells that a column of names keeps at least; longer names go on in the next line."""
FULL = 20
"""Cells that a column of names keeps before other columns are left out."""
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
    room = width - min(_natural(table, 0), max(NARROWEST, int(width * WIDEST_SHARE)))
    needed = [GAP + _least(table, place) for place in range(1, len(table.columns))]
    for places in _shared_out(needed, room):
        block = _only(table, (0, *(1 + place for place in places)))
        yield Laid(block, _widths(block, width))


def _shared_out(needed: Sequence[int], room: int) -> list[range]:
    """Neighbours that fit into one room: as few rooms as can be, of as equal numbers as can be.

    >>> _shared_out([4, 4, 4, 4], 12), _shared_out([4, 4, 4, 9], 12)
    ([range(0, 2), range(2, 4)], [range(0, 3), range(3, 4)])
    """
    starts, used = [0], 0
    for place, size in enumerate(needed):
        if place > starts[-1] and used + size > room:
            starts.append(place)
            used = 0
        used += size
    equal = -(-len(needed) // len(starts)) if needed else 1
    even = [range(start, min(start + equal, len(needed))) for start in range(0, len(needed), equal)]
    if all(sum(needed[place] for place in places) <= room for places in even):
        return even
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(needed)], strict=True)]


def _widths(table: Table, width: int) -> tuple[int, ...]:
    """Every column its least; then what room is left to the names, in order."""
    found = [_least(table, place) for place in range(len(table.columns))]
    room = width - sum(found) - GAP * (len(found) - 1)
    for place in range(len(found)):
        if _is_name(table, place):
            more = min(room, _natural(table, place) - found[place])
            found[place], room = found[place] + max(more, 0), room - max(more, 0)
    return tuple(found)


def _needed(table: Table) -> int:
    """What the table should have, before columns are left out."""
    wanted = (
        min(_natural(table, place), FULL) if _is_name(table, place) else _least(table, place)
        for place in range(len(table.columns))
    )
    return sum(wanted) + GAP * (len(table.columns) - 1)


def _is_name(table: Table, place: int) -> bool:
    """Whether entries of this column may go on in the next line."""
    return place == 0 or table.columns[place].align == "left"


def _natural(table: Table, place: int) -> int:
    return max(cell_len(text) for text in (table.columns[place].title, *(row[place].text for row in table.rows)))


def _least(table: Table, place: int) -> int:
    """Numbers are never broken; names may be, and titles, between words or after an underscore."""
    if _is_name(table, place):
        return min(_natural(table, place), NARROWEST)
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
    if cell_len(text) <= width:
        return [text]
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
