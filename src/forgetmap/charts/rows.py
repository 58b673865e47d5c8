"""Which cells a chart shows, and what they are called there."""

from collections.abc import Sequence
from typing import NamedTuple

from forgetmap.charts.spec import Spec, Table, Text
from forgetmap.errors import SettingError
from forgetmap.measure.cell import Cell, Estimate
from forgetmap.measure.flat import percent
from forgetmap.measure.labels import Labels, at, cells_of, chosen_level, most_forgotten_first
from forgetmap.measure.map import Comparison, Map
from forgetmap.measure.marks import marks
from forgetmap.measure.words import count, estimate

LEVELS = ("all", "category", "task", "domain", "capability")
ESTIMATE = ("value", "low", "high", "n")


class Row(NamedTuple):
    """A cell and its name in the chart."""

    label: str
    cell: Cell


def comparison(map: Map, after: str | None) -> Comparison | None:
    """The comparison with `after`, by default the first; null in a map of nothing."""
    found = [pair for pair in map.comparisons if after in (None, pair.after)]
    if after is not None and not found:
        known = ", ".join(pair.after for pair in map.comparisons)
        raise SettingError(f"nothing was compared with {after!r}; there are: {known or 'none'}.")
    return found[0] if found else None


def level_of(cells: Sequence[Cell], level: str | None) -> str:
    """The level asked for, or the one that says most."""
    if level is not None and level not in LEVELS:
        raise SettingError(f"there is no level called {level!r}; there are: {', '.join(LEVELS)}.")
    return level or chosen_level(cells)


def rows(map: Map, level: str | None, after: str | None) -> list[Row]:
    """The cells of one comparison at one level, most forgotten first, and the overall cells before them."""
    pair = comparison(map, after)
    if pair is None:
        return []
    cells = cells_of(map, pair)
    chosen, labels = level_of(cells, level), Labels(map.cells)
    below = [] if chosen == "all" else most_forgotten_first(at(cells, chosen))
    return [
        *(Row(overall_name(cell, cells), cell) for cell in at(cells, "all")),
        *(Row(labels.of(c), c) for c in below),
    ]


def overall_name(cell: Cell, cells: Sequence[Cell]) -> str:
    """What the cell of all items is called."""
    return f"all items ({cell.metric})" if len({one.metric for one in at(cells, "all")}) > 1 else "all items"


def since(pair: Comparison) -> str:
    return f"{pair.after} since {pair.before}"


def told(label: str, cell: Cell) -> str:
    """A cell in one line, for a reader who points at it."""
    said = [
        f"forgetting {estimate(cell.forgetting, ' %')}",
        f"gain {estimate(cell.gain, ' %')}",
        f"{count(cell.n)} items",
    ]
    return f"{label}: {', '.join(said)} {marks(cell)}".rstrip()


def numbers(found: Estimate | None) -> tuple[float | int | None, ...]:
    """Value, ends and number of items of an estimate, for a table."""
    return (None, None, None, None) if found is None else (found.value, found.low, found.high, found.n)


def columns(*names: str) -> tuple[str, ...]:
    """The columns of estimates in a table."""
    return tuple(name if part == "value" else f"{name}_{part}" for name in names for part in ESTIMATE)


def empty(chart: str, title: str, why: str = "Nothing was compared.") -> Spec:
    """A chart with nothing in it says so."""
    return Spec(chart, title, why, 360, 60, (Text(12, 34, why, "muted"),), Table((), ()))


def short(found: Estimate | None) -> str:
    """An estimate in few signs: its value, or the ends of its band."""
    if found is None or (found.value is None and found.low is None):
        return "–"
    return f"{percent(found.low)}…{percent(found.high)}" if found.value is None else percent(found.value)
