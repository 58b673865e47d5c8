"""Bands: what repeated luck allows where no value is identified."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap import KnowOrGuess
from forgetmap.measure.alternatives import table
from forgetmap.measure.band import answered_at, band, band_gain
from forgetmap.measure.forgetting import forgetting
from forgetmap.measure.transitions import Pairs
from forgetmap.measure.unanswered import unanswered_loss
from tests.measure.told import by_study, together, told

LETTERS = st.lists(st.tuples(st.sampled_from("Rw?"), st.sampled_from("Rw?")), min_size=1, max_size=40)


def ends(pairs: Pairs) -> tuple[float, float]:
    found = band(pairs, together(pairs))
    return float(found.least[0]), float(found.greatest[0])


def test_at_each_share_of_repeated_luck_it_is_the_formula() -> None:
    pairs = told(["R"] * 3 + ["w"] * 6 + ["R"] * 11, ["w"] * 9 + ["R"] * 11, k=2)
    c, lost, never = 0.5, 3 / 20, 6 / 20

    for repeated in (0.0, 0.3, 1.0):
        found = answered_at(pairs, np.full(20, repeated)).mean()
        expected = (lost - c * (1 - repeated) * never / (1 - c + repeated * c)) / (1 - c)
        assert found == pytest.approx(expected)


def test_without_repeated_luck_it_is_the_table_and_with_nothing_else_no_luck_is_taken_off() -> None:
    pairs = told(["R"] * 4 + ["w"] * 3 + ["w"] * 2 + ["R"] * 11, ["w"] * 7 + ["R"] * 13, k=4)
    some = told(["R"] * 8 + ["w"] * 8 + ["w"] * 2 + ["R"] * 2, ["w"] * 8 + ["R"] * 8 + ["w"] * 2 + ["R"] * 2, k=4)

    assert ends(pairs)[1] == pytest.approx(4 / 20 / 0.75)
    assert ends(some)[0] == pytest.approx(table(some, together(some)).value[0])


def test_it_begins_where_gain_would_turn_negative_too() -> None:
    """Independent luck would take (1/3)·6 items off each side; only 1 was gained, so that no more than 1 can be luck."""
    before, after = ["R"] * 5 + ["w"] * 1 + ["w"] * 6 + ["R"] * 8, ["w"] * 5 + ["R"] * 1 + ["w"] * 6 + ["R"] * 8
    pairs = told(before, after, k=4)

    assert ends(pairs) == (pytest.approx((5 - 1) / 0.75 / 20), pytest.approx(5 / 0.75 / 20))
    assert band_gain(pairs, together(pairs)).least[0] == pytest.approx(0, abs=1e-9)


@given(LETTERS, st.sampled_from([2, 4]))
def test_neither_forgetting_nor_gain_begins_below_zero_nor_ends_below_its_begin(
    answers: list[tuple[str, str]], k: int
) -> None:
    pairs = told([one for one, _ in answers], [two for _, two in answers], k=k)
    unanswered = unanswered_loss(pairs, together(pairs)).value[0]

    found, gain = band(pairs, together(pairs)), band_gain(pairs, together(pairs))

    assert found.least[0] >= unanswered - 1e-9
    assert found.greatest[0] >= found.least[0] - 1e-12
    assert gain.greatest[0] >= gain.least[0] - 1e-12
    assert found.low[0] <= found.least[0] + 1e-12
    assert found.high[0] >= found.greatest[0] - 1e-12
    assert found.n[0] == len(answers)


def test_a_run_against_itself_has_a_band_of_exactly_zero_before_widening() -> None:
    answers = list("RRRwwwwRRw??R")
    pairs = told(answers, answers, k=2)

    for found in (band(pairs, together(pairs)), band_gain(pairs, together(pairs))):
        assert (found.least[0], found.greatest[0]) == (0.0, 0.0)
        assert found.low[0] < 0 < found.high[0]


def test_answers_before_and_after_exchanged_give_the_band_of_gain() -> None:
    before, after = list("RRwwwRwR"), list("RwRwwwRR")

    exchanged = band(told(after, before, k=2), together(told(after, before, k=2)))

    found = band_gain(told(before, after, k=2), together(told(before, after, k=2)))
    for one, two in zip(found[:4], exchanged[:4], strict=True):
        assert one == pytest.approx(two)


@pytest.mark.parametrize("options", [2, 4, 10])
@pytest.mark.parametrize("luck", [0.0, 0.6, 1.0])
@pytest.mark.parametrize(("forgotten", "gained"), [(0.0, 0.0), (0.0, 0.1), (0.1, 0.0), (0.1, 0.2)])
def test_it_covers_the_truth_as_often_as_an_interval(
    options: int, luck: float, forgotten: float, gained: float
) -> None:
    law = KnowOrGuess(
        known=0.5, forgotten=forgotten, gained=gained, options=options, options_told=False, repeated_luck=luck
    )
    pairs = law.simulate(items=100, studies=3000, seed=options)

    for found, truth in ((band(pairs, by_study(pairs)), forgotten), (band_gain(pairs, by_study(pairs)), gained)):
        assert ((found.low <= truth + 1e-12) & (truth <= found.high + 1e-12)).mean() >= 0.935


def test_it_holds_what_the_options_would_have_told() -> None:
    law = KnowOrGuess(known=0.6, forgotten=0.15, gained=0.1, repeated_luck=0.4)
    pairs = law.simulate(items=4000, studies=200, seed=1)

    found, value = band(pairs, by_study(pairs)), forgetting(pairs, by_study(pairs)).value

    assert ((found.least - 0.01 <= value) & (value <= found.greatest + 0.01)).all()


def test_passages_make_it_wider() -> None:
    law = KnowOrGuess(known=0.6, forgotten=0.2, options=2, passages=(10,), intraclass=0.3)
    tied = law.simulate(items=400, studies=100, seed=1)
    alone = tied._replace(cluster=np.full(len(tied.leaf), -1))

    one, two = (band(pairs, by_study(pairs)) for pairs in (tied, alone))

    for wide, narrow in (
        (one.high - one.greatest, two.high - two.greatest),
        (one.least - one.low, two.least - two.low),
    ):
        assert wide.mean() > 1.15 * narrow.mean()
    assert one.least == pytest.approx(two.least)
