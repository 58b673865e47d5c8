"""The study's tables as a page: as printed, then what they cannot tell, then the same items read rightly."""

from collections.abc import Iterator, Sequence

from forgetmap.measure.cell import Cell
from forgetmap.measure.flat import percent
from forgetmap.measure.marks import legend
from forgetmap.measure.published_forms import PRINTED, SIDES, Side, lines
from forgetmap.measure.published_tables import TOTAL, Column, PaperTables
from forgetmap.measure.words import listed, plural
from forgetmap.pages import blocks
from forgetmap.pages.blocks import Bullets, Entry, Page, Section, Sentences, Table
from forgetmap.pages.columns import cell_table, forgetting, gain
from forgetmap.pages.flags import cut, map_notes, where

_TITLES: dict[Side, str] = {"forgetting": "Forgetting, as published", "gain": "Gain (backward transfer), as published"}


def published_page(tables: PaperTables) -> Page:
    before = tables.columns[0].before
    page = [Section(f"{_TITLES[side]}, since {before}", _printed(tables, side)) for side in SIDES]
    page += [Section("What these numbers cannot tell", [Bullets(list(_doubts(tables)))])]
    page += list(_rightly(tables))
    said = cut(_flags(tables))
    return [*page, Section("Flagged", [Bullets(said)])] if said else page


def _printed(tables: PaperTables, side: Side) -> list[blocks.Part]:
    rows = [
        (Entry(name, "strong" if name == TOTAL else "plain"), *map(Entry, cells)) for name, cells in lines(tables, side)
    ]
    columns = (blocks.Column("category", "left"), *(blocks.Column(column.after) for column in tables.columns))
    told = ["mean ± sd over seeds (ceiling), in %"] if side == "forgetting" else []
    return [*([Sentences(told, "dim")] if told else []), Table(columns, rows, wrap=True)]


def _doubts(tables: PaperTables) -> Iterator[str]:
    biases = sorted(found for column in tables.columns if (found := column.total.printed.null_bias) is not None)
    if biases:
        least, most = percent(biases[0]), percent(biases[-1])
        yield (
            "Luck: taken off is (1−a)(1−a′)/(k−1), as if what two checkpoints do not know were unrelated. Of two that know the same, at "
            f"these accuracies and with fresh guesses, the total would read {least if least == most else f'{least} to {most}'} % of "
            "forgetting and as much gain, where there is none."
        )
    yield (
        "Clipping: a task below 0 in a seed counts as 0 before any mean, so noise adds to forgetting and to gain, "
        "most where tasks are small."
    )
    seeds = {column.total.printed.seeds for column in tables.columns}
    if seeds == {1}:
        yield "There is no ±: one seed has no spread. Nor would it be an interval: which items were asked is not in it."
    else:
        yield f"± is the spread over {_seeds(seeds)} and no interval: which items were asked is not in it."
    yield "Weights: each task counts the same whatever its size, and each category whatever its number of tasks."
    yield from _divided(tables)


def _seeds(seeds: set[int]) -> str:
    least, most = min(seeds), max(seeds)
    return plural(most, "seed") if least == most else f"{least} to {most} seeds"


def _divided(tables: PaperTables) -> Iterator[str]:
    if tables.k == "code":
        yield "k is what the study's code has for a task (4 where it has nothing), not what the items have; --k true divides by theirs."
    hidden = [name for name in tables.totals_over if name not in tables.categories]
    if hidden:
        yield f"{TOTAL} counts {listed(hidden)} too, as the study's code does; --no-hidden-category counts what is shown."


def _rightly(tables: PaperTables) -> Iterator[Section]:
    """The same items by our own estimator, every item counting the same."""
    told = Sentences(
        [
            "Luck taken off by the chosen option, nothing clipped, every item counts the same; "
            f"[low, high] is the {percent(tables.confidence).removesuffix('.0')} % interval, a … b a band where no value is identified."
        ],
        "dim",
    )
    title = "The same items, read rightly"
    names = [*tables.categories, TOTAL]
    if len(tables.columns) == 1:
        column = tables.columns[0]
        cells = [cell for name in names if (cell := _beside(column, name))]
        table = cell_table("category", cells, [_name(cell) for cell in cells], brief=True)
        yield Section(title, [told, table, Sentences(legend(cells), "dim")])
        return
    yield Section(f"{title}: forgetting %", [told, _several(tables, names, "forgetting")])
    yield Section(f"{title}: gain %", [_several(tables, names, "gain")])


def _several(tables: PaperTables, names: Sequence[str], side: Side) -> Table:
    columns = (blocks.Column("category", "left"), *(blocks.Column(c.after, "estimate") for c in tables.columns))
    shown = forgetting if side == "forgetting" else gain
    rows = [
        (
            Entry(PRINTED.get(name, name), "strong" if name == TOTAL else "plain"),
            *(shown(cell) if (cell := _beside(column, name)) else Entry("–", "dim") for column in tables.columns),
        )
        for name in names
    ]
    return Table(columns, rows, wrap=True)


def _beside(column: Column, name: str) -> Cell | None:
    row = column.total if name == TOTAL else column.rows.get(name)
    return row and row.beside


def _name(cell: Cell) -> str:
    return TOTAL if cell.level == "all" else PRINTED.get(cell.name, cell.name)


def _flags(tables: PaperTables) -> list[str]:
    """What was found of each AFTER; said once where it is true of all."""
    said: dict[str, list[str]] = {}
    for column in tables.columns:
        for line in _of_column(column):
            said.setdefault(line, []).append(column.after)
    return [line + where(names, len(tables.columns)) for line, names in said.items()]


def _of_column(column: Column) -> Iterator[str]:
    yield from (f"Besides the weights this differs: {line}." for line in column.differs)
    if column.missing:
        yield f"Not in both logs: {plural(len(column.missing), 'task')} of the study ({listed(column.missing, 3)})."
    if column.left_out:
        yield f"In no category that counts, so left out: {plural(len(column.left_out), 'task')} ({listed(column.left_out)})."
    if column.graded:
        yield f"Not right or wrong but graded, so left out: {plural(len(column.graded), 'task')} ({listed(column.graded)})."
    unknown = column.total.printed.left_out
    if unknown:
        yield f"Left out: {plural(unknown, 'task')} with items of unknown chance; say the number of options with --k TASK=K."
    yield from map_notes(column.notes)
