"""The one interval: for every mean of item scores with known ends, plain or clustered.

Pad the sample with z²/2 imagined items at each end, then take mean ± z·sd/√n of the padded sample. For 0/1 scores this is exactly
the interval of Agresti and Coull (1998), here carried over to bounded scores. It needs only n, Σx, Σx² and the ends.
All functions take one entry a group and return one entry a group; an empty group gives NaN.
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from forgetmap.stats.arrays import Floats, Ints, totals


class Sums(NamedTuple):
    """What an interval needs to know of a group's scores. `clusters` is 0 where items are independent."""

    n: Floats
    total: Floats
    squares: Floats
    low_end: Floats
    high_end: Floats
    design: Floats
    clusters: Floats


class Bounds(NamedTuple):
    """Lower and upper bound, one entry a group."""

    low: Floats
    high: Floats


def sums(x: Floats, count: Floats, group: Ints, groups: int, *, ends: tuple[Floats, Floats]) -> Sums:
    """Fold scores (each standing for `count` independent items) into sums; `ends` are each score's possible least and greatest value.

    >>> s = sums(np.array([1.0, 0.0]), np.array([3.0, 7.0]), np.array([0, 0]), 1, ends=(np.zeros(2), np.ones(2)))
    >>> float(s.n[0]), float(s.total[0])
    (10.0, 3.0)
    """
    low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
    present = count > 0
    np.minimum.at(low, group[present], ends[0][present])
    np.maximum.at(high, group[present], ends[1][present])
    weighted = x * count
    return Sums(
        n=totals(group, count, groups),
        total=totals(group, weighted, groups),
        squares=totals(group, weighted * x, groups),
        low_end=low,
        high_end=high,
        design=np.ones(groups),
        clusters=np.zeros(groups),
    )


def clustered(plain: Sums, x: Floats, group: Ints, cluster: Ints, count: Floats | None = None) -> Sums:
    """Add the design effect D of items that share a passage; `cluster` holds one code per item, the same code for the same passage.

    With sizes m_g, sums s_g, G' = n²/Σm_g², θ = Σs_g/n and e_g = s_g − θ·m_g: D = max(1, G'/(G'−1)·Σe_g²/Σ(x−θ)²), or n/G' where
    all scores are equal. Groups whose items are all alone in their cluster keep D = 1 and the normal quantile. Items with the code −1
    are alone, and of these one entry may stand for `count` items.
    """
    groups, alone = len(plain.n), cluster < 0
    one, single = group[alone], (np.ones(len(x)) if count is None else count)[alone]
    x, tied, x_alone = x[~alone], group[~alone], x[alone]
    codes = int(cluster.max(initial=0)) + 1
    named, where = np.unique(tied * codes + cluster[~alone], return_inverse=True)
    owner = named // codes
    passage = where.ravel()
    size = totals(passage, np.ones(len(x)), len(owner))
    with np.errstate(divide="ignore", invalid="ignore"):
        theta = plain.total / plain.n
        error = totals(passage, x, len(owner)) - theta[owner] * size
        squares = totals(owner, error**2, groups) + totals(one, single * (x_alone - theta[one]) ** 2, groups)
        effective = plain.n**2 / (totals(owner, size**2, groups) + totals(one, single, groups))
        spread = plain.squares - plain.n * theta**2
        between = effective / (effective - 1) * squares
        flat = spread <= 1e-12 * np.maximum(plain.squares, 1.0)
        design = np.where(flat, plain.n / effective, np.maximum(1.0, between / np.where(flat, 1.0, spread)))
    passages = totals(owner, np.ones(len(owner)), groups) + totals(one, single, groups)
    shared = passages < plain.n
    return plain._replace(
        design=np.where(shared & (passages > 1), design, 1.0), clusters=np.where(shared, passages, 0.0)
    )


def mean(s: Sums) -> Floats:
    """The plain mean, NaN for an empty group."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return s.total / s.n


def bounds(s: Sums, confidence: float) -> Bounds:
    """The interval of every group; NaN where there is no item, or fewer than two clusters."""
    z = quantile(s, 0.5 + confidence / 2)
    low, high = padded(s, z), padded(s, -z)
    unknown = (s.n == 0) | (s.clusters == 1)
    return Bounds(np.where(unknown, np.nan, low), np.where(unknown, np.nan, high))


def padded(s: Sums, z: Floats) -> Floats:
    """Mean − z·sd/√n of the sample padded with z²/2 items at each end; for −z the upper bound."""
    with np.errstate(invalid="ignore", divide="ignore"):
        n, total, squares = s.n / s.design, s.total / s.design, s.squares / s.design
        low, high = np.where(s.n > 0, s.low_end, 0.0), np.where(s.n > 0, s.high_end, 0.0)
        size = n + z**2
        centre = (total + z**2 / 2 * (low + high)) / size
        variance = (squares + z**2 / 2 * (low**2 + high**2)) / size - centre**2
        bound: Floats = centre - z * np.sqrt(np.maximum(variance, 0.0) / size)
    return bound


def quantile(s: Sums, probability: float) -> Floats:
    """Normal quantile, or Student's t on clusters − 1 degrees of freedom where items are tied."""
    normal = special.ndtri(probability)
    freedom = np.maximum(s.clusters - 1, 1.0)
    return np.where(s.clusters > 1, special.stdtrit(freedom, probability), normal)


def standard_error(s: Sums) -> Floats:
    """Standard error of the padded sample at one standard normal deviate either side, never 0 where the ends differ."""
    one = np.ones_like(s.n)
    return np.where(s.n > 0, (padded(s, -one) - padded(s, one)) / 2, np.nan)


def tail(s: Sums, at: float = 0.0) -> Floats:
    """One-sided p-value of "the mean is at most `at`": the padded interval inverted; 0.5 where the mean equals `at`.

    `at` lies between the ends: there just one quantile has its bound at `at`.
    """
    low, high = np.full_like(s.n, -60.0), np.full_like(s.n, 60.0)
    for _ in range(60):
        middle = (low + high) / 2
        above = padded(s, middle) > at
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    z = (low + high) / 2
    freedom = np.maximum(s.clusters - 1, 1.0)
    p = np.where(s.clusters > 1, special.stdtr(freedom, -z), special.ndtr(-z))
    return np.where((s.n == 0) | (s.clusters == 1), np.nan, p)
