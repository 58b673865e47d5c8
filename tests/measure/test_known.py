"""What was known: the knowledge score and its identities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap import KnowOrGuess
from forgetmap.measure.alternatives import score, table
from forgetmap.measure.forgetting import forgetting, gain
from forgetmap.measure.known import known_before
from forgetmap.measure.net import net
from forgetmap.measure.raw import raw
from forgetmap.measure.transitions import Pairs, swapped
from forgetmap.measure.unanswered import unanswered_gain, unanswered_loss
from tests.measure.told import by_study, together, told

ANSWERS = st.lists(
    st.tuples(*[st.sampled_from(["Ra", "RR", "ab", "aa", "?b", "R~", "!a"])] * 2), min_size=1, max_size=20
)
SHAPES = st.sampled_from([(3, 1), (4, 1), (5, 2), (10, 1)])


def known(pairs: Pairs) -> float:
    return float(known_before(pairs, together(pairs), used=np.ones(len(pairs.leaf), bool)).value[0])


def test_right_is_known_wrong_is_less_than_nothing_and_unanswered_is_nothing() -> None:
    pairs = told(["R", "a", "?"], ["R", "R", "R"], k=4)

    assert known(pairs) == pytest.approx((1 - 1 / 3 + 0) / 3)


def test_an_open_answer_that_is_wrong_is_just_not_known() -> None:
    assert known(told(["R", "w"], ["R", "R"], k=None)) == pytest.approx(0.5)


@given(ANSWERS, SHAPES)
def test_gain_less_forgetting_is_the_change_of_what_is_known(
    answers: list[tuple[str, str]], shape: tuple[int, int]
) -> None:
    pairs = told([a for a, _ in answers], [b for _, b in answers], k=shape[0], golds=shape[1], seeds=[[1, 2], [3, 4]])
    groups = together(pairs)

    change = known(swapped(pairs)) - known(pairs)

    assert gain(pairs, groups).value - forgetting(pairs, groups).value == pytest.approx(change, abs=1e-12)
    for estimator in (table, score):
        both = estimator(swapped(pairs), groups).value - estimator(pairs, groups).value
        assert both == pytest.approx(change, abs=1e-12)


@given(ANSWERS)
def test_the_net_change_is_what_was_gained_less_what_was_lost(answers: list[tuple[str, str]]) -> None:
    pairs = told([a for a, _ in answers], [b for _, b in answers], seeds=[[1, 2], [3, 4]])
    groups = together(pairs)

    assert net(pairs, groups).value == pytest.approx(
        raw(swapped(pairs), groups).value - raw(pairs, groups).value, abs=1e-12
    )


def test_what_is_no_longer_answered_is_part_of_forgetting() -> None:
    before, after = ["R", "R", "a", "a", "R", "a"], ["?", "~", "!", "a", "b", "b"]
    pairs = told(before, after, k=4)

    loss = unanswered_loss(pairs, together(pairs)).value[0]

    assert loss == pytest.approx((1 + 1 - 1 / 3) / 6)
    assert forgetting(pairs, together(pairs)).value[0] == pytest.approx(loss + (1 - 1 / 2) / 0.75 / 6)


def test_yes_or_no_items_have_an_unanswered_part_though_no_forgetting() -> None:
    pairs = told(["R", "a", "R", "R"], ["?", "?", "R", "a"], k=2)

    assert unanswered_loss(pairs, together(pairs)).value[0] == pytest.approx((1 - 1) / 4)
    assert unanswered_gain(pairs, together(pairs)).n[0] == 4
    assert np.isnan(forgetting(pairs, together(pairs)).value[0])


@pytest.mark.parametrize("options", [2, 4, {2: 0.5, 10: 0.5}, None])
def test_the_mean_knowledge_score_is_the_share_known(options: int | dict[int | None, float] | None) -> None:
    law = KnowOrGuess(
        known=0.55, forgotten=0.15, gained=0.05, options=options, repeated_luck=0.7, unanswered_before=0.1
    )
    pairs = law.simulate(items=1000, studies=500, seed=9)
    used = np.ones(len(pairs.leaf), bool)

    before, after = (known_before(side, by_study(side), used=used) for side in (pairs, swapped(pairs)))

    assert before.value.mean() == pytest.approx(law.known_before, abs=0.003)
    assert after.value.mean() == pytest.approx(law.known_after, abs=0.003)
    assert ((before.low <= law.known_before) & (law.known_before <= before.high)).mean() >= 0.92
