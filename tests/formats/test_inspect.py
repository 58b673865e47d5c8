"""Logs of Inspect: what a sample says, which logs are taken, and what stands in the way."""

import json
from pathlib import Path
from typing import Any

import pytest

from forgetmap import compare
from forgetmap.errors import FormatError
from forgetmap.formats.contract import Hints
from forgetmap.formats.inspect_log import FORMAT, PARTIAL
from forgetmap.formats.inspect_log.logs import read_log
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.records.run import Run
from forgetmap.records.schema import Row, Score
from tests.formats.inspect_told import sample, written

GOLDEN = Path(__file__).parents[1] / "golden" / "inspect"


def run(path: Path, **hints: Any) -> Run:
    (found,) = FORMAT.read(path, Hints(**hints))
    return found


def rows(path: Path, **hints: Any) -> list[Row]:
    found = run(path, **hints)
    told = list(found.rows())
    assert (found.problems, found.duplicates) == ([], 0)
    return told


def one(folder: Path, entry: Any, **head: Any) -> Row:
    (row,) = rows(written(folder, [entry], **head))
    return row


def judged(folder: Path, *entries: Any) -> list[tuple[Any, ...]]:
    """Outcome, value and choice of each sample's first score."""
    return [row.scores[0][1:4] for row in rows(written(folder, list(entries)))]


def golden_rows() -> list[dict[str, Any]]:
    told = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
    assert isinstance(told, list)
    return told


def test_real_logs_give_the_expected_rows() -> None:
    found = [
        {
            "item": [row.item.task, row.item.native_id, row.item.domain, row.item.question, row.item_id],
            "key": [list(row.item.choices or ()), list(row.item.golds), row.item.k, row.item.chance],
            "answer": [row.sample.draw, row.sample.response, row.sample.finish_reason, row.sample.tokens],
            "score": list(row.scores[0][:4]),
        }
        for row in rows(GOLDEN / "before")
    ]

    assert found == golden_rows()


@pytest.mark.parametrize("side", ["before", "after"])
def test_sums_of_real_logs_are_those_in_their_headers(side: str) -> None:
    for path in sorted((GOLDEN / side).iterdir()):
        (stored,) = read_log(path).header["results"]["scores"]
        values = [row.scores[0].value or 0.0 for row in rows(path)]

        assert len(values) == stored["scored_samples"]
        assert sum(values) / len(values) == stored["metrics"]["accuracy"]["value"]


def test_a_log_in_json_gives_the_rows_of_its_twin() -> None:
    (twin,) = (GOLDEN / "before").glob("*hm-mc*.eval")

    assert rows(GOLDEN / "hm-mc-as-json.json") == rows(twin)


def test_two_folders_of_real_logs_are_compared_item_by_item() -> None:
    cells = {cell.name: cell for cell in compare(GOLDEN / "before", GOLDEN / "after").cells if cell.level == "task"}

    assert (cells["hm_gen"].n, cells["hm_gen"].accuracy_before, cells["hm_gen"].accuracy_after) == (8, 0.25, 0.125)
    assert (cells["hm_gen"].n10, cells["hm_gen"].n01, cells["hm_gen"].n11) == (1, 0, 1)
    assert (cells["hm_mc"].n, cells["hm_mc"].unanswered_before, cells["hm_mc"].unanswered_after) == (8, 8, 8)


def test_a_run_says_what_was_asked_of_which_checkpoint(tmp_path: Path) -> None:
    settings = {"generation": {"temperature": 0.7, "seed": 5, "max_tokens": 24}}
    info = open_run(written(tmp_path, [sample(1)], **settings)).info

    assert (info.checkpoint, info.run_id, info.engine) == ("org/some-model", "org__some-model", "org")
    assert (info.prompt, info.seeds, info.decoding["temperature"]) == ("multiple_choice", (5,), 0.7)
    assert (info.harness, info.harness_version, info.created) == ("Inspect", "0.3.285", "2026-01-02T03:04:05+00:00")
    assert one(tmp_path, sample(1), **settings).sample.seed == 5


