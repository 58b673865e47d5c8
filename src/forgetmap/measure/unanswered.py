"""The unanswered part of forgetting and gain: known, but no longer (or not yet) answered."""

import numpy as np

from forgetmap.measure.estimates import Estimates, Groups, estimate, fold_scores
from forgetmap.measure.forgetting import odds, unanswered_part
from forgetmap.measure.transitions import BAND, IDENTIFIED, Pairs, swapped
from forgetmap.stats.arrays import Floats


def unanswered_loss(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Share of items known before and unanswered after: mean of [right→unanswered] − c/(1−c)·[wrong→unanswered].

    Part of forgetting wherever chance is known, yes/no questions included. Positive = stopped answering what it knew; 0 for a run
    against itself.
    """
    used = (pairs.status == IDENTIFIED) | (pairs.status == BAND)
    return estimate(fold_scores(unanswered_part(pairs), pairs, groups, used, ends(pairs)), confidence)


def unanswered_gain(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Share of items unanswered before and known after: the loss with before and after exchanged."""
    return unanswered_loss(swapped(pairs), groups, confidence=confidence)


def ends(pairs: Pairs) -> tuple[Floats, Floats]:
    """Least and greatest score of an item: −c/(1−c) and 1."""
    return -odds(pairs)[0], np.ones(len(pairs.chance))
