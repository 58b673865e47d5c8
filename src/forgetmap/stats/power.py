"""How many items and draws show or exclude a forgetting: from the spread of the item scores when each answer is known or guessed.

Assumed: what is known is known for good but for noise, which has a draw of a known item guessed all the same; guesses fall evenly on
the options, and a second guess at an item repeats the first with probability `repeated_luck`; items are independent, nothing is
gained and every draw is answered. Draws are taken as `compare` takes them: every draw before with every draw after of another seed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy import special

from forgetmap.errors import SettingError
from forgetmap.stats.arrays import Floats
from forgetmap.stats.interval import Sums, bounds, padded, quantile

MOST_ITEMS = 10**9
MOST_OPTIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A comparison to come."""

    k: int | None = 4
    """Options of an item, one of them right; null = open."""
    known: float = 0.6
    """Before."""
    repeated_luck: float = 0.5
    noise: float = 0.0
    """Share of all items that are known and yet lost from one draw of a checkpoint to the next; taken as known beforehand."""
    draws: int = 1
    """On each side."""
    confidence: float = 0.95
    power: float = 0.8
    """Share of studies that are to find what is there."""

    def __post_init__(self) -> None:
        for name in ("known", "repeated_luck"):
            _demand(0 <= getattr(self, name) <= 1, f"{name} is a share between 0 and 1", getattr(self, name))
        for name in ("confidence", "power"):
            _demand(0.5 <= getattr(self, name) < 1, f"{name} lies between 0.5 and 1", getattr(self, name))
        _demand(self.draws >= 1, "draws count from 1", self.draws)
        why = f"k is 3 to {MOST_OPTIONS} options, or open: with one wrong option forgetting is a band, however many items there are"
        _demand(self.k is None or 3 <= self.k <= MOST_OPTIONS, why, self.k)
        most = f"noise is a share between 0 and a quarter of what is known ({self.known / 4:g})"
        _demand(0 <= self.noise <= self.known / 4, most, self.noise)

    @property
    def slip(self) -> float:
        """How often a draw of a known item is guessed all the same: known·slip·(1 − slip) is the noise."""
        return (1 - sqrt(1 - 4 * self.noise / self.known)) / 2 if self.noise else 0.0

    @property
    def ends(self) -> tuple[float, float]:
        """Least and greatest score of an item."""
        return (0.0, 1.0) if self.k is None else (-1 / (self.k - 2) / (1 - 1 / self.k), 1 / (1 - 1 / self.k))


class Spread(NamedTuple):
    """Mean and variance of an item's score x, and the slope of x² on x: where the mean comes out low, so does the spread."""

    mean: float
    variance: float
    slope: float


def spread(plan: Plan, forgotten: float) -> Spread:
    """Of the `option` score, its draws averaged, where a share `forgotten` of the items was known and is known no more.

    An item is kept, forgotten or never known, and guesses by habit a right or a wrong option. Given both, its draws are independent, so
    that with R draws a side the variance of its score is [ζ + (R−2)·(ζ_before + ζ_after)]/(R·(R−1)), or ζ with one draw: ζ is the
    variance of one pair of draws, ζ_before that of its mean given the draw before. The slope is exact for one draw and two; more
    are taken to be as skewed as so many independent pairs of draws with the same variance.
    """
    kinds = _kinds(plan, forgotten)
    weights = np.array([weight for weight, _ in kinds])
    mean, squares, cubes = weights @ np.array([moments for _, moments in kinds])
    variance = float(squares - mean**2)
    return Spread(float(mean), variance, float(cubes - mean * squares) / variance if variance > 0 else 0.0)


def items_to_show(plan: Plan, forgetting: float) -> int | None:
    """Items with which the interval lies above what noise alone looks like; null where a thousand million are too few."""
    at = expected(plan, 0.0)
    found = spread(plan, _possible(plan, forgetting))
    return _least_items(lambda items: _bound(plan, found, items, lower=True) > at)


def items_to_exclude(plan: Plan, forgetting: float, excluded: float) -> int | None:
    """Items with which, if `forgetting` is true, the interval lies below what `excluded` looks like."""
    if excluded <= forgetting:
        raise SettingError(
            f"only more than what is forgotten can be excluded, and {excluded:g} is not above {forgetting:g}."
        )
    at = expected(plan, excluded)
    found = spread(plan, _possible(plan, forgetting))
    return _least_items(lambda items: _bound(plan, found, items, lower=False) < at)


def smallest_shown(plan: Plan, items: int) -> float | None:
    """Smallest forgetting that so many items show; null where all that is known could go unseen."""
    _demand(items >= 1, "items count from 1", items)
    at = expected(plan, 0.0)
    return _least(lambda share: _bound(plan, spread(plan, share), items, lower=True) > at, plan.known)


def smallest_excluded(plan: Plan, items: int, forgetting: float = 0.0) -> float | None:
    """Smallest forgetting that so many items exclude, if `forgetting` is true; null where not even the loss of all can be excluded."""
    _demand(items >= 1, "items count from 1", items)
    upper = _bound(plan, spread(plan, _possible(plan, forgetting)), items, lower=False)
    return _least(lambda share: upper < expected(plan, share), plan.known)