def test_weights_that_are_only_called_local_are_named_by_their_path(tmp_path: Path) -> None:
    info = run(written(tmp_path, [sample(1)], model="hf/local", model_args={"model_path": "out/step-9"})).info

    assert (info.checkpoint, info.run_id) == ("out/step-9", "out__step-9")


def test_tries_of_an_item_are_draws_from_nought_and_share_no_seed(tmp_path: Path) -> None:
    entries = [sample(native, number=number) for number in (1, 2) for native in (10, 9)]
    told = rows(written(tmp_path, entries, tries=2, generation={"seed": 5}))

    assert [(row.item.native_id, row.sample.draw) for row in told] == [("9", 0), ("9", 1), ("10", 0), ("10", 1)]
    assert {row.sample.seed for row in told} == {None}


VALUES = [
    ("C", 1.0),
    ("I", 0.0),
    ("P", 0.5),
    ("N", 0.0),
    (True, 1.0),
    (0, 0.0),
    (0.25, 0.25),
    ("0.25", 0.25),
    ("No", 0),
]


@pytest.mark.parametrize(("value", "worth"), VALUES)
def test_letters_numbers_and_words_are_numbers_from_nought_to_one(value: Any, worth: float, tmp_path: Path) -> None:
    assert judged(tmp_path, sample(1, value, "some words"))[0][:2] == ("scored", worth)


def test_a_table_is_a_scorer_for_each_of_its_keys(tmp_path: Path) -> None:
    row = one(tmp_path, sample(1, {"right": "C", "short": 0.5, "missing": None}))

    assert [(score.scorer, score.outcome, score.value) for score in row.scores] == [
        ("choice/right", "scored", 1.0),
        ("choice/short", "scored", 0.5),
        ("choice/missing", "failed", None),
    ]


@pytest.mark.parametrize("odd", [[1, 0], 7, -0.5, "splendid"])
def test_a_scorer_on_another_scale_is_left_out_whole_and_it_is_said(odd: Any, tmp_path: Path) -> None:
    second, first = sample(2), sample(1)
    first["scores"]["judge"], second["scores"]["judge"] = {"value": 1}, {"value": odd}
    found = run(written(tmp_path, [first, second]))

    assert [[score.scorer for score in row.scores] for row in found.rows()] == [["choice"], ["choice"]]
    list(found.rows())
    assert len([note for note in found.notes if "judge is left out" in note]) == 1


def test_an_edited_score_counts_as_it_was_left(tmp_path: Path) -> None:
    entry = sample(1, "I", "A")
    entry["scores"]["choice"]["history"] = [
        {"value": "I", "answer": "A"},
        {"value": "C", "answer": "B", "provenance": {"author": "a person"}},
        {"value": "UNCHANGED", "answer": "UNCHANGED", "explanation": "as said"},
    ]

    assert one(tmp_path, entry).scores == (Score("choice", "scored", 1.0, 1, found="edited after the run"),)


def test_an_item_s_gold_is_the_text_that_its_letter_names_and_so_is_the_choice(tmp_path: Path) -> None:
    row = one(tmp_path, sample(1, "I", "D"))

    assert (row.item.choices, row.item.golds) == (("this", "that", "those", "these"), ("that",))
    assert (row.item.k, row.item.chance, row.item.domain) == (4, 0.25, "words")
    assert row.scores == (Score("choice", "scored", 0.0, 3, found="the scorer's answer"),)
    assert row.sample.prompt == "Answer with a letter.\n\nWhich word is number 1?"


def test_options_of_one_text_are_one(tmp_path: Path) -> None:
    row = one(tmp_path, sample(1, "C", "C", choices=["a", "b", "a ", "c"], target="A"))

    assert (row.item.choices, row.item.k, row.item.chance) == (("a", "b", "c"), 3, 1 / 3)
    assert row.scores[0].choice == 0


def test_after_the_letters_options_are_counted_from_one(tmp_path: Path) -> None:
    row = one(tmp_path, sample(1, "C", "2", choices=[f"word {n}" for n in range(30)], target="2"))

    assert (row.item.golds, row.scores[0].choice) == (("word 27",), 27)


