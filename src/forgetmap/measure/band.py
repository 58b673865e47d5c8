"""Where one value is not identified: the values that repeated luck allows.

With λ the share of unknown items whose luck repeats, F_λ = [p10 − c(1−λ)·p00/(1−c+λc)]/(1−c). λ is not known for yes/no questions
or without chosen options, so the answer is a band: from the least λ at which neither forgetting nor gain is negative, to λ = 1.
"""

import numpy as np

from forgetmap.measure.columns import WRONG
from forgetmap.measure.estimates import Bands, Groups, fold_scores
from forgetmap.measure.forgetting import odds, unanswered_part
from forgetmap.measure.transitions import BAND, IDENTIFIED, OTHER, SAME, UNKNOWN, Pairs, lost_to, swapped
from forgetmap.stats.arrays import Bools, Floats, totals
from forgetmap.stats.interval import Sums, bounds, mean

STEPS = 40


def band(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Bands:
    """Least and greatest forgetting that the data allow, and the same widened by the interval at each end.

    For a run against itself both are exactly 0 before widening. The unanswered part is identified and added to both ends.
    """
    least_luck = _least_luck(pairs, groups)
    first = _sums(pairs, groups, least_luck)
    last = _sums(pairs, groups, np.ones(groups.size))
    lower = _least_sums(pairs, groups, least_luck, first)
    return Bands(
        least=mean(first),
        greatest=mean(last),
        low=bounds(lower, confidence).low,
        high=bounds(last, confidence).high,
        n=last.n.astype(np.int64),
        method="band",
        sums=(lower, last),
    )


def band_gain(pairs: Pairs, groups: Groups, *, confidence: float = 0.95) -> Bands:
    """The band of gain: before and after exchanged."""
    return band(swapped(pairs), groups, confidence=confidence)


def answered_at(pairs: Pairs, repeated: Floats) -> Floats:
    """Per item the answered part if a share `repeated` of luck repeats: 0 is the 2×2 table's, 1 takes nothing off."""
    c = np.where(pairs.chance < 1, pairs.chance, 0.0)
    never = pairs.share[:, SAME] + pairs.share[:, OTHER] + pairs.share[:, UNKNOWN]
    by_luck = c * (1 - repeated) * never / (1 - c + repeated * c)
    found: Floats = (lost_to(pairs.share, WRONG) - by_luck) * odds(pairs)[1]
    return found


def ends_at(pairs: Pairs, repeated: Floats) -> tuple[Floats, Floats]:
    """Least and greatest score of an item at that share of repeated luck."""
    c = np.where(pairs.chance < 1, pairs.chance, 0.0)
    inverse = odds(pairs)[1]
    by_luck = c * (1 - repeated) / (1 - c + repeated * c) * inverse
    return -np.maximum(by_luck, odds(pairs)[0]), inverse


def usable(pairs: Pairs) -> Bools:
    """Items with a known chance below 1."""
    return np.asarray((pairs.status == IDENTIFIED) | (pairs.status == BAND))


def _sums(pairs: Pairs, groups: Groups, luck: Floats) -> Sums:
    repeated = luck[np.maximum(groups.code, 0)]
    x = answered_at(pairs, repeated) + unanswered_part(pairs)
    return fold_scores(x, pairs, groups, usable(pairs), ends_at(pairs, repeated))


def _least_sums(pairs: Pairs, groups: Groups, luck: Floats, first: Sums) -> Sums:
    """What the interval of the lower end rests on: the scores at the least λ, but where gain set that λ, loss less gain.

    There answered gain is 0, so that the lower end is the loss of what was known; the scores at that λ have the same mean, but leave
    out that λ was read off the same items, and their interval missed the truth in up to 13 % of simulated studies.
    """
    change = (lost_to(pairs.share, WRONG) - lost_to(swapped(pairs).share, WRONG)) * odds(pairs)[1]
    ends = -odds(pairs)[1], odds(pairs)[1]
    by_change = fold_scores(change + unanswered_part(pairs), pairs, groups, usable(pairs), ends)
    lost, gained = _both_ways(pairs, groups, luck)
    by_gain = (luck > 0) & (gained < lost)
    return Sums._make(np.where(by_gain, ours, theirs) for ours, theirs in zip(by_change, first, strict=True))


def _least_luck(pairs: Pairs, groups: Groups) -> Floats:
    """Per group the least λ with answered forgetting and answered gain both at least 0; both grow with λ, so halving finds it."""
    low, high = np.zeros(groups.size), np.ones(groups.size)
    enough = _fair(pairs, groups, low)
    for _ in range(STEPS):
        middle = (low + high) / 2
        fair = _fair(pairs, groups, middle)
        low, high = np.where(fair, low, middle), np.where(fair, middle, high)
    return np.where(enough, 0.0, high)


def _fair(pairs: Pairs, groups: Groups, luck: Floats) -> Bools:
    lost, gained = _both_ways(pairs, groups, luck)
    return np.asarray(np.minimum(lost, gained) >= 0)


def _both_ways(pairs: Pairs, groups: Groups, luck: Floats) -> tuple[Floats, Floats]:
    """Answered forgetting and answered gain of each group, summed over items (over means of domains), if these shares of luck repeat."""
    repeated = luck[np.maximum(groups.code, 0)]
    rows = usable(pairs) & (groups.code >= 0)
    code, items = groups.code[rows], pairs.items[rows]
    if groups.domains is not None:
        domain = groups.domains[rows]
        items = items / totals(domain, items, int(domain.max(initial=0)) + 1)[domain]
    lost, gained = (answered_at(side, repeated)[rows] * items for side in (pairs, swapped(pairs)))
    return totals(code, lost, groups.size), totals(code, gained, groups.size)
