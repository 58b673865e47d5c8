"""The law of knowing or guessing, held against its formulas."""

import numpy as np
import pytest

from forgetmap import KnowOrGuess
from forgetmap.errors import SettingError
from forgetmap.measure.fold import RIGHT, WRONG
from forgetmap.measure.forgetting import forgetting
from forgetmap.measure.transitions import OTHER, SAME, STATES, UNKNOWN, Pairs
from forgetmap.stats.arrays import Floats, totals
from tests.measure.told import together

ITEMS = 400_000


def shares(law: KnowOrGuess) -> Floats:
    """The share of items that make each kind of transition, in one large study."""
    pairs = law.simulate(items=ITEMS, seed=1)
    return (pairs.share * pairs.items[:, None]).sum(axis=0) / ITEMS


def lost(found: Floats) -> float:
    return float(found[STATES * RIGHT + WRONG])


@pytest.mark.parametrize(("options", "golds"), [(2, 1), (4, 1), (5, 2), (10, 1)])
@pytest.mark.parametrize("luck", [0.0, 0.5, 1.0])
def test_each_kind_of_transition_is_as_common_as_the_formula_says(options: int, golds: int, luck: float) -> None:
    forgotten, gained, never, c = 0.1, 0.2, 0.3, golds / options
    law = KnowOrGuess(known=0.5, forgotten=forgotten, gained=gained, options=options, golds=golds, repeated_luck=luck)

    found = shares(law)

    by_luck = never * c * (1 - luck) * (1 - c)
    assert lost(found) == pytest.approx(forgotten * (1 - c) + by_luck, abs=0.003)
    assert found[STATES * WRONG + RIGHT] == pytest.approx(gained * (1 - c) + by_luck, abs=0.003)
    assert found[OTHER] == pytest.approx(never * (1 - c) * (1 - luck) * (options - golds - 1) / options, abs=0.003)
    assert found[SAME] == pytest.approx(never * (1 - c) * (luck + (1 - luck) / options), abs=0.003)


def test_the_example_of_the_guide_says_what_it_should() -> None:
    truth = KnowOrGuess(known=0.8, forgotten=0.1, options=4, repeated_luck=0.5)

    assert (truth.forgetting, truth.gain, truth.known_before) == (0.1, 0.0, 0.8)
    assert truth.known_after == pytest.approx(0.7)
    assert truth.net == pytest.approx(-0.1 * 3 / 4)
    assert truth.raw_loss == pytest.approx(0.1 * 3 / 4 + 0.2 * 0.5 * 1 / 4 * 3 / 4)


def test_misconceptions_are_wrong_in_the_same_way_for_good() -> None:
    found = shares(KnowOrGuess(known=0.2, options=4, misconceptions=1.0))

    assert found[SAME] == pytest.approx(0.8, abs=0.003)
    assert lost(found) + found[OTHER] + found[STATES * WRONG + RIGHT] == 0


def test_misconceptions_no_longer_said_make_the_unanswered_part_too_small_and_leave_the_answered_part_alone() -> None:
    for after, too_small in ((0.0, 0.0), (0.3, 1 / 3 * 0.4 * 0.3)):
        law = KnowOrGuess(known=0.6, forgotten=0.1, options=4, misconceptions=1.0, unanswered_after=after)
        pairs = law.simulate(items=ITEMS, seed=4)

        assert forgetting(pairs, together(pairs)).value[0] == pytest.approx(law.forgetting - too_small, abs=0.004)


def test_unanswered_draws_are_alike_for_what_is_known_and_what_is_not() -> None:
    law = KnowOrGuess(known=0.5, unanswered_before=0.1, unanswered_after=0.4, unanswered_as=("refused", "truncated"))
    table = shares(law)[:25].reshape(STATES, STATES)

    assert table[:, 2].sum() == table[2].sum() == 0
    assert table[:, 3].sum() == pytest.approx(0.2, abs=0.003)
    assert table[3:].sum() == pytest.approx(0.1, abs=0.003)
    assert law.unanswered_loss == pytest.approx(0.5 * 0.9 * 0.4)
    assert law.forgetting == pytest.approx(0.5 * 0.9 * 0.4)


def test_where_options_are_not_told_wrong_twice_is_of_unknown_sameness() -> None:
    found = shares(KnowOrGuess(known=0.5, options_told=False))

    assert found[[SAME, OTHER]].sum() == 0
    assert found[UNKNOWN] > 0.2


