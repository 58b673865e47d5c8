"""Generated answers in lm-eval logs: open or guessable, parsed or not, one draw whatever the repeats."""

from pathlib import Path
from typing import Any

import pytest

from forgetmap.errors import SettingError
from forgetmap.formats.contract import Hints
from forgetmap.formats.lm_eval.answers import CONTRADICTED
from forgetmap.scorers.text import cut_off
from tests.formats.lm_eval_told import Entry, filtered, log, row, rows, run, said

TEN = [f"way {place}" for place in range(10)]


def letters(found: str, value: float, target: Any = "C", **columns: Any) -> Entry:
    """As in MMLU-Pro: ten options in the row, a letter wanted."""
    content = {"question": "Which way?", "options": TEN, "answer": "C", "answer_index": 2, "category": "law", **columns}
    return said(0, content, target, f"So the answer is ({found}).", found, exact_match=value)


@pytest.mark.parametrize(
    ("found", "choice"), [("C", 2), ("(C)", 2), ("c", 2), ("C.", 2), (" way 2", 2), ("D", 3), ("(J)", 9)]
)
def test_a_letter_or_text_that_the_filter_found_is_the_option_chosen(found: str, choice: int, tmp_path: Path) -> None:
    told = row(tmp_path, letters(found, float(choice == 2)))

    assert told.scores[0].choice == choice
    assert told.scores[0].value == float(choice == 2)
    assert (told.item.choices, told.item.golds, told.item.domain) == (tuple(TEN), ("way 2",), "law")
    assert (told.item.k, told.item.chance) == (10, 0.1)


def test_a_letter_beyond_the_options_is_wrong_and_names_none(tmp_path: Path) -> None:
    told = row(tmp_path, letters("K", 0.0))

    assert (told.scores[0].outcome, told.scores[0].value, told.scores[0].choice) == ("scored", 0.0, None)


def test_a_stored_score_that_contradicts_the_letter_stands_without_a_choice(tmp_path: Path) -> None:
    told = row(tmp_path, letters("D", 1.0))

    assert (told.scores[0].value, told.scores[0].choice, told.scores[0].found) == (1.0, None, CONTRADICTED)


@pytest.mark.parametrize("target", ["C", "(C)", "2", "way 2"])
def test_the_gold_is_a_text_however_the_target_names_it(target: str, tmp_path: Path) -> None:
    assert row(tmp_path, letters("C", 1.0, target)).item.golds == ("way 2",)


def test_a_gold_among_no_options_leaves_chance_unknown(tmp_path: Path) -> None:
    told = row(tmp_path, letters("C", 0.0, "none of these"))

    assert (told.item.golds, told.item.chance) == (("none of these",), None)


@pytest.mark.parametrize("found", ["[invalid]", "[Invalid]", "", "  ", "\n"])
def test_an_answer_in_which_nothing_was_found_is_unparsed_and_not_wrong(found: str, tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"question": "1+1?"}, "2", "I cannot tell.", found, exact_match=0.0))

    assert (told.scores[0].outcome, told.scores[0].value) == ("unparsed", None)
    assert told.sample.response == "I cannot tell."


def test_an_empty_answer_that_the_metric_likes_is_right(tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"prompt": "Say nothing."}, "", "", "", followed=1.0))

    assert (told.scores[0].outcome, told.scores[0].value) == ("scored", 1.0)


RAMBLING = "and then we add the next number to what we have so far " * 20


def test_nothing_found_in_an_answer_that_ran_out_of_tokens_is_truncated(tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"question": "1+1?"}, "2", RAMBLING, "[invalid]", exact_match=0.0))

    assert cut_off(RAMBLING, 64)
    assert (told.scores[0].outcome, told.scores[0].value) == ("truncated", None)


def test_the_limit_may_stand_in_the_task_s_settings(tmp_path: Path) -> None:
    entry = said(0, {"question": "1+1?"}, "2", RAMBLING, "[invalid]", exact_match=0.0)
    entry["arguments"]["gen_args_0"]["arg_1"] = {"until": []}

    assert row(tmp_path / "a", entry).scores[0].outcome == "unparsed"
    configs = {"task": {"generation_kwargs": {"max_gen_toks": 64}}}
    assert row(tmp_path / "b", entry, configs=configs).scores[0].outcome == "truncated"


