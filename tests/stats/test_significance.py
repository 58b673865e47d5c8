"""Tests against brute force: every outcome written out and counted."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from forgetmap.stats.significance import benjamini_hochberg, detectable, luck_p, mcnemar_mid_p

P = st.floats(0, 1, allow_subnormal=False)


def mid_p_by_counting(lost: int, gained: int) -> float:
    """Every way in which the changes could have fallen: as far from even or farther, those just as far at one half on each side."""
    changes = lost + gained
    ways = [sum(way) for way in product((0, 1), repeat=changes)]
    beyond = sum(abs(2 * way - changes) > abs(lost - gained) for way in ways)
    just_as_far = sum(abs(2 * way - changes) == abs(lost - gained) for way in ways)
    return (beyond + just_as_far / 2) / len(ways) if lost != gained else 1.0


@pytest.mark.parametrize("lost", range(8))
@pytest.mark.parametrize("gained", range(8))
def test_mcnemar_s_mid_p_is_what_counting_every_outcome_gives(lost: int, gained: int) -> None:
    found = mcnemar_mid_p(np.array([float(lost)]), np.array([float(gained)]))[0]

    assert found == pytest.approx(mid_p_by_counting(lost, gained))


def test_mcnemar_s_mid_p_keeps_its_size() -> None:
    changes, sizes = 40, []
    lost = np.arange(changes + 1.0)
    for number in range(5, changes):
        p = mcnemar_mid_p(lost[: number + 1], number - lost[: number + 1])
        sizes.append(stats.binom.pmf(lost[: number + 1], number, 0.5)[p <= 0.05].sum())

    assert np.mean(sizes) <= 0.05


def upper_tail_by_counting(lost: int, odds: list[float]) -> float:
    """The sum over every set of items that luck could have taken."""
    return sum(
        float(np.prod([q if hit else 1 - q for q, hit in zip(odds, hits, strict=True)]))
        for hits in product((0, 1), repeat=len(odds))
        if sum(hits) >= lost
    )


@given(st.lists(st.sampled_from([0.1, 0.25, 1 / 3, 0.5, 0.9]), max_size=9), st.integers(0, 10))
def test_the_luck_test_is_what_counting_every_outcome_gives(odds: list[float], lost: int) -> None:
    trials = {q: odds.count(q) for q in odds}

    assert luck_p(lost, trials) == pytest.approx(upper_tail_by_counting(lost, odds), abs=1e-12)


@pytest.mark.parametrize(("n", "q", "lost"), [(14_000, 0.25, 3_650), (200_000, 0.01, 2_100), (1_000, 0.5, 900)])
def test_the_luck_test_of_one_chance_is_a_binomial_tail(n: int, q: float, lost: int) -> None:
    assert luck_p(lost, {q: n}) == pytest.approx(stats.binom.sf(lost - 1, n, q), rel=1e-6, abs=1e-12)


def test_the_luck_test_of_many_chances_is_near_the_normal_law_of_their_sum() -> None:
    trials = {0.1: 3000, 1 / 3: 2000, 0.5: 1500}
    centre = sum(n * q for q, n in trials.items())
    spread = np.sqrt(sum(n * q * (1 - q) for q, n in trials.items()))

    for deviates in (-1.0, 0.0, 1.0, 2.0):
        lost = round(centre + deviates * spread)
        near = stats.norm.sf((lost - 0.5 - centre) / spread)
        assert luck_p(lost, trials) == pytest.approx(near, abs=0.003)


def test_more_losses_than_trials_cannot_be_luck_and_none_always_is() -> None:
    assert luck_p(6, {0.25: 5}) == 0.0
    assert luck_p(0, {0.25: 5}) == luck_p(0, {}) == 1.0


@given(st.lists(P, min_size=1, max_size=40))
def test_adjusted_p_values_are_those_of_scipy(p: list[float]) -> None:
    assert benjamini_hochberg(np.array(p)) == pytest.approx(stats.false_discovery_control(p))


@given(st.lists(st.one_of(P, st.just(np.nan)), max_size=30))
def test_cells_without_a_p_value_are_not_counted(p: list[float]) -> None:
    values = np.array(p, float)
    known = ~np.isnan(values)
    found = benjamini_hochberg(values)

    assert np.isnan(found[~known]).all()
    assert found[known] == pytest.approx(benjamini_hochberg(values[known]))


def test_a_true_value_of_the_detectable_size_is_shown_four_times_out_of_five() -> None:
    rng, error = np.random.default_rng(1), 0.013
    size = detectable(np.array([error]), confidence=0.95)[0]

    shown = size + error * rng.normal(size=200_000) - stats.norm.ppf(0.975) * error > 0

    assert shown.mean() == pytest.approx(0.8, abs=0.004)
