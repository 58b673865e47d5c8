"""Forgetting and gain, chance-adjusted by the chosen option: the default."""

import numpy as np

from forgetmap.measure.columns import REFUSED, RIGHT, TRUNCATED, UNPARSED, WRONG
from forgetmap.measure.estimates import Estimates, Groups, estimate, fold_scores
from forgetmap.measure.transitions import IDENTIFIED, OTHER, STATES, Pairs, lost_to, swapped
from forgetmap.stats.arrays import Floats


def forgetting(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Share of items known before and unknown after, one estimate a group.

    F = mean {[right→wrong] − r·[wrong→other wrong]} / (1−c) + unanswered part, with c = m/k the chance of an item with m golds and
    r = m/(k−m−1). Positive = forgot; 0 = no more than luck explains; may be negative by noise; exactly 0 for a run against itself.
    Items whose forgetting is not identified (yes/no questions, unknown chance or options) are left out; the map counts them.
    """
    x = answered_part(pairs) + unanswered_part(pairs)
    return estimate(fold_scores(x, pairs, groups, pairs.status == IDENTIFIED, option_ends(pairs)), confidence)


def gain(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Share of items unknown before and known after: forgetting with before and after exchanged. Positive = learned."""
    return forgetting(swapped(pairs), groups, confidence=confidence)


def answered_part(pairs: Pairs) -> Floats:
    """Per item ([right→wrong] − r·[wrong→other wrong])/(1−c); only meaningful where identified."""
    found: Floats = (lost_to(pairs.share, WRONG) - pairs.luck * pairs.share[:, OTHER]) * odds(pairs)[1]
    return found


def unanswered_part(pairs: Pairs, states: tuple[int, ...] = (UNPARSED, REFUSED, TRUNCATED)) -> Floats:
    """Per item [right→unanswered] − c/(1−c)·[wrong→unanswered]; `states` picks some kinds of unanswered."""
    found: Floats = sum(
        (pairs.share[:, STATES * RIGHT + s] - odds(pairs)[0] * pairs.share[:, STATES * WRONG + s] for s in states),
        np.zeros(len(pairs.share)),
    )
    return found


def odds(pairs: Pairs) -> tuple[Floats, Floats]:
    """c/(1−c) and 1/(1−c); 0 and 0 where chance is unknown or 1, since such items are never used."""
    usable = pairs.chance < 1
    c = np.where(usable, pairs.chance, 0.0)
    return np.where(usable, c / (1 - c), 0.0), np.where(usable, 1 / (1 - c), 0.0)


def option_ends(pairs: Pairs) -> tuple[Floats, Floats]:
    """Least and greatest score of an item: −r/(1−c) and 1/(1−c)."""
    inverse = odds(pairs)[1]
    return -np.nan_to_num(pairs.luck) * inverse, inverse
