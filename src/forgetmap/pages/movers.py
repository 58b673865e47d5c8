"""The domains that forgot and gained most, among those whose interval lies above zero."""

from collections.abc import Callable, Iterator, Sequence

from forgetmap.measure.cell import Cell, Estimate
from forgetmap.measure.labels import Labels, at
from forgetmap.measure.words import clear_of_zero
from forgetmap.pages.blocks import Column, Entry, Section, Sentences, Table
from forgetmap.pages.columns import cell_table

MOST = 5


def movers(cells: Sequence[Cell], labels: Labels, *, several: bool) -> Iterator[Section]:
    """The biggest movers of one comparison, or with `several` of many, where each row also says which."""
    leaves = at(cells, "domain")
    ranked = {"Forgot most": biggest(leaves, _forgetting), "Gained most": biggest(leaves, _gain)}
    for title, found in ranked.items():
        if found:
            table = (
                _across(found, labels) if several else cell_table("domain", found, [labels.of(cell) for cell in found])
            )
            yield Section(title, [table])
    if leaves and not any(ranked.values()):
        yield Section("Biggest movers", [Sentences(["No domain's forgetting or gain stands clear of zero."])])


def biggest(leaves: Sequence[Cell], side: Callable[[Cell], Estimate | None]) -> list[Cell]:
    """At most five cells, greatest estimate first; bands count by their lower end."""
    clear = [(cell, found) for cell in leaves if (found := side(cell)) is not None and clear_of_zero(found)]
    ranked = sorted(clear, key=lambda pair: -_size(pair[1]))
    return [cell for cell, _ in ranked[:MOST]]


def _across(cells: Sequence[Cell], labels: Labels) -> Table:
    """The columns of one comparison, with a second one that says which comparison."""
    table = cell_table("domain", cells, [labels.of(cell) for cell in cells], brief=True)
    rows = [(row[0], Entry(cell.after), *row[1:]) for row, cell in zip(table.rows, cells, strict=True)]
    return Table((table.columns[0], Column("after", "left"), *table.columns[1:]), rows)


def _size(found: Estimate) -> float:
    return found.value if found.value is not None else found.low or 0.0


def _forgetting(cell: Cell) -> Estimate | None:
    return cell.forgetting


def _gain(cell: Cell) -> Estimate | None:
    return cell.gain
