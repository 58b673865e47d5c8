"""Generations of ZeroEval: which entries become which items, runs, draws and scores."""

import json
from pathlib import Path
from typing import Any

import pytest

from forgetmap.formats.contract import Hints
from forgetmap.formats.opening import open_run, open_runs
from tests.formats.texts_told import GOLDEN, marks, one_run, rows_of

Entry = dict[str, Any]
CONFIGS = {"engine": "vllm", "temperature": 0.7, "max_tokens": 50}


def entry(number: int, output: Any, **more: Any) -> Entry:
    return {
        "id": f"quiz-#{number}",
        "question": f"What is {number}?",
        "output": output,
        "generator": "org/Some-7B",
        "configs": CONFIGS,
        "dataset": "quiz",
        **more,
    }


def said(answer: Any) -> str:
    return json.dumps({"reasoning": "so", "answer": answer})


def written(folder: Path, entries: list[Any], name: str = "Some-7B.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


def choices(gold: Any, **more: Any) -> Entry:
    return {"choices": ["red", "blue", "green"], "answer": gold, **more}


@pytest.mark.parametrize(
    ("more", "value"), [(choices("B"), 1.0), (choices(1), 1.0), (choices("blue"), 1.0), (choices("A"), 0.0)]
)
def test_the_right_option_is_told_by_letter_index_or_text(more: Entry, value: float, tmp_path: Path) -> None:
    (row,) = rows_of(written(tmp_path, [entry(1, [said("B")], **more)]))

    assert (row.scores[0].value, row.scores[0].choice, row.item.k, row.item.chance) == (value, 1, 3, 1 / 3)


def test_correct_answer_wins_over_answer(tmp_path: Path) -> None:
    (row,) = rows_of(written(tmp_path, [entry(1, [said("B")], **choices("A", correct_answer="blue"))]))

    assert (row.item.golds, row.scores[0].value) == (("blue",), 1.0)


def test_letters_count_the_options_as_shown_though_two_are_one(tmp_path: Path) -> None:
    more = {"choices": ["red", "red ", "green"], "correct_answer": "green"}
    told = rows_of(written(tmp_path, [entry(1, [said("C")], **more), entry(2, [said("B")], **more)]))

    assert [(row.scores[0].value, row.scores[0].choice, row.item.k) for row in told] == [(1.0, 1, 2), (0.0, 0, 2)]


def test_each_output_is_a_draw(tmp_path: Path) -> None:
    told = rows_of(written(tmp_path, [entry(1, [said("x"), said("y"), "nothing"], answer="x")]))

    assert [(row.sample.draw, *row.scores[0][1:3]) for row in told] == [
        (0, "scored", 1.0),
        (1, "scored", 0.0),
        (2, "unparsed", None),
    ]


def test_rows_come_in_the_order_of_the_numbers_in_their_ids(tmp_path: Path) -> None:
    told = rows_of(written(tmp_path, [entry(number, [said("x")], answer="x") for number in (10, 9, 100)]))

    assert [row.item.native_id for row in told] == ["quiz-#9", "quiz-#10", "quiz-#100"]


def test_numbers_are_compared_as_numbers_where_all_golds_are_such(tmp_path: Path) -> None:
    sums = [entry(1, [said("$1,200")], answer="1200"), entry(2, [said("7 eggs")], answer="#### 7")]
    mixed = [*sums, entry(3, [said("a lot")], answer="a lot")]

    assert {row.scores[0].scorer for row in rows_of(written(tmp_path, sums))} == {"json_number"}
    assert [row.scores[0].value for row in rows_of(written(tmp_path, sums))] == [1.0, 1.0]
    assert {row.scores[0].scorer for row in rows_of(written(tmp_path, mixed))} == {"json_answer"}


def test_values_of_programs_have_a_second_scorer(tmp_path: Path) -> None:
    (row,) = rows_of(written(tmp_path, [entry(1, [said("[1,2]")], answer="[1, 2]", dataset="crux")]))

    assert [(score.scorer, score.version, score.value) for score in row.scores] == [
        ("json_answer", "2", 0.0),
        ("json_literal", "2", 1.0),
    ]


def test_what_a_filter_blocked_is_refused_and_what_ran_out_of_tokens_truncated(tmp_path: Path) -> None:
    texts = [
        "Error: content filtered due to policy.",
        '{"reasoning": "' + "on and on and " * 9,
        "so many words and " * 20,
    ]
    told = rows_of(written(tmp_path, [entry(1, texts, answer="x")]))

    assert [row.scores[0].outcome for row in told] == ["refused", "truncated", "truncated"]
    assert {row.scores[0].version for row in told} == {"2"}


def test_a_task_without_right_answers_is_kept_without_a_score_and_it_is_said() -> None:
    run = one_run(GOLDEN / "zero_eval" / "house-grid", "Early-7B")

    assert list(marks(list(run.rows()))) == [("lgp-test-2x2-0", "failed", None)]
    assert run.notes == ["house-grid: the files hold no right answers, so its answers are kept without a score."]


def test_files_of_one_generator_are_one_run_and_a_second_way_of_asking_is_another(tmp_path: Path) -> None:
    answered = [entry(1, [said("x")], answer="x")]
    written(tmp_path, answered, "quiz/Some-7B.json")
    written(tmp_path, answered, "quiz/sampling/Some-7B.json")
    written(tmp_path, [{**answered[0], "dataset": "other"}], "other/Some-7B.json")

    runs = {run.info.run_id: run.info.source for run in open_runs(tmp_path)}

    assert runs == {
        "Some-7B": ("other/Some-7B.json", "quiz/Some-7B.json"),
        "Some-7B-sampling": ("quiz/sampling/Some-7B.json",),
    }


def test_the_run_says_its_checkpoint_and_how_it_was_asked(tmp_path: Path) -> None:
    info = open_run(written(tmp_path, [entry(1, [said("x")], answer="x")])).info

    assert (info.run_id, info.checkpoint, info.engine, info.harness) == ("Some-7B", "org/Some-7B", "vllm", "ZeroEval")
    assert info.decoding == {"temperature": 0.7, "max_tokens": 50}


@pytest.mark.parametrize("dataset", [None, 7])
def test_without_a_dataset_the_id_names_the_task(dataset: Any, tmp_path: Path) -> None:
    told = rows_of(written(tmp_path, [entry(1, [said("x")], answer="x", dataset=dataset, id="gsm-main-test-#12")]))

    assert told[0].item.task == "gsm"


def test_the_user_may_say_how_many_options_a_task_hides(tmp_path: Path) -> None:
    path = written(tmp_path, [entry(1, ["no JSON"])])
    (row,) = one_run(path, hints=Hints(k=(("quiz", "4"),))).rows()

    assert (row.item.k, row.item.chance) == (4, 0.25)


WRONG = [
    (7, "no object"),
    (entry(2, []), "has no output"),
    (entry(2, [None]), "has no output"),
    (entry(2, [said("A")], **choices("D")), "which is none of its choices"),
    (entry(2, [said("A")], choices=["red", 7], answer="A"), "no list of texts"),
    (entry(2, [said("A")], id=None, question=None), "neither a question nor an id"),
]


@pytest.mark.parametrize(("wrong", "why"), WRONG)
def test_an_entry_that_cannot_be_read_is_a_problem_and_the_others_are_read(
    wrong: Any, why: str, tmp_path: Path
) -> None:
    right = entry(1, [said("x")], answer="x")
    run = one_run(written(tmp_path, [right, wrong, entry(3, [said("x")], answer="x")]))

    assert [row.item.native_id for row in run.rows()] == ["quiz-#1", "quiz-#3"]
    assert [problem.where for problem in run.problems] == ["Some-7B.json entry 2"]
    assert why in run.problems[0].why
