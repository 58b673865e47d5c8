"""What the numbers on a page do not show, and what would."""

from collections.abc import Iterator, Sequence

from forgetmap.measure.cell import Cell
from forgetmap.measure.flat import percent
from forgetmap.measure.grouping import MACRO
from forgetmap.measure.labels import Labels, at
from forgetmap.measure.words import is_band, listed, plural
from forgetmap.pages.blocks import Bullets, Section

FEW = 0.05
"""Forgetting that a cell should be able to show; cells that can only show more are named."""
SAID_HERE = ("forgetting", "gain", "noise_floor", "excess", "p", "n", "clusters", "detectable")
FOR_PROGRAMS = (
    "p_luck",
    "q",
    "p_net",
    "q_net",
    "unanswered_loss",
    "unanswered_gain",
    "repeated_wrong",
    *("n11", "n10", "n01", "n00"),
    "known_before",
    "known_after",
    "parent",
    "task",
    "scorer",
    "alternatives",
    "accuracy_before",
    "accuracy_after",
    "net",
    "published",
    MACRO,
)
KNOWN_NOTES = frozenset(SAID_HERE + FOR_PROGRAMS)
"""Notes that this page says in its own words or elsewhere; any other is shown as it stands."""


def doubts(cells: Sequence[Cell], shown: Sequence[Cell], labels: Labels, *, several: bool) -> list[Section]:
    """What cannot be concluded from these cells; `shown` are the rows of the page."""
    rows = _Named(shown, labels, several)
    lines = [
        *_no_noise(at(cells, "all")),
        *_unknown_chance(at(cells, "task"), labels),
        *_bands(rows),
        *_too_few(rows),
        *_clusters(rows),
        *_others(rows),
    ]
    return [Section("What cannot be concluded", [Bullets(lines)])] if lines else []


class _Named:
    """Rows with their names; in a page of several comparisons each name comes once."""

    def __init__(self, cells: Sequence[Cell], labels: Labels, several: bool) -> None:
        self.cells = cells
        self._labels, self._several = labels, several

    def names(self, cells: Sequence[Cell]) -> list[str]:
        return list(dict.fromkeys(self._labels.of(cell) for cell in cells))

    def with_number(self, cells: Sequence[Cell]) -> list[str]:
        """Each name with the least forgetting it can show, worst first."""
        worst: dict[str, float] = {}
        for cell in cells:
            name = self._labels.of(cell)
            worst[name] = max(worst.get(name, 0.0), cell.detectable or 0.0)
        return [f"{name} ({percent(least)} %)" for name, least in sorted(worst.items(), key=lambda pair: -pair[1])]


def _no_noise(overall: Sequence[Cell]) -> Iterator[str]:
    without = [cell.after for cell in overall if cell.excess is None]
    if without:
        yield (
            "Whether this is forgetting or only sampling noise: with one draw a side, answers that would change from run to run anyway "
            "count as lost and gained. Evaluate one of the checkpoints twice and name the second run with --null."
        )
    few = [cell for cell in overall if cell.excess is not None and cell.excess.n < cell.n]
    if few:
        yield (
            "Whether the rest is sampling noise: only "
            f"{listed([f'{cell.excess.n:,} of {cell.n:,} items' for cell in few if cell.excess], 3)} "
            "have several draws on a side."
        )


def _unknown_chance(tasks: Sequence[Cell], labels: Labels) -> Iterator[str]:
    unknown = [cell for cell in tasks if cell.dropped.get("chance_unknown")]
    if unknown:
        names = list(dict.fromkeys(cell.name for cell in unknown))
        items = max(
            sum(cell.dropped["chance_unknown"] for cell in unknown if cell.after == one.after) for one in unknown
        )
        yield (
            f"How much of the loss is luck in {listed(names, 3)}: the log does not say how many options {plural(items, 'item')} have. "
            f" Say so with --k '{names[0]}=4' (a number, or open for answers without options)."
        )


def _bands(rows: _Named) -> Iterator[str]:
    bands = [cell for cell in rows.cells if is_band(cell.forgetting)]
    if bands:
        yield (
            f"How much exactly was forgotten in {listed(rows.names(bands))}: a question with one wrong option (such as yes/no), or a log "
            "without the chosen options, cannot tell a lost lucky guess from a forgotten item. The true value lies in the band a … b."
        )


def _too_few(rows: _Named) -> Iterator[str]:
    unclear = [
        cell for cell in rows.cells if cell.forgetting and cell.forgetting.low is not None and cell.forgetting.low <= 0
    ]
    weak = [cell for cell in unclear if (cell.detectable or 0.0) > FEW]
    if weak:
        yield (
            "That nothing was forgotten where there are too few items to see it. Forgetting below these shares would most likely go "
            f"unseen: {listed(rows.with_number(weak))}."
        )


def _clusters(rows: _Named) -> Iterator[str]:
    few = [cell for cell in rows.cells if "clusters" in cell.notes]
    if few:
        yield f"How wide the intervals of {listed(rows.names(few))} really are: {few[0].notes['clusters']}."


def _others(rows: _Named) -> Iterator[str]:
    said: dict[str, list[Cell]] = {}
    for cell in rows.cells:
        for key, text in cell.notes.items():
            if key not in KNOWN_NOTES:
                said.setdefault(f"{key}: {text}", []).append(cell)
    for text, cells in said.items():
        yield f"{text} ({listed(rows.names(cells), 3)})."
