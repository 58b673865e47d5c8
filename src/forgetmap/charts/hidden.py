"""Net change against what it hides: what was gained and what was forgotten, on two sides of nothing."""

from collections.abc import Iterator, Sequence

from forgetmap.charts.axis import Scale, percent_tick, scale
from forgetmap.charts.rows import Row, columns, comparison, empty, numbers, rows, since, told
from forgetmap.charts.spec import Dot, Line, Mark, Rect, Role, Spec, Table, Text
from forgetmap.charts.words import fitted
from forgetmap.measure.cell import Estimate
from forgetmap.measure.map import Map
from forgetmap.measure.words import estimate, is_band

NAME, PLOT, NUMBERS, HEIGHT, HEAD, BOTTOM = 220, 420, 130, 26, 50, 30


def hidden(map: Map, *, level: str | None = None, after: str | None = None) -> Spec:
    """One row a capability: forgetting as a bar to the left, gain to the right, the net change as a dot; hatched bars are bands."""
    pair = comparison(map, after)
    if pair is None:
        return empty("hidden", "Net change and what it hides")
    shown = rows(map, level, pair.after)
    across = scale(_reached(shown), NAME, NAME + PLOT, about=6)
    bottom = HEAD + HEIGHT * len(shown)
    return Spec(
        chart="hidden",
        title=f"Net change and what it hides, {since(pair)}",
        says=_says(shown[0]) if shown else "No cell.",
        width=NAME + PLOT + NUMBERS,
        height=bottom + BOTTOM,
        marks=(*_axis(across, bottom), *(mark for n, row in enumerate(shown) for mark in _row(row, n, across))),
        table=Table(
            ("capability", "items", *columns("net", "forgetting", "gain")),
            tuple(
                (r.label, r.cell.n, *numbers(r.cell.net), *numbers(r.cell.forgetting), *numbers(r.cell.gain))
                for r in shown
            ),
        ),
    )


def _says(row: Row) -> str:
    cell = row.cell
    return (
        f"{row.label}: net change {estimate(cell.net)} points, which hides {estimate(cell.forgetting)} % forgotten "
        f"and {estimate(cell.gain)} % gained."
    )


def _reached(shown: Sequence[Row]) -> list[float | None]:
    lost = [-(_size(row.cell.forgetting) or 0.0) for row in shown]
    gained = [_size(row.cell.gain) for row in shown]
    net = [end for row in shown if row.cell.net is not None for end in (row.cell.net.low, row.cell.net.high)]
    return [*lost, *gained, *net]


def _size(found: Estimate | None) -> float | None:
    return None if found is None else found.high if found.value is None else found.value


def _axis(across: Scale, bottom: float) -> Iterator[Mark]:
    zero = across.at(0.0)
    yield Text(zero - 10, 16, "◂ forgotten", "loss", "end", strong=True)
    yield Text(zero + 10, 16, "gained ▸", "gain", strong=True)
    yield Dot(NAME + PLOT + 20, 12, 4, "ink")
    yield Text(NAME + PLOT + 30, 16, "net change", size=11)
    for step in across.steps:
        x = across.at(step)
        yield Line(x, HEAD - 22, x, bottom, "axis" if step == 0 else "grid")
        yield Text(x, bottom + 16, percent_tick(step), "muted", "middle", 11)


def _row(row: Row, number: int, across: Scale) -> Iterator[Mark]:
    y, cell = HEAD + HEIGHT * number, row.cell
    yield Text(0, y + 4, fitted(row.label, NAME - 16), strong=number == 0, title=row.label)
    for found, role, sign in ((cell.forgetting, "loss", -1), (cell.gain, "gain", 1)):
        yield from _bar(found, role, sign, across, y)  # type: ignore[arg-type]
    net = cell.net
    if net is not None and net.value is not None:
        if net.low is not None and net.high is not None:
            yield Line(across.at(net.low), y, across.at(net.high), y, "ink")
        yield Dot(across.at(net.value), y, 4, "ink")
    yield Text(NAME + PLOT + 20, y + 4, estimate(net), "muted", size=11)
    yield Rect(0, y - HEIGHT / 2, NAME + PLOT, HEIGHT, "clear", title=told(row.label, cell))


def _bar(found: Estimate | None, role: Role, sign: int, across: Scale, y: float) -> Iterator[Mark]:
    size = _size(found)
    if size is None:
        return
    start, end = sorted((across.at(0.0), across.at(sign * size)))
    yield Rect(start, y - 8, end - start, 16, role, 4, hatched=is_band(found))
