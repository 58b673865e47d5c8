"""What a row of a table becomes: item, sample and score."""

from pathlib import Path
from typing import Any

import pytest

from forgetmap.formats.contract import Hints
from forgetmap.records.schema import Row
from tests.formats.table_told import KINDS, reasons, rows_of, run, scores_of, told

FULL: list[dict[str, Any]] = [
    {
        "item_id": number,
        "question": f"Что такое {number}?\nСкажи.",
        "choices": ["ноль, 0", 'a "b"', "語", "🙂"],
        "gold": "ABCD"[number % 4],
        "choice": "ABAX"[number % 4],
        "task": f"task_{number % 2}",
        "domain": None if number == 3 else "d",
        "category": "c",
        "cluster": f"passage {number // 2}",
        "draw": number % 3,
        "seed": 100 + number,
        "response": f"I say {number}\r\nor so",
        "prompt": "Ask: " * 3,
        "scorer": "mine",
        "ignored": number,
    }
    for number in range(6)
]


def judged(*cells: Any, name: str = "correct", **others: Any) -> list[dict[str, Any]]:
    return [{"item_id": number, name: cell, **others} for number, cell in enumerate(cells)]


@pytest.mark.parametrize("kind", [*KINDS, "csv.gz", "tsv.gz", "jsonl.gz", "json.gz"])
def test_the_same_content_makes_the_same_rows_in_every_kind_of_file(tmp_path: Path, kind: str) -> None:
    expected = rows_of(told(tmp_path / "a" / "quiz.jsonl", FULL))

    assert rows_of(told(tmp_path / f"quiz.{kind}", FULL)) == expected
    assert len(expected) == len(FULL)


def test_every_column_finds_its_place(tmp_path: Path) -> None:
    row = rows_of(told(tmp_path / "quiz.parquet", FULL))[0]

    assert row.item._asdict() == {
        "task": "task_0",
        "native_id": "0",
        "domain": "d",
        "question": "Что такое 0?\nСкажи.",
        "choices": ("ноль, 0", 'a "b"', "語", "🙂"),
        "golds": ("ноль, 0",),
        "k": 4,
        "chance": 0.25,
        "cluster": "passage 0",
        "source": None,
        "meta": {"category": "c"},
    }
    assert row.sample.prompt == "Ask: Ask: Ask: "
    assert (row.sample.draw, row.sample.seed, row.sample.response) == (0, 100, "I say 0\r\nor so")
    assert [score._asdict() | {"version": None} for score in row.scores] == [
        {
            "scorer": "mine",
            "outcome": "scored",
            "value": 1.0,
            "choice": 0,
            "version": None,
            "found": "letter",
            "margin": None,
            "logprobs": None,
        }
    ]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("said", [(1, 0), (True, False), ("true", "FALSE"), ("yes", "No"), (1.0, 0.0), ("1", "0")])
def test_correct_may_be_said_in_many_ways(tmp_path: Path, kind: str, said: tuple[Any, Any]) -> None:
    scores = scores_of(told(tmp_path / f"quiz.{kind}", judged(*said)))

    assert [(score.scorer, score.outcome, score.value) for score in scores] == [
        ("correct", "scored", 1.0),
        ("correct", "scored", 0.0),
    ]


def test_graded_scores_keep_their_value(tmp_path: Path) -> None:
    assert [score.value for score in scores_of(told(tmp_path / "quiz.csv", judged(0.25, 1, 0, 0.5)))] == [
        0.25,
        1,
        0,
        0.5,
    ]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("empty", [None, float("nan")])
def test_a_score_that_is_not_there_has_failed_and_is_not_zero(tmp_path: Path, kind: str, empty: Any) -> None:
    gone, there = rows_of(told(tmp_path / f"quiz.{kind}", judged(empty, 1.0)))

    assert (gone.scores[0].outcome, gone.scores[0].value, gone.sample.error) == ("failed", None, "correct is empty")
    assert (there.scores[0].value, there.sample.error) == (1.0, None)


