"""The records a law writes: questions of an invented world, with answers in words."""

import re
from itertools import islice

import pytest

from forgetmap import KnowOrGuess, compare
from forgetmap.measure.fold import fold
from forgetmap.records.run import Run
from forgetmap.records.schema import Row
from forgetmap.scorers.text import looping
from forgetmap.theory.invented_world import TOPICS, question

LAW = KnowOrGuess(
    known=0.6, forgotten=0.2, gained=0.1, options={2: 0.2, 4: 0.4, 10: 0.2, None: 0.2}, unanswered_before=0.1,
    unanswered_after=0.3, draws=2, slip=0.1, passages=(1, 3),
)  # fmt: skip
MARK = re.compile(r"answer is (\w+)(?:: .*)?\.$|^([A-Z])\. ")


def rows(run: Run) -> list[Row]:
    found = list(run.rows())
    assert run.problems == []
    assert run.duplicates == 0
    return found


def both(law: KnowOrGuess = LAW, *, items: int = 150) -> tuple[list[Row], list[Row]]:
    before, after = law.runs(items=items, seed=4)
    return rows(before), rows(after)


def test_both_sides_are_asked_the_same_items_in_the_same_words() -> None:
    before, after = both()

    assert [row.item_id for row in before] == [row.item_id for row in after]
    assert [row.sample.prompt for row in before] == [row.sample.prompt for row in after]
    assert len({row.item_id for row in before}) == 150
    assert all(len(row.item_id) == 20 for row in before)


def test_the_first_draw_shows_the_options_as_they_come_and_others_in_orders_of_their_own() -> None:
    shown = {row.sample.draw: [] for row in both()[0]}
    for row in both()[0]:
        if row.item.k == 10 and row.sample.permutation is not None:
            shown[row.sample.draw].append(row.sample.permutation)

    assert set(shown[0]) == {tuple(range(10))}
    assert len(set(shown[1])) == len(shown[1]) > 10
    assert all(sorted(order) == list(range(10)) for order in shown[1])


def test_a_run_reads_the_same_again() -> None:
    run = LAW.runs(items=60, seed=2)[1]

    assert rows(run) == rows(run)


def test_an_item_says_its_options_golds_and_chance() -> None:
    for row in both()[0]:
        item = row.item
        if item.k is None:
            assert (item.choices, item.chance, len(item.golds)) == (None, 0.0, 1)
        else:
            assert item.choices is not None
            assert len(set(item.choices)) == item.k
            assert set(item.golds) <= set(item.choices)
            assert item.chance == 1 / item.k
        assert item.domain in {topic.domain for topic in TOPICS}


def test_golds_stand_in_every_place_alike() -> None:
    law = KnowOrGuess(known=0.5, options=4)
    places = [
        row.item.choices.index(row.item.golds[0]) for row in rows(law.runs(items=2000, seed=1)[0]) if row.item.choices
    ]

    assert all(abs(places.count(place) - 500) < 100 for place in range(4))


def test_what_is_said_is_what_was_scored() -> None:
    """Read like a log: the letter in the words, by the order shown, is the option that the score names."""
    checked = 0
    for row in (*both()[0], *both()[1]):
        score, said = row.scores[0], row.sample
        if score.outcome != "scored" or row.item.choices is None:
            continue
        assert said.response is not None and said.permutation is not None and score.choice is not None
        mark = MARK.search(said.response)
        assert mark is not None, said.response
        place = ord(mark[1] or mark[2]) - ord("A")
        assert said.permutation[place] == score.choice
        assert (row.item.choices[score.choice] in row.item.golds) == (score.value == 1)
        assert f"{mark[1] or mark[2]}. {row.item.choices[score.choice]}\n" in (said.prompt or "")
        checked += 1
    assert checked > 200


def test_an_open_answer_names_its_gold_exactly_when_it_is_right() -> None:
    for row in both()[1]:
        if row.item.choices is None and row.scores[0].outcome == "scored":
            assert (row.item.golds[0] in (row.sample.response or "")) == (row.scores[0].value == 1)
            assert row.scores[0].choice is None


def test_what_is_unanswered_names_no_option_and_ends_as_its_outcome_says() -> None:
    seen = set()
    for row in both()[1]:
        score, said = row.scores[0], row.sample
        if score.outcome != "scored":
            assert (score.value, score.choice) == (None, None)
            assert not any(choice in (said.response or "") for choice in row.item.choices or ())
            assert said.finish_reason == ("length" if score.outcome == "truncated" else "stop")
            seen.add(score.outcome)
    assert seen == {"unparsed", "refused", "truncated"}


def test_some_answers_go_round_in_circles_and_only_truncated_ones() -> None:
    after = both()[1]
    circles = [row.scores[0].outcome for row in after if looping(row.sample.response or "")]

    assert set(circles) == {"truncated"}
    assert 0 < len(circles) < sum(row.scores[0].outcome == "truncated" for row in after)


def test_without_texts_items_have_their_numbers_and_letters() -> None:
    for row in rows(LAW.runs(items=40, seed=1, texts=False)[0]):
        assert (row.item.question, row.item.choices, row.sample.prompt, row.sample.response) == (None,) * 4
        assert row.item.native_id is not None
        assert row.item.k is None or re.fullmatch("[A-J]", row.item.golds[0])


def test_questions_do_not_repeat_and_their_names_differ() -> None:
    asked = [question(number, 10, start=number % 7) for number in range(30_000)]

    assert len({one.text for one in asked}) == 30_000
    assert all(len(set(one.names)) == 10 for one in islice(asked, 0, None, 97))


@pytest.mark.parametrize("told", [True, False])
def test_a_map_of_two_runs_finds_what_was_forgotten(told: bool) -> None:
    law = KnowOrGuess(known=0.7, forgotten=0.2, options=4, repeated_luck=0.3, unanswered_after=0.1, options_told=told)

    cell = compare(*law.runs(items=3000, seed=6)).cell()

    assert cell.forgetting is not None and cell.forgetting.low is not None and cell.forgetting.high is not None
    assert cell.forgetting.low <= law.forgetting <= cell.forgetting.high
    assert (cell.forgetting.value is None) != told
    assert cell.net is not None and cell.net.value == pytest.approx(law.net, abs=0.03)
    assert cell.causes["truncated"] > 0 and cell.causes["refused"] > 0 and cell.causes["unparsed"] > 0
    assert (cell.causes["other_option"] > 0) == told


def test_items_of_a_passage_share_their_cluster() -> None:
    columns = next(iter(fold(LAW.runs(items=40, seed=1)[0]).columns.values()))
    named = [cluster for cluster in columns.clusters if cluster is not None]

    assert len(named) == 30
    assert all(named.count(cluster) == 3 for cluster in named)