@pytest.mark.parametrize(("found", "value"), [("5", 0.0), ("2", 1.0)])
def test_an_answer_found_before_the_limit_is_scored(found: str, value: float, tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"question": "1+1?"}, "2", RAMBLING, found, exact_match=value))

    assert (told.scores[0].outcome, told.scores[0].value) == ("scored", value)


@pytest.mark.parametrize("target", ["18", "-3.5", "Paris", "we add them\n#### 18", "x^2", "['Paris', 'P']"])
def test_numbers_and_free_text_cannot_be_guessed(target: str, tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"question": "What?"}, target, "?", "?", exact_match=0.0))

    assert (told.item.k, told.item.chance, told.item.choices) == (None, 0.0, None)


@pytest.mark.parametrize("target", ["B", "(B)", "b.", "yes", "No", "True", "invalid", "['A', 'B']", ""])
def test_labels_without_options_leave_chance_unknown(target: str, tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"question": "What?"}, target, "?", "?", exact_match=0.0))

    assert (told.item.k, told.item.chance) == (None, None)


def test_every_alias_of_an_answer_is_a_gold(tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"question": "Capital?"}, "['Rome', 'Roma', 'Rome']", "Rome", "Rome", exact_match=1.0))

    assert told.item.golds == ("Rome", "Roma")


@pytest.mark.parametrize(
    ("value", "k", "chance"),
    [("4", 4, 0.25), ("open", None, 0.0), ("doc.options", 3, 1 / 3), ("doc.n", 5, 0.2), ("doc.spelt", 2, 0.5)],
)
def test_unknown_chance_is_mended_by_the_user(value: str, k: int | None, chance: float, tmp_path: Path) -> None:
    content = {"question": "What?", "options": {"i": "x", "j": "y", "k": "z"}, "n": 5, "spelt": "['p', 'q']"}
    content["options"] = {"first": "x", "second": "y", "third": "z"}
    told = row(tmp_path, said(0, content, "B", "?", "?", exact_match=0.0), Hints(k=(("*", value),)))

    assert (told.item.k, told.item.chance) == (k, pytest.approx(chance))


@pytest.mark.parametrize("k", ["4", "doc.n"])
@pytest.mark.parametrize(
    ("target", "found", "choice"),
    [("(A)", "B", 1), ("B", "(B)", 1), ("b.", "D", 3), ("['A', 'C']", "C", 2), ("B", "E", None)],
)
def test_a_letter_is_the_option_chosen_where_the_user_says_how_many_there_are(
    target: str, found: str, choice: int | None, k: str, tmp_path: Path
) -> None:
    value = float(found.strip("()") in target.upper())
    told = row(
        tmp_path, said(0, {"question": "?", "n": 4}, target, "?", found, exact_match=value), Hints(k=(("*", k),))
    )

    assert (told.item.k, told.scores[0].value, told.scores[0].choice) == (4, value, choice)


@pytest.mark.parametrize(("k", "target"), [("open", "B"), ("4", "E"), ("4", "Paris"), ("doc.nowhere", "B")])
def test_without_a_number_and_golds_within_it_a_letter_names_no_option(k: str, target: str, tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"question": "?"}, target, "?", "C", exact_match=0.0), Hints(k=(("*", k),)))

    assert (told.scores[0].outcome, told.scores[0].choice) == ("scored", None)


def test_a_stored_score_that_contradicts_a_letter_among_the_user_s_options_stands_alone(tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"question": "?"}, "(B)", "?", "B", exact_match=0.0), Hints(k=(("*", "4"),)))

    assert (told.scores[0].value, told.scores[0].choice, told.scores[0].found) == (0.0, None, CONTRADICTED)