def test_an_option_that_contradicts_the_score_is_not_taken(tmp_path: Path) -> None:
    assert judged(tmp_path, sample(1, "C", "A"), sample(2, "I", "B"), sample(3, "I", "J")) == [
        ("scored", 1.0, None),
        ("scored", 0.0, None),
        ("scored", 0.0, None),
    ]


@pytest.mark.parametrize("target", ["AC", ["A", "C"], "A, C"])
def test_where_all_right_options_are_wanted_chance_is_unknown(target: Any, tmp_path: Path) -> None:
    row = one(tmp_path, sample(1, "C", "A, C", target=target))

    assert (row.item.golds, row.item.k, row.item.chance) == (("this", "those"), 4, None)
    assert row.scores[0][1:4] == ("scored", 1.0, None)

    asked = [{"solver": "multiple_choice", "params": {"multiple_correct": True}}]
    found = run(written(tmp_path, [sample(1)], steps=asked))
    assert [row.item.chance for row in found.rows()] == [None]
    assert [note for note in found.notes if "all right options" in note]


def test_an_open_answer_cannot_be_guessed_and_a_bare_letter_perhaps(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    path = written(tmp_path, [sample(1, "C", "7", choices=None, target=["7", "seven"])])
    letters = written(tmp_path / "letters", [sample(1, "C", "B", choices=None)])

    assert [(row.item.golds, row.item.chance) for row in rows(path)] == [(("7", "seven"), 0.0)]
    assert [(row.item.golds, row.item.chance) for row in rows(letters)] == [(("B",), None)]
    told = [*rows(path, k=(("quiz", "4"),)), *rows(letters, k=(("quiz", "4"),))]
    assert [(row.item.k, row.item.chance, row.scores[0].choice) for row in told] == [(None, 0, None), (4, 0.25, 1)]


UNANSWERED: list[tuple[dict[str, Any], str]] = [
    ({"value": "I", "answer": ""}, "unparsed"),
    ({"value": "N", "answer": ""}, "unparsed"),
    ({"value": "N", "answer": None}, "unparsed"),
    ({"value": "I", "answer": None, "said": ""}, "unparsed"),
    ({"value": "I", "answer": "", "stop": "max_tokens"}, "truncated"),
    ({"value": "I", "answer": "", "limit": {"type": "token", "limit": 9}}, "truncated"),
    ({"value": "I", "answer": "", "stop": "unknown", "said": "and then " * 99}, "truncated"),
    ({"value": "I", "answer": "", "stop": "content_filter"}, "refused"),
    ({"value": "C", "answer": "B", "error": {"message": "out of memory"}}, "failed"),
    ({"value": float("nan"), "answer": None}, "failed"),
]


@pytest.mark.parametrize(("told", "outcome"), UNANSWERED)
def test_what_was_not_answered_has_an_outcome_and_no_value(told: dict[str, Any], outcome: str, tmp_path: Path) -> None:
    assert judged(tmp_path, sample(1, **told)) == [(outcome, None, None)]


def test_an_answer_found_before_the_limit_is_scored(tmp_path: Path) -> None:
    told = judged(tmp_path, sample(1, "C", "B", stop="max_tokens"), sample(2, "I", None, stop="max_tokens"))

    assert [score[:2] for score in told] == [("scored", 1.0), ("scored", 0.0)]


def test_a_sample_that_failed_before_it_was_scored_failed_with_every_scorer(tmp_path: Path) -> None:
    row = rows(written(tmp_path, [sample(1), sample(2, scores={}, error={"message": "no room"})]))[1]

    assert (row.scores, row.sample.error) == ((Score("choice", "failed"),), "no room")


def test_text_lies_in_messages_parts_and_attachments(tmp_path: Path) -> None:
    parts = [{"type": "reasoning", "reasoning": "attachment://b"}, {"type": "text", "text": "ANSWER: B"}]
    entry = sample(1, attachments={"a": "a long question", "b": "long thoughts"})
    entry["input"] = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "attachment://a"}]
    entry["output"]["choices"][0]["message"] = {"role": "assistant", "content": parts}
    entry["output"]["completion"] = None
    row = one(tmp_path, entry)

    assert (row.item.question, row.sample.response, row.sample.reasoning) == (
        "a long question",
        "ANSWER: B",
        "long thoughts",
    )


