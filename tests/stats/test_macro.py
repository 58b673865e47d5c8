"""Means over parts that count the same: exact where there is one part, and covering where parts are unlike."""

import numpy as np
import pytest

from forgetmap import KnowOrGuess
from forgetmap.measure.estimates import Groups
from forgetmap.measure.forgetting import forgetting
from forgetmap.measure.net import net
from forgetmap.stats.interval import Sums, bounds, mean
from forgetmap.stats.macro import macro

STUDIES = 1500


def parts(sizes: list[int], law: KnowOrGuess, name: str = "forgetting") -> tuple[Sums, np.ndarray, float]:
    """Domains of these sizes in many studies, alternately with less and more to forget; their study; and the true mean."""
    metric = {"forgetting": forgetting, "net": net}[name]
    laws = [_like(law, (0.5, 1.0, 1.5)[place % 3]) for place in range(len(sizes))]
    found = []
    for place, (size, own) in enumerate(zip(sizes, laws, strict=True)):
        pairs = own.simulate(items=size, studies=STUDIES, seed=31 * place + size)
        found.append(metric(pairs, Groups(pairs.leaf, STUDIES)).sums)
    joined = Sums._make(np.concatenate(columns) for columns in zip(*found, strict=True))
    return joined, np.tile(np.arange(STUDIES), len(sizes)), float(np.mean([getattr(own, name) for own in laws]))


def _like(law: KnowOrGuess, times: float) -> KnowOrGuess:
    return KnowOrGuess(
        known=law.known,
        forgotten=law.forgotten * times,
        gained=law.gained,
        options=law.options,
        repeated_luck=law.repeated_luck,
    )


LAWS = {
    "little": KnowOrGuess(known=0.7, forgotten=0.02, gained=0.02, repeated_luck=0.3),
    "much, ten options": KnowOrGuess(known=0.9, forgotten=0.2, gained=0.02, options=10, repeated_luck=0.3),
    "open": KnowOrGuess(known=0.6, forgotten=0.1, gained=0.05, options=None),
    "nothing": KnowOrGuess(known=0.5, options=3),
}
SIZES = {
    "two of 20": [20, 20],
    "20 and 1,000": [20, 1000],
    "57 of 100": [100] * 57,
    "20 of 5": [5] * 20,
    "one": [60],
    "unlike": [20, 50, 400, 1000],
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("name", ["forgetting", "net"])
def test_the_interval_covers_the_simulated_mean_over_domains(law: str, sizes: str, name: str) -> None:
    found, study, truth = parts(SIZES[sizes], LAWS[law], name)
    whole = macro(found, study, STUDIES)
    low, high = bounds(whole, 0.95)

    assert ((low <= truth) & (truth <= high)).mean() >= 0.93
    assert mean(whole).mean() == pytest.approx(truth, abs=0.01)


@pytest.mark.parametrize("law", LAWS)
def test_where_parts_are_large_the_interval_is_no_wider_than_it_must_be(law: str) -> None:
    found, study, _ = parts([400, 700, 1000], LAWS[law])
    whole = macro(found, study, STUDIES)
    low, high = bounds(whole, 0.95)

    spread = mean(whole).std()
    assert spread == 0 or 0.95 <= (high - low).mean() / (2 * 1.96 * spread) <= 1.12


def test_one_part_is_itself() -> None:
    found, study, _ = parts([60], LAWS["little"])
    order = np.argsort(study)

    for ours, plain in zip(bounds(macro(found, study, STUDIES), 0.95), bounds(found, 0.95), strict=True):
        assert ours == pytest.approx(plain[order], abs=1e-12)


def test_empty_parts_are_no_parts_and_a_group_without_any_says_nothing() -> None:
    found = Sums(
        *(
            np.array(column, float)
            for column in ([10, 0, 0], [5, 0, 0], [5, 0, 0], [0, 0, 0], [1, 1, 1], [1, 1, 1], [0, 0, 0])
        )
    )
    whole = macro(found, np.array([0, 0, 1]), 3)

    assert mean(whole)[0] == 0.5
    assert whole.n.tolist() == [10, 0, 0]
    assert np.isnan(bounds(whole, 0.95).low).tolist() == [False, True, True]


def test_parts_of_one_item_each_are_the_plain_mean_of_these_items() -> None:
    single = Sums(
        *(np.array(column, float) for column in ([1] * 8, [0, 1] * 4, [0, 1] * 4, [0] * 8, [1] * 8, [1] * 8, [0] * 8))
    )
    whole = macro(single, np.zeros(8, np.int64), 1)
    plain = Sums(*(np.array([column], float) for column in (8, 4, 4, 0, 1, 1, 0)))

    assert mean(whole)[0] == 0.5
    assert bounds(whole, 0.95).low == pytest.approx(bounds(plain, 0.95).low)


def test_tied_parts_stay_tied_and_a_part_of_one_passage_gives_no_interval() -> None:
    def told(clusters: list[float]) -> Sums:
        columns = ([40.0, 40.0], [20.0, 20.0], [20.0, 20.0], [0.0, 0.0], [1.0, 1.0], [4.0, 1.0], clusters)
        return Sums(*(np.array(column) for column in columns))

    tied, alone = (macro(told(clusters), np.array([0, 0]), 1) for clusters in ([10.0, 0.0], [1.0, 0.0]))

    assert tied.clusters[0] == 50
    assert np.isnan(bounds(alone, 0.95).low[0])
    plain = macro(told([10.0, 0.0])._replace(design=np.ones(2)), np.array([0, 0]), 1)
    assert bounds(tied, 0.95).low[0] < bounds(plain, 0.95).low[0]
