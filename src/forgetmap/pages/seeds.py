"""Seeds of one recipe as a section of a page."""

from collections.abc import Sequence

from forgetmap.measure.flat import percent
from forgetmap.measure.recipes import RecipeCell
from forgetmap.measure.seed_estimate import METRICS, SeedEstimate
from forgetmap.measure.words import ABSENT
from forgetmap.pages.blocks import Column, Entry, Section, Sentences, Table

_EXPLAINED = (
    "Mean over the seeds of one recipe, and the sd of their own values. The intervals say how sure the mean is: for other items asked of "
    "these seeds, for other seeds of the recipe asked these items, and for both at once."
)
_COLUMNS = (
    Column("in % of the items", "left"),
    Column("seeds", spare=3),
    Column("mean"),
    Column("sd", spare=1),
    Column("other items", "estimate", 4),
    Column("other seeds", "estimate", 5),
    Column("both", "estimate"),
)


def seeds(cells: Sequence[RecipeCell]) -> list[Section]:
    """Forgetting, gain and net change of every recipe, overall; nothing where there is no recipe."""
    overall = [cell for cell in cells if cell.level == "all"]
    several = len({(cell.recipe, cell.metric) for cell in overall}) > 1
    rows = [row for cell in overall for row in _rows(cell, several=several)]
    return [Section("Seeds", [Sentences([_EXPLAINED], "dim"), Table(_COLUMNS, rows)])] if rows else []


def _rows(cell: RecipeCell, *, several: bool) -> list[tuple[Entry, ...]]:
    graded = " (graded)" if cell.metric == "graded" else ""
    return [
        (
            Entry(f"{cell.recipe}: {name}{graded}" if several else f"{name}{graded}"),
            Entry(str(cell.seeds)),
            *_numbers(getattr(cell, name)),
        )
        for name in METRICS
    ]


def _numbers(found: SeedEstimate | None) -> tuple[Entry, ...]:
    if found is None:
        return (Entry(ABSENT),) * 5
    pairs = (found.within, found.between, found.both)
    return Entry(percent(found.value)), Entry(percent(found.sd)), *(Entry(_pair(pair)) for pair in pairs)


def _pair(pair: tuple[float, float] | None) -> str:
    return ABSENT if pair is None else f"[{percent(pair[0])}, {percent(pair[1])}]"
