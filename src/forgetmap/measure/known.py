"""What was known: mean knowledge score u = 1 right, −c/(1−c) wrong, 0 unanswered. E[u] = P(known) when guesses are even."""

from forgetmap.measure.columns import RIGHT, WRONG
from forgetmap.measure.estimates import Estimates, Groups, estimate, fold_scores
from forgetmap.measure.forgetting import odds
from forgetmap.measure.transitions import Pairs
from forgetmap.measure.unanswered import ends
from forgetmap.stats.arrays import Bools, Floats


def known_before(pairs: Pairs, groups: Groups, *, used: Bools, confidence: float = 0.95) -> Estimates:
    """Share of items known before, over the `used` items (those that forgetting rests on, so that gain − forgetting is its change)."""
    return estimate(fold_scores(knowledge(pairs), pairs, groups, used, ends(pairs)), confidence)


def knowledge(pairs: Pairs) -> Floats:
    """Per item the mean knowledge score before."""
    states = pairs.states("before")
    score: Floats = states[:, RIGHT] - odds(pairs)[0] * states[:, WRONG]
    return score
