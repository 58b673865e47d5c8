"""The one interval, held against Agresti and Coull and against what must be true of any interval."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from forgetmap.stats.arrays import Floats
from forgetmap.stats.interval import Sums, bounds, mean, standard_error, sums, tail

CONFIDENCES = (0.5, 0.8, 0.95, 0.99)


class Sample(NamedTuple):
    """Scores with the ends that they could have had."""

    x: Floats
    low: float
    high: float


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    low = draw(st.floats(-3, 0))
    high = draw(st.floats(0.1, 3))
    x = draw(st.lists(st.floats(low, high), min_size=1, max_size=60))
    return Sample(np.array(x), low, high)


def folded(sample: Sample, count: Floats | None = None) -> Sums:
    ends = np.full(len(sample.x), sample.low), np.full(len(sample.x), sample.high)
    group = np.zeros(len(sample.x), np.int64)
    return sums(sample.x, np.ones(len(sample.x)) if count is None else count, group, 1, ends=ends)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("n", [1, 2, 7, 30, 500])
def test_for_scores_of_0_and_1_it_is_the_interval_of_agresti_and_coull(n: int, confidence: float) -> None:
    hits = np.unique(np.linspace(0, n, 9).astype(int))
    x = np.concatenate([np.arange(n) < hit for hit in hits]).astype(float)
    group = np.repeat(np.arange(len(hits)), n)

    ours = bounds(sums(x, np.ones(len(x)), group, len(hits), ends=(0 * x, 0 * x + 1)), confidence)

    padded = proportion_confint(hits, n, 1 - confidence, method="agresti_coull")
    # The library cuts its interval to [0, 1]; ours stays as it is.
    assert np.clip(ours.low, 0, 1) == pytest.approx(np.array(padded[0]))
    assert np.clip(ours.high, 0, 1) == pytest.approx(np.array(padded[1]))


@given(samples(), st.sampled_from(CONFIDENCES))
def test_the_mean_lies_within_and_more_confidence_is_wider(sample: Sample, confidence: float) -> None:
    found = folded(sample)
    low, high = bounds(found, confidence)
    wider = bounds(found, confidence + 0.005)

    assert low[0] - 1e-12 <= mean(found)[0] <= high[0] + 1e-12
    assert wider.high[0] - wider.low[0] >= high[0] - low[0]


@given(samples(), st.sampled_from(CONFIDENCES))
def test_seen_in_a_mirror_the_interval_is_mirrored(sample: Sample, confidence: float) -> None:
    low, high = bounds(folded(sample), confidence)
    mirrored = bounds(folded(Sample(-sample.x, -sample.high, -sample.low)), confidence)

    assert (-mirrored.high, -mirrored.low) == (pytest.approx(low), pytest.approx(high))


@given(samples(), st.floats(0.1, 5), st.floats(-2, 2))
def test_another_unit_or_zero_changes_nothing_but_the_figures(sample: Sample, unit: float, zero: float) -> None:
    low, high = bounds(folded(sample), 0.95)
    other = bounds(folded(Sample(*(unit * part + zero for part in sample))), 0.95)

    assert other.low == pytest.approx(unit * low + zero, abs=1e-9)
    assert other.high == pytest.approx(unit * high + zero, abs=1e-9)


@given(samples(), st.lists(st.integers(1, 9), min_size=60, max_size=60))
def test_a_score_that_stands_for_many_items_is_as_good_as_many_scores(sample: Sample, times: list[int]) -> None:
    count = np.array(times[: len(sample.x)])
    counted = bounds(folded(sample, count.astype(float)), 0.95)
    single = bounds(folded(sample._replace(x=np.repeat(sample.x, count))), 0.95)

    assert counted.low == pytest.approx(single.low, abs=1e-9)
    assert counted.high == pytest.approx(single.high, abs=1e-9)


@given(samples())
def test_any_sample_of_at_least_one_item_has_finite_figures(sample: Sample) -> None:
    found = folded(sample)

    assert np.isfinite([*bounds(found, 0.95), mean(found), standard_error(found), tail(found)]).all()
    assert standard_error(found)[0] > 0


def test_a_group_without_items_has_no_interval_and_disturbs_no_other() -> None:
    x, group = np.array([1.0, 0.0, 1.0]), np.array([0, 0, 2])

    found = sums(x, np.ones(3), group, 3, ends=(0 * x, 0 * x + 1))
    low, high = bounds(found, 0.95)

    for figure in (low, high, mean(found), standard_error(found), tail(found)):
        assert np.isnan(figure).tolist() == [False, True, False]


def test_a_score_that_stands_for_no_item_does_not_widen_the_ends() -> None:
    x = np.array([0.0, 1.0, 0.0])
    ends = np.array([0.0, 0.0, -9.0]), np.array([1.0, 1.0, 9.0])

    found = sums(x, np.array([3.0, 2.0, 0.0]), np.zeros(3, np.int64), 1, ends=ends)

    assert (found.low_end[0], found.high_end[0], found.n[0]) == (0.0, 1.0, 5.0)


@given(samples(), st.sampled_from(CONFIDENCES))
def test_the_tail_is_the_interval_read_the_other_way(sample: Sample, confidence: float) -> None:
    found = folded(sample)
    low, high = (bound[0] for bound in bounds(found, confidence))

    # Beyond the ends an interval comes back as it widens, so that a point there is a bound at two confidences.
    if low > sample.low:
        assert tail(found, low)[0] == pytest.approx((1 - confidence) / 2, rel=1e-6)
    if high < sample.high:
        assert tail(found, high)[0] == pytest.approx((1 + confidence) / 2, rel=1e-6)


@given(samples())
def test_at_the_mean_itself_the_tail_is_one_half(sample: Sample) -> None:
    found = folded(sample)

    assert tail(found, mean(found)[0])[0] == pytest.approx(0.5, abs=1e-6)


def test_evidence_beyond_all_doubt_has_a_tail_of_nothing_rather_than_an_error() -> None:
    x = np.ones(100_000)

    assert tail(folded(Sample(x, -1.0, 1.0)))[0] < 1e-300


@pytest.mark.parametrize(("low", "high", "odds"), [(0, 1, 0.03), (-0.5, 4 / 3, 0.05), (-1, 1, 0.3)])
def test_it_covers_the_mean_of_scores_between_its_ends(low: float, high: float, odds: float) -> None:
    rng, studies, n = np.random.default_rng(3), 4000, 60
    x = rng.choice([low, 0.0, high], (studies, n), p=[odds, 1 - 2 * odds, odds]).ravel()
    ends = np.full(len(x), float(low)), np.full(len(x), float(high))

    found = bounds(sums(x, np.ones(len(x)), np.repeat(np.arange(studies), n), studies, ends=ends), 0.95)

    truth = odds * (low + high)
    assert ((found.low <= truth) & (truth <= found.high)).mean() >= 0.935
