"""The tests a cell shows besides its intervals."""

import numpy as np
from scipy import special

from forgetmap.measure.columns import WRONG
from forgetmap.measure.estimates import Estimates, Groups
from forgetmap.measure.noise import floor
from forgetmap.measure.transitions import BAND, IDENTIFIED, OTHER, SAME, UNKNOWN, Pairs, lost_to
from forgetmap.stats.arrays import Bools, Floats, totals
from forgetmap.stats.interval import tail
from forgetmap.stats.significance import luck_p, mcnemar_mid_p


def net_p(net: Estimates, counts: dict[str, Floats]) -> Floats:
    """Two-sided p of the net change: mid-p McNemar for independent items of one draw a side, else the inverted interval."""
    inverted = two_sided(net)
    plain = (net.sums.clusters == 0) & (counts["draws_before"] + counts["draws_after"] == 0)
    whole = mcnemar_mid_p(np.where(plain, counts["n10"], 0), np.where(plain, counts["n01"], 0))
    return np.where(plain & (net.sums.n > 0), whole, inverted)


def two_sided(found: Estimates) -> Floats:
    """Two-sided p of "the mean is 0" by inverting the interval."""
    p = tail(found.sums)
    both: Floats = 2 * np.minimum(p, 1 - p)
    return both


def luck(pairs: Pairs, groups: Groups, by_band: Bools) -> list[float | None]:
    """Per group the exact p of "guessing alone explains the losses"; null with several draws, or where nothing can be guessed.

    If nothing was forgotten, an item that is right, then wrong, was a lucky hit: among these and the wrong→other wrong items its
    probability is r/(1+r) (in a band cell c, among the items wrong afterwards).
    """
    drawn = totals(
        np.maximum(groups.code, 0), (~np.isnan(floor(pairs)) & (groups.code >= 0)).astype(float), groups.size
    )
    inside, banded = groups.code >= 0, by_band[np.maximum(groups.code, 0)]
    guessable = (pairs.status == IDENTIFIED) | (banded & (pairs.status == BAND))
    use = np.flatnonzero(inside & guessable & (pairs.chance > 0))
    q = np.where(banded, pairs.chance, pairs.luck / (1 + pairs.luck))[use]
    lost = lost_to(pairs.share, WRONG)[use] * pairs.items[use]
    again = np.where(banded, pairs.share[:, [SAME, OTHER, UNKNOWN]].sum(axis=1), pairs.share[:, OTHER])[use]
    values, of_value = np.unique(q, return_inverse=True)
    code, size = groups.code[use], max(1, len(values))
    trials = totals(code * size + of_value.ravel(), lost + again * pairs.items[use], groups.size * size)
    found = _luck(totals(code, lost, groups.size), np.rint(trials).reshape(groups.size, size), values)
    guessed = np.bincount(code, minlength=groups.size) > 0
    return [p if some and not several else None for p, some, several in zip(found, guessed, drawn, strict=True)]


def _luck(lost: Floats, trials: Floats, q: Floats) -> list[float]:
    """The exact p of each group, from what was lost and the trials (groups × probabilities): a binomial tail where one is tried."""
    lost = np.rint(lost)
    kinds = (trials > 0).sum(axis=1)
    one = trials.argmax(axis=1)
    if not len(q):
        return [1.0] * len(lost)
    tails = special.bdtrc(np.maximum(lost - 1, 0), trials.max(axis=1).astype(np.int64), q[one])
    found = np.where(lost > 0, tails, 1.0)
    for place in np.flatnonzero((kinds > 1) & (lost > 0)):
        told = {float(q[kind]): int(trials[place, kind]) for kind in np.flatnonzero(trials[place])}
        found[place] = luck_p(int(lost[place]), told)
    return [float(p) for p in found]
