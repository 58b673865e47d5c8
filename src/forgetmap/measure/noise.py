"""Noise: loss between draws of one checkpoint, and raw loss beyond it."""

import numpy as np

from forgetmap.measure.estimates import Estimates, Groups, estimate, fold_scores
from forgetmap.measure.raw import raw_loss
from forgetmap.measure.transitions import Graded, Pairs
from forgetmap.stats.arrays import Floats


def noise_floor(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Mean loss between two draws of one checkpoint, the mean of both sides: per item c(R−c)/(R(R−1)) with c of R draws right.

    Where one side alone has several draws it stands for both. Items with one draw on both sides are left out. Not 0 for a run
    against itself: an unchanged sampled model loses this much from draw to draw.
    """
    x = floor(pairs)
    return estimate(fold_scores(np.nan_to_num(x), pairs, groups, ~np.isnan(x), noise_ends(len(x))), confidence)


def excess(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Raw loss beyond the noise floor: X = [right→not right] − N_before/2 − N_after/2, per item.

    Positive = more was lost than sampling explains; exactly 0 for a run with several draws against itself.
    """
    x = without_rounding(raw_loss(pairs) - floor(pairs))
    one = np.ones(len(x))
    return estimate(fold_scores(np.nan_to_num(x), pairs, groups, ~np.isnan(x), (-one, one)), confidence)


def floor(pairs: Pairs | Graded) -> Floats:
    """Per item (N_before + N_after)/2; one side stands for both where the other has one draw; NaN where neither has several."""
    before = np.where(np.isnan(pairs.noise_before), pairs.noise_after, pairs.noise_before)
    after = np.where(np.isnan(pairs.noise_after), pairs.noise_before, pairs.noise_after)
    return (before + after) / 2


def noise_ends(rows: int) -> tuple[Floats, Floats]:
    """Least and greatest noise of an item: 0, and ½, where it has two draws of which one is right."""
    return np.zeros(rows), np.full(rows, 0.5)


def without_rounding(x: Floats) -> Floats:
    """Differences of equal sums of fractions are 0, not 1e-17."""
    return np.where(np.abs(x) < 1e-12, 0.0, x)