@pytest.mark.parametrize("outcome", ["unparsed", "refused", "truncated", "failed"])
@pytest.mark.parametrize("correct", [None, "", 0])
def test_an_outcome_other_than_scored_has_no_value(tmp_path: Path, outcome: str, correct: Any) -> None:
    rows = [{"item_id": 1, "correct": correct, "outcome": outcome}, {"item_id": 2, "correct": 1, "outcome": "scored"}]
    first, second = rows_of(told(tmp_path / "quiz.jsonl", rows))

    assert (first.scores[0].outcome, first.scores[0].value, first.sample.error) == (outcome, None, None)
    assert (second.scores[0].outcome, second.scores[0].value) == ("scored", 1.0)


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ({"correct": 2}, "correct is '2': 0 or 1, true or false, or a number between 0 and 1 is wanted"),
        ({"correct": -1}, "correct is '-1': 0 or 1, true or false, or a number between 0 and 1 is wanted"),
        ({"correct": "right"}, "correct is 'right': 0 or 1, true or false, or a number between 0 and 1 is wanted"),
        (
            {"correct": 1, "outcome": "lost"},
            "outcome is 'lost': one of scored, unparsed, refused, truncated, failed is wanted",
        ),
        ({"correct": None, "outcome": "scored"}, "has the outcome scored, but nothing that says whether it is right"),
        ({"correct": 1, "draw": -1}, "draw is -1: a number from 0 to 1000000 is wanted"),
        ({"correct": 1, "draw": "first"}, "draw is 'first': a whole number is wanted"),
        ({"correct": 1, "seed": 1.5}, "seed is '1.5': a whole number is wanted"),
        ({"correct": 1, "k": "many"}, "k is 'many': a number of options, or \"open\", is wanted"),
        ({"correct": 1, "choices": "red or blue"}, "choices is no JSON list: 'red or blue'"),
        ({"correct": 1, "choices": "['red', 'blue']"}, "choices is no JSON list: \"['red', 'blue']\""),
        ({"correct": 1, "task": ""}, "names no task"),
        ({"correct": 1, "item_id": None}, "has neither item_id nor question"),
    ],
)
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_a_row_that_cannot_be_read_is_listed_with_the_reason(
    tmp_path: Path, kind: str, cells: dict[str, Any], why: str
) -> None:
    good = {**dict.fromkeys(cells), "item_id": "1", "task": "t", "correct": "1"}
    bad = {"item_id": "2", "task": "t", **{name: None if cell is None else str(cell) for name, cell in cells.items()}}
    path = told(tmp_path / f"quiz.{kind}", [good, bad])
    place = {"csv": "line 3", "jsonl": "line 2", "parquet": "row 2"}[kind]

    assert reasons(path) == [(f"quiz.{kind} {place}", why)]
    assert len(list(run(path).rows())) == 1


def test_correct_decides_and_choice_tells_the_option(tmp_path: Path) -> None:
    rows = [
        {"item_id": 1, "k": 4, "correct": 1, "choice": "B", "gold": "B"},
        {"item_id": 2, "k": 4, "correct": 0, "choice": "B", "gold": "B"},
        {"item_id": 3, "k": 4, "correct": 1, "choice": "none", "gold": "B"},
        {"item_id": 4, "k": 4, "correct": 0.5, "choice": "C", "gold": "B"},
    ]
    agrees, contradicts, unread, graded = scores_of(told(tmp_path / "quiz.jsonl", rows))

    assert (agrees.value, agrees.choice, agrees.found) == (1.0, 1, "letter")
    assert (contradicts.value, contradicts.choice) == (0.0, None)
    assert contradicts.found == "correct, which choice and gold contradict"
    assert (unread.outcome, unread.value, unread.choice) == ("scored", 1.0, None)
    assert (graded.value, graded.choice) == (0.5, 2)


def test_tasks_of_one_file_may_be_scored_in_either_way(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"task": "open", "item_id": 1, "correct": 1},
        {"task": "quiz", "item_id": 1, "gold": "A", "choice": "A"},
        {"task": "quiz", "item_id": 2, "gold": "A", "choice": None},
    ]
    scores = {(row.item.task, row.item.native_id): row.scores[0] for row in rows_of(told(tmp_path / "all.jsonl", rows))}

    assert (scores["open", "1"].scorer, scores["open", "1"].value) == ("correct", 1.0)
    assert (scores["quiz", "1"].scorer, scores["quiz", "1"].value) == ("choice", 1.0)
    assert scores["quiz", "2"].outcome == "unparsed"


def test_a_seed_without_a_draw_is_the_draw_of_its_rank(tmp_path: Path) -> None:
    rows = [{"item_id": item, "seed": seed, "correct": 1} for item in (1, 2) for seed in (43, 7, 1234)]
    found = run(told(tmp_path / "quiz.csv", rows))

    assert {(row.sample.seed, row.sample.draw) for row in found.rows()} == {(7, 0), (43, 1), (1234, 2)}
    assert found.info.seeds == (7, 43, 1234)


