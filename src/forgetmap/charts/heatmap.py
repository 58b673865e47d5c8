"""Capabilities × comparisons: forgetting of every cell, its interval and its marks."""

from collections.abc import Iterator, Sequence

from forgetmap.charts.rows import columns, comparison, empty, level_of, numbers, short, told
from forgetmap.charts.spec import SHADES, Mark, Rect, Role, Spec, Table, Text
from forgetmap.charts.words import fitted
from forgetmap.measure.cell import Cell, Estimate
from forgetmap.measure.flat import percent
from forgetmap.measure.labels import Labels, at, middle
from forgetmap.measure.map import Map
from forgetmap.measure.marks import marks
from forgetmap.measure.words import clear_of_zero, is_band, plural

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)
"""Where the shades change. Fixed, so that a colour means the same in every map and no outlier pales the rest."""
NAME, CELL, HEIGHT, HEAD, GAP = 210, 96, 38, 46, 2
_Line = tuple[str, dict[tuple[str, str], Cell]]


def heatmap(map: Map, *, level: str | None = None, after: str | None = None) -> Spec:
    """Forgetting in % of the items, one row a capability and one column a comparison; `after` keeps one.

    Coloured is what stands clear of zero; a hatched cell is a band, – cannot be said; nothing is drawn as 0 that is not.
    """
    pairs = [(pair.before, pair.after) for pair in map.comparisons if after in (None, pair.after)]
    title = "Forgetting in % of the items"
    if comparison(map, after) is None:
        return empty("heatmap", title)
    chosen = level_of(map.cells, level)
    lines = [*_lines(map, "all"), *(_lines(map, chosen) if chosen != "all" else [])]
    room = max(CELL, min(200, 900 / len(pairs)))
    wide, high = NAME + max(len(pairs) * (room + GAP), SHADES * 52 + 80), HEAD + len(lines) * (HEIGHT + GAP) + 64
    return Spec(
        chart="heatmap",
        title=title,
        says=f"{plural(len(lines) - 1, 'row')} by {chosen}, {plural(len(pairs), 'comparison')}; "
        f"{_clear(lines)} of {len(lines) * len(pairs)} cells show forgetting clear of zero.",
        width=wide,
        height=high,
        marks=(*_heads(pairs, room), *_body(lines, pairs, room), *_scale(high - 40)),
        table=Table(("capability", "before", "after", *columns("forgetting"), "marks"), tuple(_told(lines, pairs))),
    )


def shade(found: Estimate | None) -> int:
    """Depth of colour of a forgetting: 0 where it is not clear of zero; a band counts by its lower end.

    >>> shade(Estimate(0.03, 0.01, 0.05, 9, "padded")), shade(Estimate(0.3, -0.1, 0.7, 9, "padded")), shade(None)
    (3, 0, 0)
    """
    if found is None or not clear_of_zero(found):
        return 0
    size = found.low if found.value is None else found.value
    return 1 + sum((size or 0.0) >= step for step in STEPS)


def _lines(map: Map, level: str) -> list[_Line]:
    labels, found = Labels(map.cells), dict[str, dict[tuple[str, str], Cell]]()
    for cell in at(map.cells, level):
        name = "all items" if level == "all" else labels.of(cell)
        found.setdefault(name, {})[cell.before, cell.after] = cell
    return sorted(found.items(), key=lambda line: -max(middle(cell) for cell in line[1].values()))


def _heads(pairs: Sequence[tuple[str, str]], room: float) -> Iterator[Mark]:
    yield Text(0, 16, f"since {pairs[0][0]}" if len({before for before, _ in pairs}) == 1 else "", "muted")
    for place, (before, name) in enumerate(pairs):
        x = NAME + place * (room + GAP) + room / 2
        yield Text(x, HEAD - 12, fitted(name, room), "ink", "middle", strong=True, title=f"{name} since {before}")


def _body(lines: Sequence[_Line], pairs: Sequence[tuple[str, str]], room: float) -> Iterator[Mark]:
    for number, (name, cells) in enumerate(lines):
        y = HEAD + number * (HEIGHT + GAP)
        yield Text(0, y + HEIGHT / 2 + 4, fitted(name, NAME - 12), strong=name == "all items", title=name)
        for place, pair in enumerate(pairs):
            yield from _cell(name, cells.get(pair), NAME + place * (room + GAP), y, room)


def _cell(name: str, cell: Cell | None, x: float, y: float, room: float) -> Iterator[Mark]:
    found = cell.forgetting if cell is not None else None
    depth, middle_x = shade(found), x + room / 2
    title = told(name, cell) if cell is not None else f"{name}: not asked"
    role: Role = "loss" if depth else "paper"
    yield Rect(x, y, room, HEIGHT, role, depth, hatched=is_band(found), title=title)
    ink: Role = "ink" if depth else "muted"
    said = f"{short(found)} {marks(cell) if cell is not None else ''}".rstrip()
    yield Text(middle_x, y + 16, said, ink, "middle", 13, strong=depth > 0, on=depth)
    if found is not None and found.value is not None and found.low is not None:
        interval = f"[{percent(found.low)}, {percent(found.high)}]"
        yield Text(middle_x, y + 31, interval, ink, "middle", 10, on=depth)


def _scale(y: float) -> Iterator[Mark]:
    """What the shades mean."""
    ends = ["0", *(f"{100 * step:g}" for step in STEPS)]
    for place in range(SHADES):
        yield Rect(NAME + place * 52, y, 50, 12, "loss", place + 1)
        yield Text(NAME + place * 52, y + 26, ends[place], "muted", size=10)
    yield Text(NAME + SHADES * 52, y + 26, "% and more", "muted", size=10)
    yield Text(0, y + 11, "clear of zero, by size", "muted", size=11)
    yield Text(0, y + 26, "no colour: not clear of zero", "muted", size=10)


def _clear(lines: Sequence[_Line]) -> int:
    return sum(shade(cell.forgetting) > 0 for _, cells in lines for cell in cells.values())


def _told(lines: Sequence[_Line], pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str | float | int | None, ...]]:
    for name, cells in lines:
        for pair in pairs:
            cell = cells.get(pair)
            found = cell.forgetting if cell is not None else None
            yield (name, *pair, *numbers(found), marks(cell) if cell is not None else None)
