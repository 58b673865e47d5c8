"""The columns that describe one cell: the same wherever a comparison is shown alone."""

from collections.abc import Sequence

from forgetmap.cli.page.blocks import Column, Entry, Table, Tone
from forgetmap.cli.page.words import ABSENT, clear_of_zero, count, estimate, percent
from forgetmap.measure.map import Cell, Estimate

SIGNIFICANT = 0.05
FELL, ROSE, BEYOND_NOISE = "▼", "▲", "●"


def legend(cells: Sequence[Cell]) -> list[str]:
    """What the marks on a page mean; nothing where there are none."""
    shown = "".join(marks(cell) for cell in cells)
    said = [f"{FELL} {ROSE} accuracy fell or rose"] * (FELL in shown or ROSE in shown)
    said += [f"{BEYOND_NOISE} more was lost than sampling noise explains"] * (BEYOND_NOISE in shown)
    how = "at a false discovery rate of 5 % over all domains, for sums of domains at p below 0.05"
    return [f"{', '.join(said)}: {how}."] if said else []


def fell(cell: Cell) -> bool:
    return _shown(cell.q_net, cell.p_net) and _net(cell) < 0


def rose(cell: Cell) -> bool:
    return _shown(cell.q_net, cell.p_net) and _net(cell) > 0


def _net(cell: Cell) -> float:
    return 0.0 if cell.net is None or cell.net.value is None else cell.net.value


def marks(cell: Cell) -> str:
    """The marks of a cell: did accuracy move, and was more lost than sampling noise explains."""
    moved = FELL if fell(cell) else ROSE if rose(cell) else ""
    return moved + (BEYOND_NOISE if _shown(cell.q, cell.p) else "")


def _shown(q: float | None, p: float | None) -> bool:
    """A leaf is judged by q; a sum of leaves has none and is judged by its own p."""
    found = p if q is None else q
    return found is not None and found < SIGNIFICANT


def cell_table(first: str, cells: Sequence[Cell], names: Sequence[str]) -> Table:
    """One row a cell, with accuracy, forgetting, gain and what else any of the cells has to say."""
    unanswered = any(_says(cell.unanswered_loss) for cell in cells)
    excess = any(cell.excess is not None for cell in cells)
    marked = any(marks(cell) for cell in cells)
    columns = [
        Column(first, "left"),
        Column("items", spare=2),
        Column("accuracy %", spare=1),
        Column("forgetting %", "estimate"),
        Column("gain %", "estimate"),
    ]
    columns += [Column("no longer answered %", "estimate", 4)] * unanswered
    columns += [Column("beyond noise %", "estimate", 3)] * excess
    columns += [Column("", "left")] * marked
    rows = []
    for cell, name in zip(cells, names, strict=True):
        row = [_name(cell, name), Entry(count(cell.n)), Entry(accuracy(cell)), forgetting(cell), gain(cell)]
        row += [Entry(estimate(cell.unanswered_loss), "plain")] * unanswered
        row += [Entry(estimate(cell.excess))] * excess
        row += [Entry(marks(cell), "bad" if FELL in marks(cell) or BEYOND_NOISE in marks(cell) else "good")] * marked
        rows.append(tuple(row))
    return Table(tuple(columns), rows)


def accuracy(cell: Cell) -> str:
    return f"{percent(cell.accuracy_before)} → {percent(cell.accuracy_after)}" if cell.n else ABSENT


def forgetting(cell: Cell) -> Entry:
    return Entry(estimate(cell.forgetting), _tone(cell.forgetting, "bad"))


def gain(cell: Cell) -> Entry:
    return Entry(estimate(cell.gain), _tone(cell.gain, "good"))


def _tone(found: Estimate | None, tone: Tone) -> Tone:
    """Only what stands clear of zero is coloured; what cannot be said is dim."""
    if found is None:
        return "dim"
    return tone if clear_of_zero(found) else "plain"


def _name(cell: Cell, name: str) -> Entry:
    return Entry(name, "strong" if cell.level == "all" else "plain")


def _says(found: Estimate | None) -> bool:
    return found is not None and found.value is not None and abs(found.value) > 0
