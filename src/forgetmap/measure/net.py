"""Net change of accuracy: what a plain comparison reports. It hides forgetting behind gain, so it is never shown alone."""

import numpy as np

from forgetmap.measure.estimates import Estimates, Groups, estimate, fold_scores
from forgetmap.measure.transitions import Pairs


def net(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Accuracy after − accuracy before over all paired items: negative = worse; exactly 0 for a run against itself.

    An unanswered item is not right. Swapping before and after changes the sign.
    """
    x = pairs.score_after - pairs.score_before
    one = np.ones(len(x))
    return estimate(fold_scores(x, pairs, groups, one > 0, (-one, one)), confidence)
