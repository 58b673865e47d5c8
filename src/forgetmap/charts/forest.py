"""Forgetting and gain of every capability of one comparison, as points with their intervals."""

from collections.abc import Iterator, Sequence

from forgetmap.charts.axis import Scale, percent_tick, scale
from forgetmap.charts.rows import Row, columns, comparison, empty, numbers, rows, since, told
from forgetmap.charts.spec import Dot, Line, Mark, Rect, Role, Spec, Table, Text
from forgetmap.charts.words import fitted
from forgetmap.measure.cell import Cell, Estimate
from forgetmap.measure.map import Map
from forgetmap.measure.marks import marks
from forgetmap.measure.words import clear_of_zero, count, estimate, is_band

NAME, PLOT, NUMBERS, HEIGHT, HEAD = 220, 380, 250, 30, 54
BOTTOM = 34


def forest(map: Map, *, level: str | None = None, after: str | None = None) -> Spec:
    """One row a capability: forgetting above, gain below, dots with intervals; a bar is a band, a hollow dot is not clear of zero."""
    pair = comparison(map, after)
    if pair is None:
        return empty("forest", "Forgetting and gain")
    shown = rows(map, level, pair.after)
    across = scale(_reached(shown), NAME, NAME + PLOT)
    high = HEAD + HEIGHT * len(shown) + BOTTOM
    return Spec(
        chart="forest",
        title=f"Forgetting and gain, {since(pair)}",
        says=_says(shown),
        width=NAME + PLOT + NUMBERS,
        height=high,
        marks=(*_axis(across, high - BOTTOM), *(mark for n, row in enumerate(shown) for mark in _row(row, n, across))),
        table=Table(
            ("capability", "items", *columns("forgetting", "gain"), "marks"),
            tuple(
                (r.label, r.cell.n, *numbers(r.cell.forgetting), *numbers(r.cell.gain), marks(r.cell)) for r in shown
            ),
        ),
    )


def _reached(shown: Sequence[Row]) -> list[float | None]:
    found = [one for row in shown for one in (row.cell.forgetting, row.cell.gain) if one is not None]
    return [end for one in found for end in (one.low, one.value, one.high)]


def _says(shown: Sequence[Row]) -> str:
    lost = [row.label for row in shown[1:] if clear_of_zero(row.cell.forgetting)]
    return f"{len(lost)} of {len(shown) - 1} rows show forgetting clear of zero" + (
        f"; most: {lost[0]}." if lost else "."
    )


def _axis(across: Scale, bottom: float) -> Iterator[Mark]:
    yield Dot(NAME + 6, 12, 4, "loss")
    yield Text(NAME + 16, 16, "forgetting")
    yield Dot(NAME + 96, 12, 4, "gain")
    yield Text(NAME + 106, 16, "gain")
    yield Text(NAME + PLOT, 16, "% of the items", "muted", "end", 11)
    for step in across.steps:
        x = across.at(step)
        yield Line(x, HEAD - 22, x, bottom, "axis" if step == 0 else "grid")
        yield Text(x, bottom + 16, percent_tick(step), "muted", "middle", 11)


def _row(row: Row, number: int, across: Scale) -> Iterator[Mark]:
    y = HEAD + HEIGHT * number
    top = number == 0
    yield Text(0, y + 4, fitted(row.label, NAME - 46), strong=top, title=row.label)
    yield Text(NAME - 14, y + 4, count(row.cell.n), "muted", "end", 10)
    for found, role, shift in _sides(row.cell):
        yield from _estimate(found, role, across, y + shift)
    x = NAME + PLOT + 14
    yield Text(
        x, y + 4, estimate(row.cell.forgetting), "loss" if clear_of_zero(row.cell.forgetting) else "muted", size=11
    )
    yield Text(x + 120, y + 4, estimate(row.cell.gain), "gain" if clear_of_zero(row.cell.gain) else "muted", size=11)
    yield Text(NAME + PLOT + NUMBERS, y + 4, marks(row.cell), anchor="end")
    yield Rect(0, y - 14, NAME + PLOT, HEIGHT, "clear", title=told(row.label, row.cell))


def _sides(cell: Cell) -> tuple[tuple[Estimate | None, Role, int], ...]:
    return (cell.forgetting, "loss", -5), (cell.gain, "gain", 5)


def _estimate(found: Estimate | None, role: Role, across: Scale, y: float) -> Iterator[Mark]:
    if found is None:
        return
    if found.low is not None and found.high is not None:
        if is_band(found):
            yield Rect(
                across.at(found.low), y - 3, across.at(found.high) - across.at(found.low), 6, role, 2, hatched=True
            )
        else:
            yield Line(across.at(found.low), y, across.at(found.high), y, role)
    if found.value is not None:
        yield Dot(across.at(found.value), y, 3.5, role, hollow=not clear_of_zero(found))
