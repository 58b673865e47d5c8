"""Noise floor and excess: what a checkpoint loses from draw to draw, and what is lost beyond."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap import KnowOrGuess
from forgetmap.measure.noise import excess, noise_floor
from forgetmap.measure.raw import raw
from forgetmap.measure.transitions import swapped
from forgetmap.stats.interval import tail
from tests.measure.told import by_study, together, told

DRAWS = st.text("Ra?", min_size=4, max_size=4)


@given(st.lists(DRAWS, min_size=1, max_size=12))
def test_several_draws_against_themselves_have_exactly_no_excess(answers: list[str]) -> None:
    pairs = told(answers, answers, seeds=[[0, 1, 2, 3]] * 2)

    assert excess(pairs, together(pairs)).value.tolist() == [0.0]


@given(st.lists(st.tuples(DRAWS, DRAWS), min_size=1, max_size=12))
def test_excess_of_loss_and_gain_together_is_the_spread_between_the_sides(answers: list[tuple[str, str]]) -> None:
    """Σ(p_before − p_after)², where each side's noise is taken off its square."""
    pairs = told([one for one, _ in answers], [two for _, two in answers], seeds=[[0, 1, 2, 3], [4, 5, 6, 7]])
    groups = together(pairs)
    changed = raw(pairs, groups).value + raw(swapped(pairs), groups).value - 2 * noise_floor(pairs, groups).value

    p, q = pairs.score_before, pairs.score_after
    expected = (p + q - 2 * p * q - 4 / 3 * p * (1 - p) - 4 / 3 * q * (1 - q)).mean()

    assert changed[0] == pytest.approx(expected, abs=1e-12)


def test_the_floor_is_the_mean_of_both_sides() -> None:
    pairs = told(["RRaa"], ["RRRa"], seeds=[[1, 2, 3, 4], [5, 6, 7, 8]])

    assert noise_floor(pairs, together(pairs)).value[0] == pytest.approx((4 / 12 + 3 / 12) / 2)


@pytest.mark.parametrize("sides", [(["RRaa"], ["R"]), (["R"], ["RRaa"])])
def test_one_side_alone_stands_for_both(sides: tuple[list[str], list[str]]) -> None:
    pairs = told(*sides, seeds=[list(range(len(side[0]))) for side in sides])

    assert noise_floor(pairs, together(pairs)).value[0] == pytest.approx(4 / 12)


def test_without_a_second_draw_there_is_no_floor_no_excess_and_no_p() -> None:
    pairs = told(["R", "a"], ["a", "R"])
    found = excess(pairs, together(pairs))

    assert np.isnan([noise_floor(pairs, together(pairs)).value[0], found.value[0], tail(found.sums)[0]]).all()
    assert found.n[0] == 0


def test_items_with_one_draw_are_left_out_of_the_floor() -> None:
    pairs = told(["Ra", "Rx"], ["Ra", "Rx"], seeds=[[1, 2], [3, 4]])

    assert noise_floor(pairs, together(pairs)).n[0] == 1


@pytest.mark.parametrize("draws", [2, 5])
@pytest.mark.parametrize("slip", [0.05, 0.3])
def test_an_unchanged_sampled_checkpoint_has_its_excess_within_the_interval_and_p_keeps_its_size(
    draws: int, slip: float
) -> None:
    law = KnowOrGuess(known=0.7, draws=draws, slip=slip, repeated_luck=0.5)
    pairs = law.simulate(items=150, studies=700, seed=draws)
    floor, beyond = noise_floor(pairs, by_study(pairs)), excess(pairs, by_study(pairs))

    assert law.excess == pytest.approx(0, abs=1e-12)
    assert ((beyond.low <= 0) & (beyond.high >= 0)).mean() >= 0.935
    assert ((floor.low <= law.noise_floor) & (law.noise_floor <= floor.high)).mean() >= 0.925
    assert (tail(beyond.sums) <= 0.05).mean() <= 0.06


def test_what_is_lost_beyond_noise_is_found() -> None:
    law = KnowOrGuess(known=0.7, forgotten=0.15, draws=3, slip=0.1)
    pairs = law.simulate(items=300, studies=300, seed=4)
    found = excess(pairs, by_study(pairs))

    assert found.value.mean() == pytest.approx(law.excess, abs=0.003)
    assert (tail(found.sums) <= 0.05).mean() > 0.95
