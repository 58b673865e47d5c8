"""Published outputs of BIG-Bench Hard: prompts taken apart, options, prompt styles, and accuracies held against the published ones."""

import json
from pathlib import Path

import pytest

from forgetmap.formats.lettered import Shown, shown
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.records.run import Run
from tests.formats.texts_told import one_run, rows_of

EXAMPLE = "Find it.\n\nQ: One?\nA: two\n\n"
DAY = "Which day?\nOptions:\n(A) Monday\n(B) Friday"


def output(question: str, prediction: str, target: str, *, prompt: str = EXAMPLE, ends: str = "") -> dict[str, str]:
    return {"input": f"{prompt}Q: {question}\nA:{ends}", "prediction": prediction, "target": target}


def written(
    folder: Path, outputs: list[dict[str, str]], name: str = "which_day_few_shot_template_0-255000.json"
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps({"canary": "x", "outputs": outputs}), encoding="utf-8")
    return path


def run_of(folder: Path, outputs: list[dict[str, str]]) -> Run:
    return one_run(written(folder, outputs))


def test_the_question_comes_without_its_examples_and_options(tmp_path: Path) -> None:
    (row,) = rows_of(written(tmp_path / "m-direct", [output(DAY, "(B)", "(B)")]))

    assert (row.item.task, row.item.question, row.item.choices) == ("which_day", "Which day?", ("Monday", "Friday"))
    assert (row.item.golds, row.item.chance, row.scores[0].choice) == (("Friday",), 0.5, 1)
    assert row.sample.prompt == f"{EXAMPLE}Q: {DAY}\nA:"


def test_items_asked_in_two_styles_are_the_same(tmp_path: Path) -> None:
    direct = rows_of(written(tmp_path / "m-direct", [output(DAY, "(B)", "(B)")]))
    cot = output(DAY, "It was. So the answer is (A).", "(B)", prompt="", ends=" Let's think step by step.")
    thought = rows_of(written(tmp_path / "m-cot", [cot]))

    assert direct[0].item_id == thought[0].item_id
    assert (direct[0].scores[0].value, thought[0].scores[0].value) == (1.0, 0.0)


def test_the_folder_names_run_checkpoint_and_style(tmp_path: Path) -> None:
    for name in ("some-model-cot", "some-model-direct"):
        written(tmp_path / name, [output(DAY, "(B)", "(B)")])

    assert [(run.info.run_id, run.info.checkpoint, run.info.prompt) for run in open_runs(tmp_path)] == [
        ("some-model-cot", "some-model", "1-shot, chain of thought"),
        ("some-model-direct", "some-model", "1-shot, direct"),
    ]


def test_without_a_style_in_its_name_the_prompt_tells_it(tmp_path: Path) -> None:
    asked = output(DAY, "(B)", "(B)", ends=" Let's think step by step.")

    assert open_run(written(tmp_path / "one", [asked])).info.prompt == "1-shot, chain of thought"
    assert open_run(written(tmp_path / "two", [output(DAY, "(B)", "(B)", prompt="")])).info.prompt == "0-shot, direct"


def test_two_words_that_are_all_of_the_targets_are_the_options(tmp_path: Path) -> None:
    told = rows_of(written(tmp_path, [output("Is it?", "Yes", "No"), output("Was it?", "the answer is yes", "Yes")]))

    assert {row.item.choices for row in told} == {("Yes", "No")}
    assert [(row.scores[0].value, row.scores[0].choice, row.item.chance) for row in told] == [
        (0.0, 0, 0.5),
        (1.0, 0, 0.5),
    ]


def test_other_targets_are_open_answers(tmp_path: Path) -> None:
    told = rows_of(
        written(tmp_path, [output("Sort: b a", "a b", "a b"), output("Close: (", "So the answer is ] ).", ") ]")])
    )

    assert [(row.item.choices, row.item.chance, row.scores[0].value) for row in told] == [
        (None, 0.0, 1.0),
        (None, 0.0, 0.0),
    ]


