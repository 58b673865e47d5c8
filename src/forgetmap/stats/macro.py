"""Means over groups that count the same, whatever their sizes: the same one interval, with unlike weights as a design effect."""

import numpy as np

from forgetmap.stats.arrays import Floats, Ints, totals
from forgetmap.stats.interval import Sums, mean


def macro(parts: Sums, group: Ints, groups: int) -> Sums:
    """Sums whose mean is the plain mean of the means of a group's parts; `group` says to which each part belongs, −1 for none.

    The G parts of n_g items, design effects D_g and variances s_g² (divisor n_g − 1) are independent, so the mean over them has variance
    V = Σ D_g·s_g²/n_g / G². It is told as all items with a design effect, padded like any other: one part is itself. What they are
    worth, G²/Σ(D_g/n_g) items, is lowered where small parts decide, to the geometric mean with 1 + the degrees of freedom of V (after
    Satterthwaite, were all s_g² alike); without that 20 items that are half of a mean had too little padding. A part of one item has no
    variance of its own and takes that of all items of its group. Empty parts are no parts.

    >>> parts = Sums(*(np.array(column, float) for column in ([8, 8], [2, 4], [2, 4], [0, 0], [1, 1], [1, 1], [0, 0])))
    >>> found = macro(parts, np.array([0, 0]), 1)
    >>> float(found.n[0]), float(mean(found)[0])
    (16.0, 0.375)
    """
    inside = (group >= 0) & (parts.n > 0)
    here, at = Sums._make(column[inside] for column in parts), group[inside]
    count, items = totals(at, np.ones(len(at)), groups), totals(at, here.n, groups)
    each = here.design / here.n
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = totals(at, mean(here), groups) / count
        variance = totals(at, _variances(here, at, groups) * each, groups) / count**2
        # Divisor n, as everywhere: of one part that is n_g, so that one part is itself.
        variance *= 1 - totals(at, 1 / here.n, groups) / count**2
        worth = _worth(here, at, groups)
        squares = items * (variance * worth + middle**2)
    low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
    np.minimum.at(low, at, here.low_end)
    np.maximum.at(high, at, here.high_end)
    return Sums(
        n=items,
        total=np.where(count > 0, items * middle, 0.0),
        squares=np.where(count > 0, squares, 0.0),
        low_end=low,
        high_end=high,
        design=np.where(count > 0, items / worth, 1.0),
        clusters=_clusters(here, at, groups),
    )


def _worth(parts: Sums, group: Ints, groups: int) -> Floats:
    """How many independent items of one group the mean over parts is worth."""
    each = parts.design / parts.n
    count, every = totals(group, np.ones(len(group)), groups), totals(group, each, groups)
    freedom = every**2 / totals(group, each**2 / np.maximum(parts.n - 1, 1), groups)
    kish = count**2 / every
    return np.where(count > 1, np.sqrt(kish * np.minimum(kish, freedom + 1)), kish)


def _variances(parts: Sums, group: Ints, groups: int) -> Floats:
    n, total, squares = (totals(group, column, groups) for column in (parts.n, parts.total, parts.squares))
    pooled = np.maximum(squares / n - (total / n) ** 2, 0.0) * n / np.maximum(n - 1, 1)
    own = np.maximum(parts.squares / parts.n - mean(parts) ** 2, 0.0) * parts.n / np.maximum(parts.n - 1, 1)
    return np.where(parts.n > 1, own, pooled[group])


def _clusters(parts: Sums, group: Ints, groups: int) -> Floats:
    """Independent units in all, where items of some part are tied; 1, which gives no interval, where some part has but one."""
    tied = totals(group, (parts.clusters > 0).astype(float), groups) > 0
    alone = totals(group, (parts.clusters == 1).astype(float), groups) > 0
    units = totals(group, np.where(parts.clusters > 0, parts.clusters, parts.n), groups)
    return np.where(alone, 1.0, np.where(tied, units, 0.0))
