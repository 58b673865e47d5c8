"""Arrays of estimates to the plain numbers of one cell; NaN becomes null."""

import numpy as np

from forgetmap.measure.cell import Estimate, RestsOn
from forgetmap.measure.estimates import Bands, Estimates
from forgetmap.stats.arrays import Floats


def estimate_at(found: Estimates, place: int) -> Estimate | None:
    value = number(found.value[place])
    if value is None:
        return None
    return Estimate(
        value, number(found.low[place]), number(found.high[place]), int(found.n[place]), found.method_at(place)
    )


def estimates_of(found: Estimates) -> list[Estimate | None]:
    """The same for every cell at once."""
    methods = [found.method_at(place) for place in range(len(found.n))]
    values, sizes = found.value.tolist(), found.n.tolist()
    columns = zip(values, numbers_of(found.low), numbers_of(found.high), sizes, methods, strict=True)
    return [None if one[0] != one[0] else Estimate(*one) for one in columns]


def numbers_of(column: Floats) -> list[float | None]:
    """NaN is null."""
    return [None if value != value else value for value in column.tolist()]


def band_at(found: Bands, place: int) -> Estimate:
    return Estimate(None, number(found.low[place]), number(found.high[place]), int(found.n[place]), found.method)


def rests_at(found: Estimates | Bands, place: int) -> RestsOn:
    lower, upper = found.sums if isinstance(found, Bands) else (found.sums, found.sums)
    return RestsOn(lower, upper, place)


def number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def whole(value: float) -> float:
    """Counts of items are whole where every item has one draw a side."""
    nearest = round(value)
    return float(nearest) if abs(value - nearest) < 1e-9 else float(value)


def whole_of(column: Floats) -> Floats:
    """The same for every cell at once."""
    nearest = np.rint(column)
    return np.where(np.abs(column - nearest) < 1e-9, nearest, column)
