"""The exam that every metric and every estimator sits."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pytest

from forgetmap import KnowOrGuess
from forgetmap.measure import ESTIMATORS, METRICS
from forgetmap.measure.alternatives import published_unclipped
from forgetmap.measure.estimates import Estimates, Groups
from forgetmap.measure.fold import fold
from forgetmap.measure.known import known_before
from forgetmap.measure.net import net
from forgetmap.measure.pair import pair
from forgetmap.measure.transitions import Pairs, swapped, transitions
from forgetmap.stats.arrays import Floats
from forgetmap.tables import load
from tests.measure.told import by_study, together, told

Metric = Callable[..., Estimates]
ROOM = {**dict.fromkeys(METRICS, "metrics"), **dict.fromkeys(ESTIMATORS, "estimators")}
EVERY = {**METRICS, **ESTIMATORS}
NEEDS_DRAWS = ("noise_floor", "excess")
MIXED = {3: 0.4, 4: 0.4, 10: 0.2}
CHANGED = KnowOrGuess(
    known=0.6, forgotten=0.15, gained=0.1, options=MIXED, unanswered_before=0.1, unanswered_after=0.2
)  # fmt: skip
"""Luck does not repeat, so that estimators which assume as much have nothing to be excused for."""
CHANGED_IN_DRAWS = KnowOrGuess(
    known=0.6, forgotten=0.15, gained=0.1, options=MIXED, draws=3, slip=0.1, repeated_luck=0.5
)

NOT_ZERO_AGAINST_ITSELF: Mapping[str, str] = {
    "noise_floor": "it says how much an unchanged checkpoint loses from draw to draw",
    "table": "it takes every wrong answer twice over for luck, and against itself all wrong answers are given twice",
    "score": "it takes guesses for independent, and against itself they are the same",
}
NOT_ZERO_ON_GUESSING: Mapping[str, str] = {
    "raw": "it takes no luck off",
    "noise_floor": "guesses of several draws differ, and that is noise",
    "published": "its clip turns the half of all studies that lie below 0 into 0",
}
NO_INTERVAL: Mapping[str, str] = {"published": "none was published"}


def metric(name: str) -> Metric:
    found: Metric = load(EVERY, name, group=ROOM[name])
    return found


def world(name: str) -> KnowOrGuess:
    return CHANGED_IN_DRAWS if name in NEEDS_DRAWS else CHANGED


def truth(name: str, law: KnowOrGuess) -> float:
    """What a metric or estimator is after."""
    return float(getattr(law, {"table": "forgetting", "score": "forgetting", "raw": "raw_loss"}.get(name, name)))


def known_change(pairs: Pairs) -> Floats:
    """Known after − known before."""
    groups, everything = by_study(pairs), np.ones(len(pairs.leaf), bool)
    after, before = (known_before(side, groups, used=everything).value for side in (swapped(pairs), pairs))
    return after - before


class Swap(NamedTuple):
    """What a metric says of before and after exchanged: the value of another metric, or a multiple of its own plus something."""

    other: str | None = None
    times: float = 1.0
    plus: Callable[[Pairs], Floats] = lambda pairs: np.zeros(int(pairs.leaf.max()) + 1)


SWAPS = {
    "forgetting": Swap("gain"),
    "gain": Swap("forgetting"),
    "net": Swap(times=-1.0),
    "unanswered_loss": Swap("unanswered_gain"),
    "unanswered_gain": Swap("unanswered_loss"),
    "noise_floor": Swap(),
    "excess": Swap(plus=lambda pairs: net(pairs, by_study(pairs)).value),
    "table": Swap(plus=known_change),
    "score": Swap(plus=known_change),
    "published": Swap(plus=lambda pairs: net(pairs, by_study(pairs)).value),
    "raw": Swap(plus=lambda pairs: net(pairs, by_study(pairs)).value),
}
"""Exchanging the sides turns losses into gains, and gain is loss plus the net change."""


ENDS = {
    "forgetting": (-2 / 3, 4 / 3),
    "gain": (-2 / 3, 4 / 3),
    "net": (-1, 1),
    "unanswered_loss": (-1 / 3, 1),
    "unanswered_gain": (-1 / 3, 1),
    "noise_floor": (0, 1 / 2),
    "excess": (-1, 1),
    "table": (-4 / 9, 4 / 3),
    "score": (-4 / 9, 4 / 3),
    "raw": (0, 1),
}
"""The least and the greatest score that an item of four options and one gold can have."""


@pytest.mark.parametrize("name", [name for name in [*METRICS, *ESTIMATORS] if name not in NO_INTERVAL])
def test_the_ends_are_what_an_item_could_have_had_and_none_has_more(name: str) -> None:
    every = [one + two for one in "Rabc?" for two in "Rabc?"]
    sides = [one for one in every for _ in every], [two for _ in every for two in every]
    several = told(*sides, k=4, seeds=[[1, 2], [3, 4]])
    single = told([word[0] for word in sides[0]], [word[0] for word in sides[1]], k=4)
    pairs = several if name in NEEDS_DRAWS else single

    rows = metric(name)(pairs, Groups(np.arange(len(pairs.leaf)), len(pairs.leaf)))

    assert (rows.sums.low_end, rows.sums.high_end) == (pytest.approx(ENDS[name][0]), pytest.approx(ENDS[name][1]))
    assert rows.value.min() >= ENDS[name][0] - 1e-12
    assert rows.value.max() <= ENDS[name][1] + 1e-12
    if name not in ("excess", "raw"):
        assert (rows.value.min(), rows.value.max()) == (pytest.approx(ENDS[name][0]), pytest.approx(ENDS[name][1]))


@pytest.mark.parametrize("name", [*METRICS, *ESTIMATORS])
def test_the_order_of_rows_does_not_matter(name: str) -> None:
    pairs = world(name).simulate(items=60, studies=20, seed=1)
    rows = np.random.default_rng(0).permutation(len(pairs.leaf))

    found, again = (metric(name)(some, by_study(some)) for some in (pairs, pairs.take(rows)))

    for one, two in ((found.value, again.value), (found.low, again.low), (found.high, again.high), (found.n, again.n)):
        assert two == pytest.approx(one, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", [*METRICS, *ESTIMATORS])
def test_rows_of_no_group_do_not_count(name: str) -> None:
    pairs = world(name).simulate(items=60, studies=20, seed=2)
    groups, inside = by_study(pairs), pairs.leaf < 10
    rest = pairs.take(inside)

    found = metric(name)(pairs, groups._replace(code=np.where(inside, groups.code, -1), size=10))
    alone = metric(name)(rest, by_study(rest))

    assert found.value == pytest.approx(alone.value, abs=1e-12)
    assert found.n.tolist() == alone.n.tolist()


@pytest.mark.parametrize("name", [*METRICS, *ESTIMATORS])
def test_a_group_without_items_says_nothing(name: str) -> None:
    pairs = world(name).simulate(items=50, seed=2)

    found = metric(name)(pairs, together(pairs)._replace(size=2))

    assert found.n[1] == 0
    assert np.isnan([found.value[1], found.low[1], found.high[1]]).all()
    assert np.isfinite(found.value[0])


@pytest.mark.parametrize("name", [*METRICS, *ESTIMATORS])
def test_swapping_before_and_after_behaves_as_declared(name: str) -> None:
    pairs = world(name).simulate(items=400, studies=20, seed=3)
    groups, declared = by_study(pairs), SWAPS[name]

    exchanged = metric(name)(swapped(pairs), groups)
    straight = metric(declared.other or name)(pairs, groups)

    assert exchanged.value == pytest.approx(declared.times * straight.value + declared.plus(pairs), abs=1e-12)
    if declared.other:
        assert (exchanged.low, exchanged.high) == (pytest.approx(straight.low), pytest.approx(straight.high))


@pytest.mark.parametrize("name", [*METRICS, *ESTIMATORS])
def test_a_run_against_itself_is_exactly_zero(name: str) -> None:
    run = world(name).runs(items=200, seed=4, texts=False)[0]
    folded = fold(run)
    task = pair(folded, folded).tasks[0]
    rows = np.zeros(len(task.rows_before), np.int64)

    found = metric(name)(transitions(task, rows, rows - 1), together(transitions(task, rows, rows - 1))).value[0]

    assert (found == 0) == (name not in NOT_ZERO_AGAINST_ITSELF)


@pytest.mark.parametrize("name", [*METRICS, *ESTIMATORS])
@pytest.mark.parametrize("options", [3, 4, 10])
def test_pure_guessing_forgets_nothing(name: str, options: int) -> None:
    guessing = KnowOrGuess(known=0.0, options=options, draws=2 if name in NEEDS_DRAWS else 1)
    pairs = guessing.simulate(items=600, studies=100 if name in NEEDS_DRAWS else 2000, seed=5)

    found = metric(name)(pairs, by_study(pairs)).value.mean()

    assert (abs(found) <= 0.003) == (name not in NOT_ZERO_ON_GUESSING)


@pytest.mark.parametrize("name", [*METRICS, *ESTIMATORS])
@pytest.mark.parametrize("items", [60, 400])
def test_the_interval_covers_the_simulated_truth(name: str, items: int) -> None:
    law = world(name)
    pairs = law.simulate(items=items, studies=300 if name in NEEDS_DRAWS else 3000, seed=items)

    found = metric(name)(pairs, by_study(pairs))

    if name in NO_INTERVAL:
        assert np.isnan([*found.low, *found.high]).all()
    else:
        covered = (found.low <= truth(name, law)) & (truth(name, law) <= found.high)
        assert covered.mean() >= 0.935
        assert found.value.mean() == pytest.approx(truth(name, law), abs=0.005)


def test_the_published_formula_says_what_its_bias_law_says() -> None:
    for options in (2, 4, 10):
        law = KnowOrGuess(known=0.5, forgotten=0.2, gained=0.1, options=options)
        pairs = law.simulate(items=3000, studies=2000, seed=6)
        related = 0.3 - 0.5 * 0.4

        found = published_unclipped(pairs, by_study(pairs)).mean()

        assert found == pytest.approx(0.2 * (1 - 1 / options) + (options - 1) / options**2 * related, abs=0.001)


def test_forgetting_less_gain_is_the_change_of_what_is_known_in_every_study() -> None:
    pairs = CHANGED.simulate(items=100, studies=50, seed=7)
    groups = by_study(pairs)

    gained, forgotten = (metric(name)(pairs, groups).value for name in ("gain", "forgetting"))

    assert gained - forgotten == pytest.approx(known_change(pairs), abs=1e-12)
