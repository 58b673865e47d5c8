"""Raw loss: right before, not right after, with nothing taken off."""

import numpy as np

from forgetmap.measure.columns import RIGHT
from forgetmap.measure.estimates import Estimates, Groups, estimate, fold_scores
from forgetmap.measure.transitions import STATES, Pairs
from forgetmap.stats.arrays import Floats


def raw(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Share of items right before and not right after, over all paired items; luck, noise and unanswered items included."""
    x = raw_loss(pairs)
    one = np.ones(len(x))
    return estimate(fold_scores(x, pairs, groups, one > 0, (0 * one, one)), confidence)


def raw_loss(pairs: Pairs) -> Floats:
    """Per item the share of pairs of draws that are right, then not."""
    right = STATES * RIGHT + RIGHT
    lost: Floats = pairs.share[:, right + 1 : right + STATES].sum(axis=1)
    return lost
