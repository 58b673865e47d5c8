"""Forgetting against gain, with error bars: who paid how much for what."""

from collections.abc import Iterator, Sequence

from forgetmap.charts.axis import Scale, percent_tick, scale
from forgetmap.charts.rows import Row, columns, comparison, empty, numbers, overall_name, rows, since, told
from forgetmap.charts.spec import Dot, Line, Mark, Role, Spec, Table, Text
from forgetmap.charts.words import fitted, width
from forgetmap.measure.cell import Estimate
from forgetmap.measure.labels import at
from forgetmap.measure.map import Map
from forgetmap.measure.words import plural

LEFT, TOP, SIDE, RIGHT, BOTTOM = 52, 40, 400, 190, 46


def trade(map: Map, *, level: str | None = None, after: str | None = None) -> Spec:
    """Gain over forgetting. Of several comparisons one dot each, of one (or of `after`) one dot a capability.

    On the dashed line as much was gained as forgotten, which leaves the accuracy where it was.
    """
    pair = comparison(map, after)
    if pair is None:
        return empty("trade", "Gain against forgetting")
    several = len(map.comparisons) > 1 and after is None
    shown = _comparisons(map) if several else [row for row in rows(map, level, pair.after) if row.cell.level != "all"]
    known = [row for row in shown if _point(row) is not None]
    across = scale(_ends(known), LEFT, LEFT + SIDE)
    up = across._replace(start=TOP + SIDE, end=TOP)
    return Spec(
        chart="trade",
        title=f"Gain against forgetting, {plural(len(map.comparisons), 'comparison') if several else since(pair)}",
        says=f"{plural(len(known), 'dot')}; {sum(1 for row in known if _gained_more(row))} gained more than they forgot; "
        f"{len(shown) - len(known)} have no value and are left out.",
        width=LEFT + SIDE + RIGHT,
        height=TOP + SIDE + BOTTOM,
        marks=(*_axes(across, up), *_dots(known, across, up)),
        table=Table(
            ("name", "items", *columns("forgetting", "gain")),
            tuple((row.label, row.cell.n, *numbers(row.cell.forgetting), *numbers(row.cell.gain)) for row in shown),
        ),
    )


def _comparisons(map: Map) -> list[Row]:
    overall = at(map.cells, "all")
    mixed = len({cell.metric for cell in overall}) > 1
    return [Row(cell.after + (f", {overall_name(cell, overall)}" if mixed else ""), cell) for cell in overall]


def _point(row: Row) -> tuple[float, float] | None:
    lost, gained = row.cell.forgetting, row.cell.gain
    if lost is None or gained is None or lost.value is None or gained.value is None:
        return None
    return lost.value, gained.value


def _gained_more(row: Row) -> bool:
    point = _point(row)
    return point is not None and point[1] > point[0]


def _ends(known: Sequence[Row]) -> list[float | None]:
    found = [one for row in known for one in (row.cell.forgetting, row.cell.gain) if one is not None]
    return [end for one in found for end in (one.low, one.value, one.high)]


def _axes(across: Scale, up: Scale) -> Iterator[Mark]:
    for step in across.steps:
        x, y = across.at(step), up.at(step)
        yield Line(x, TOP, x, TOP + SIDE, "axis" if step == 0 else "grid")
        yield Line(LEFT, y, LEFT + SIDE, y, "axis" if step == 0 else "grid")
        yield Text(x, TOP + SIDE + 16, percent_tick(step), "muted", "middle", 11)
        yield Text(LEFT - 8, y + 4, percent_tick(step), "muted", "end", 11)
    yield Line(across.at(across.low), up.at(up.low), across.at(across.high), up.at(up.high), "axis", dashed=True)
    yield Text(LEFT, 16, "gain, % of the items", "gain", size=12, strong=True)
    yield Text(LEFT + SIDE, TOP + SIDE + 36, "forgetting, % of the items", "loss", "end", 12, strong=True)
    yield Text(LEFT + SIDE + 8, TOP + 4, "accuracy as before", "muted", size=10)


def _dots(known: Sequence[Row], across: Scale, up: Scale) -> Iterator[Mark]:
    for row in known:
        lost, gained = row.cell.forgetting, row.cell.gain
        x, y = _point(row) or (0.0, 0.0)
        yield from _bars(lost, gained, across, up)
        role: Role = "gain" if _gained_more(row) else "loss"
        yield Dot(across.at(x), up.at(y), 4, role, title=told(row.label, row.cell))
    yield from _names(known, across, up)


def _bars(lost: Estimate | None, gained: Estimate | None, across: Scale, up: Scale) -> Iterator[Mark]:
    if lost is None or gained is None or lost.value is None or gained.value is None:
        return
    x, y = across.at(lost.value), up.at(gained.value)
    if lost.low is not None and lost.high is not None:
        yield Line(across.at(lost.low), y, across.at(lost.high), y, "axis")
    if gained.low is not None and gained.high is not None:
        yield Line(x, up.at(gained.low), x, up.at(gained.high), "axis")


def _names(known: Sequence[Row], across: Scale, up: Scale) -> Iterator[Mark]:
    """Names beside their dots, those left out that would stand on others; every dot has its name as a title."""
    taken: list[tuple[float, float, float]] = []
    for row in sorted(known, key=lambda row: -sum(_point(row) or (0.0, 0.0))):
        lost, gained = _point(row) or (0.0, 0.0)
        x, y = across.at(lost) + 7, up.at(gained) - 5
        text = fitted(row.label, RIGHT - 20, 10)
        end = x + width(text, 10)
        if all(abs(y - other) > 11 or x > right or end < left for left, right, other in taken):
            taken.append((x, end, y))
            yield Text(x, y, text, "ink", size=10, title=row.label)
