"""Choice and gold as letters, indices and texts; options, chance and several golds."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forgetmap.formats.contract import Hints
from forgetmap.formats.opening import open_run
from tests.formats.table_told import reasons, rows_of, run, scores_of, told

COLOURS = ["red", "green", "blue", "grey"]
GOLDS = {"letter": "BCAD", "index": [1, 2, 0, 3], "text": ["green", "blue", "red", "grey"]}
CHOICES = {
    "letter": ["B", "a", "(B)", None],
    "index": [1, 0, "1.", None],
    "text": [" green ", "red", "greenish", None],
}


def items(gold: Any, choice: Any, **others: Any) -> list[dict[str, Any]]:
    """Four items of four options."""
    return [
        {"item_id": number, "question": f"Which is {number}?", "gold": right, "choice": said, **others}
        for number, (right, said) in enumerate(zip(gold, choice, strict=True))
    ]


@pytest.mark.parametrize("gold", GOLDS)
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_choice_and_gold_may_each_be_written_in_any_of_three_ways(
    tmp_path: Path, gold: str, choice: str, kind: str
) -> None:
    said = [None if cell is None else str(cell) for cell in CHOICES[choice]]
    scores = scores_of(told(tmp_path / f"quiz.{kind}", items(GOLDS[gold], said, choices=COLOURS)))

    assert [score.outcome for score in scores] == ["scored", "scored", "unparsed", "unparsed"]
    assert [score.value for score in scores] == [1.0, 0.0, None, None]
    assert [score.choice for score in scores] == [1, 0, None, None]
    assert [score.found for score in scores] == [choice, choice, None, None]


def test_an_item_has_the_same_id_however_its_gold_is_written(tmp_path: Path) -> None:
    ids = [
        [row.item_id for row in rows_of(told(tmp_path / f"{gold}.jsonl", items(GOLDS[gold], "ABCD", choices=COLOURS)))]
        for gold in GOLDS
    ]

    assert ids[0] == ids[1] == ids[2]
    assert len(set(ids[0])) == 4


@pytest.mark.parametrize("said", ["(B)", "B.", "B)", "Answer: B", "B, C", "4", "-1", "E", "1.5", "É", "[Invalid] : x"])
def test_what_is_neither_letter_nor_index_nor_text_is_unparsed(tmp_path: Path, said: str) -> None:
    (score,) = scores_of(told(tmp_path / "quiz.csv", items("A", [said], choices=COLOURS)))

    assert (score.outcome, score.value, score.choice) == ("unparsed", None, None)


def test_numbers_as_options_are_read_as_the_rest_of_the_file_is_written(tmp_path: Path) -> None:
    rows = items([0, 2, 1, 3], [0, 2, 3, 1], choices=COLOURS)
    rows.append({"item_id": 9, "question": "1 + 1?", "gold": 1, "choice": 1, "choices": ["1", "2", "3", "4"]})
    path = told(tmp_path / "quiz.jsonl", rows)

    assert rows_of(path)[-1].item.golds == ("2",)
    assert [score.choice for score in scores_of(path)] == [0, 2, 3, 1, 1]


def test_numbers_as_options_are_texts_where_every_gold_is_one(tmp_path: Path) -> None:
    rows = [
        {"item_id": 1, "question": "1 + 1?", "gold": "2", "choice": "2", "choices": ["0", "1", "2", "3"]},
        {"item_id": 2, "question": "1 + 2?", "gold": "3", "choice": "1", "choices": ["7", "3", "0", "1"]},
    ]
    path = told(tmp_path / "quiz.csv", rows)

    assert [row.item.golds for row in rows_of(path)] == [("2",), ("3",)]
    assert [(score.choice, score.value) for score in scores_of(path)] == [(2, 1.0), (3, 0.0)]


def test_one_bad_gold_does_not_turn_the_others_into_texts(tmp_path: Path) -> None:
    rows = items([0, 2, "oops", 3], "AAAA", choices=["3", "1", "0", "2"])
    path = told(tmp_path / "quiz.csv", [*rows, *items([1] * 4, "AAAA", choices=COLOURS)])

    assert reasons(path) == [
        (
            "quiz.csv line 4",
            "gold is 'oops', none of the item's 4 options: a letter, an index from 0, or the text of an option is wanted",
        )
    ]


def test_letters_that_are_options_too_are_read_by_place_where_the_column_is_letters(tmp_path: Path) -> None:
    rows = items("BCAD", "BBBB", choices=COLOURS)
    rows.append({"item_id": 9, "question": "Blood?", "gold": "A", "choice": "B", "choices": ["O", "B", "A", "AB"]})
    blood = scores_of(told(tmp_path / "quiz.csv", rows))[-1]

    assert (blood.choice, blood.value, blood.found) == (1, 0.0, "letter")


def test_equal_options_are_one(tmp_path: Path) -> None:
    row = {"item_id": 1, "question": "Which?", "choices": ["a  b", "c", "a b", "d"], "gold": "C", "choice": "A"}
    (found,) = rows_of(told(tmp_path / "quiz.jsonl", [row]))

    assert (found.item.choices, found.item.k, found.item.chance) == (("a  b", "c", "d"), 3, 1 / 3)
    assert (found.scores[0].choice, found.scores[0].value) == (0, 1.0)


def test_options_in_several_columns_may_be_of_different_number(tmp_path: Path) -> None:
    rows = [
        {"q": "Two?", "a": "x", "b": "y", "c": None, "d": None, "gold": 1, "choice": "B"},
        {"q": "Gap?", "a": "x", "b": None, "c": "y", "d": "z", "gold": 2, "choice": "B"},
    ]
    hints = Hints(columns={"q": "question", "a,b,c,d": "choices"})
    found = {kind: rows_of(told(tmp_path / f"quiz.{kind}", rows), hints) for kind in ("csv", "jsonl", "parquet")}
    two, gap = found["csv"]

    assert found["jsonl"] == found["parquet"] == found["csv"]
    assert (two.item.choices, two.item.k, two.item.chance, two.scores[0].value) == (("x", "y"), 2, 0.5, 1.0)
    assert (gap.item.choices, gap.item.golds, gap.scores[0].outcome) == (("x", "y", "z"), ("y",), "unparsed")


@pytest.mark.parametrize("gold", [["A", "C"], '["A", "C"]', "A,C", "a, c", [0, 2], "[0, 2]", "0,2", ["red", "blue"]])
def test_an_item_may_have_several_golds(tmp_path: Path, gold: Any) -> None:
    path = told(tmp_path / "quiz.jsonl", items([gold] * 4, "ABCD", choices=COLOURS))

    assert [score.value for score in scores_of(path)] == [1.0, 0.0, 1.0, 0.0]
    assert {(row.item.golds, row.item.chance) for row in rows_of(path)} == {(("red", "blue"), 0.5)}


def test_a_comma_within_an_option_does_not_make_two_golds(tmp_path: Path) -> None:
    row = {"item_id": 1, "choices": ["A,C", "A", "B", "C"], "question": "?", "gold": "A,C", "choice": "A,C"}

    assert rows_of(told(tmp_path / "quiz.csv", [row]))[0].item.golds == ("A,C",)


def test_a_number_of_options_bounds_letters_and_indices(tmp_path: Path) -> None:
    rows = items("BBBB", ["B", 1, "E", "4"], k=4)
    path = told(tmp_path / "quiz.jsonl", rows)

    assert [(score.outcome, score.choice, score.value) for score in scores_of(path)] == [
        ("scored", 1, 1.0),
        ("scored", 1, 1.0),
        ("unparsed", None, None),
        ("unparsed", None, None),
    ]
    assert {(row.item.k, row.item.chance, row.item.golds) for row in rows_of(path)} == {(4, 0.25, ("B",))}


def test_a_gold_beyond_the_number_of_options_is_a_problem(tmp_path: Path) -> None:
    found = reasons(told(tmp_path / "quiz.csv", items("ABCF", "AAAA", k=4)))

    assert [where for where, _ in found] == ["quiz.csv line 5"]
    assert "gold is 'F', none of the item's 4 options" in found[0][1]


def test_letters_and_indices_match_where_the_number_of_options_is_unknown(tmp_path: Path) -> None:
    path = told(tmp_path / "quiz.csv", items("BCAD", ["1", "c", "B", "[Invalid]"]))

    assert [(score.outcome, score.value) for score in scores_of(path)] == [
        ("scored", 1.0),
        ("scored", 1.0),
        ("scored", 0.0),
        ("unparsed", None),
    ]
    assert {(row.item.k, row.item.chance) for row in rows_of(path)} == {(None, None)}


def test_letters_match_indices_as_golds_where_the_number_of_options_is_unknown(tmp_path: Path) -> None:
    path = told(tmp_path / "quiz.csv", items([1, 2, 0, 3], "BCBD"))

    assert [(score.value, score.choice) for score in scores_of(path)] == [(1.0, 1), (1.0, 2), (0.0, 1), (1.0, 3)]
    assert [row.item.golds for row in rows_of(path)] == [("B",), ("C",), ("A",), ("D",)]


def test_texts_are_compared_where_nothing_is_known_of_options(tmp_path: Path) -> None:
    path = told(tmp_path / "quiz.csv", items(["18", "Paris", "1,000", "x"], ["18", " Paris ", "1000", None]))

    assert [(score.outcome, score.value, score.choice) for score in scores_of(path)] == [
        ("scored", 1.0, None),
        ("scored", 1.0, None),
        ("scored", 0.0, None),
        ("unparsed", None, None),
    ]
    assert {row.item.chance for row in rows_of(path)} == {None}


def test_open_answers_are_compared_as_texts_and_cannot_be_guessed(tmp_path: Path) -> None:
    path = told(
        tmp_path / "quiz.csv", items(["A", "[1, 2]", "a b", '["x", "y"]'], ["0", "[1, 2]", "a  b", "y"], k="open")
    )

    assert [score.value for score in scores_of(path)] == [0.0, 1.0, 1.0, 1.0]
    assert {(row.item.k, row.item.chance) for row in rows_of(path)} == {(None, 0.0)}


def test_the_user_says_how_many_options_a_task_has(tmp_path: Path) -> None:
    rows = [row | {"task": task} for task in ("quiz_a", "quiz_b", "other") for row in items("ABCD", "ABCD")]
    hints = Hints(k=(("quiz_a", "open"), ("quiz*", "5")))
    found = {row.item.task: (row.item.k, row.item.chance) for row in rows_of(told(tmp_path / "all.csv", rows), hints)}

    assert found == {"quiz_a": (None, 0.0), "quiz_b": (5, 0.2), "other": (None, None)}


@pytest.mark.parametrize("k", [None, 0, "0", 0.0])
def test_a_row_without_a_number_of_options_has_unknown_chance(tmp_path: Path, k: object) -> None:
    rows = [{"item_id": 1, "gold": "A", "choice": "A", "k": k}, {"item_id": 2, "gold": "A", "choice": "A", "k": 4}]
    path = told(tmp_path / "quiz.jsonl", rows)

    assert [row.item.chance for row in rows_of(path)] == [None, 0.25]


def test_an_item_with_options_and_no_gold_can_be_guessed_once_in_k(tmp_path: Path) -> None:
    row = {"question": "Which?", "choices": COLOURS, "choice": "B", "correct": 1}
    (found,) = rows_of(told(tmp_path / "quiz.jsonl", [row]))

    assert (found.item.golds, found.item.chance, found.scores[0].choice) == ((), 0.25, 1)


COUNTDOWN = ["3", "2", "1", "0"]


def notes_of(path: Path) -> list[str]:
    found = run(path)
    assert list(found.rows())
    assert found.problems == []
    return found.notes


def test_digits_that_fit_as_indices_and_as_texts_are_noted_with_the_way_to_settle_it(tmp_path: Path) -> None:
    path = told(tmp_path / "quiz.csv", items("012", "BBA", choices=COUNTDOWN))

    assert notes_of(path) == [
        "quiz.csv: gold fits as well when read as indices from 0, and then means other options; "
        "it is read as texts. Write letters to settle it."
    ]
    assert [row.item.golds for row in rows_of(path)] == [("0",), ("1",), ("2",)]


def test_letters_that_fit_as_letters_and_as_texts_are_noted(tmp_path: Path) -> None:
    (note,) = notes_of(told(tmp_path / "quiz.csv", items("01", ["A", "B"], choices=["B", "A", "C"])))

    assert note.startswith("quiz.csv: choice fits as well when read as letters")
    assert note.endswith("it is read as texts. Write indices from 0 to settle it.")


@pytest.mark.parametrize("gold", ["ABC", ["0", "1", "4"], ["3", "2", "0"]])
def test_what_is_told_apart_by_one_row_or_means_the_same_is_not_noted(tmp_path: Path, gold: Any) -> None:
    options = ["0", "1", "2", "3"] if gold[0] == "3" else ["4", "1", "0"] if gold[0] == "0" else COUNTDOWN
    rows = items(gold, "ABA", choices=options)

    assert notes_of(told(tmp_path / "quiz.jsonl", rows)) == []


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_integers_by_type_beside_options_of_digits_are_indices(kind: str, tmp_path: Path) -> None:
    lines = [
        {"item_id": n, "choices": ["2", "3", "0", "1"], "gold": n % 4, "choice": "ABCD"[n % 4], "task": "t"}
        for n in range(8)
    ]
    path = tmp_path / f"log.{kind}"
    if kind == "jsonl":
        path.write_text("\n".join(json.dumps(line) for line in lines))
    else:
        pq.write_table(pa.Table.from_pylist(lines), path)

    run = open_run(path)

    assert [row.scores[0].value for row in run.rows()] == [1.0] * 8 and run.notes == []
