"""Scored generations of CRUXEval: draws, names of runs, and what cannot be read."""

import json
from pathlib import Path
from typing import Any

import pytest

from forgetmap.formats.opening import open_runs
from tests.formats.texts_told import one_run, rows_of

TEXTS = {"sample_2": ["f(1)", "f(2)"], "sample_10": ["f(3)", "f(4)"]}
MARKS = {"sample_10": [True, False], "sample_2": [True, True]}


def written(folder: Path, name: str, texts: Any = TEXTS, marks: Any = MARKS) -> Path:
    path = folder / name
    path.write_text(json.dumps({"raw_generations": texts, "raw_scored_generations": marks}), encoding="utf-8")
    return path


def test_every_sample_is_a_draw_with_its_published_mark(tmp_path: Path) -> None:
    told = rows_of(written(tmp_path, "sample_scored_llm-7b_temp0.2_input.json"))

    assert [(row.item.native_id, row.sample.draw, row.sample.response, row.scores[0].value) for row in told] == [
        ("sample_2", 0, "f(1)", 1.0),
        ("sample_2", 1, "f(2)", 1.0),
        ("sample_10", 0, "f(3)", 1.0),
        ("sample_10", 1, "f(4)", 0.0),
    ]
    assert {(row.item.task, row.item.chance) for row in told} == {("cruxeval_input", 0.0)}


def test_inputs_and_outputs_of_one_checkpoint_are_tasks_of_one_run(tmp_path: Path) -> None:
    for name in ("llm-7b_temp0.2_input", "llm-7b_temp0.2_output", "llm-7b+cot_temp0.8_output"):
        written(tmp_path, f"sample_scored_{name}.json")
    plain, thought = sorted(open_runs(tmp_path), key=lambda run: len(run.info.checkpoint))

    assert (plain.info.run_id, plain.info.decoding, len(plain.info.source)) == ("llm-7b", {"temperature": 0.2}, 2)
    assert {row.item.task for row in plain.rows()} == {"cruxeval_input", "cruxeval_output"}
    assert (thought.info.checkpoint, thought.info.prompt) == ("llm-7b+cot", "chain of thought")


def test_two_temperatures_are_two_runs(tmp_path: Path) -> None:
    for heat in ("0.2", "0.8"):
        written(tmp_path, f"sample_scored_llm-7b_temp{heat}_input.json")

    assert [run.info.run_id for run in open_runs(tmp_path)] == ["llm-7b-temp0.2", "llm-7b-temp0.8"]


@pytest.mark.parametrize(
    ("texts", "marks", "why"),
    [
        ({**TEXTS, "sample_2": ["f(1)"]}, MARKS, "not as many texts as marks"),
        (TEXTS, {"sample_10": [True, False]}, "no list of true and false"),
        (TEXTS, {**MARKS, "sample_2": [1, 0]}, "no list of true and false"),
    ],
)
def test_an_item_whose_marks_do_not_fit_is_a_problem(texts: Any, marks: Any, why: str, tmp_path: Path) -> None:
    run = one_run(written(tmp_path, "x_input.json", texts, marks))

    assert {row.item.native_id for row in run.rows()} == {"sample_10"}
    assert [problem.where for problem in run.problems] == ["x_input.json sample_2"]
    assert why in run.problems[0].why


def test_marks_alone_are_enough(tmp_path: Path) -> None:
    run = one_run(written(tmp_path, "x_input.json", {}))

    assert [row.scores[0].value for row in run.rows()] == [1.0, 1.0, 1.0, 0.0]
