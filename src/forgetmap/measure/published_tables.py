"""The tables of the post-training forgetting study over one's own logs, with what they should be read with: the verb `published`."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from forgetmap import __version__
from forgetmap.errors import SettingError
from forgetmap.measure.cell import Cell, Wanted
from forgetmap.measure.cells import cells
from forgetmap.measure.evidence import Evidence, gather
from forgetmap.measure.grouping import Group
from forgetmap.measure.pair import Pairing, demand_coverage
from forgetmap.measure.published import InOrder, in_order, paired_by_number
from forgetmap.measure.published_tasks import of_paper
from forgetmap.measure.reading import Source, pairings, reading
from forgetmap.taxonomy.paper import HIDDEN, NOWHERE, WITHOUT_BASE, paper_tasks
from forgetmap.taxonomy.place import UNPLACED, Taxonomy, read_taxonomy

TOTAL = "Total"
K = Literal["true", "code"]


class Row(NamedTuple):
    """One category of one comparison, or its total."""

    category: str
    printed: InOrder
    beside: Cell
    """The same items by our own estimator."""


@dataclass(slots=True, kw_only=True)
class Column:
    """One AFTER: everything below its name."""

    before: str
    after: str
    rows: dict[str, Row]
    """By category; those without an item are not here."""
    total: Row
    left_out: list[str]
    """Tasks of the logs that no category of the table has."""
    graded: list[str]
    """Tasks of the logs whose scores are not right or wrong."""
    missing: list[str]
    """Tasks of the paper that are not in both logs, by their names in its code."""
    differs: list[str]
    notes: list[str]


@dataclass(slots=True, kw_only=True)
class PaperTables:
    """Forgetting and gain (the paper: backward transfer) as the study prints them, one column an AFTER."""

    version: str = __version__
    confidence: float
    taxonomy: str
    k: K
    """Whose numbers of options were divided by: the items' own, or the constants of the study's code."""
    categories: list[str]
    """Shown, in the order of print."""
    totals_over: list[str]
    """The categories that count in the total; some may not be shown."""
    columns: list[Column] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Two closed traces for each AFTER, and all that stands beside them."""
        from forgetmap.measure.published_forms import plain

        return plain(self)

    def to_json(self) -> str:
        import orjson

        return orjson.dumps(self.to_dict(), option=orjson.OPT_INDENT_2).decode()

    def to_csv(self) -> str:
        """Both tables with cells as printed."""
        from forgetmap.measure.published_forms import csv

        return csv(self)

    def to_latex(self) -> str:
        """Both tables as `tabular`, for a document that loads booktabs."""
        from forgetmap.measure.published_forms import latex

        return latex(self)


def published(
    before: Source,
    *after: Source,
    k: K = "true",
    hidden_category: bool = True,
    base: bool = False,
    taxonomy: str | Path = "paper",
    allow_unpaired: bool = False,
    confidence: float = 0.95,
    **how: Any,
) -> PaperTables:
    """The study's tables of each AFTER since BEFORE: clipped per task and seed, macro over tasks, then categories, mean ± sd over seeds.

    `k="code"` divides by the constants of its code. `hidden_category` lets categories that are not shown count in the total, as the code
    does with ARC. `base` leaves Safety and Instruction out of the rows. `how` says how sources are read, as for `compare`.
    """
    _check(after, k, confidence)
    placed, found = read_taxonomy(taxonomy), reading(**how)
    joined, _, _ = pairings(before, after, None, found)
    if not allow_unpaired:
        for pairing in joined:
            demand_coverage(pairing)
    gathered = [gather(pairing, placed) for pairing in joined]
    shown, counted = _categories(gathered, placed, hidden=hidden_category, base=base)
    tables = PaperTables(confidence=confidence, taxonomy=placed.name, k=k, categories=shown, totals_over=counted)
    tables.columns = [_column(tables, *both) for both in zip(joined, gathered, strict=True)]
    return tables


def _check(after: Sequence[Source], k: str, confidence: float) -> None:
    if not after:
        raise SettingError("the tables need a BEFORE and at least one AFTER; only one run was given.")
    if k not in ("true", "code"):
        raise SettingError(f"k must be true (the items' own options) or code (the study's constants), got {k!r}.")
    if not 0.5 <= confidence < 1:
        raise SettingError(f"confidence must lie between 0.5 and 1, got {confidence}; 0.95 is usual.")


