"""The page of several comparisons: one row each, categories across."""

from collections.abc import Iterator, Sequence

from forgetmap.measure.cell import Cell, Estimate
from forgetmap.measure.flat import percent
from forgetmap.measure.labels import Labels, at, chosen_level, middle, most_forgotten_first
from forgetmap.measure.map import Map
from forgetmap.measure.marks import legend, marks
from forgetmap.measure.words import ABSENT, is_band, plural
from forgetmap.pages.blocks import Column, Entry, Page, Section, Sentences, Table, Tone
from forgetmap.pages.columns import cell_table
from forgetmap.pages.doubts import doubts
from forgetmap.pages.flags import flags, scorers, weights
from forgetmap.pages.headline import explained, in_brief
from forgetmap.pages.movers import movers
from forgetmap.pages.seeds import seeds
from forgetmap.pages.single import other_estimators

UNCLEAR = "?"
MOST_COLUMNS = 24
SHORT = 12
"""Length up to which a comparison stands for itself at the head of a column."""


def grid(map: Map, *, by: str | None, everything: bool) -> Page:
    """Overall with intervals, then forgetting by comparison and capability, movers, flags and doubts."""
    labels, level = Labels(map.cells), by or chosen_level(map.cells)
    overall = at(map.cells, "all")
    names = named([pair.after for pair in map.comparisons], as_heads=everything and level != "domain")
    page = [_overall(map, overall, names)]
    columns = _capabilities(at(map.cells, level), labels)
    shown = columns if everything else columns[:MOST_COLUMNS]
    if len(columns) > 1:
        page.append(_grid(map, level, shown, names, left_out=len(columns) - len(shown)))
    if everything and level != "domain":
        page.append(_transposed(map, _capabilities(at(map.cells, "domain"), labels), names))
    if not everything:
        page += movers(map.cells, labels, several=True)
    page += [*seeds(map.recipes), *other_estimators(map, overall, _After(labels))]
    rows = [cell for _, cells in shown for cell in cells.values()]
    page += [*flags(map), *doubts(map.cells, [*overall, *rows], labels, several=True)]
    return [*page, *_legend(map)]


class _After(Labels):
    """Overall cells named by their comparison."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels

    def of(self, cell: Cell) -> str:
        return cell.after if cell.level == "all" else self._labels.of(cell)


def named(names: Sequence[str], *, as_heads: bool) -> dict[str, tuple[str, str]]:
    """For each comparison its name as a row, and as the head of a column: a number in brackets where a name is long for that."""
    if not as_heads or all(len(name) <= SHORT for name in names):
        return {name: (name, name) for name in names}
    room = len(str(len(names)))
    return {name: (f"[{number:>{room}}] {name}", f"[{number}]") for number, name in enumerate(names, 1)}


Row = tuple[str, dict[str, Cell]]
"""A capability: its name, and its cell after each comparison."""


def _capabilities(cells: Sequence[Cell], labels: Labels) -> list[Row]:
    """Capabilities by their greatest forgetting."""
    found: dict[str, dict[str, Cell]] = {}
    for cell in cells:
        found.setdefault(labels.of(cell), {})[cell.after] = cell
    return sorted(found.items(), key=lambda row: -max(middle(cell) for cell in row[1].values()))


def _overall(map: Map, overall: Sequence[Cell], names: dict[str, tuple[str, str]]) -> Section:
    before = map.comparisons[0].before
    title = f"{plural(len(map.comparisons), 'comparison')} since {before}"
    table = cell_table(
        "after", overall, [names[cell.after][0] + _graded(cell, overall) for cell in overall], brief=True
    )
    plain = table._replace(rows=[(row[0]._replace(tone="plain"), *row[1:]) for row in table.rows])
    return Section(title, [Sentences(_brief(overall)), explained(overall), plain])


def _graded(cell: Cell, overall: Sequence[Cell]) -> str:
    return " (graded)" if cell.metric == "graded" and any(other.metric != "graded" for other in overall) else ""


def _brief(overall: Sequence[Cell]) -> list[str]:
    """The most and the least forgetful, in words; all where there are few."""
    known = [cell for cell in most_forgotten_first(overall) if cell.forgetting is not None]
    if len(overall) <= 3:
        return [f"{cell.after}: {in_brief(cell)}." for cell in overall]
    if len(known) < 2:
        return []
    return [
        f"Most was forgotten by {known[0].after}: {in_brief(known[0])}.",
        f"Least by {known[-1].after}: {in_brief(known[-1])}.",
    ]


def _grid(map: Map, level: str, shown: Sequence[Row], names: dict[str, tuple[str, str]], *, left_out: int) -> Section:
    columns = (Column("after", "left"), Column("all", "marked"), *(Column(name, "marked") for name, _ in shown))
    overall = {cell.after: cell for cell in reversed(at(map.cells, "all"))}
    rows = [
        (
            Entry(names[pair.after][0]),
            *(_short(cells.get(pair.after)) for cells in (overall, *(cells for _, cells in shown))),
        )
        for pair in map.comparisons
    ]
    more = [Sentences([f"{left_out} more; --all shows them."], "dim")] if left_out else []
    return Section(f"Forgetting in % of the items, by {level}", [Table(columns, rows, wrap=True), *more])


def _transposed(map: Map, shown: Sequence[Row], names: dict[str, tuple[str, str]]) -> Section:
    columns = (Column("domain", "left"), *(Column(names[pair.after][1], "marked") for pair in map.comparisons))
    rows = [(Entry(name), *(_short(cells.get(pair.after)) for pair in map.comparisons)) for name, cells in shown]
    return Section("Forgetting in % of the items, every domain", [Table(columns, rows, wrap=True)])


def _short(cell: Cell | None) -> Entry:
    """Forgetting of one cell in few signs: ? where its interval reaches 0, then its marks."""
    found = cell.forgetting if cell is not None else None
    if cell is None or found is None:
        return Entry(ABSENT, "dim")
    unclear = found.low is None or found.high is None or found.low <= 0 <= found.high
    return Entry(_number(found) + UNCLEAR * unclear + marks(cell), _tone(found, unclear))


def _number(found: Estimate) -> str:
    return f"{percent(found.low)}…{percent(found.high)}" if is_band(found) else percent(found.value)


def _tone(found: Estimate, unclear: bool) -> Tone:
    if unclear:
        return "dim"
    return "good" if found.high is not None and found.high < 0 else "bad"


def _legend(map: Map) -> list[Section]:
    return [Section("", [Sentences(list(_legend_lines(map)), "dim")])]


def _legend_lines(map: Map) -> Iterator[str]:
    level = percent(map.confidence).removesuffix(".0")
    yield f"[low, high] is the {level} % interval; {UNCLEAR} it reaches 0; a…b only a band is known; {ABSENT} cannot be said, or not asked."
    yield from weights(map)
    yield from legend(map.cells)
    yield from scorers(map)
