"""Multiple choice in lm-eval logs: options, golds, the option chosen."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from forgetmap.formats.contract import Hints
from forgetmap.formats.lm_eval.choice import CONTRADICTED
from tests.formats.lm_eval_told import Entry, log, ranked, row, rows, run, said, score, sums

ABC = ("three", "one", "two")


def about(**columns: Any) -> Entry:
    return {"question": "Which?", **columns}


def test_the_option_with_the_highest_log_likelihood_was_chosen(tmp_path: Path) -> None:
    told = row(tmp_path, ranked(0, about(choices=ABC), ABC, "2", [-3.0, -0.5, -1.0], acc=0.0))

    assert told.item.choices == ABC
    assert told.item.golds == ("two",)
    assert (told.item.k, told.item.chance) == (3, pytest.approx(1 / 3))
    assert score(told, "acc,none")[:4] == ("acc,none", "scored", 0.0, 1)
    assert told.scores[0].margin == pytest.approx(0.5)
    assert told.scores[0].logprobs == (-3.0, -0.5, -1.0)


def test_length_normalised_metrics_choose_by_their_own_order(tmp_path: Path) -> None:
    options = ("no", "ä" * 6, "a long answer of many words")
    values = [-2.0, -4.0, -8.0]
    told = row(tmp_path, ranked(0, about(choices=options), options, "2", values, acc=0.0, acc_norm=1.0, acc_bytes=1.0))

    assert [score.choice for score in told.scores] == [0, 2, 2]
    assert told.scores[1].margin == pytest.approx(4 / 6 - 8 / 27)
    assert told.scores[2].margin == pytest.approx(4 / 12 - 8 / 27)


def test_mutual_information_takes_the_unconditioned_second_half_away(tmp_path: Path) -> None:
    told = ranked(
        0, about(choices=ABC), ABC * 2, "1", [-1.0, -2.0, -3.0, -1.0, -5.0, -3.0], acc=0.0, acc_mutual_info=1.0
    )
    for number in (3, 4, 5):
        told["arguments"][f"gen_args_{number}"]["arg_0"] = ""

    found = row(tmp_path, told)

    assert found.item.k == 3
    assert score(found, "acc,none").choice == 0
    assert score(found, "acc_mutual_info,none").choice == 1
    assert score(found, "acc,none").logprobs == (-1.0, -2.0, -3.0)


LABELS = ("A", "B", "C")


@pytest.mark.parametrize("labels", [LABELS, ("(A)", "(B)", "(C)"), ("a", "b", "c"), ("A.", "B.", "C.")])
@pytest.mark.parametrize(
    "columns",
    [
        {"choices": ABC},
        {"choices": {"text": list(ABC), "label": list(LABELS)}},
        {"options": {"A": "three", "B": "one", "C": "two"}},
        {"options": [{"key": "A", "value": "three"}, {"key": "B", "value": "one"}, {"key": "C", "value": "two"}]},
        {"choices": "['three', 'one', 'two']"},
        {"answerA": "three", "answerB": "one", "answerC": "two"},
        {"mc1_targets": {"choices": list(ABC), "labels": [1, 0, 0]}},
    ],
)
def test_labels_stand_for_the_texts_of_the_row(labels: Sequence[str], columns: Entry, tmp_path: Path) -> None:
    told = row(tmp_path, ranked(0, about(**columns), labels, "1", [-1.0, -0.5, -2.0], acc=1.0))

    assert told.item.choices == ABC
    assert told.item.golds == ("one",)
    assert told.scores[0].choice == 1


def test_labels_without_texts_are_counted_but_not_taken_for_options(tmp_path: Path) -> None:
    told = row(tmp_path, ranked(0, about(), LABELS, "1", [-1.0, -0.5, -2.0], acc=1.0))

    assert told.item.choices is None
    assert (told.item.k, told.item.chance, told.item.golds) == (3, pytest.approx(1 / 3), ("B",))
    assert told.scores[0].choice == 1


def test_a_row_that_lists_as_many_options_in_other_words_is_believed(tmp_path: Path) -> None:
    told = row(tmp_path, ranked(0, about(options=ABC), ("san", "ichi", "ni"), "1", [-1.0, -0.5, -2.0], acc=1.0))

    assert told.item.choices == ABC


def test_the_same_options_scored_as_text_and_as_letters_are_one_item(tmp_path: Path) -> None:
    values = [-1.0, -0.5, -2.0]
    text = row(tmp_path / "text", ranked(0, about(choices=ABC), ABC, "1", values, acc=1.0))
    letters = row(tmp_path / "letters", ranked(0, about(choices=ABC), LABELS, "B", values, acc=1.0))

    assert text.item_id == letters.item_id


def test_yes_and_no_are_options_themselves(tmp_path: Path) -> None:
    told = row(tmp_path, ranked(0, about(passage="It rained.", label=1), ("no", "yes"), "1", [-2.0, -1.0], acc=1.0))

    assert told.item.choices == ("no", "yes")
    assert (told.item.golds, told.item.chance) == (("yes",), 0.5)


@pytest.mark.parametrize(
    ("target", "golds"),
    [
        ("1", ("one",)),
        ("[0, 2]", ("three", "two")),
        ("['two', 'one']", ("one", "two")),
        ("two", ("two",)),
        (" two ", ("two",)),
        ("B", ("one",)),
        ("-100", ()),
        ("7", ()),
        ("nine", ()),
        ("", ()),
    ],
)
def test_a_target_is_an_index_a_text_a_letter_or_a_list(target: str, golds: tuple[str, ...], tmp_path: Path) -> None:
    told = row(tmp_path, ranked(0, about(choices=ABC), ABC, target, [-1.0, -2.0, -3.0], acc=0.0))

    assert told.item.golds == golds
    assert told.item.chance == (pytest.approx(len(golds) / 3) if golds else None)


def test_where_the_target_names_no_option_the_row_s_own_column_does(tmp_path: Path) -> None:
    told = row(tmp_path, ranked(0, about(choices=ABC, answerKey="C"), ABC, "", [-1.0, -2.0, -0.5], acc=1.0))

    assert told.item.golds == ("two",)


NUMBERS = ("2", "0", "1", "3")


def digits(number: int, target: str, chosen: int, accuracy: float, **columns: Any) -> Entry:
    """A question whose options are digits, so that a target of digits has two readings."""
    values = [-1.0 if place == chosen else -3.0 for place in range(4)]
    return ranked(
        number, {"question": f"Sum {number}?", "choices": NUMBERS, **columns}, NUMBERS, target, values, acc=accuracy
    )


def golds_of(path: Path) -> list[tuple[str, ...]]:
    return [row.item.golds for row in rows(path)]


@pytest.mark.parametrize(
    ("telling", "golds"),
    [
        (digits(9, "0", chosen=0, accuracy=1.0), ("1",)),
        (digits(9, "0", chosen=1, accuracy=0.0), ("1",)),
        (digits(9, "0", chosen=1, accuracy=1.0), ("2",)),
        (digits(9, "0", chosen=0, accuracy=0.0), ("2",)),
    ],
)
def test_digits_are_read_as_the_stored_scores_of_the_task_tell(
    telling: Entry, golds: tuple[str], tmp_path: Path
) -> None:
    silent = digits(0, "2", chosen=3, accuracy=0.0)

    assert golds_of(log(tmp_path, "t", [silent, telling]))[0] == golds


def test_digits_are_an_index_where_nothing_tells(tmp_path: Path) -> None:
    assert golds_of(log(tmp_path, "t", [digits(0, "2", chosen=3, accuracy=0.0)])) == [("1",)]


@pytest.mark.parametrize(
    ("setting", "golds"),
    [
        ("{{answer}}", ("1",)),
        ("answer", ("2",)),
        ("label", ("1",)),
        ("def doc_to_target(doc): ...", ("1",)),
        (2, ("1",)),
    ],
)
def test_digits_are_read_as_the_task_s_settings_say(setting: Any, golds: tuple[str], tmp_path: Path) -> None:
    entry = digits(0, "2", chosen=3, accuracy=0.0, answer="2", label=2)

    assert row(tmp_path, entry, configs={"task": {"doc_to_target": setting}}).item.golds == golds


def test_golds_of_before_and_after_agree_whatever_was_answered(tmp_path: Path) -> None:
    before = log(tmp_path / "before", "t", [digits(n, str(n % 4), n % 4, 1.0) for n in range(8)])
    after = log(tmp_path / "after", "t", [digits(n, str(n % 4), 3, float(n % 4 == 3)) for n in range(8)])

    assert golds_of(before) == golds_of(after)


def test_the_stored_score_wins_over_the_log_likelihoods(tmp_path: Path) -> None:
    told = row(tmp_path, ranked(0, about(choices=ABC), ABC, "1", [-1.0, -2.0, -3.0], acc=1.0))

    assert told.scores[0].value == 1.0
    assert told.scores[0].choice is None
    assert told.scores[0].found == CONTRADICTED


def test_a_tie_goes_to_the_first_option_as_in_the_harness(tmp_path: Path) -> None:
    told = row(tmp_path, ranked(0, about(choices=ABC), ABC, "0", [-1.0, -1.0, -3.0], acc=1.0))

    assert (told.scores[0].choice, told.scores[0].margin) == (0, 0.0)


def test_options_that_say_the_same_are_one(tmp_path: Path) -> None:
    options = ("four", "five", "four ", "six")
    told = row(tmp_path, ranked(0, about(choices=options), options, "1", [-2.0, -3.0, -1.0, -5.0], acc=0.0))

    assert told.item.choices == ("four", "five", "six")
    assert (told.item.k, told.item.chance) == (3, pytest.approx(1 / 3))
    assert told.scores[0].choice == 0
    assert told.scores[0].logprobs == (-1.0, -3.0, -5.0)


def test_a_single_option_is_chance_one(tmp_path: Path) -> None:
    told = row(tmp_path, ranked(0, about(options=["all"]), ["all"], "0", [-1.0], acc=1.0))

    assert (told.item.k, told.item.chance, told.scores[0].choice) == (1, 1.0, 0)


def test_one_continuation_that_had_to_be_said_is_an_open_answer(tmp_path: Path) -> None:
    told = row(
        tmp_path, ranked(0, {"text": "He opened the door."}, ["door"], " door", [-2.5], perplexity=-2.5, acc=0.0)
    )

    assert (told.item.k, told.item.chance, told.item.golds) == (None, 0.0, ("door",))
    assert [score.scorer for score in told.scores] == ["acc,none"]


def two_contexts(number: int, chosen: int, gold: int, **columns: Any) -> Entry:
    """As in Winogrande: the options stand in the prompts, the continuation is the same."""
    names = ("Ann", "Eve")
    told = ranked(
        number,
        {"sentence": f"_ won race {number} as she was quick.", **columns},
        ["won as she was quick."] * 2,
        "won as she was quick.",
        [-1.0 if place == chosen else -2.0 for place in range(2)],
        acc=float(chosen == gold),
    )
    for place in range(2):
        told["arguments"][f"gen_args_{place}"]["arg_0"] = f"Some example.\n\nIn the end {names[place]}"
    return told


def test_options_in_the_prompts_come_from_the_row(tmp_path: Path) -> None:
    told = row(tmp_path, two_contexts(0, 1, 1, option1="Ann", option2="Eve", answer="2"))

    assert (told.item.choices, told.item.golds, told.item.chance) == (("Ann", "Eve"), ("Eve",), 0.5)
    assert told.scores[0].choice == 1


def test_options_in_the_prompts_are_where_these_differ(tmp_path: Path) -> None:
    told = row(tmp_path, two_contexts(0, 0, 1, label=1))

    assert (told.item.choices, told.item.golds) == (("Ann", "Eve"), ("Eve",))
    assert (told.scores[0].value, told.scores[0].choice) == (0.0, 0)


@pytest.mark.parametrize(
    "values", [["nan", "-1.0", "-2.0"], ["-inf", "-1.0", "-2.0"], ["x", "-1.0", "-2.0"], [], ["-1.0"]]
)
def test_log_likelihoods_that_are_no_numbers_leave_the_score_standing(values: list[str], tmp_path: Path) -> None:
    told = ranked(0, about(choices=ABC), ABC, "1", [0, 0, 0], acc=1.0)
    told["filtered_resps"] = told["resps"] = [[value, "False"] for value in values]

    found = row(tmp_path, told)

    assert (found.scores[0].value, found.scores[0].logprobs) == (1.0, None)
    assert found.scores[0].choice == (1 if values[:1] == ["-inf"] else None)
    assert found.scores[0].margin is None or math.isfinite(found.scores[0].margin)


def test_eleven_options_keep_their_order_whatever_the_order_of_keys(tmp_path: Path) -> None:
    options = [f"option {place}" for place in range(11)]
    told = ranked(0, about(choices=options), options, "10", [-5.0] * 10 + [-1.0], acc=1.0)
    told["arguments"] = dict(sorted(told["arguments"].items()))

    assert row(tmp_path, told).scores[0].choice == 10


def test_without_arguments_the_row_s_options_are_used(tmp_path: Path) -> None:
    told = ranked(0, about(choices=ABC), ABC, "1", [-1.0, -0.5, -3.0], acc=1.0)
    del told["arguments"]

    found = row(tmp_path, told)

    assert (found.item.choices, found.scores[0].choice, found.sample.prompt) == (ABC, 1, None)


def test_questions_on_one_passage_are_one_cluster(tmp_path: Path) -> None:
    told = [
        ranked(n, about(passage=passage, question=f"Q{n}?"), ("no", "yes"), "1", [-2.0, -1.0], acc=1.0)
        for n, passage in enumerate(["It  rained.", "It rained.", "It snowed."])
    ]

    clusters = [row.item.cluster for row in rows(log(tmp_path, "t", told))]

    assert clusters[0] == clusters[1] != clusters[2]
    assert None not in clusters


@pytest.mark.parametrize("k", ["5", "open", "doc.n", "doc.nowhere"])
def test_options_that_the_log_shows_win_over_the_user_s_number(k: str, tmp_path: Path) -> None:
    told = row(
        tmp_path,
        ranked(0, about(choices=ABC, n=7), ABC, "1", [-1.0, -0.5, -3.0], acc=1.0),
        Hints(k=(("t?sk", k),)),
    )

    assert (told.item.choices, told.item.k, told.item.chance) == (tuple(ABC), 3, 1 / 3)


@pytest.mark.parametrize(("k", "chance"), [("5", 1 / 3), ("open", None)])
def test_where_the_log_shows_options_and_no_gold_their_number_stands(
    k: str, chance: float | None, tmp_path: Path
) -> None:
    entry = ranked(0, about(choices=ABC), ABC, "none of these", [-1.0, -0.5, -3.0], acc=0.0)
    told = row(tmp_path, entry, Hints(k=(("t?sk", k),)))

    assert (told.item.k, told.item.chance) == (3, chance)


@pytest.mark.parametrize(
    ("k", "expected"), [("5", (5, 0.2)), ("open", (None, 0.0)), ("doc.n", (7, pytest.approx(1 / 7)))]
)
def test_where_the_log_shows_no_options_the_first_matching_word_of_the_user_counts(
    k: str, expected: tuple[Any, Any], tmp_path: Path
) -> None:
    hints = Hints(k=(("other", "9"), ("t?sk", k), ("ta*", "2")))
    told = row(tmp_path, said(0, about(n=7), "Paris", "Paris", "Paris", exact_match=1.0), hints)

    assert (told.item.k, told.item.chance) == expected


def test_logs_without_results_are_read_and_it_is_said_so(tmp_path: Path) -> None:
    found = run(log(tmp_path / "my-model", "t", [ranked(0, about(choices=ABC), ABC, "1", [-1, 0, -3], acc=1.0)]))

    assert (found.info.run_id, found.info.checkpoint, found.info.shots) == ("my-model", "my-model", {})
    assert [note for note in found.notes if "no results file" in note]


def test_settings_are_those_of_the_results_file(tmp_path: Path) -> None:
    sums(tmp_path, "org/name", **{"n-shot": {"t": 5}, "chat_template": None})
    found = run(log(tmp_path, "t", [ranked(0, about(choices=ABC), ABC, "1", [-1, 0, -3], acc=1.0)]))

    assert (found.info.run_id, found.info.prompt, found.info.template) == ("org__name", "5-shot", None)
    assert found.notes == []
