"""The tests a cell shows: net change, and luck alone."""

import numpy as np
import pytest
from scipy import stats

from forgetmap import KnowOrGuess
from forgetmap.measure.cell_tests import luck, net_p, two_sided
from forgetmap.measure.estimates import Groups
from forgetmap.measure.net import net
from forgetmap.measure.raw import raw_loss
from forgetmap.measure.transitions import Pairs, swapped
from forgetmap.stats.arrays import Floats, totals
from tests.measure.told import by_study, together, told

ONE_VALUE, BY_BAND = np.array([False]), np.array([True])


def net_of(pairs: Pairs, *, drawn: float = 0.0) -> Floats:
    """The test of each study, with this many items of several draws."""
    groups = by_study(pairs)
    lost, gained = (totals(groups.code, raw_loss(side) * pairs.items, groups.size) for side in (pairs, swapped(pairs)))
    draws = np.full(groups.size, drawn)
    counts = {"n10": lost, "n01": gained, "draws_before": 0 * draws, "draws_after": draws}
    return net_p(net(pairs, groups), counts)


def test_luck_is_tried_on_items_lost_or_wrong_in_two_ways() -> None:
    pairs = told(["R"] * 5 + ["a"] * 4 + ["a"] * 6 + ["R", "?"], ["b"] * 5 + ["b"] * 4 + ["a"] * 6 + ["R", "b"], k=4)

    found = luck(pairs, together(pairs), ONE_VALUE)

    assert found == [pytest.approx(stats.binom.sf(4, 9, 1 / 3))]


def test_where_only_a_band_is_known_luck_is_tried_on_all_items_wrong_afterwards() -> None:
    pairs = told(["R"] * 5 + ["a"] * 4 + ["R"] * 3, ["a"] * 9 + ["R"] * 3, k=2)

    assert luck(pairs, together(pairs), BY_BAND) == [pytest.approx(stats.binom.sf(4, 9, 1 / 2))]


def test_luck_of_items_of_several_chances_is_added_up() -> None:
    three = told(["R", "R", "a"], ["b", "b", "b"], k=3)
    ten = told(["R", "a", "a"], ["b", "c", "c"], k=10)
    pairs = Pairs._make(np.concatenate(columns) for columns in zip(three, ten, strict=True))
    odds = np.array([1 / 2] * 3 + [1 / 9] * 3)

    law = np.ones(1)
    for q in odds:
        law = np.convolve(law, [1 - q, q])

    assert luck(pairs, together(pairs), ONE_VALUE) == [pytest.approx(law[3:].sum())]


def test_there_is_no_luck_where_nothing_can_be_guessed_or_draws_are_several() -> None:
    open_items = told(["R", "w"], ["w", "w"], k=None)
    drawn = told(["Ra"], ["ab"], seeds=[[1, 2], [3, 4]])

    assert luck(open_items, together(open_items), ONE_VALUE) == [None]
    assert luck(drawn, together(drawn), ONE_VALUE) == [None]


@pytest.mark.parametrize(("options", "by_band"), [(3, False), (10, False), (2, True)])
@pytest.mark.parametrize("repeated", [0.0, 0.8])
def test_luck_alone_is_rejected_no_oftener_than_it_should_and_loss_is_found(
    options: int, by_band: bool, repeated: float
) -> None:
    rejected = []
    for forgotten in (0.0, 0.2):
        law = KnowOrGuess(known=0.5, forgotten=forgotten, gained=0.1, options=options, repeated_luck=repeated)
        pairs = law.simulate(items=300, studies=600, seed=options)
        rejected.append(np.mean(np.array(luck(pairs, by_study(pairs), np.full(600, by_band)), float) <= 0.05))

    # Repeated wrong answers look like luck where the options say nothing, so that such a cell can hardly reject it.
    assert rejected[0] <= 0.065
    assert (rejected[1] > 0.5) == (not by_band or repeated == 0)


def test_cells_are_tested_one_by_one_though_another_has_several_draws() -> None:
    single, drawn = told(["R", "a", "R"], ["a", "b", "b"]), told(["RR"], ["aR"], seeds=[[1, 2], [3, 4]])
    both = Pairs._make(np.concatenate(columns) for columns in zip(single, drawn, strict=True))
    groups = Groups(np.array([0, 0, 0, 1]), 2)

    found = luck(both, groups, np.array([False, False]))

    assert found == [luck(single, together(single), ONE_VALUE)[0], None]


def test_the_net_change_of_single_draws_is_tested_by_mcnemar_and_else_by_its_interval() -> None:
    law = KnowOrGuess(known=0.6, forgotten=0.1, gained=0.1, options=4)
    alone = law.simulate(items=200, studies=2000, seed=3)
    tied = KnowOrGuess(known=0.6, forgotten=0.1, gained=0.1, options=4, passages=(5,)).simulate(items=200, seed=3)

    assert (net_of(alone) <= 0.05).mean() == pytest.approx(0.05, abs=0.015)
    assert net_of(alone, drawn=1.0) == pytest.approx(two_sided(net(alone, by_study(alone))))
    assert net_of(tied) == pytest.approx(two_sided(net(tied, by_study(tied))))


def test_the_interval_read_as_a_test_agrees_with_mcnemar_where_items_are_many() -> None:
    pairs = KnowOrGuess(known=0.6, forgotten=0.12, gained=0.1, options=4).simulate(items=3000, studies=200, seed=5)

    assert net_of(pairs) == pytest.approx(net_of(pairs, drawn=1.0), abs=0.02)
