"""The raw loss of every capability, split into what is forgetting, what is no longer answered and what is luck, beside its noise."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from forgetmap.charts.axis import Scale, percent_tick, scale
from forgetmap.charts.rows import Row, comparison, empty, rows, since
from forgetmap.charts.spec import Line, Mark, Rect, Role, Spec, Table, Text
from forgetmap.charts.words import fitted
from forgetmap.measure.cell import Cell
from forgetmap.measure.flat import percent
from forgetmap.measure.map import Map
from forgetmap.measure.words import estimate

NAME, PLOT, NUMBERS, HEIGHT, HEAD, BOTTOM = 220, 420, 110, 28, 54, 30
_KEYS: tuple[tuple[Role, str, int], ...] = (
    ("loss", "forgotten", 0),
    ("unanswered", "no longer answered", 88),
    ("luck", "lucky guesses", 226),
    ("noise", "what two draws lose", 330),
)


class Parts(NamedTuple):
    """A raw loss and what it is made of; shares of the items, null where it cannot be said."""

    raw: float
    forgotten: float | None
    """Forgetting of items that are still answered."""
    unanswered: float | None
    luck: float | None
    """Raw loss less forgetting; below 0 where luck hides forgetting."""
    noise: float | None
    """Loss between two draws of one checkpoint: a part of all of these, and no part beside them."""


def split(map: Map, *, level: str | None = None, after: str | None = None) -> Spec:
    """One bar a capability, as long as the raw loss (right before, not right after)."""
    pair = comparison(map, after)
    if pair is None:
        return empty("split", "What the raw loss is made of")
    shown = [(row, found) for row in rows(map, level, pair.after) if (found := parts(row.cell)) is not None]
    if not shown:
        return empty(
            "split", f"What the raw loss is made of, {since(pair)}", "No cell has items that are right or wrong."
        )
    across = scale(_reached(shown), NAME, NAME + PLOT)
    bottom = HEAD + HEIGHT * len(shown)
    return Spec(
        chart="split",
        title=f"What the raw loss is made of, {since(pair)}",
        says=_says(*shown[0]),
        width=NAME + PLOT + NUMBERS,
        height=bottom + BOTTOM,
        marks=(
            *_keys(any(found.noise is not None for _, found in shown)),
            *_axis(across, bottom),
            *(mark for n, one in enumerate(shown) for mark in _row(*one, n, across)),
        ),
        table=Table(("capability", *Parts._fields), tuple((row.label, *found) for row, found in shown)),
    )


def parts(cell: Cell) -> Parts | None:
    """What the raw loss of a cell is made of; null where items have no right and wrong."""
    if cell.metric != "accuracy" or cell.n10 is None or not cell.n:
        return None
    raw = cell.n10 / cell.n
    noise = cell.noise_floor.value if cell.noise_floor is not None else None
    found = cell.forgetting.value if cell.forgetting is not None else None
    if found is None:
        return Parts(raw, None, None, None, noise)
    unanswered = (cell.unanswered_loss.value if cell.unanswered_loss is not None else None) or 0.0
    return Parts(raw, found - unanswered, unanswered, raw - found, noise)


def _reached(shown: Sequence[tuple[Row, Parts]]) -> list[float | None]:
    return [max(found.raw, (found.forgotten or 0.0) + (found.unanswered or 0.0)) for _, found in shown]


def _says(row: Row, found: Parts) -> str:
    if found.luck is None:
        return f"{row.label}: raw loss {percent(found.raw)} points; what luck explains of it is not known."
    return (
        f"{row.label}: raw loss {percent(found.raw)} points: {percent(found.forgotten)} forgotten, {percent(found.unanswered)} no longer "
        f"answered, {percent(found.luck)} lucky guesses."
    )


def _keys(noise: bool) -> Iterator[Mark]:
    for role, said, shift in _KEYS[: None if noise else -1]:
        yield Rect(NAME + shift, 6, 10, 10, role)
        yield Text(NAME + shift + 15, 16, said, size=11)


def _axis(across: Scale, bottom: float) -> Iterator[Mark]:
    for step in across.steps:
        x = across.at(step)
        yield Line(x, HEAD - 20, x, bottom, "axis" if step == 0 else "grid")
        yield Text(x, bottom + 16, percent_tick(step), "muted", "middle", 11)
    yield Text(NAME + PLOT + NUMBERS, bottom + 16, "% of the items", "muted", "end", 11)


def _row(row: Row, found: Parts, number: int, across: Scale) -> Iterator[Mark]:
    y, zero = HEAD + HEIGHT * number, across.at(0.0)
    title = f"{_says(row, found)} Forgetting {estimate(row.cell.forgetting, ' %')}."
    yield Text(0, y + 4, fitted(row.label, NAME - 16), strong=number == 0, title=row.label)
    x = zero
    for role, share in (("loss", found.forgotten), ("unanswered", found.unanswered), ("luck", found.luck)):
        wide = across.at(max(share or 0.0, 0.0)) - zero
        if wide > 0:
            yield Rect(x, y - 8, wide, 16, role)  # type: ignore[arg-type]
            x += wide
    end = across.at(found.raw)
    if found.luck is None:
        yield Rect(zero, y - 8, end - zero, 16, "luck", 3, hatched=True)
    yield Line(end, y - 11, end, y + 11, "ink")
    if found.noise is not None:
        yield Line(zero, y + 11, across.at(found.noise), y + 11, "noise")
    yield Text(NAME + PLOT + 14, y + 4, f"{percent(found.raw)} raw", "muted", size=11)
    yield Rect(0, y - HEIGHT / 2, NAME + PLOT + NUMBERS, HEIGHT, "clear", title=title)
