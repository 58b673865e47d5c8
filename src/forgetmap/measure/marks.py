"""The marks a cell bears wherever it is shown: what was found, and by which test."""

from collections.abc import Sequence

from forgetmap.measure.cell import Cell

SIGNIFICANT = 0.05
FELL, ROSE, BEYOND_NOISE = "▼", "▲", "●"


def legend(cells: Sequence[Cell]) -> list[str]:
    """What the marks on a page mean; nothing where there are none."""
    shown = "".join(marks(cell) for cell in cells)
    said = [f"{FELL} {ROSE} accuracy fell or rose"] * (FELL in shown or ROSE in shown)
    said += [f"{BEYOND_NOISE} more was lost than sampling noise explains"] * (BEYOND_NOISE in shown)
    how = "found at a false discovery rate of 5 % over all domains; in sums of domains at p < 0.05"
    return [f"{', '.join(said)} ({how})."] if said else []


def fell(cell: Cell) -> bool:
    return _is_shown(cell.q_net, cell.p_net) and _net(cell) < 0


def rose(cell: Cell) -> bool:
    return _is_shown(cell.q_net, cell.p_net) and _net(cell) > 0


def _net(cell: Cell) -> float:
    return 0.0 if cell.net is None or cell.net.value is None else cell.net.value


def marks(cell: Cell) -> str:
    """The marks of a cell: did accuracy move, and was more lost than sampling noise explains."""
    moved = FELL if fell(cell) else ROSE if rose(cell) else ""
    return moved + (BEYOND_NOISE if _is_shown(cell.q, cell.p) else "")


def _is_shown(q: float | None, p: float | None) -> bool:
    """A leaf is judged by q; a sum of leaves has none and is judged by its own p."""
    found = p if q is None else q
    return found is not None and found < SIGNIFICANT
