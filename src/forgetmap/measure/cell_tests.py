"""The tests a cell shows besides its intervals."""

import numpy as np

from forgetmap.measure.estimates import Estimates, Groups
from forgetmap.measure.fold import WRONG
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
    use = inside & guessable & (pairs.chance > 0)
    q = np.where(banded, pairs.chance, pairs.luck / (1 + pairs.luck))
    lost = lost_to(pairs.share, WRONG) * pairs.items
    again = np.where(banded, pairs.share[:, [SAME, OTHER, UNKNOWN]].sum(axis=1), pairs.share[:, OTHER])
    return [
        None if drawn[code] else _group_luck(use & (groups.code == code), lost, lost + again * pairs.items, q)
        for code in range(groups.size)
    ]


def _group_luck(rows: Bools, lost: Floats, trials: Floats, q: Floats) -> float | None:
    if not rows.any():
        return None
    values, inverse = np.unique(q[rows], return_inverse=True)
    totals = np.bincount(inverse, trials[rows])
    return luck_p(round(lost[rows].sum()), {float(v): round(t) for v, t in zip(values, totals, strict=True)})
