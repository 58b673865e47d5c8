"""Estimators on request, each with the assumption it makes. None replaces the default; all stand beside it."""

import numpy as np

from forgetmap.measure.band import answered_at, ends_at, usable
from forgetmap.measure.estimates import Estimates, Groups, estimate, fold_scores
from forgetmap.measure.forgetting import odds, unanswered_part
from forgetmap.measure.known import knowledge
from forgetmap.measure.raw import raw_loss
from forgetmap.measure.transitions import CHANCE_UNKNOWN, Pairs, swapped
from forgetmap.stats.arrays import Floats
from forgetmap.stats.interval import Sums, mean

ASSUMPTIONS = {
    "option": "luck falls evenly on the options; a repeated wrong answer is no luck",
    "table": "guesses before and after are independent; every wrong→wrong counts as luck twice over",
    "score": "guesses before and after are independent, and so is what was forgotten of what was known, item by item",
    "published": "what the two models do not know are unrelated sets; lucky hits on forgotten items are left in; clipped at 0 per task "
    "and seed, then every task counts the same, and every category",
    "raw": "none: luck, sampling noise and unanswered items all count as loss",
}


def table(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """The 2×2 table's estimate: {p10 − c/(1−c)·p00}/(1−c) + unanswered part, if guesses before and after are independent.

    Far below 0 where wrong answers repeat (as they do between close checkpoints): a run against itself gives −c·p00/(1−c)².
    """
    zero = np.zeros(len(pairs.chance))
    x = answered_at(pairs, zero) + unanswered_part(pairs)
    return estimate(fold_scores(x, pairs, groups, usable(pairs), ends_at(pairs, zero)), confidence)


def score(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """Mean u_before·(1 − u_after) of the knowledge scores, if guesses before and after are independent."""
    u_before, u_after = knowledge(pairs), knowledge(swapped(pairs))
    ratio, inverse = odds(pairs)
    return estimate(
        fold_scores(u_before * (1 - u_after), pairs, groups, usable(pairs), (-ratio * inverse, inverse)), confidence
    )


def published(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Estimates:
    """max(p10 − (1−a_before)(1−a_after)/(k−1), 0) over each group as one task of the paper in one seed; no interval was published.

    A map puts it in the paper's order of means over tasks, categories and seeds: see the module `published`. For one gold, one k and
    guesses that do not repeat it tends to F − F/k + ((k−1)/k²)·Cov(K_b, K_a) before its clip, so it overstates small and understates
    large forgetting. Cite: harmon2025postforgetting.
    """
    value = np.maximum(published_unclipped(pairs, groups), 0.0)
    nothing = np.full(groups.size, np.nan)
    found = _everything(np.ones(len(pairs.chance)), pairs, groups)
    return Estimates(value, nothing, nothing, found.n.astype(np.int64), "published, clipped, no interval", found)


def published_unclipped(pairs: Pairs, groups: Groups) -> Floats:
    """The published formula before its clip; null where an item's chance is unknown."""
    lost = mean(_everything(raw_loss(pairs), pairs, groups))
    before = mean(_everything(pairs.score_before, pairs, groups))
    after = mean(_everything(pairs.score_after, pairs, groups))
    # 1/(k−1) is c/(1−c) for one gold; an item of one option has no luck to take off.
    luck = mean(_everything(odds(pairs)[0], pairs, groups))
    unknown = mean(_everything((pairs.status == CHANCE_UNKNOWN).astype(float), pairs, groups)) > 0
    return np.where(unknown, np.nan, lost - (1 - before) * (1 - after) * luck)


def _everything(x: Floats, pairs: Pairs, groups: Groups) -> Sums:
    one = np.ones(len(x))
    return fold_scores(x, pairs, groups, one > 0, (-one, one))
