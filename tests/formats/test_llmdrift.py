"""Tables of LLMDrift: runs by model, draws by trial, and a scorer for each kind of question."""

import csv
from pathlib import Path
from typing import Any

import pytest

from forgetmap.errors import FormatError
from forgetmap.formats.contract import Hints
from forgetmap.formats.opening import open_run, open_runs
from tests.formats.texts_told import GOLDEN, marks, one_run, rows_of

FOLDER = GOLDEN / "llmdrift"
NAMES = [
    "model",
    "temperature",
    "max_tokens",
    "trail",
    "dataset",
    "id",
    "query",
    "ref_answer",
    "answer",
    "answer_token",
]


def row(number: int, gold: str, answer: str, **more: Any) -> dict[str, Any]:
    return {
        "model": "api/one",
        "temperature": 0.1,
        "max_tokens": 20,
        "trail": 0,
        "dataset": "quiz",
        "id": number,
        "query": f"What is {number}?",
        "ref_answer": gold,
        "answer": answer,
        "answer_token": 5,
        **more,
    }


def written(folder: Path, rows: list[dict[str, Any]], name: str = "QUIZ_EVAL.csv") -> Path:
    path = folder / name
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys([*NAMES, *(name for one in rows for name in one)])))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_each_model_is_a_run_over_all_tables_of_a_folder() -> None:
    early, late = open_runs(FOLDER)

    assert (early.info.run_id, early.info.checkpoint, late.info.run_id) == ("early", "madeup/early", "late")
    assert early.info.decoding == {"temperature": 0.1, "max_tokens": 60}
    assert len(early.info.source) == 7
    assert {found.item.task for found in early.rows()} == {
        "countsquares", "even", "exam", "leetcode_tiny", "opinionqa", "rudeq", "short",
    }  # fmt: skip


def test_a_run_is_had_by_its_name_or_by_the_model_s() -> None:
    for name in ("late", "madeup/late"):
        assert open_run(f"{FOLDER / 'EVEN_EVAL.csv'}::{name}").info.run_id == "late"


def test_trials_are_draws(tmp_path: Path) -> None:
    told = rows_of(written(tmp_path, [row(1, "x", "x", trail=1), row(1, "x", "y", trail=0)]))

    assert [(found.sample.draw, found.scores[0].value) for found in told] == [(0, 0.0), (1, 1.0)]


@pytest.mark.parametrize(
    ("table", "scorer"),
    [
        ("COUNTSQUARES", "boxed"),
        ("EVEN", "yes_no"),
        ("EXAM", "choice"),
        ("LEETCODE_TINY", "accepted"),
        ("RUDEQ", "response_rate"),
        ("SHORT", "quasi_exact_match"),
    ],
)
def test_the_kind_of_question_names_the_scorer(table: str, scorer: str) -> None:
    assert {found.scores[0].scorer for found in rows_of(FOLDER / f"{table}_EVAL.csv", "early")} == {scorer}


def test_what_found_no_box_within_its_tokens_is_truncated_and_otherwise_unparsed(tmp_path: Path) -> None:
    gold = r"\\boxed{1}"
    told = rows_of(
        written(tmp_path, [row(1, gold, "one", answer_token=20), row(2, gold, "one"), row(3, gold, r"\\boxed{1}")])
    )

    assert list(marks(told)) == [("1", "truncated", None), ("2", "unparsed", None), ("3", "scored", 1.0)]


def test_a_judge_s_report_without_a_verdict_has_failed_and_the_cleaned_program_has_a_score_of_its_own() -> None:
    told = rows_of(FOLDER / "LEETCODE_TINY_EVAL.csv", "late")

    assert list(marks(told)) == [("7-add-one", "scored", 0.0), ("12-halve", "failed", None)]
    assert [found.scores[1][:3] for found in told] == [
        ("accepted,clean", "scored", 1.0),
        ("accepted,clean", "scored", 0.0),
    ]


def test_a_row_without_a_report_or_a_mark_has_failed(tmp_path: Path) -> None:
    judged = [row(1, "", "pass", Code_Submit="Accepted"), row(2, "", "pass", Code_Submit="")]
    marked = [{**row(1, "", "Well."), "Response Rate": 1}, {**row(2, "", "Well."), "Response Rate": "maybe"}]

    assert list(marks(rows_of(written(tmp_path, judged)))) == [("1", "scored", 1.0), ("2", "failed", None)]
    assert list(marks(rows_of(written(tmp_path, marked)))) == [("1", "scored", 1.0), ("2", "failed", None)]


def test_opinions_are_kept_without_a_score_though_the_table_names_an_option() -> None:
    run = one_run(FOLDER / "OPINIONQA_EVAL.csv", "early")
    (found,) = run.rows()

    assert (found.scores[0].outcome, found.item.golds, found.item.k) == ("failed", (), 3)
    assert "opinionqa: the table holds no right answers" in run.notes[0]


def test_letters_of_hidden_options_have_unknown_chance_which_the_user_may_say(tmp_path: Path) -> None:
    path = written(tmp_path, [row(1, "(B)", "The answer is (B)"), row(2, "(B)", "(C)")])
    said = list(one_run(path, hints=Hints(k=(("quiz", "5"),))).rows())

    assert [(found.scores[0].value, found.scores[0].choice, found.item.chance) for found in rows_of(path)] == [
        (1.0, 1, None),
        (0.0, 2, None),
    ]
    assert {(found.item.k, found.item.chance) for found in said} == {(5, 0.2)}


def test_a_line_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    path = written(tmp_path, [row(1, "x", "x"), row(2, "x", "x", trail="often"), row(3, "x", "x", dataset="")])
    run = one_run(path)

    assert [found.item.native_id for found in run.rows()] == ["1"]
    assert [problem.where for problem in run.problems] == ["QUIZ_EVAL.csv line 3", "QUIZ_EVAL.csv line 4"]


def test_a_table_without_rows_is_left_out_beside_others_and_an_error_alone(tmp_path: Path) -> None:
    written(tmp_path, [row(1, "x", "x")])
    empty = written(tmp_path, [], "EMPTY_EVAL.csv")

    assert "EMPTY_EVAL.csv has a header and no rows" in one_run(tmp_path).notes[0]
    with pytest.raises(FormatError, match="has a header and no rows"):
        open_run(empty)


def test_a_bare_letter_is_an_option_and_a_word_in_brackets_is_yes_or_no(tmp_path: Path) -> None:
    query = "Which?\nA. red\nB. blue\nC. green"
    told = rows_of(
        written(tmp_path, [row(1, "B", "B", query=query), row(2, "[Yes]", "[No]"), row(3, "B", "The answer is (B).")])
    )

    assert [(one.item.golds, one.item.chance, one.scores[0].scorer, one.scores[0].value) for one in told] == [
        (("blue",), pytest.approx(1 / 3), "choice", 1.0),
        (("yes",), 0.5, "yes_no", 0.0),
        (("(B)",), None, "choice", 1.0),
    ]