def _categories(
    gathered: Sequence[Evidence], placed: Taxonomy, *, hidden: bool, base: bool
) -> tuple[list[str], list[str]]:
    """Categories that are shown, and those that count in the total."""
    nowhere = {UNPLACED, *(NOWHERE if placed.name == "paper" else ())}
    off = {HIDDEN, *nowhere, *(WITHOUT_BASE if base else ())}
    there: set[str] = set()
    for evidence in gathered:
        own = {leaf.category for leaf in evidence.leaves if not leaf.graded}
        if not own & placed.categories.keys() - off:
            raise SettingError(_nothing_shown(evidence, placed))
        there |= own
    shown = [name for name in placed.categories if name in there - off]
    known = [name for name in placed.categories if name in there - nowhere]
    return shown, known if hidden else shown


def _nothing_shown(evidence: Evidence, placed: Taxonomy) -> str:
    tasks = sorted({leaf.task for leaf in evidence.leaves})
    return (
        f"none of the common tasks has a category that the table shows (taxonomy {placed.name}) and answers that are right or wrong; "
        f"there are {', '.join(tasks[:5])}{' and others' if len(tasks) > 5 else ''}. "
        "Name another taxonomy with --taxonomy: default, or a file."
    )


def _column(tables: PaperTables, pairing: Pairing, evidence: Evidence) -> Column:
    wanted = Wanted(pairing.before.info.run_id, pairing.after.info.run_id, tables.confidence, ())
    printed = {name: _printed(tables, evidence, [name]) for name in tables.categories}
    ours = {(cell.level, cell.name): cell for cell in cells(_only(evidence, tables.totals_over), wanted)}
    rows = {name: Row(name, found, ours["category", name]) for name, found in printed.items() if found.tasks}
    total = _printed(tables, evidence, tables.totals_over)
    by_number = [paired_by_number(total.by_number)] if total.by_number else []
    return Column(
        before=wanted.before,
        after=wanted.after,
        rows=rows,
        total=Row(TOTAL, total, ours["all", "all"]),
        left_out=_left_out(evidence, [*tables.categories, *tables.totals_over]),
        graded=list(dict.fromkeys(leaf.task for leaf in evidence.leaves if leaf.graded)),
        missing=_missing(evidence) if tables.taxonomy == "paper" else [],
        differs=pairing.differs,
        notes=list(dict.fromkeys([*pairing.before.notes, *pairing.after.notes, *by_number])),
    )


def _printed(tables: PaperTables, evidence: Evidence, categories: Collection[str]) -> InOrder:
    """The mean over some categories."""
    leaves = tuple(
        place for place, leaf in enumerate(evidence.leaves) if leaf.category in categories and not leaf.graded
    )
    whole = Group("all", TOTAL, None, None, None, leaves)
    return in_order(evidence, [whole], "all", code_k=tables.k == "code")[0]


def _only(evidence: Evidence, categories: Collection[str]) -> Evidence:
    """The right/wrong items of some categories."""
    kept = [place for place, leaf in enumerate(evidence.leaves) if leaf.category in categories and not leaf.graded]
    number = np.full(len(evidence.leaves), -1, np.int64)
    number[kept] = np.arange(len(kept))
    pairs = evidence.pairs
    if pairs is not None:
        pairs = pairs.take(number[pairs.leaf] >= 0)
        pairs = pairs._replace(leaf=number[pairs.leaf])
    return Evidence(
        leaves=[evidence.leaves[place] for place in kept],
        pairs=pairs,
        graded=None,
        causes=evidence.causes[kept],
        failed=evidence.failed[kept],
        unanswered=evidence.unanswered[kept],
    )


def _left_out(evidence: Evidence, categories: Collection[str]) -> list[str]:
    plain = [leaf for leaf in evidence.leaves if not leaf.graded]
    return list(dict.fromkeys(leaf.task for leaf in plain if leaf.category not in categories))


def _missing(evidence: Evidence) -> list[str]:
    """Tasks of the paper that are not in both logs."""
    there = {found.code for leaf in evidence.leaves if (found := of_paper(leaf))}
    wanted = [task for task in paper_tasks() if task.category not in NOWHERE]
    return [task.code for task in wanted if task.code not in there]
