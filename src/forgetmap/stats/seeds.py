"""The mean over seeds of one recipe: three intervals for three questions.

Every item is scored under every seed. *Within* asks what other items would say of these seeds, *between* what other seeds of the recipe
would say of these items, *both* what other seeds would say of other items.
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from forgetmap.stats.arrays import Floats
from forgetmap.stats.interval import Bounds, Sums, bounds, mean


class OverSeeds(NamedTuple):
    """A mean over seeds, one entry a group; NaN where there is no item, and but for value and within, where there is one seed."""

    value: Floats
    sd: Floats
    """Standard deviation of the seeds' own means, divisor seeds − 1."""
    within: Bounds
    between: Bounds
    both: Bounds


def over_seeds(by_seed: Floats, items: Sums, confidence: float) -> OverSeeds:
    """Groups × seeds of means, and the sums of the items' means over seeds.

    With s the sd of S seeds, between is the mean ± t·s/√S on S − 1 degrees of freedom; both adds its square to that of the items'
    interval. What is neither item nor seed (an item that one seed loses and another does not) widens both parts, so that the interval
    of both is careful: simulated, it covers .94 to .99.

    >>> from forgetmap.stats.interval import sums
    >>> zero, ten = np.zeros(2, np.int64), np.array([0.0, 0.2])
    >>> found = over_seeds(np.array([[0.0, 0.2]]), sums(ten, np.array([5.0, 5.0]), zero, 1, ends=(zero * 1.0, zero + 1.0)), 0.95)
    >>> round(float(found.sd[0]), 3), round(float(found.between.high[0]), 2)
    (0.141, 1.37)
    """
    seeds, value, within = by_seed.shape[1], mean(items), bounds(items, confidence)
    if seeds < 2:
        nothing = np.full(len(value), np.nan)
        return OverSeeds(value, nothing, within, Bounds(nothing, nothing), Bounds(nothing, nothing))
    centre = by_seed.mean(axis=1)
    sd = np.sqrt(((by_seed - centre[:, None]) ** 2).sum(axis=1) / (seeds - 1))
    half = float(special.stdtrit(seeds - 1, 0.5 + confidence / 2)) * sd / np.sqrt(seeds)
    low, high = (np.sqrt((side - value) ** 2 + half**2) for side in within)
    return OverSeeds(value, sd, within, Bounds(value - half, value + half), Bounds(value - low, value + high))
