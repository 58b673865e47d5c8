"""Cells filled in from the columns of one level: arrays over cells in, one `Cell` at a time out."""

from collections.abc import Sequence
from typing import NamedTuple

from forgetmap.measure.cell import CAUSES, Cell, Estimate, Wanted
from forgetmap.measure.estimates import Bands, Estimates
from forgetmap.measure.grouping import Group, cell_of, is_macro, name_macro
from forgetmap.measure.notes import Basis, explain
from forgetmap.measure.numbers import band_at, estimates_of, numbers_of, rests_at, whole_of
from forgetmap.measure.published import PUBLISHED, InOrder
from forgetmap.measure.transitions import REASONS
from forgetmap.stats.arrays import Bools, Floats

_WHOLE = ("n11", "n10", "n01", "n00", "unanswered_before", "unanswered_after")


class Numbers(NamedTuple):
    """Everything the right/wrong cells of one level are filled from; one entry a cell."""

    metrics: dict[str, Estimates]
    accuracy: tuple[Floats, Floats]
    bands: tuple[Bands, Bands] | None
    by_band: Bools
    known: tuple[Floats, Floats]
    counts: dict[str, Floats]
    alternatives: dict[str, tuple[Estimates, Estimates]]
    p: Floats
    p_net: Floats
    p_luck: list[float | None]
    detectable: Floats
    by_paper: Sequence[InOrder] = ()
    """One a cell where it was asked for: it is no metric over groups, since its order of means asks for tasks and seeds."""


class Filling:
    """The cells of one level. Arrays are turned into plain numbers once, for a number at a time costs more than its estimate."""

    def __init__(self, numbers: Numbers, failed: Floats, causes: Floats) -> None:
        self._numbers = numbers
        self._names = list(numbers.counts)
        plain = [whole_of(own) if name in _WHOLE else own for name, own in numbers.counts.items()]
        self._counts = list(zip(*(own.tolist() for own in plain), strict=True))
        self._metrics = {name: estimates_of(found) for name, found in numbers.metrics.items()}
        self._alternatives = {
            name: (estimates_of(forgotten), estimates_of(gained))
            for name, (forgotten, gained) in numbers.alternatives.items()
        }
        self._accuracy = [numbers_of(side) for side in numbers.accuracy]
        self._known = [numbers_of(side) for side in numbers.known]
        self._tests = [numbers_of(column) for column in (numbers.p, numbers.p_net, numbers.detectable)]
        self._by_band = numbers.by_band.tolist()
        self._clusters = numbers.metrics["net"].sums.clusters.tolist()
        self._failed = failed.tolist()
        self._causes = whole_of(causes).tolist()

    def cell(self, one: Group, place: int, wanted: Wanted) -> Cell:
        """The cell of a group, which is number `place` of the level."""
        counts = dict(zip(self._names, self._counts[place], strict=True))
        lacking = {reason: int(counts[reason]) for reason in REASONS.values()} | {"failed": int(self._failed[place])}
        cell = cell_of(one, wanted, "accuracy")
        cell.n = round(counts["n"])
        cell.dropped = {reason: items for reason, items in lacking.items() if items}
        cell.accuracy_before, cell.accuracy_after = (side[place] for side in self._accuracy)
        for name in _WHOLE:
            setattr(cell, name, counts[name])
        cell.causes = dict(zip(CAUSES, self._causes[place], strict=True))
        self._fill(cell, place)
        if is_macro(wanted, one.level):
            name_macro(cell)
        if self._numbers.by_paper:
            _fill_published(cell, self._numbers.by_paper[place], wanted)
        cell.notes = explain(cell, self._basis(place, counts)) | cell.notes
        return cell

    def _fill(self, cell: Cell, place: int) -> None:
        """Estimates and tests."""
        numbers, by_band = self._numbers, self._by_band[place]
        for name, found in self._metrics.items():
            setattr(cell, name, found[place])
        cell.rests_on = rests_at(numbers.metrics["forgetting"], place)
        if numbers.bands is not None and by_band:
            cell.forgetting, cell.gain = (band_at(found, place) for found in numbers.bands)
            cell.rests_on = rests_at(numbers.bands[0], place)
            cell.dropped.pop("band_only", None)
        cell.known_before, cell.known_after = (side[place] for side in self._known)
        cell.p, cell.p_net, detectable = (column[place] for column in self._tests)
        cell.p_luck = numbers.p_luck[place]
        cell.detectable = None if by_band else detectable
        cell.alternatives = {name: self._alternative(name, place) for name in self._alternatives}

    def _alternative(self, name: str, place: int) -> dict[str, Estimate | None]:
        forgotten, gained = self._alternatives[name]
        return {"forgetting": forgotten[place], "gain": gained[place]}

    def _basis(self, place: int, counts: dict[str, float]) -> Basis:
        bands = self._numbers.bands if self._by_band[place] else None
        band = (float(bands[0].least[place]), float(bands[0].greatest[place])) if bands else None
        return Basis(counts, band, self._clusters[place])


def _fill_published(cell: Cell, found: InOrder, wanted: Wanted) -> None:
    """The paper's estimate among the others, in the order asked for, with its spread over seeds as a note."""
    estimates = found.estimates(macro=cell.level in ("all", "category"))
    both = cell.alternatives | {PUBLISHED: estimates}
    cell.alternatives = {name: both[name] for name in wanted.estimators}
    if estimates["forgetting"] is not None:
        cell.notes[PUBLISHED] = found.note()
