"""Notes of a cell: why something is null, and what a reader should bear in mind."""

from operator import attrgetter
from typing import NamedTuple

from forgetmap.measure.cell import Cell
from forgetmap.measure.columns import REFUSED, TRUNCATED, UNPARSED

FEW_CLUSTERS = 30
FEW_ITEMS = 20
MANY_LEFT_OUT = 0.02
"""Share of items without a chosen option from which a cell says so."""
_UNANSWERED = (("unparsed", UNPARSED), ("refused", REFUSED), ("truncated", TRUNCATED))


_ONE_DRAW = "one draw a side: give a second run of a checkpoint with --null"
_NO_CHANCE = "no item whose chance is known and below 1; give the number of options with --k"
_LEAVES = "adjusted over the leaf cells only"
_NO_RIGHT = "graded scores have no right and wrong"
_ONE_PASSAGE = "all items share one passage, so no test can be had"


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
        return dict.fromkeys(("forgetting", "gain", "known_before", "known_after", "detectable"), _NO_CHANCE)
    left_out = cell.dropped.get("band_only", 0)
    if left_out > MANY_LEFT_OUT * cell.n:
        why = "if they were lost more often than others, forgetting is too low"
        return {"band_only": f"{left_out} items with one wrong option or no chosen option are left out: {why}"}
    return {}


def _noise(cell: Cell, counts: dict[str, float]) -> dict[str, str]:
    if cell.excess is None:
        return dict.fromkeys(("noise_floor", "excess", "p"), _ONE_DRAW)
    if counts["draws_before"] and counts["draws_after"]:
        return {}
    return {
        "noise_floor": f"only {'before' if counts['draws_before'] else 'after'} has several draws; it stands for both"
    }


def _size(cell: Cell, clusters: float) -> dict[str, str]:
    notes = {}
    if cell.n < FEW_ITEMS:
        notes["n"] = f"{cell.n} items are too few to conclude anything from"
    if clusters == 1:
        notes["clusters"] = "all items share one passage, so no interval can be had"
    elif 0 < clusters < FEW_CLUSTERS:
        notes["clusters"] = f"items come in {clusters:.0f} passages: intervals from so few may be too narrow"
    return notes


def _wrong(cell: Cell, counts: dict[str, float]) -> dict[str, str]:
    notes = {}
    if any(both["forgetting"] is None for both in cell.alternatives.values()):
        notes["alternatives"] = _NO_CHANCE
    if cell.p_luck is None:
        notes["p_luck"] = "needs one draw a side and items that can be guessed"
    split = {name: counts[f"lost_{state}"] for name, state in _UNANSWERED if counts[f"lost_{state}"]}
    if split:
        items = cell.unanswered_loss.n if cell.unanswered_loss else cell.n
        notes["unanswered_loss"] = ", ".join(f"{name} {total / items:.4f}" for name, total in split.items())
    if counts["wrong_twice"]:
        same = counts["repeated_wrong"] / counts["wrong_twice"]
        notes["repeated_wrong"] = f"{same:.1%} of items wrong twice chose the same option"
    return notes


def reasons(cell: Cell) -> dict[str, str]:
    """A reason for every field that is null and has none yet."""
    lacking = [name for name, value in zip(_CAN_LACK, _values(cell), strict=True) if value is None]
    return {name: _why_null(cell, name) for name in lacking if name not in cell.notes}


_KNOWN = ("known_before", "known_after", "unanswered_loss", "unanswered_gain")
_RIGHT_AND_WRONG = ("n11", "n10", "n01", "n00", "unanswered_before", "unanswered_after", "p_luck")
_ESTIMATED = ("forgetting", "gain", "net", "detectable", "accuracy_before", "accuracy_after")
_DRAWN = ("noise_floor", "excess", "p")
_CAN_LACK = (*_KNOWN, *_RIGHT_AND_WRONG, *_ESTIMATED, *_DRAWN, "q", "p_net", "q_net", "task", "scorer", "parent")
_values = attrgetter(*_CAN_LACK)


def _why_null(cell: Cell, name: str) -> str:
    leaf = cell.level == "domain"
    if name in _KNOWN:
        return _NO_RIGHT if cell.metric == "graded" else _NO_CHANCE
    if name in _RIGHT_AND_WRONG:
        return _NO_RIGHT
    if name in _ESTIMATED:
        return "no item has an answer on both sides" if cell.n == 0 else _NO_CHANCE
    if name in _DRAWN:
        return _ONE_DRAW
    if name == "q":
        return (_ONE_DRAW if cell.p is None else _ONE_PASSAGE) if leaf else _LEAVES
    if name in ("p_net", "q_net"):
        return _ONE_PASSAGE if leaf or name == "p_net" else _LEAVES
    return "the widest level" if name == "parent" else "several"
