"""Graded scores (numbers between 0 and 1): mean losses and gains, without a chance term."""

import numpy as np

from forgetmap.measure.estimates import Estimates, Groups, estimate, fold_scores
from forgetmap.measure.noise import floor, without_rounding
from forgetmap.measure.transitions import Graded
from forgetmap.stats.arrays import Floats


def graded_forgetting(items: Graded, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Mean of (score before − score after)⁺; exactly 0 for a run against itself."""
    return _mean(items.loss, items, groups, (0.0, 1.0), confidence)


def graded_gain(items: Graded, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Mean of (score after − score before)⁺."""
    return _mean(items.gain, items, groups, (0.0, 1.0), confidence)


def graded_net(items: Graded, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Mean score after − mean score before."""
    return _mean(items.score_after - items.score_before, items, groups, (-1.0, 1.0), confidence)


def graded_noise_floor(items: Graded, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Mean loss between two draws of one checkpoint, the mean of both sides."""
    return _mean(floor(items), items, groups, (0.0, 0.5), confidence)


def graded_excess(items: Graded, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Mean loss beyond the noise floor; exactly 0 for a run with several draws against itself."""
    return _mean(without_rounding(items.loss - floor(items)), items, groups, (-1.0, 1.0), confidence)


def _mean(x: Floats, items: Graded, groups: Groups, ends: tuple[float, float], confidence: float) -> Estimates:
    low, high = np.full(len(x), ends[0]), np.full(len(x), ends[1])
    return estimate(fold_scores(np.nan_to_num(x), items, groups, ~np.isnan(x), (low, high)), confidence)
