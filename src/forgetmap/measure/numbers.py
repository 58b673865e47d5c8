"""Arrays of estimates to the plain numbers of one cell; NaN becomes null."""

import numpy as np

from forgetmap.measure.cell import Estimate, RestsOn
from forgetmap.measure.estimates import Bands, Estimates
from forgetmap.stats.interval import Sums


def estimate_at(found: Estimates, place: int) -> Estimate | None:
    value = number(found.value[place])
    if value is None:
        return None
    return Estimate(value, number(found.low[place]), number(found.high[place]), int(found.n[place]), found.method)


def band_at(found: Bands, place: int) -> Estimate:
    return Estimate(None, number(found.low[place]), number(found.high[place]), int(found.n[place]), found.method)


def rests_at(found: Estimates | Bands, place: int) -> RestsOn:
    lower, upper = found.sums if isinstance(found, Bands) else (found.sums, found.sums)
    return RestsOn(_sums_at(lower, place), _sums_at(upper, place))


def _sums_at(found: Sums, place: int) -> Sums:
    return Sums._make(column[place : place + 1] for column in found)


def number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def whole(value: float) -> float:
    """Counts of items are whole where every item has one draw a side."""
    nearest = round(value)
    return float(nearest) if abs(value - nearest) < 1e-9 else float(value)
