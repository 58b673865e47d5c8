"""The page of one comparison."""

from collections.abc import Iterator, Sequence

from forgetmap.measure.cell import Cell, Estimate
from forgetmap.measure.flat import percent
from forgetmap.measure.labels import Labels, at, cells_of, chosen_level, most_forgotten_first
from forgetmap.measure.map import Comparison, Map
from forgetmap.measure.marks import legend
from forgetmap.measure.words import estimate, plural
from forgetmap.pages.blocks import Bullets, Column, Entry, Page, Section, Sentences, Table
from forgetmap.pages.columns import cell_table
from forgetmap.pages.doubts import doubts
from forgetmap.pages.flags import flags, scorers, weights
from forgetmap.pages.headline import explained, headline
from forgetmap.pages.movers import movers

MOST_ROWS = 24


def single(map: Map, pair: Comparison, *, by: str | None, everything: bool) -> Page:
    """Headline, rows of one level, biggest movers, what was flagged and what cannot be concluded."""
    cells = cells_of(map, pair)
    labels, level = Labels(cells), by or chosen_level(cells)
    rows = most_forgotten_first(at(cells, level))
    shown = rows if everything else rows[:MOST_ROWS]
    page = [Section(_title(pair, cells), [Sentences(headline(cells))])]
    page += [_table(level, shown, at(cells, "all"), labels, left_out=len(rows) - len(shown))]
    leaves = most_forgotten_first(at(cells, "domain"))
    if level != "domain" and everything:
        page += [Section("Every domain", [cell_table("domain", leaves, [labels.of(cell) for cell in leaves])])]
    if not everything and len(leaves) > len(shown):
        page += movers(cells, labels, several=False)
    page += other_estimators(map, [*shown, *at(cells, "all")], labels)
    page += [*flags(map), *doubts(cells, [*at(cells, "all"), *shown], labels, several=False)]
    return [*page, *_legend(map, cells)]


def _title(pair: Comparison, cells: Sequence[Cell]) -> str:
    tasks = len({cell.task for cell in cells if cell.level == "domain"})
    return f"{pair.after} since {pair.before} · {plural(pair.paired, 'item')} in {plural(tasks, 'task')}"


def _table(level: str, shown: list[Cell], overall: list[Cell], labels: Labels, *, left_out: int) -> Section:
    rows = [*shown, *overall] if len(shown) > 1 else overall
    table = cell_table(level, rows, [labels.of(cell) for cell in rows])
    more = [Sentences([f"{left_out} more; --all shows them."], "dim")] if left_out else []
    return Section("", [explained(rows), table, *more])


def other_estimators(map: Map, cells: Sequence[Cell], labels: Labels) -> Iterator[Section]:
    """Forgetting by every estimator asked for, beside the default, and what each assumes."""
    from forgetmap.measure.alternatives import ASSUMPTIONS

    if not map.estimators or not cells:
        return
    names = map.estimators
    columns = (Column("forgetting % by", "left"), *(Column(name, "estimate") for name in (map.estimator, *names)))
    rows = [
        (
            Entry(labels.of(cell)),
            Entry(estimate(cell.forgetting)),
            *(Entry(estimate(_by(cell, name))) for name in names),
        )
        for cell in cells
    ]
    assumed = [f"{name} assumes: {ASSUMPTIONS[name]}." for name in (map.estimator, *names) if name in ASSUMPTIONS]
    if "published" in names:
        assumed.append(
            "published has no interval; its spread over seeds and its ceilings: forgetmap published, or --json."
        )
    yield Section("Other estimators", [Table(columns, rows, wrap=True), Bullets(assumed)])


def _by(cell: Cell, name: str) -> Estimate | None:
    return cell.alternatives.get(name, {}).get("forgetting")


def _legend(map: Map, cells: Sequence[Cell]) -> list[Section]:
    lines = [f"[low, high] is the {percent(map.confidence).removesuffix('.0')} % interval."]
    return [Section("", [Sentences([*lines, *weights(map), *legend(cells), *scorers(map)], "dim")])]
