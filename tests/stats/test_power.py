"""Items needed: the closed form against simulated studies."""

import numpy as np
import pytest

from forgetmap.errors import SettingError
from forgetmap.measure.forgetting import answered_part, forgetting
from forgetmap.stats.interval import Sums, bounds, sums
from forgetmap.stats.power import (
    Plan,
    expected,
    items_deciding,
    items_to_exclude,
    items_to_show,
    smallest_excluded,
    smallest_shown,
    spread,
)
from forgetmap.theory.know_or_guess import KnowOrGuess
from tests.measure.told import by_study

PLANS = [
    Plan(k=4),
    Plan(k=None, known=0.5),
    Plan(k=10, known=0.3, repeated_luck=0.9),
    Plan(k=4, noise=0.04),
    Plan(k=4, noise=0.04, draws=2),
    Plan(k=3, noise=0.03, draws=4, repeated_luck=0.0),
]


def law(plan: Plan, forgotten: float) -> KnowOrGuess:
    return KnowOrGuess(
        known=plan.known,
        forgotten=forgotten,
        options=plan.k,
        repeated_luck=plan.repeated_luck,
        slip=plan.slip,
        draws=plan.draws,
    )


@pytest.mark.parametrize("plan", PLANS)
def test_mean_and_variance_of_a_score_are_those_of_the_simulated_items(plan: Plan) -> None:
    pairs = law(plan, 0.05).simulate(items=60_000, seed=3)
    x, n = answered_part(pairs), pairs.items.sum()
    mean = (x * pairs.items).sum() / n
    spreads = (x - mean) ** 2
    variance = (spreads * pairs.items).sum() / n
    error_of_variance = np.sqrt(((spreads - variance) ** 2 * pairs.items).sum()) / n

    found = spread(plan, 0.05)

    assert abs(found.mean - mean) < 4 * np.sqrt(variance / n)
    assert abs(found.variance - variance) < 4 * error_of_variance
    assert found.slope == pytest.approx((x**2 * (x - mean) * pairs.items).sum() / n / variance, rel=0.1)


@pytest.mark.parametrize("plan", PLANS)
def test_what_forgetting_comes_out_as_is_what_the_law_says(plan: Plan) -> None:
    assert expected(plan, 0.05) == pytest.approx(law(plan, 0.05).forgetting)
    assert spread(plan, 0.05).mean == pytest.approx(law(plan, 0.05).forgetting)
    assert expected(plan, 0.0) == pytest.approx(plan.noise)


@pytest.mark.parametrize("plan", [Plan(k=4), Plan(k=None), Plan(k=5, noise=0.04), Plan(k=4, confidence=0.9, power=0.9)])
def test_so_many_items_show_and_exclude_in_as_many_studies_as_promised(plan: Plan) -> None:
    to_show, to_exclude = items_to_show(plan, 0.04), items_to_exclude(plan, 0.04, 0.08)
    assert to_show is not None and to_exclude is not None

    lows = simulated(plan, to_show, 0.04)[0]
    highs = simulated(plan, to_exclude, 0.04)[1]

    # Open answers are lost or not, so a handful of losses decides and the share of studies moves in steps.
    tolerance = 0.06 if plan.k is None else 0.03
    assert np.mean(lows > expected(plan, 0.0)) == pytest.approx(plan.power, abs=tolerance)
    assert np.mean(highs < expected(plan, 0.08)) == pytest.approx(plan.power, abs=tolerance)


def simulated(plan: Plan, items: int, forgotten: float) -> tuple[np.ndarray, np.ndarray]:
    pairs = law(plan, forgotten).simulate(items=items, studies=3000, seed=11)
    found = forgetting(pairs, by_study(pairs), confidence=plan.confidence)
    return found.low, found.high


@pytest.mark.parametrize("plan", PLANS)
def test_both_ways_round_agree(plan: Plan) -> None:
    to_show, to_exclude = items_to_show(plan, 0.03), items_to_exclude(plan, 0.03, 0.07)
    assert to_show is not None and to_exclude is not None

    assert smallest_shown(plan, to_show) == pytest.approx(0.03, rel=0.01)
    assert smallest_excluded(plan, to_exclude, 0.03) == pytest.approx(0.07, rel=0.01)


def test_more_draws_need_fewer_items_but_never_fewer_than_the_spread_between_items_wants() -> None:
    needed = [items_to_show(Plan(noise=0.04, draws=draws), 0.02) or 0 for draws in (1, 2, 4, 8, 1000, 2000)]

    assert needed == sorted(needed, reverse=True)
    assert needed[0] > 2 * needed[3]
    assert needed[5] > 0.99 * needed[4] > 100


def test_what_can_never_be_shown_is_null() -> None:
    assert items_to_show(Plan(), 0.0) is None
    assert smallest_shown(Plan(known=0.1), 3) is None
    assert smallest_excluded(Plan(known=0.1), 3) is None


def test_the_items_that_would_decide_do_decide_and_one_fewer_would_not() -> None:
    x = np.repeat([0.0, 1.0, 0.0, -0.5], [150, 8, 34, 4])
    alike = np.zeros(len(x), np.int64)
    s = sums(x, np.ones(len(x)), alike, 1, ends=(np.full(len(x), -0.5), np.ones(len(x))))

    for at in (0.015, 0.05):
        needed = items_deciding(s, at, 0.975)
        assert needed is not None
        assert [decided(s, at, items) for items in (needed - 1, needed)] == [False, True]
    assert items_deciding(s, float(x.mean()), 0.975) is None


def decided(s: Sums, at: float, items: int) -> bool:
    share = items / s.n[0]
    low, high = bounds(s._replace(n=s.n * share, total=s.total * share, squares=s.squares * share), 0.95)
    return bool(low[0] > at or high[0] <= at)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"k": 2}, "k is 3 to 100 options, or open: with one wrong option forgetting is a band"),
        ({"known": 1.5}, r"known is a share between 0 and 1; got 1\.5"),
        ({"noise": 0.2}, r"noise is a share between 0 and a quarter of what is known \(0\.15\); got 0\.2"),
        ({"draws": 0}, "draws count from 1; got 0"),
        ({"power": 1.0}, r"power lies between 0\.5 and 1"),
        ({"known": float("nan")}, "known is a share"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(wrong: dict[str, float], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        Plan(**wrong)  # type: ignore[arg-type]


def test_only_more_than_what_is_forgotten_can_be_excluded() -> None:
    with pytest.raises(SettingError, match=r"0\.02 is not above 0\.03"):
        items_to_exclude(Plan(), 0.03, 0.02)
    with pytest.raises(SettingError, match=r"forgetting lies between 0 and what was known \(0\.6\); got 0\.7"):
        items_to_show(Plan(), 0.7)
