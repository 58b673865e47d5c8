"""Items that share a passage: the design effect, and what it does to the interval."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from forgetmap.stats.arrays import Floats, Ints
from forgetmap.stats.interval import Sums, bounds, clustered, mean, sums, tail

SCORES = st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), st.integers(0, 7)), min_size=2, max_size=40)


def folded(x: Floats, passage: Ints, *, low: float = -1.0, high: float = 1.0) -> Sums:
    group = np.zeros(len(x), np.int64)
    return clustered(plain(x, low=low, high=high), x, group, passage)


def plain(x: Floats, *, low: float = -1.0, high: float = 1.0) -> Sums:
    return sums(x, np.ones(len(x)), np.zeros(len(x), np.int64), 1, ends=(0 * x + low, 0 * x + high))


def transcribed(x: Floats, passage: Ints, confidence: float) -> tuple[float, float]:
    """The interval, passage by passage, as the formula is written; ends −1 and 1."""
    n, theta = len(x), x.mean()
    sizes = [np.sum(passage == g) for g in np.unique(passage)]
    errors = [np.sum(x[passage == g]) - theta * np.sum(passage == g) for g in np.unique(passage)]
    effective = n**2 / sum(m**2 for m in sizes)
    if np.all(x == x[0]):
        design = n / effective
    else:
        design = max(1.0, effective / (effective - 1) * sum(e**2 for e in errors) / np.sum((x - theta) ** 2))
    t = stats.t.ppf(0.5 + confidence / 2, len(sizes) - 1)
    size = n / design + t**2
    centre = (x.sum() / design + t**2 / 2 * (-1 + 1)) / size
    spread = np.sqrt(((x**2).sum() / design + t**2 / 2 * (1 + 1)) / size - centre**2)
    return centre - t * spread / np.sqrt(size), centre + t * spread / np.sqrt(size)


@given(SCORES, st.sampled_from([0.8, 0.95]))
def test_it_is_the_formula_passage_by_passage(scored: list[tuple[float, int]], confidence: float) -> None:
    x, passage = np.array([x for x, _ in scored]), np.array([p for _, p in scored])
    low, high = bounds(folded(x, passage), confidence)
    passages = len(np.unique(passage))

    if passages == 1:
        assert np.isnan([low[0], high[0]]).all()
    elif passages < len(x):
        assert (low[0], high[0]) == pytest.approx(transcribed(x, passage, confidence), abs=1e-9)


@given(SCORES)
def test_items_alone_in_their_passages_have_the_plain_interval(scored: list[tuple[float, int]]) -> None:
    x = np.array([x for x, _ in scored])

    assert bounds(folded(x, np.arange(len(x))), 0.95) == bounds(plain(x), 0.95)


@given(SCORES)
def test_the_mean_is_the_plain_mean_and_lies_within(scored: list[tuple[float, int]]) -> None:
    x, passage = np.array([x for x, _ in scored]), np.array([p for _, p in scored])
    found = folded(x, passage)
    low, high = bounds(found, 0.95)

    assert mean(found)[0] == pytest.approx(x.mean())
    assert len(np.unique(passage)) == 1 or low[0] - 1e-12 <= x.mean() <= high[0] + 1e-12


def test_equal_scores_count_as_many_items_as_there_are_passages_of_one_size() -> None:
    found = folded(np.zeros(60), np.repeat(np.arange(12), 5))

    assert found.design[0] == pytest.approx(5)
    assert found.clusters[0] == 12


def test_one_passage_alone_has_no_interval_and_no_tail() -> None:
    found = folded(np.array([0.0, 1.0, 0.0]), np.zeros(3, np.int64))

    assert np.isnan([bounds(found, 0.95).low[0], bounds(found, 0.95).high[0], tail(found)[0]]).all()


def test_groups_do_not_share_passages_though_the_codes_are_the_same() -> None:
    x, passage = np.array([0.0, 1.0, 1.0, 1.0, 0.0, 0.0]), np.array([0, 0, 1, 0, 0, 1])
    both = sums(x, np.ones(6), np.repeat([0, 1], 3), 2, ends=(0 * x - 1, 0 * x + 1))

    found = clustered(both, x, np.repeat([0, 1], 3), passage)

    for group, rows in enumerate((slice(0, 3), slice(3, 6))):
        alone = folded(x[rows], passage[rows])
        assert (found.design[group], found.clusters[group]) == (pytest.approx(alone.design[0]), alone.clusters[0])


def test_the_tail_is_the_interval_read_the_other_way() -> None:
    rng = np.random.default_rng(2)
    found = folded(rng.choice([-1.0, 0.0, 1.0], 90), np.repeat(np.arange(30), 3))
    low, high = bounds(found, 0.9)

    assert tail(found, low[0])[0] == pytest.approx(0.05, rel=1e-6)
    assert tail(found, high[0])[0] == pytest.approx(0.95, rel=1e-6)


@pytest.mark.parametrize("tied", [0.0, 0.05, 0.1])
def test_it_covers_the_mean_of_scores_that_are_alike_within_passages(tied: float) -> None:
    rng, studies, sizes = np.random.default_rng(5), 2000, np.tile(np.arange(1, 11), 5)
    within = np.tile(np.repeat(np.arange(len(sizes)), sizes), studies)
    study = np.repeat(np.arange(studies), sizes.sum())
    passage = within + study * len(sizes)
    # A beta law gives scores of 0 and 1 the intraclass correlation 1/(1 + a + b).
    strength = 1 / tied - 1 if tied else 1e9
    x = (rng.random(len(passage)) < rng.beta(0.2 * strength, 0.8 * strength, studies * len(sizes))[passage]).astype(
        float
    )

    plain = sums(x, np.ones(len(x)), study, studies, ends=(0 * x, 0 * x + 1))
    low, high = bounds(clustered(plain, x, study, passage), 0.95)

    assert ((low <= 0.2) & (high >= 0.2)).mean() >= 0.935


@pytest.mark.parametrize("alone", [0, 1, 7])
def test_an_entry_that_stands_for_many_single_items_counts_as_they_do(alone: int) -> None:
    rng = np.random.default_rng(4)
    tied, cluster = rng.random(24), np.repeat(np.arange(8), 3)
    kinds, counts = np.array([0.0, 1.0, 0.25]), np.array([alone, 2 * alone, alone])
    x = np.concatenate([tied, np.repeat(kinds, counts)])
    single = np.arange(len(x) - 24) + 8
    one = clustered(counted(x, np.ones(len(x))), x, np.zeros(len(x), int), np.concatenate([cluster, single]))

    few = np.concatenate([tied, kinds])
    count = np.concatenate([np.ones(24), counts])
    two = clustered(counted(few, count), few, np.zeros(27, int), np.concatenate([cluster, [-1, -1, -1]]), count)

    for here, there in zip(one, two, strict=True):
        assert there == pytest.approx(here, abs=1e-12)


def counted(x: np.ndarray, count: np.ndarray) -> Sums:
    return sums(x, count, np.zeros(len(x), int), 1, ends=(np.zeros(len(x)), np.ones(len(x))))
