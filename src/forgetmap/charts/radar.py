"""Two radars a comparison, as the paper draws them: what was forgotten on the left, what was gained on the right.

The form is that of "Mapping Post-Training Forgetting in Language Models at Scale" (arXiv 2510.17776); here with intervals and counts, an
axis that holds every value, and a gap where a category has no value.
"""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin
from typing import NamedTuple

from forgetmap.charts.axis import Scale, percent_tick, scale
from forgetmap.charts.rows import Row, columns, comparison, empty, numbers, rows, since, told
from forgetmap.charts.spec import Anchor, Dot, Line, Mark, Role, Shape, Spec, Table, Text
from forgetmap.charts.words import fitted
from forgetmap.measure.cell import Estimate
from forgetmap.measure.map import Map
from forgetmap.measure.words import clear_of_zero, count

RADIUS, MARGIN, TOP, BOTTOM = 150, 150, 70, 60
LEAST = 3
"""A radar of fewer spokes would be a line."""


class _Wheel(NamedTuple):
    """One radar: where it stands, what it shows."""

    x: float
    y: float
    out: Scale
    spokes: int

    def at(self, place: int, share: float) -> tuple[float, float]:
        """Where a share stands on a spoke; the first points up, and all run clockwise."""
        turn, radius = 2 * pi * place / self.spokes - pi / 2, self.out.at(max(share, 0.0))
        return self.x + radius * cos(turn), self.y + radius * sin(turn)


def radar(map: Map, *, level: str | None = None, after: str | None = None) -> Spec:
    """Forgetting and gain of one comparison by category; what is below 0 stands at the centre, and its number says so."""
    pair = comparison(map, after)
    if pair is None:
        return empty("radar", "Forgetting and gain by category")
    title = f"Forgetting and gain by {level or 'category'}, {since(pair)}"
    shown = sorted((row for row in rows(map, level, pair.after) if row.cell.level != "all"), key=lambda row: row.label)
    if len(shown) < LEAST:
        return empty("radar", title, f"A radar needs {LEAST} spokes or more; see the forest plot.")
    out = scale(_reached(shown), 0, RADIUS, about=4)
    side = 2 * (RADIUS + MARGIN)
    wheels = [_Wheel(side * place + side / 2, TOP + RADIUS + 20, out, len(shown)) for place in (0, 1)]
    return Spec(
        chart="radar",
        title=title,
        says=f"{len(shown)} spokes; the outermost ring is {percent_tick(out.high)} % of the items.",
        width=2 * side,
        height=TOP + 2 * RADIUS + 40 + BOTTOM,
        marks=(*_side(wheels[0], shown, "loss"), *_side(wheels[1], shown, "gain")),
        table=Table(
            ("capability", "items", *columns("forgetting", "gain")),
            tuple((row.label, row.cell.n, *numbers(row.cell.forgetting), *numbers(row.cell.gain)) for row in shown),
        ),
    )


def _reached(shown: Sequence[Row]) -> list[float | None]:
    found = [one for row in shown for one in (row.cell.forgetting, row.cell.gain) if one is not None]
    return [max(end, 0.0) for one in found for end in (one.value, one.high) if end is not None]


def _side(wheel: _Wheel, shown: Sequence[Row], role: Role) -> Iterator[Mark]:
    heading = "forgetting" if role == "loss" else "gain"
    yield Text(wheel.x, 22, f"{heading}, % of the items", role, "middle", 14, strong=True)
    yield from _rings(wheel)
    estimates = [row.cell.forgetting if role == "loss" else row.cell.gain for row in shown]
    yield from _interval(wheel, estimates, role)
    yield from _trace(wheel, estimates, role)
    for place, (row, found) in enumerate(zip(shown, estimates, strict=True)):
        yield from _spoke_name(wheel, place, row)
        if found is not None and found.value is not None:
            x, y = wheel.at(place, found.value)
            yield Dot(x, y, 3.5, role, hollow=not clear_of_zero(found), title=told(row.label, row.cell))


def _rings(wheel: _Wheel) -> Iterator[Mark]:
    for step in wheel.out.steps[1:]:
        yield Shape(tuple(wheel.at(place, step) for place in range(wheel.spokes)), "grid", closed=True)
    for place in range(wheel.spokes):
        yield Line(wheel.x, wheel.y, *wheel.at(place, wheel.out.high), "grid")
    for step in wheel.out.steps[1:]:
        (x, y), (next_x, next_y) = wheel.at(0, step), wheel.at(1, step)
        yield Text((x + next_x) / 2, (y + next_y) / 2 + 3, percent_tick(step), "muted", "middle", 10)


def _interval(wheel: _Wheel, estimates: Sequence[Estimate | None], role: Role) -> Iterator[Mark]:
    """From low to high, between neighbours that both have an interval."""
    for place, found in enumerate(estimates):
        other = (place + 1) % wheel.spokes
        following = estimates[other]
        ends = [_ends(found), _ends(following)]
        if ends[0] is not None and ends[1] is not None:
            (low, high), (next_low, next_high) = ends[0], ends[1]
            points = (
                wheel.at(place, low),
                wheel.at(place, high),
                wheel.at(other, next_high),
                wheel.at(other, next_low),
            )
            yield Shape(points, role, closed=True, faint=True)


def _ends(found: Estimate | None) -> tuple[float, float] | None:
    return None if found is None or found.low is None or found.high is None else (found.low, found.high)


def _trace(wheel: _Wheel, estimates: Sequence[Estimate | None], role: Role) -> Iterator[Mark]:
    """From value to value, with a gap where there is none."""
    for place, found in enumerate(estimates):
        other = (place + 1) % wheel.spokes
        following = estimates[other]
        if found is not None and following is not None and found.value is not None and following.value is not None:
            yield Line(*wheel.at(place, found.value), *wheel.at(other, following.value), role)


def _spoke_name(wheel: _Wheel, place: int, row: Row) -> Iterator[Mark]:
    x, y = wheel.at(place, wheel.out.high)
    away = (x - wheel.x) / RADIUS
    anchor: Anchor = "middle" if abs(away) < 0.2 else "start" if away > 0 else "end"
    below = (y - wheel.y) / RADIUS
    x, y = x + 8 * away, y + (6 + 12 * below if below > 0 else 22 * below)
    yield Text(x, y, fitted(row.label, MARGIN - 14, 11), "ink", anchor, 11, title=row.label)
    yield Text(x, y + 13, count(row.cell.n), "muted", anchor, 10)
