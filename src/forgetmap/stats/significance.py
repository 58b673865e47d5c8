"""Tests: paired change, luck, many cells at once, and what a cell can detect."""

import numpy as np
from scipy import special

from forgetmap.stats.arrays import Floats


def mcnemar_mid_p(lost: Floats, gained: Floats) -> Floats:
    """Two-sided mid-p of "an item that changes is as often lost as gained" (Fagerland, Lydersen and Laake 2013); 1 without changes.

    >>> float(mcnemar_mid_p(np.array([5.0]), np.array([5.0]))[0])
    1.0
    """
    fewer, changes = np.minimum(lost, gained), np.rint(lost + gained).astype(np.int64)
    at_least = np.where(fewer > 0, special.bdtr(np.maximum(fewer - 1, 0), changes, 0.5), 0.0)
    here = special.bdtr(fewer, changes, 0.5) - at_least
    return np.where(lost == gained, 1.0, np.minimum(1.0, 2 * at_least + here))


def luck_p(lost: int, trials: dict[float, int]) -> float:
    """Exact upper tail of the number of losses when each of `trials[q]` items is lost by luck with probability q (Poisson-binomial).

    >>> luck_p(0, {0.25: 10})
    1.0
    >>> round(luck_p(2, {0.5: 2}), 2)
    0.25
    """
    start, weights = 0, np.ones(1)
    for q, n in trials.items():
        low, mass = _binomial(n, q)
        start, weights = start + low, np.convolve(weights, mass)
    return float(min(1.0, weights[max(0, lost - start) :].sum())) if lost > 0 else 1.0


def _binomial(n: int, q: float) -> tuple[int, Floats]:
    """Where a binomial's mass lies: the first value and the probabilities from there on; what is left out is below 1e-15."""
    reach = 9 * np.sqrt(n * q * (1 - q)) + 25
    low, high = int(max(0, n * q - reach)), int(min(n, n * q + reach))
    values = np.arange(low, high + 1)
    logs = special.gammaln(n + 1) - special.gammaln(values + 1) - special.gammaln(n - values + 1)
    return low, np.exp(logs + special.xlogy(values, q) + special.xlog1py(n - values, -q))


def benjamini_hochberg(p: Floats) -> Floats:
    """Adjusted p-values that bound the share of false discoveries (Benjamini and Hochberg 1995); NaN stays NaN and does not count.

    >>> [float(q) for q in benjamini_hochberg(np.array([0.01, 0.04, np.nan]))]
    [0.02, 0.04, nan]
    """
    known = np.flatnonzero(~np.isnan(p))
    q = np.full(p.shape, np.nan)
    order = known[np.argsort(p[known])]
    steps = p[order] * len(order) / np.arange(1, len(order) + 1)
    q[order] = np.minimum(1.0, np.minimum.accumulate(steps[::-1])[::-1])
    return q


def holm(p: Floats) -> Floats:
    """Adjusted p-values that bound the chance of any false alarm (Holm 1979); NaN stays NaN and does not count.

    >>> [float(q) for q in holm(np.array([0.03, 0.01, np.nan]))]
    [0.03, 0.02, nan]
    """
    known = np.flatnonzero(~np.isnan(p))
    adjusted = np.full(p.shape, np.nan)
    order = known[np.argsort(p[known])]
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


def detectable(standard_error: Floats, *, confidence: float, power: float = 0.8) -> Floats:
    """Smallest true value whose interval lies above 0 in `power` of all studies, given the standard error."""
    return (special.ndtri(0.5 + confidence / 2) + special.ndtri(power)) * standard_error
