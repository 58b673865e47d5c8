"""Answers to transitions: kinds, draws, chance, and rows that stand for many items."""

import numpy as np
import pytest

from forgetmap import KnowOrGuess
from forgetmap.measure import METRICS
from forgetmap.measure.band import band
from forgetmap.measure.fold import RIGHT, TRUNCATED, UNPARSED, WRONG
from forgetmap.measure.pair import TaskPairs
from forgetmap.measure.transitions import (
    BAND,
    CHANCE_ONE,
    CHANCE_UNKNOWN,
    IDENTIFIED,
    KINDS,
    OTHER,
    SAME,
    STATES,
    UNKNOWN,
    Pairs,
    condensed,
    draw_pairs,
    swapped,
    transitions,
)
from forgetmap.measure.transitions import Answers as Side
from forgetmap.tables import load
from tests.measure.told import by_study, columns, together, told


def shares(pairs: Pairs) -> list[dict[int, float]]:
    """The kinds that occur in each row, with their shares."""
    return [{kind: row[kind] for kind in np.flatnonzero(row).tolist()} for row in pairs.share.round(6)]


def side(states: str, seeds: list[int]) -> Side:
    state = np.array([[RIGHT if letter == "R" else WRONG if letter == "a" else 5 for letter in states]], np.uint8)
    return Side(state, state.astype(np.int32), state.astype(float), np.array(seeds, np.int64))


def paired(before: Side, after: Side) -> list[tuple[int, int]]:
    return [(i, j) for i, j, valid in draw_pairs(before, after) if valid[0]]


def test_every_pair_of_answers_is_one_kind_of_transition() -> None:
    pairs = told(["R", "R", "R", "a", "a", "a", "~", "!"], ["R", "a", "?", "R", "a", "b", "~", "?"])

    assert shares(pairs) == [
        {0: 1.0},
        {WRONG: 1.0},
        {UNPARSED: 1.0},
        {STATES * WRONG: 1.0},
        {SAME: 1.0},
        {OTHER: 1.0},
        {STATES * TRUNCATED + TRUNCATED: 1.0},
        {STATES * 3 + UNPARSED: 1.0},
    ]


def test_a_wrong_answer_without_its_option_makes_wrong_twice_of_unknown_sameness() -> None:
    pairs = told(["w", "w", "a"], ["w", "a", "w"])

    assert shares(pairs) == [{UNKNOWN: 1.0}] * 3


def test_every_draw_before_meets_every_draw_after() -> None:
    pairs = told(["RRa"], ["Rb?"], seeds=[[1, 2, 3], [4, 5, 6]])

    assert shares(pairs) == [
        {0: pytest.approx(2 / 9), WRONG: pytest.approx(2 / 9), UNPARSED: pytest.approx(2 / 9)}
        | {STATES * WRONG: pytest.approx(1 / 9), OTHER: pytest.approx(1 / 9), STATES + UNPARSED: pytest.approx(1 / 9)}
    ]


def test_draws_of_one_seed_do_not_meet_where_there_are_several_on_both_sides() -> None:
    assert paired(side("Ra", [7, 8]), side("Ra", [7, 8])) == [(0, 1), (1, 0)]
    assert paired(side("RaR", [7, 8, 9]), side("Ra", [9, 7])) == [(0, 0), (1, 0), (1, 1), (2, 1)]


def test_one_draw_each_meets_whatever_the_seeds() -> None:
    assert paired(side("R", [7]), side("a", [7])) == [(0, 0)]
    assert paired(side("Rx", [7, 8]), side("ax", [7, 8])) == [(0, 0)]


def test_one_draw_on_one_side_meets_all_of_the_other() -> None:
    assert paired(side("Ra", [7, 8]), side("R", [7])) == [(0, 0), (1, 0)]


def test_where_all_draws_have_one_seed_their_numbers_tell_them_apart() -> None:
    assert paired(side("Ra", [7, 7]), side("Ra", [7, 7])) == [(0, 1), (1, 0)]


def test_where_an_item_s_draws_of_other_seeds_failed_those_of_one_seed_meet() -> None:
    assert paired(side("Rax", [7, 7, 8]), side("Ra", [7, 7])) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_draw_that_failed_meets_none() -> None:
    pairs = told(["Rx", "aR"], ["aa", "R."], seeds=[[1, 2], [3, 4]])

    assert shares(pairs) == [{WRONG: 1.0}, {STATES * WRONG: 0.5, RIGHT: 0.5}]
    assert pairs.score_before.tolist() == [1.0, 0.5]


def test_noise_is_the_share_of_ordered_pairs_of_draws_that_are_right_then_not() -> None:
    pairs = told(["RRRaa", "RRRRR", "Rxxxx"], ["R", "R", "R"], seeds=[[1, 2, 3, 4, 5], [6]])

    assert pairs.noise_before[:2] == pytest.approx([3 * 2 / (5 * 4), 0.0])
    assert np.isnan([pairs.noise_before[2], *pairs.noise_after]).all()