def test_letters_count_the_options_as_shown_though_two_are_one(tmp_path: Path) -> None:
    twice = "Which?\nOptions:\n(A) one\n(B) one\n(C) two"
    told = rows_of(written(tmp_path, [output(twice, "(C)", "(C)"), output(f"Now {twice}", "(B)", "(A)")]))

    assert [(row.scores[0].value, row.scores[0].choice, row.item.k) for row in told] == [(1.0, 1, 2), (1.0, 0, 2)]


def test_an_accuracy_published_beside_the_outputs_that_is_another_is_noted(tmp_path: Path) -> None:
    for published, notes in ((50.0, 0), (75.0, 1)):
        path = written(tmp_path, [output(DAY, "(B)", "(B)"), output(f"So {DAY}", "(A)", "(B)")])
        path.with_name(f"{path.stem}_eval_metrics.jsonl").write_text(
            json.dumps({"accuracy": published}), encoding="utf-8"
        )
        run = one_run(path)
        list(run.rows())
        assert len(run.notes) == notes
    assert run.notes[0].startswith("which_day: the accuracy published beside it is 75.0")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"input": "Q: a\nA:", "prediction": "x"}, "lacks one of"),
        (output(DAY, "(B)", "(E)"), "which is none of its options"),
    ],
)
def test_an_output_that_cannot_be_read_is_a_problem(wrong: dict[str, str], why: str, tmp_path: Path) -> None:
    run = run_of(tmp_path, [output(DAY, "(B)", "(B)"), wrong])

    assert len(list(run.rows())) == 1
    assert "output 2" in run.problems[0].where
    assert why in run.problems[0].why


def test_half_a_character_or_a_cut_loses_one_output_only(tmp_path: Path) -> None:
    path = written(tmp_path, [output(f"{DAY} {number}", "(B)", "(B)") for number in range(4)])
    path.write_bytes(path.read_bytes().replace(b"(B) Friday 1", rb"(B) Friday \ud83d")[:-9])

    run = one_run(path)

    assert [row.item.choices for row in run.rows()] == [("Monday", "Friday 0"), ("Monday", "Friday 2")]
    assert [(problem.where, problem.why) for problem in run.problems] == [
        (f"{path.name} output 2", "holds half a character (a lone surrogate)"),
        (path.name, "cannot be read to its end: is cut off or not whole JSON; only the 3 outputs before that are read"),
    ]


def test_a_cut_file_beside_others_is_a_problem(tmp_path: Path) -> None:
    written(tmp_path, [output(DAY, "(B)", "(B)")])
    cut = written(tmp_path, [output(DAY, "(B)", "(B)")], "other.json")
    cut.write_bytes(cut.read_bytes()[:-9])
    run = one_run(tmp_path)

    assert len(list(run.rows())) == 1
    assert [(problem.where, problem.why) for problem in run.problems] == [
        ("other.json", "cannot be read to its end: is cut off or not whole JSON")
    ]


SHOWN = [
    ("Which?\nOptions:\n(A) this\n(B) that", Shown("Which?", ("this", "that"))),
    ("Which?\n(A). this\n(B). that\nAnswer:", Shown("Which?", ("this", "that"))),
    (
        "Pick (A) or so.\n\nWhich?\n(A) this\nlong one\n(B) that",
        Shown("Pick (A) or so.\n\nWhich?", ("this\nlong one", "that")),
    ),
    ("Valid?\nOptions:\n- valid \n- invalid", Shown("Valid?", ("valid", "invalid"))),
    ("- a list\n- of things", Shown("- a list\n- of things", ())),
    ("Which?\n(B) that\n(C) those", Shown("Which?\n(B) that\n(C) those", ())),
    ("Which?\n(A) alone", Shown("Which?\n(A) alone", ())),
]


@pytest.mark.parametrize(("text", "found"), SHOWN)
def test_options_are_read_from_the_lines_of_a_question(text: str, found: Shown) -> None:
    assert shown(text) == found
