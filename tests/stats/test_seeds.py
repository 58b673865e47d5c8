"""Intervals over seeds: each covers what it is about."""

import numpy as np
import pytest

from forgetmap.stats.interval import sums
from forgetmap.stats.seeds import OverSeeds, over_seeds


def drawn(*, items: int, seeds: int, sd: float, shared: float, studies: int = 600) -> tuple[OverSeeds, np.ndarray]:
    """Studies of a recipe whose seeds lose a share of .1 ± sd; an item's fate is common to all seeds with probability `shared`.

    With the estimates comes, for each study, the mean that its own items would have over all seeds.
    """
    rng = np.random.default_rng(17)
    share = np.clip(0.1 + sd * rng.standard_normal((studies, 1, seeds)), 0, 1)
    own, common = rng.random((studies, items, seeds)), rng.random((studies, items, 1))
    lost = (np.where(rng.random((studies, items, 1)) < shared, common, own) < share).astype(float)
    means = lost.mean(axis=2).ravel()
    group = np.repeat(np.arange(studies), items)
    folded = sums(means, np.ones(len(means)), group, studies, ends=(means * 0, means * 0 + 1))
    return over_seeds(lost.mean(axis=1), folded, 0.95), share[:, 0].mean(axis=1)


@pytest.mark.parametrize("seeds", [2, 3, 5])
@pytest.mark.parametrize("sd", [0.0, 0.01, 0.03])
@pytest.mark.parametrize("shared", [0.1, 0.9])
def test_the_interval_of_both_covers_the_recipe_s_mean(seeds: int, sd: float, shared: float) -> None:
    found, _ = drawn(items=300, seeds=seeds, sd=sd, shared=shared)

    assert ((found.both.low <= 0.1) & (found.both.high >= 0.1)).mean() >= 0.935


def test_within_covers_the_mean_of_these_seeds_and_between_the_recipe_s_where_items_are_many() -> None:
    found, own = drawn(items=300, seeds=3, sd=0.03, shared=0.1)
    many, _ = drawn(items=3000, seeds=3, sd=0.03, shared=0.1, studies=400)

    assert ((found.within.low <= own) & (found.within.high >= own)).mean() >= 0.935
    assert ((many.between.low <= 0.1) & (many.between.high >= 0.1)).mean() >= 0.925


def test_one_seed_has_no_error_between_seeds() -> None:
    found, _ = drawn(items=50, seeds=1, sd=0.0, shared=1.0, studies=3)

    assert np.isfinite(found.within.low).all()
    assert np.isnan([*found.sd, *found.between.low, *found.both.high]).all()


def test_equal_seeds_add_nothing_to_the_items_interval() -> None:
    zero = np.zeros(4, np.int64)
    folded = sums(np.array([0.0, 1, 0, 0]), np.ones(4), zero, 1, ends=(np.zeros(4), np.ones(4)))
    found = over_seeds(np.array([[0.25, 0.25, 0.25]]), folded, 0.95)

    assert found.sd[0] == 0
    assert (found.both.low[0], found.both.high[0]) == pytest.approx((found.within.low[0], found.within.high[0]))