@pytest.mark.parametrize("first", ["strict", "lenient"])
def test_scorers_come_in_the_order_in_which_the_file_first_names_them(tmp_path: Path, first: str) -> None:
    names = sorted(["strict", "lenient", "a third"], key=lambda name: name != first)
    rows = [
        {"item_id": 9 - n, "scorer": name, "correct": 1} for n in range(3) for name in names[:: 1 if n == 0 else -1]
    ]
    found = [row.scores[0].scorer for row in rows_of(told(tmp_path / "quiz.csv", rows))]

    assert found == names * 3


def test_several_scorers_of_one_answer_are_rows_of_their_own(tmp_path: Path) -> None:
    rows = [{"item_id": 1, "scorer": scorer, "correct": scorer == "strict"} for scorer in ("strict", "lenient")]
    found = run(told(tmp_path / "quiz.jsonl", rows))

    assert {(row.scores[0].scorer, row.scores[0].value) for row in found.rows()} == {("strict", 1.0), ("lenient", 0.0)}
    assert found.duplicates == 0


def test_an_empty_response_is_kept_where_the_file_can_tell_it_from_an_absent_one(tmp_path: Path) -> None:
    rows = [{"item_id": 1, "correct": 0, "response": ""}, {"item_id": 2, "correct": 0, "response": None}]

    assert [row.sample.response for row in rows_of(told(tmp_path / "quiz.jsonl", rows))] == ["", None]


def test_whole_numbers_kept_as_floats_are_the_same_ids(tmp_path: Path) -> None:
    whole = rows_of(told(tmp_path / "whole.csv", judged(1, 0)))
    floats = rows_of(told(tmp_path / "floats.csv", [row | {"item_id": float(row["item_id"])} for row in judged(1, 0)]))

    assert [row.item_id for row in whole] == [row.item_id for row in floats]


def test_a_mapped_column_wins_over_one_that_has_our_name(tmp_path: Path) -> None:
    rows = [{"item_id": 1, "correct": 0, "exact": 1, "choice": "thoughts", "gold": "x"}]
    hints = Hints(columns={"exact": "correct", "choice": "response"})
    (row,) = rows_of(told(tmp_path / "quiz.csv", rows), hints)

    assert (row.scores[0].value, row.sample.response, row.scores[0].choice) == (1.0, "thoughts", None)


def test_lines_in_another_order_make_the_same_rows(tmp_path: Path) -> None:
    rows = [row | {"item_id": str(number)} for number, row in enumerate(FULL * 3)]
    expected = rows_of(told(tmp_path / "straight.jsonl", rows))

    assert rows_of(told(tmp_path / "turned.jsonl", rows[::-1])) == expected
    assert [row.item_id for row in expected] == [row.item_id for row in sorted(expected, key=_by_native_id)]
    assert any(row.item_id.endswith("-2") for row in expected)


def _by_native_id(row: Row) -> tuple[str, int]:
    return row.item.task, int(row.item.native_id or -1)


def test_ids_that_are_not_all_numbers_are_in_the_order_of_text(tmp_path: Path) -> None:
    rows = [
        {"task": task, "item_id": name, "correct": 1}
        for task, names in (("a", "10 9 b"), ("b", "10 9 -1"))
        for name in names.split()
    ]
    found = [(row.item.task, row.item.native_id) for row in rows_of(told(tmp_path / "quiz.csv", rows))]

    assert found == [("a", "10"), ("a", "9"), ("a", "b"), ("b", "-1"), ("b", "9"), ("b", "10")]


def test_without_ids_rows_stay_in_the_order_of_the_file(tmp_path: Path) -> None:
    rows = [{"question": question, "correct": 1} for question in ("z?", "a?", "m?", "a?")]
    found = rows_of(told(tmp_path / "quiz.csv", rows))

    assert [row.item.question for row in found] == ["z?", "a?", "m?", "a?"]
    assert found[3].item_id == f"{found[1].item_id}-1"


def test_a_run_can_be_read_again(tmp_path: Path) -> None:
    found = run(told(tmp_path / "quiz.csv", FULL))

    assert list(found.rows()) == list(found.rows())


def test_rows_that_repeat_item_and_draw_are_counted(tmp_path: Path) -> None:
    found = run(told(tmp_path / "quiz.csv", [*judged(1, 0), *judged(0)]))
    rows = list(found.rows())

    assert [row.scores[0].value for row in rows] == [1.0, 0.0]
    assert found.duplicates == 1
