"""Which rows a page shows, and what each is called."""

from collections.abc import Iterable, Sequence

from forgetmap.measure.cell import Cell
from forgetmap.measure.map import Comparison, Map
from forgetmap.taxonomy.place import UNPLACED


def chosen_level(cells: Sequence[Cell]) -> str:
    """Categories where at least two are known, else tasks where there are several, else the domains of the one task."""
    names: dict[str, set[str]] = {"category": set(), "task": set(), "domain": set()}
    for cell in cells:
        if cell.level in names:
            names[cell.level].add(cell.name)
    if len(names["category"] - {UNPLACED}) >= 2:
        return "category"
    return "task" if len(names["task"]) > 1 else "domain"


def cells_of(map: Map, pair: Comparison) -> list[Cell]:
    """The cells of one comparison."""
    return [cell for cell in map.cells if (cell.before, cell.after) == (pair.before, pair.after)]


def at(cells: Iterable[Cell], level: str) -> list[Cell]:
    return [cell for cell in cells if cell.level == level]


def most_forgotten_first(cells: Iterable[Cell]) -> list[Cell]:
    """Greatest forgetting first; bands by the middle of the band; what cannot be said comes last."""
    return sorted(cells, key=lambda cell: (-middle(cell), cell.name))


def middle(cell: Cell) -> float:
    """Forgetting as one number to sort by; below every other where there is none."""
    found = cell.forgetting
    if found is None:
        return -2.0
    if found.value is not None:
        return found.value
    return -2.0 if found.low is None or found.high is None else (found.low + found.high) / 2


class Labels:
    """Names of cells, with as much as is needed to tell them apart: the task of a domain, and whether scores are graded."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._several_tasks = len({cell.task for cell in cells if cell.level == "domain"}) > 1
        metrics: dict[tuple[str, str, str | None], set[str]] = {}
        for cell in cells:
            metrics.setdefault((cell.level, cell.name, cell.parent), set()).add(cell.metric)
        self._mixed = {key for key, found in metrics.items() if len(found) > 1}

    def of(self, cell: Cell) -> str:
        name = cell.name
        if cell.level == "domain" and cell.task not in (None, cell.name) and self._several_tasks:
            name = f"{cell.task} · {cell.name}"
        if (cell.level, cell.name, cell.parent) in self._mixed:
            name += " (graded)" if cell.metric == "graded" else " (right/wrong)"
        return name