def test_a_path_that_leads_nowhere_leaves_chance_unknown_and_is_said(tmp_path: Path) -> None:
    path = log(tmp_path, "t", [said(n, {"question": f"{n}?"}, "B", "?", "?", exact_match=0.0) for n in range(3)])
    found = run(path, Hints(k=(("t", "doc.nothing.here"),)))

    assert [row.item.chance for row in found.rows()] == [None] * 3
    assert [note for note in found.notes if "doc.nothing.here" in note and "3 of 3" in note]


@pytest.mark.parametrize("value", ["0", "-2", "2.5", "many", "", ".options", "1e3"])
def test_a_number_of_options_that_cannot_be_is_refused(value: str, tmp_path: Path) -> None:
    path = log(tmp_path, "t", [letters("C", 1.0)])

    with pytest.raises(SettingError, match="number of options"):
        run(path, Hints(k=(("t", value),)))


def test_repeats_under_one_score_are_one_draw_with_the_answer_kept(tmp_path: Path) -> None:
    content = {"question": "6*7?"}
    voted = said(0, content, "42", ["It is 41.", "Perhaps 42.", "Surely 42."], "42", exact_match=1.0)
    told = rows(log(tmp_path, "t", [filtered(voted, "maj@3")]))

    assert len(told) == 1
    assert told[0].sample.draw == 0
    assert told[0].sample.response == "Perhaps 42."
    assert len(told[0].scores) == 1


@pytest.mark.parametrize(("found", "kept"), [("two", "two"), ("[invalid]", "one"), ("three", "one"), (["two"], "two")])
def test_of_several_answers_the_one_that_the_filter_kept_is_shown(found: Any, kept: str, tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"question": "?"}, "2", ["one", "two"], found, exact_match=1.0))

    assert told.sample.response == kept


def test_lists_that_a_filter_leaves_are_no_answer_but_scored(tmp_path: Path) -> None:
    told = row(tmp_path, said(0, {"question": "?"}, "2", ["one", "two"], ["one", "two"], pass_at_1=0.5))

    assert (told.scores[0].outcome, told.scores[0].value, told.scores[0].choice) == ("scored", 0.5, None)


def test_a_chat_as_prompt_is_kept_as_text(tmp_path: Path) -> None:
    entry = said(0, {"question": "?"}, "2", "2", "2", exact_match=1.0)
    entry["arguments"]["gen_args_0"]["arg_0"] = ['[{"role": "user", "content": "?"}]']

    assert row(tmp_path, entry).sample.prompt == '[{"role": "user", "content": "?"}]'


def test_an_answer_that_looks_like_a_label_is_open_where_most_golds_are_not(tmp_path: Path) -> None:
    golds = ["12", "7/3", "x", "no", "44", "108"]
    told = [
        said(place, {"question": f"{place}?"}, gold, "So.", gold, exact_match=1.0) for place, gold in enumerate(golds)
    ]
    labels = [
        said(place, {"question": f"{place}?"}, gold, "So.", gold, exact_match=1.0) for place, gold in enumerate("ABC")
    ]

    assert {row.item.chance for row in rows(log(tmp_path / "math", "math", told))} == {0.0}
    assert {row.item.chance for row in rows(log(tmp_path / "quiz", "quiz", labels))} == {None}


def test_a_text_that_ran_out_is_truncated_where_nothing_was_looked_for_in_it(tmp_path: Path) -> None:
    metrics = {"exact_match": 0.0, "prefix_exact_match": 0.0, "f1": 0.25}
    told = row(tmp_path, said(0, {"question": "1+1?"}, "2", RAMBLING, RAMBLING, **metrics))

    assert [score.outcome for score in told.scores] == ["truncated", "scored", "scored"]


@pytest.mark.parametrize("stem", ["choice", "option"])
def test_numbered_columns_are_options_as_far_as_they_count(stem: str, tmp_path: Path) -> None:
    columns = {f"{stem}{number}": text for number, text in enumerate(("red", "blue", "green", "grey"), start=1)}
    told = row(tmp_path, said(0, {"question": "Which?", **columns}, "(C)", "(C)", "(C)", exact_match=1.0))

    assert (told.item.choices, told.item.golds) == (("red", "blue", "green", "grey"), ("green",))
    assert (told.item.k, told.item.chance, told.scores[0].choice) == (4, 0.25, 2)