WRONG: list[tuple[Any, str]] = [
    ("text", "no JSON object"),
    (sample(None), "no id"),
    (sample(2, number=0), "which try"),
    (sample(2, scores=None), "no score from 0 to 1"),
]


@pytest.mark.parametrize(("wrong", "why"), WRONG)
def test_a_sample_that_cannot_be_read_is_a_problem_and_the_others_are_read(
    wrong: Any, why: str, tmp_path: Path
) -> None:
    found = run(written(tmp_path, [sample(1), wrong, sample(3)], name="log.json"))

    assert [row.item.native_id for row in found.rows()] == ["1", "3"]
    assert [problem.where for problem in found.problems] == ["log.json sample 2"]
    assert why in found.problems[0].why


def test_a_log_without_samples_is_a_problem(tmp_path: Path) -> None:
    found = run(written(tmp_path, []))

    assert list(found.rows()) == []
    assert "holds no samples" in found.problems[0].why


def test_only_a_finished_log_is_read_unless_it_is_forced(tmp_path: Path) -> None:
    path = written(tmp_path, [sample(1)], status="error")
    with pytest.raises(FormatError, match=r"its status is error.*--format inspect_partial"):
        open_run(path)

    forced = open_run(path, format="inspect_partial")
    assert [row.item.native_id for row in forced.rows()] == ["1"]
    assert [note for note in forced.notes if "has the status error" in note]


def test_of_several_logs_the_latest_of_each_task_is_taken_and_it_is_said(tmp_path: Path) -> None:
    written(tmp_path, [sample(1, "I", "A")], name="first.eval")
    written(tmp_path, [sample(1)], name="second.json", created="2026-02-01T00:00:00+00:00")
    written(tmp_path, [sample(1, "I", "A")], name="third.eval", created="2026-03-01T00:00:00+00:00", status="cancelled")
    written(tmp_path, [sample(1)], name="other.eval", task="other")
    found = run(tmp_path)

    assert [(row.item.task, row.scores[0].value) for row in found.rows()] == [("other", 1.0), ("quiz", 1.0)]
    assert [note for note in found.notes if "several times for quiz" in note and "first.eval" in note]
    assert [note for note in found.notes if "left out" in note and "cancelled" in note]
    assert [row.scores[0].value for row in open_run(f"{tmp_path}::first").rows()] == [0.0]
    (forced,) = PARTIAL.read(tmp_path, Hints())
    assert [(row.item.task, row.scores[0].value) for row in forced.rows()] == [("other", 1.0), ("quiz", 1.0)]


def test_a_task_with_other_arguments_is_another_task(tmp_path: Path) -> None:
    for place, subject in enumerate(("law", "art")):
        written(tmp_path, [sample(1)], name=f"{place}.eval", task_args={"subject": subject, "shots": 5})

    assert [row.item.task for row in rows(tmp_path)] == ["quiz(subject=art)", "quiz(subject=law)"]


def test_checkpoints_and_folders_are_runs_of_their_own(tmp_path: Path) -> None:
    for folder, model in (("one", "org/m"), ("two", "org/m"), ("two", "org/n")):
        written(tmp_path / folder, [sample(1)], name=f"{model[-1]}.eval", model=model)

    assert [found.info.run_id for found in open_runs(tmp_path)] == ["one-org__m", "two-org__m", "org__n"]


def test_few_words_that_come_again_and_again_can_be_guessed(tmp_path: Path) -> None:
    words = ["the kitchen", "the garden"] * 5
    path = written(tmp_path, [sample(n, "C", word, choices=None, target=word) for n, word in enumerate(words, start=1)])

    assert {row.item.chance for row in rows(path)} == {None}