def expected(plan: Plan, forgotten: float) -> float:
    """What forgetting comes out as, noise included: what is known and said before, and forgotten or not said after."""
    return (1 - plan.slip) * (forgotten + (plan.known - forgotten) * plan.slip)


def _possible(plan: Plan, forgetting: float) -> float:
    _demand(0 <= forgetting <= plan.known, f"forgetting lies between 0 and what was known ({plan.known:g})", forgetting)
    return forgetting


def _demand(fine: bool, wanted: str, found: object) -> None:
    if not fine:
        raise SettingError(f"{wanted}; got {found}.")


def _kinds(plan: Plan, forgotten: float) -> list[tuple[float, tuple[float, float, float]]]:
    """Weight of every kind of item, and the means of its score, of its square and of its cube."""
    fates = ((plan.known - forgotten, True, True), (forgotten, True, False), (1 - plan.known, False, False))
    found = []
    for share, habit in _habits(plan):
        for weight, before, after in fates:
            one, two = (_answers(plan, habit, knows=knows) for knows in (before, after))
            found.append((share * weight, _moments(_scores(plan), one, two, plan.draws)))
    return found


def _habits(plan: Plan) -> list[tuple[float, int]]:
    """The option that an item is guessed as, where it is guessed by habit: the right one (0), or any wrong one."""
    return [(1.0, 1)] if plan.k is None else [(1 / plan.k, 0), (1 - 1 / plan.k, 1)]


def _answers(plan: Plan, habit: int, *, knows: bool) -> Floats:
    """The probability of every answer in a draw; answer 0 is right."""
    each = np.eye(plan.k or 2)
    luck = sqrt(plan.repeated_luck)
    guess = each[1] if plan.k is None else luck * each[habit] + (1 - luck) / plan.k
    return np.asarray((1 - plan.slip) * each[0] + plan.slip * guess if knows else guess)


def _scores(plan: Plan) -> Floats:
    """Answers before × answers after: the score of a pair of draws."""
    low, high = plan.ends
    answers = plan.k or 2
    table = np.full((answers, answers), low)
    np.fill_diagonal(table, 0.0)
    table[0], table[:, 0] = high, 0.0
    return table


def _moments(scores: Floats, before: Floats, after: Floats, draws: int) -> tuple[float, float, float]:
    by_before, by_after = scores @ after, before @ scores
    mean, squares, cubes = (float(before @ scores**power @ after) for power in (1, 2, 3))
    variance = pair = max(squares - mean**2, 0.0)
    if draws > 1:
        given = float(before @ by_before**2 + by_after**2 @ after) - 2 * mean**2
        variance = (pair + (draws - 2) * given) / (draws * (draws - 1))
    skewed = (cubes - 3 * mean * squares + 2 * mean**3) * (variance / pair) ** 2 if pair > 0 else 0.0
    return mean, variance + mean**2, mean**3 + 3 * mean * variance + skewed


def _bound(plan: Plan, found: Spread, items: int, *, lower: bool) -> float:
    """The bound of the interval that all but a share 1 − power of the studies stay on the right side of."""
    side = -1 if lower else 1
    off = side * float(special.ndtri(plan.power)) * sqrt(found.variance / items)
    mean = found.mean + off
    squares = found.variance + found.mean**2 + found.slope * off
    low, high = bounds(_summed(items, mean, max(squares, mean**2), plan.ends), plan.confidence)
    return float((low if lower else high)[0])


def _summed(items: int, mean: float, squares: float, ends: tuple[float, float]) -> Sums:
    columns = (items, items * mean, items * squares, *ends, 1.0, 0.0)
    return Sums._make(np.array([column], dtype=np.float64) for column in columns)


def items_deciding(s: Sums, at: float, probability: float) -> int | None:
    """Items with which the one-sided bound would clear `at`, if mean, spread and ties stay as they are; null where it never would.

    `s` has one entry.
    """
    n = float(s.n[0])
    if n == 0 or s.clusters[0] == 1 or np.isclose(s.total[0] / n, at):
        return None
    above = bool(s.total[0] / n > at)

    def clears(items: int) -> bool:
        share = items / n
        if share <= 1:
            return False
        more = s._replace(n=s.n * share, total=s.total * share, squares=s.squares * share, clusters=s.clusters * share)
        z = quantile(more, probability)
        return bool(padded(more, z)[0] > at) if above else bool(padded(more, -z)[0] <= at)

    return _least_items(clears)


def _least_items(enough: Callable[[int], bool]) -> int | None:
    """The least number of items that is enough, if more never hurt."""
    high = 2
    while not enough(high):
        high *= 2
        if high > MOST_ITEMS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _least(enough: Callable[[float], bool], most: float) -> float | None:
    """The least share that is enough, to six digits."""
    if not enough(most):
        return None
    low, high = 0.0, most
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