@pytest.mark.parametrize("tied", [0.0, 0.1, 0.5])
def test_items_of_a_passage_are_as_alike_as_asked_for(tied: float) -> None:
    """Of open items the answers are the knowledge, so that its intraclass correlation can be read off them."""
    law = KnowOrGuess(known=0.6, forgotten=0.3, options=None, passages=(8,), intraclass=tied)
    pairs = law.simulate(items=80_000, seed=2)

    for known in (pairs.score_before, pairs.score_after):
        mean = totals(pairs.cluster, known, 10_000) / 8
        between, within = mean.var(ddof=1) * 8, ((known - mean[pairs.cluster]) ** 2).sum() / (80_000 - 10_000)
        assert (between - within) / (between + 7 * within) == pytest.approx(tied, abs=0.02)


def test_passages_take_the_sizes_given_and_none_is_in_two_studies() -> None:
    pairs = KnowOrGuess(known=0.5, passages=(1, 2, 5)).simulate(items=20, studies=3, seed=0)

    for cluster in pairs.cluster.reshape(3, 20):
        # 1 + 2 + 5, and again, and then 1 + 2 + the item that is left, which stands alone.
        assert sorted(np.unique(cluster[cluster >= 0], return_counts=True)[1].tolist()) == [2, 2, 2, 5, 5]
        assert (cluster < 0).sum() == 4
    assert len(np.unique(pairs.cluster[pairs.cluster >= 0])) == 15


def test_an_unchanged_checkpoint_has_no_excess_however_noisy_its_draws() -> None:
    for slip in (0.0, 0.2, 0.9):
        law = KnowOrGuess(
            known=0.6, options={2: 0.5, 4: 0.5}, draws=5, slip=slip, repeated_luck=0.3, misconceptions=0.2
        )

        assert law.excess == pytest.approx(0, abs=1e-15)
        assert law.net == pytest.approx(0, abs=1e-15)
        assert law.noise_floor > 0


def test_draws_of_one_checkpoint_repeat_luck_as_often_as_draws_of_two() -> None:
    law = KnowOrGuess(known=0.0, options=4, draws=2, repeated_luck=0.6)
    pairs = law.simulate(items=100_000, seed=3)

    assert pairs.noise_before.mean() == pytest.approx(0.25 * 0.4 * 0.75, abs=0.003)
    assert lost_share(pairs) == pytest.approx(0.25 * 0.4 * 0.75, abs=0.003)


def lost_share(pairs: Pairs) -> float:
    return float(pairs.share[:, STATES * RIGHT + WRONG].mean())


def test_eight_thousand_studies_of_any_size_are_a_handful_of_rows_each() -> None:
    law = KnowOrGuess(known=0.7, forgotten=0.1, options={2: 0.25, 3: 0.25, 4: 0.25, 10: 0.25}, repeated_luck=0.5)

    few, many = (law.simulate(items=items, studies=8000, seed=1) for items in (300, 30_000))

    assert len(few.leaf) <= len(many.leaf) <= 8000 * 19
    assert many.items.sum() == 8000 * 30_000


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"known": 1.2}, "known is a share"),
        ({"known": 0.5, "slip": -0.1}, "slip is a share"),
        ({"known": 0.1, "forgotten": 0.2}, "what is forgotten was known"),
        ({"known": 0.8, "gained": 0.3}, "what is gained was not known"),
        ({"known": 0.5, "options": 1}, "one wrong"),
        ({"known": 0.5, "options": 4, "golds": 4}, "one wrong"),
        ({"known": 0.5, "golds": 0}, "at least one option must be right"),
        ({"known": 0.5, "options": {2: 0.5, 4: 0.6}}, "sum to 1"),
        ({"known": 0.5, "options": {}}, "sum to 1"),
        ({"known": 0.5, "draws": 0}, "count from 1"),
        ({"known": 0.5, "passages": ()}, "count from 1"),
        ({"known": 0.5, "unanswered_as": ("failed",)}, "unanswered_as must name"),
    ],
)
def test_a_world_that_cannot_be_is_refused_with_a_sentence(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        KnowOrGuess(**wrong)  # type: ignore[arg-type]


def test_shares_that_miss_their_sum_by_rounding_are_taken() -> None:
    assert KnowOrGuess(known=0.7, gained=0.3, forgotten=0.7).known_after == pytest.approx(0.3)
    assert KnowOrGuess(known=0.1 + 0.2, gained=0.7).gain == 0.7
