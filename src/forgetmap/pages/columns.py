"""The columns that describe one cell: the same wherever a comparison is shown alone."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from forgetmap.measure.cell import Cell, Estimate
from forgetmap.measure.flat import percent
from forgetmap.measure.marks import BEYOND_NOISE, FELL, marks
from forgetmap.measure.words import ABSENT, clear_of_zero, count, estimate
from forgetmap.pages.blocks import Column, Entry, Table, Tone


class _Shown(NamedTuple):
    """A column, what stands in it, and for which cells it has something to say."""

    column: Column
    entry: Callable[[Cell], Entry]
    says: Callable[[Cell], bool] = lambda cell: True
    brief: bool = True


def cell_table(first: str, cells: Sequence[Cell], names: Sequence[str], *, brief: bool = False) -> Table:
    """One row a cell, with accuracy, forgetting, gain and, unless `brief`, what else any of the cells has to say."""
    shown = [one for one in _COLUMNS if (one.brief or not brief) and any(one.says(cell) for cell in cells)]
    rows = [(_name(cell, name), *(one.entry(cell) for one in shown)) for cell, name in zip(cells, names, strict=True)]
    return Table((Column(first, "left"), *(one.column for one in shown)), rows)


def accuracy(cell: Cell) -> str:
    return f"{percent(cell.accuracy_before)} → {percent(cell.accuracy_after)}" if cell.n else ABSENT


def forgetting(cell: Cell) -> Entry:
    return Entry(estimate(cell.forgetting), _tone(cell.forgetting, "bad"))


def gain(cell: Cell) -> Entry:
    return Entry(estimate(cell.gain), _tone(cell.gain, "good"))


def _tone(found: Estimate | None, tone: Tone) -> Tone:
    """Only what stands clear of zero is coloured; what cannot be said is dim."""
    if found is None:
        return "dim"
    return tone if clear_of_zero(found) else "plain"


def _name(cell: Cell, name: str) -> Entry:
    return Entry(name, "strong" if cell.level == "all" else "plain")


def _says(found: Estimate | None) -> bool:
    return found is not None and found.value is not None and abs(found.value) > 0


def _marks(cell: Cell) -> Entry:
    found = marks(cell)
    return Entry(found, "bad" if FELL in found or BEYOND_NOISE in found else "good")


_COLUMNS = (
    _Shown(Column("items", spare=4), lambda cell: Entry(count(cell.n))),
    _Shown(Column("accuracy %", spare=2), lambda cell: Entry(accuracy(cell))),
    # Where forgetting has no value, the counts that it would be made of.
    _Shown(
        Column("lost / gained", spare=3),
        lambda cell: Entry(f"{count(cell.n10)} / {count(cell.n01)}"),
        lambda cell: cell.n10 is not None and (cell.forgetting is None or cell.forgetting.value is None),
    ),
    _Shown(Column("forgetting %", "estimate"), forgetting),
    _Shown(Column("gain %", "estimate", 1), gain),
    _Shown(
        Column("no longer answered %", "estimate", 6),
        lambda cell: Entry(estimate(cell.unanswered_loss)),
        lambda cell: _says(cell.unanswered_loss),
        brief=False,
    ),
    _Shown(
        Column("beyond noise %", "estimate", 5),
        lambda cell: Entry(estimate(cell.excess)),
        lambda cell: cell.excess is not None,
        brief=False,
    ),
    _Shown(Column("", "left"), _marks, lambda cell: bool(marks(cell))),
)
