"""Graded scores: numbers between 0 and 1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap.measure.estimates import Groups
from forgetmap.measure.fold import Columns
from forgetmap.measure.graded import (
    graded_excess,
    graded_forgetting,
    graded_gain,
    graded_net,
    graded_noise_floor,
)
from forgetmap.measure.pair import TaskPairs
from forgetmap.measure.transitions import Graded, graded
from forgetmap.stats.arrays import Floats
from tests.measure.told import columns

MARKS = st.integers(0, 10).map(lambda tenths: tenths / 10)
SIDE = st.lists(st.tuples(MARKS, MARKS, MARKS), min_size=1, max_size=15)


def side(marks: Floats, seeds: list[int | None]) -> Columns:
    """A log of these marks: items × draws, NaN = unparsed."""
    told = columns(["R" * marks.shape[1]] * len(marks), chance=0.0, k=None, seeds=seeds)
    return told._replace(marks=marks, state=np.where(np.isnan(marks), 2, 0).astype(np.uint8))


def compared(before: Floats, after: Floats) -> Graded:
    rows = np.arange(len(before))
    sides = (side(marks, list(range(marks.shape[1]))) for marks in (before, after))
    return graded(TaskPairs("t", *sides, rows, rows, [], [], 0), 0 * rows, 0 * rows - 1)


def one_group(items: Graded) -> Groups:
    return Groups(np.zeros(len(items.leaf), np.int64), 1)


def test_what_falls_is_forgotten_and_what_rises_is_gained() -> None:
    items = compared(np.array([[0.9], [0.2], [0.5]]), np.array([[0.6], [0.8], [0.5]]))

    assert graded_forgetting(items, one_group(items)).value[0] == pytest.approx(0.1)
    assert graded_gain(items, one_group(items)).value[0] == pytest.approx(0.2)
    assert graded_net(items, one_group(items)).value[0] == pytest.approx(0.1)


@given(SIDE)
def test_draws_against_themselves_have_exactly_no_net_change_and_no_excess(marks: list[tuple[float, ...]]) -> None:
    items = compared(np.array(marks), np.array(marks))

    assert graded_net(items, one_group(items)).value[0] == 0
    assert graded_excess(items, one_group(items)).value[0] == 0


@given(st.lists(MARKS, min_size=1, max_size=15))
def test_one_draw_against_itself_forgets_and_gains_exactly_nothing(marks: list[float]) -> None:
    items = compared(np.array(marks)[:, None], np.array(marks)[:, None])

    for metric in (graded_forgetting, graded_gain, graded_net):
        assert metric(items, one_group(items)).value[0] == 0
    assert np.isnan(graded_noise_floor(items, one_group(items)).value[0])


@given(SIDE)
def test_gain_less_forgetting_is_the_net_change(marks: list[tuple[float, ...]]) -> None:
    before, after = np.array(marks)[:, :1], np.array(marks)[:, 1:2]
    items = compared(before, after)

    gained, forgotten = (metric(items, one_group(items)).value for metric in (graded_gain, graded_forgetting))

    assert gained - forgotten == pytest.approx(graded_net(items, one_group(items)).value)


@given(SIDE)
def test_noise_of_marks_never_exceeds_one_half(marks: list[tuple[float, ...]]) -> None:
    items = compared(np.array(marks), np.array(marks))

    found = graded_noise_floor(items, one_group(items))

    assert 0 <= found.value[0] <= 0.5
    assert found.sums.high_end[0] == 0.5


def test_a_draw_without_a_mark_does_not_count_as_nothing() -> None:
    items = compared(np.array([[0.8, np.nan]]), np.array([[np.nan, 0.6]]))

    assert (items.loss[0], items.gain[0]) == (pytest.approx(0.2), 0.0)
    assert (items.score_before[0], items.score_after[0]) == (pytest.approx(0.8), pytest.approx(0.6))


def test_the_interval_covers_what_is_lost_on_average() -> None:
    rng, studies, n = np.random.default_rng(2), 2000, 80
    before, after = rng.beta(4, 2, (studies * n, 1)), rng.beta(2, 2, (studies * n, 1))
    items = compared(before, after)
    truth = np.maximum(rng.beta(4, 2, 2_000_000) - rng.beta(2, 2, 2_000_000), 0).mean()

    found = graded_forgetting(items, Groups(np.repeat(np.arange(studies), n), studies))

    assert ((found.low <= truth) & (truth <= found.high)).mean() >= 0.935
