"""Notes of a cell: why something is null, and what a reader should bear in mind."""

from typing import NamedTuple

from forgetmap.measure.cell import Cell
from forgetmap.measure.fold import REFUSED, TRUNCATED, UNPARSED

FEW_CLUSTERS = 30
FEW_ITEMS = 20
_UNANSWERED = (("unparsed", UNPARSED), ("refused", REFUSED), ("truncated", TRUNCATED))


class Basis(NamedTuple):
    """What the notes of one cell are written from."""

    counts: dict[str, float]
    band: tuple[float, float] | None
    """Least and greatest forgetting before widening, where the cell shows a band."""
    clusters: float


def explain(cell: Cell, basis: Basis) -> dict[str, str]:
    """All notes of a right/wrong cell, by what they are about."""
    return {
        **_forgetting(cell, basis),
        **_noise(cell, basis.counts),
        **_size(cell, basis.clusters),
        **_wrong(cell, basis.counts),
    }


def _forgetting(cell: Cell, basis: Basis) -> dict[str, str]:
    if basis.band is not None:
        least, greatest = basis.band
        band = (
            "a band, not a value: with one wrong option, or without the chosen options, repeated luck cannot be told from loss; "
            f"before widening by its interval it runs from {least:.4f} to {greatest:.4f}"
        )
        return {"forgetting": band, "gain": "a band, not a value", "detectable": "not defined for a band"}
    if cell.forgetting is None:
        why = "no item whose chance is known and below 1; give the number of options with --k"
        return dict.fromkeys(("forgetting", "gain", "known_before", "known_after", "detectable"), why)
    return {}


def _noise(cell: Cell, counts: dict[str, float]) -> dict[str, str]:
    if cell.excess is None:
        why = "one draw a side: give a second run of a checkpoint with --null"
        return dict.fromkeys(("noise_floor", "excess", "p"), why)
    if counts["draws_before"] and counts["draws_after"]:
        return {}
    return {
        "noise_floor": f"only {'before' if counts['draws_before'] else 'after'} has several draws; it stands for both"
    }


def _size(cell: Cell, clusters: float) -> dict[str, str]:
    notes = {}
    if cell.n < FEW_ITEMS:
        notes["n"] = f"{cell.n} items are too few to conclude anything from"
    if 0 < clusters < FEW_CLUSTERS:
        notes["clusters"] = f"items come in {clusters:.0f} passages: intervals from so few may be too narrow"
    return notes


def _wrong(cell: Cell, counts: dict[str, float]) -> dict[str, str]:
    notes = {}
    if cell.p_luck is None:
        notes["p_luck"] = "needs one draw a side and items that can be guessed"
    split = {name: counts[f"lost_{state}"] for name, state in _UNANSWERED if counts[f"lost_{state}"]}
    if split:
        parts = ", ".join(f"{name} {total / cell.n:.4f}" for name, total in split.items())
        notes["unanswered_loss"] = f"{parts} of all items"
    if counts["wrong_twice"]:
        same = counts["repeated_wrong"] / counts["wrong_twice"]
        notes["repeated_wrong"] = f"{same:.1%} of items wrong twice chose the same option"
    return notes