@pytest.mark.parametrize(
    ("k", "golds", "answer", "status", "luck"),
    [
        (4, 1, "b", IDENTIFIED, 1 / 2),
        (3, 1, "b", IDENTIFIED, 1.0),
        (5, 2, "b", IDENTIFIED, 2 / 2),
        (None, 1, "w", IDENTIFIED, 0.0),
        (2, 1, "b", BAND, np.nan),
        (4, 3, "b", BAND, np.nan),
        (4, 1, "w", BAND, np.nan),
        (1, 1, "R", CHANCE_ONE, np.nan),
    ],
)
def test_what_is_identified_depends_on_the_wrong_options(
    k: int | None, golds: int, answer: str, status: int, luck: float
) -> None:
    pairs = told([answer], ["R"], k=k, golds=golds)

    assert pairs.status.tolist() == [status]
    assert pairs.luck == pytest.approx([luck], nan_ok=True)


def test_an_item_of_unknown_chance_is_set_apart_and_says_nothing_of_forgetting() -> None:
    pairs = told(["R", "b"], ["b", "R"], chance=np.nan)

    assert pairs.status.tolist() == [CHANCE_UNKNOWN] * 2
    assert load(METRICS, "forgetting", group="metrics")(pairs, together(pairs)).n.tolist() == [0]
    assert load(METRICS, "net", group="metrics")(pairs, together(pairs)).n.tolist() == [2]


def test_chance_is_taken_from_the_side_that_knows_it() -> None:
    one, two = (columns(["b"], chance=chance, k=4, seeds=[None]) for chance in (np.nan, 0.25))
    rows = np.zeros(1, np.int64)

    for before, after in ((one, two), (two, one)):
        pairs = transitions(TaskPairs("t", before, after, rows, rows, [], [], 0), rows, rows - 1)
        assert (pairs.chance.tolist(), pairs.status.tolist()) == ([0.25], [IDENTIFIED])


def test_an_answer_without_an_option_costs_only_its_own_item() -> None:
    for blank in (1, 20):
        pairs = told(["w"] * blank + ["a"] * 199, ["b"] * (199 + blank))

        assert (pairs.status == BAND).tolist() == [True] * blank + [False] * 199


def test_open_items_do_not_cost_the_others_of_their_task_what_their_options_tell() -> None:
    law = KnowOrGuess(known=0.5, forgotten=0.1, options={None: 0.5, 4: 0.5}, draws=2)

    pairs = law.simulate(items=400, seed=3)

    assert set(pairs.chance.tolist()) == {0.0, 0.25}
    assert (pairs.status == IDENTIFIED).all()


def test_swapping_twice_changes_nothing() -> None:
    pairs = KnowOrGuess(known=0.6, forgotten=0.2, unanswered_after=0.2, draws=2, slip=0.1).simulate(items=200, seed=1)

    twice = swapped(swapped(pairs))

    for column, again in zip(pairs, twice, strict=True):
        assert np.array_equal(column, again, equal_nan=True)


def test_states_of_each_side_are_margins_of_the_kinds() -> None:
    pairs = told(["Ra", "a?"], ["bR", "a~"], seeds=[[1, 2], [3, 4]])

    assert pairs.states("before").tolist() == [[0.5, 0.5, 0, 0, 0], [0, 0.5, 0.5, 0, 0]]
    assert pairs.states("after").tolist() == [[0.5, 0.5, 0, 0, 0], [0, 0.5, 0, 0, 0.5]]


@pytest.mark.parametrize("name", METRICS)
def test_counting_alike_items_in_one_row_changes_no_estimate(name: str) -> None:
    law = KnowOrGuess(
        known=0.6, forgotten=0.2, options={2: 0.2, 4: 0.6, None: 0.2}, unanswered_after=0.1, passages=(2, 1), draws=1
    )
    pairs = law.simulate(items=300, studies=4, seed=2)
    single = pairs._replace(cluster=np.full(len(pairs.leaf), -1))
    metric = load(METRICS, name, group="metrics")

    few = condensed(single)
    one, two = metric(single, by_study(single)), metric(few, by_study(few))

    assert len(few.leaf) < 4 * KINDS * 3 < len(single.leaf)
    for column in ("value", "low", "high", "n"):
        assert getattr(two, column) == pytest.approx(getattr(one, column), abs=1e-12, nan_ok=True)
    for one_end, two_end in zip(band(single, by_study(single))[:4], band(few, by_study(few))[:4], strict=True):
        assert two_end == pytest.approx(one_end, abs=1e-12)


@pytest.mark.parametrize("more", [{"draws": 2}, {"passages": (3,)}])
def test_items_that_differ_in_more_than_their_kind_are_not_counted_together(more: dict[str, object]) -> None:
    pairs = KnowOrGuess(known=0.6, forgotten=0.2, **more).simulate(items=60, seed=2)  # type: ignore[arg-type]

    assert condensed(pairs) is pairs
