"""What an answer in a log of HELM is worth: letters, ranked options, free texts, draws, and what is no answer."""

from pathlib import Path
from typing import Any

import pytest

from forgetmap.formats.helm.answers import CONTRADICTED, NO_NUMBER
from tests.formats.helm_told import WORDS, free, instance, judged, ranked, run, state, stats, told, written

LETTERS = [
    (" B", ("scored", 1.0, 1)),
    ("B\n", ("scored", 1.0, 1)),
    ("(B)", ("scored", 1.0, 1)),
    ("B. that", ("scored", 1.0, 1)),
    ("that", ("scored", 1.0, 1)),
    ("The correct answer is (B).", ("scored", 1.0, 1)),
    ("A", ("scored", 0.0, 0)),
    ("E", ("unparsed", None, None)),
    ("Both", ("unparsed", None, None)),
    ("", ("unparsed", None, None)),
]


@pytest.mark.parametrize(("said", "score"), LETTERS)
def test_a_letter_is_its_option_and_no_letter_of_the_mapping_is_unparsed(said: str, score: Any, tmp_path: Path) -> None:
    assert judged(tmp_path, state("id1", said)) == [score]


def test_letters_mean_what_they_were_asked_with(tmp_path: Path) -> None:
    turned = dict(zip("ABCD", reversed(WORDS), strict=True))
    other = state("id2", " 2", output_mapping={"1": "this", "2": "that", "3": "those", "4": "these"})
    rows = told(written(tmp_path, [state("id1", " C", output_mapping=turned), other]))

    assert [row.item.choices for row in rows] == [tuple(reversed(WORDS)), WORDS]
    assert [(row.scores[0].value, row.scores[0].choice) for row in rows] == [(1.0, 2), (1.0, 1)]


def test_the_part_of_an_answer_that_the_run_looked_at_counts(tmp_path: Path) -> None:
    pattern = r"the choice is \[\[(\w)\]\]"
    said = [state("id1", "A? No, the choice is [[B]]"), state("id2", "A")]

    assert judged(tmp_path, *said, output_mapping_pattern=pattern) == [("scored", 1.0, 1), ("unparsed", None, None)]


def test_one_who_thinks_first_names_the_option_at_the_end(tmp_path: Path) -> None:
    said = state("id1", "A. this is too short. So the answer is B.")

    assert judged(tmp_path, said, method="multiple_choice_joint_chain_of_thought") == [("scored", 1.0, 1)]


@pytest.mark.parametrize(("value", "score"), [(1, ("scored", 1.0, 1)), (0, ("scored", 0.0, None))])
def test_the_stored_stat_wins_over_the_letter(value: int, score: Any, tmp_path: Path) -> None:
    place = written(tmp_path, [state("id1", " B")], [stats("id1", exact_match=value)])
    (row,) = told(place)

    assert row.scores[0][1:4] == score
    assert row.scores[0].found == ("letter or text" if value else CONTRADICTED)


def test_a_letter_that_helm_does_not_read_is_no_wrong_answer(tmp_path: Path) -> None:
    """HELM's matches map the bare letter only, and count all else as wrong; other scorers read more."""
    kept = [stats("id1", exact_match=0, chain_of_thought_correctness=1)]
    (row,) = told(written(tmp_path, [state("id1", "The answer is (B).")], kept))

    assert [(score.scorer, *score[1:4]) for score in row.scores] == [
        ("exact_match", "unparsed", None, None),
        ("chain_of_thought_correctness", "scored", 1.0, 1),
    ]


def test_success_of_a_request_says_nothing_of_being_right_and_failure_is_no_wrong_answer(tmp_path: Path) -> None:
    broken = {"success": False, "completions": [{"text": ""}], "error": "no connection"}
    states = [state("id1", " A"), state("id2", result=broken), state("id3", result=None)]
    wrong = [stats(f"id{number}", exact_match=0) for number in (1, 2, 3)]

    for kept in (None, wrong):
        assert [outcome for outcome, *_ in judged(tmp_path / str(kept is None), *states, kept=kept)] == [
            "scored",
            "failed",
            "failed",
        ]
    assert [row.sample.error for row in told(tmp_path / "True")] == [
        None,
        "no connection",
        "the request was never answered",
    ]


def test_how_an_answer_ended_tells_what_kind_of_no_answer_it_is(tmp_path: Path) -> None:
    policy = "The prompt violates OpenAI's content policy."
    states = [
        state("id1", "I think", reason="length", request={"max_tokens": 600}),
        state("id2", "I", reason="length"),
        state("id3", "", reason=policy),
        state("id4", "Hm.", reason=None),
    ]
    zeros = [stats(f"id{number}", exact_match=0) for number in range(1, 5)]

    for kept in (None, zeros):
        assert [outcome for outcome, *_ in judged(tmp_path / str(kept is None), *states, kept=kept)] == [
            "truncated",
            # The limit left room for a letter and no more.
            "unparsed",
            "refused",
            "unparsed",
        ]


def test_a_free_answer_is_right_where_it_says_a_gold_but_for_case_articles_and_signs(tmp_path: Path) -> None:
    states = [
        free("id1", " the Hague.\n", "Delft", "The Hague"),
        free("id2", "Delft", "The Hague"),
        free("id3", " ", "x"),
    ]
    rows = told(written(tmp_path, states, method="generation"))

    assert [row.scores[0][:3] for row in rows] == [
        ("quasi_exact_match", "scored", 1.0),
        ("quasi_exact_match", "scored", 0.0),
        ("quasi_exact_match", "unparsed", None),
    ]
    assert {row.scores[0].version for row in rows} == {"1"}
    assert [(row.item.golds, row.item.k, row.item.chance) for row in rows[:1]] == [(("Delft", "The Hague"), None, 0.0)]


def test_a_free_answer_that_was_cut_is_wrong_only_where_its_beginning_counts(tmp_path: Path) -> None:
    kept = [stats("id1", exact_match=0, prefix_exact_match=0, f1_score=0.4)]
    place = written(tmp_path, [free("id1", "It is well", "Delft", reason="length")], kept, method="generation")
    (row,) = told(place)

    assert [(score.scorer, score.outcome, score.value) for score in row.scores] == [
        ("exact_match", "truncated", None),
        ("prefix_exact_match", "scored", 0.0),
        ("f1_score", "scored", 0.4),
    ]


def test_references_of_a_free_answer_are_its_options_where_they_are_labels_some_of_them_wrong(tmp_path: Path) -> None:
    asked = instance("id1", ["Yes", "No"], [1])
    bare = {"output_mapping": None}
    rows = told(
        written(tmp_path, [state("id1", said, instance=asked, **bare) for said in ("no.",)], method="generation")
    )

    assert (rows[0].item.choices, rows[0].item.k, rows[0].item.chance) == (("Yes", "No"), 2, 0.5)
    assert rows[0].scores[0][1:4] == ("scored", 1.0, 1)


def test_chance_is_counted_from_distinct_references(tmp_path: Path) -> None:
    options = ["four", "five", "four ", "six"]
    states = [
        state("id1", " C", instance=instance("id1", options, [0])),
        state("id2", " B", instance=instance("id2", WORDS, [0, 1])),
        state("id3", " B", instance=instance("id3", WORDS, [])),
        state("id4", " B", instance={"id": "id4", "input": None, "references": None}, output_mapping=None),
    ]
    rows = told(written(tmp_path, states))

    assert [(row.item.k, row.item.chance) for row in rows] == [
        (3, pytest.approx(1 / 3)),
        (4, 0.5),
        (4, None),
        (None, None),
    ]
    assert [row.scores[0][1:4] for row in rows] == [
        ("scored", 1.0, 0),
        ("scored", 1.0, 1),
        ("failed", None, None),
        ("failed", None, None),
    ]
    assert rows[3].item.question is None


def test_all_golds_are_wanted_where_the_run_says_so(tmp_path: Path) -> None:
    asked = instance("id1", WORDS, [0, 1])

    assert told(written(tmp_path, [state("id1", instance=asked)], multi_label=True))[0].item.chance is None


def test_scorers_are_stats_of_being_right_in_a_sensible_order(tmp_path: Path) -> None:
    values = {
        "finish_reason_stop": 1,
        "num_completion_tokens": 1,
        "inference_runtime": 0.5,
        "logprob": -0.5,
        "max_prob": 0.6,
        "wer_score": 0.1,
        "bright": 1,
        "rouge_l": 0.5,
        "exact_match@5": 1,
        "f1_score": 0.5,
        "quasi_exact_match": 1,
        "exact_match": 1,
        "math_equiv": 1,
        "judge_score": 7,
    }
    found = run(written(tmp_path, [state("id1")], [stats("id1", **values)]))

    names = ["math_equiv", "exact_match", "quasi_exact_match", "f1_score", "rouge_l", "exact_match@5"]
    assert [[score.scorer for score in row.scores] for row in found.rows()] == [names]
    assert [note for note in found.notes if "bright" in note and "more of it is better" in note]
    assert [note for note in found.notes if "judge_score" in note and "not from 0 to 1" in note]
    assert not [note for note in found.notes if "runtime" in note or "logprob" in note]


def test_several_metrics_write_an_entry_each_for_one_answer(tmp_path: Path) -> None:
    kept = [stats("id1", exact_match=1), stats("id1", exact_match=0, f1_score=1), stats("id2", f1_score=0.5)]
    rows = told(written(tmp_path, [state("id1"), state("id2")], kept))

    assert [[(score.scorer, score.value) for score in row.scores] for row in rows] == [
        [("exact_match", 1.0), ("f1_score", 1.0)],
        [("exact_match", None), ("f1_score", 0.5)],
    ]
    assert rows[1].scores[0].found == NO_NUMBER


def test_stats_without_an_answer_and_answers_without_stats_are_told(tmp_path: Path) -> None:
    place = written(tmp_path, [state("id1"), state("id2")], [stats("id1", exact_match=1), stats("id3", exact_match=1)])
    found = run(place)

    assert [row.scores[0].outcome for row in found.rows()] == ["scored", "failed"]
    assert [problem.why for problem in found.problems] == ["holds no request for id3, of which there are stats"]


def test_a_task_without_any_stat_of_being_right_is_one_problem(tmp_path: Path) -> None:
    found = run(written(tmp_path, [state("id1")], [stats("id1", bits_per_byte=0.5)]))

    assert list(found.rows()) == []
    assert [problem.why for problem in found.problems] == [
        "quiz:subject=words: none of its stats says how right an answer is, so its 1 answers are not read"
    ]


def test_trials_with_other_examples_and_repeats_are_draws_of_the_item(tmp_path: Path) -> None:
    again = {"random": "1", "max_tokens": 5}
    states = [
        made
        for trial in (0, 1)
        for made in (
            state("id1", " B", train_trial_index=trial),
            state("id1", " A", train_trial_index=trial, request=again),
        )
    ]
    found = run(written(tmp_path, states, [stats("id1", trial, exact_match=1) for trial in (0, 1)]))
    rows = list(found.rows())

    assert [(row.sample.draw, row.scores[0].scorer, row.scores[0].value) for row in rows] == [
        (0, "quasi_exact_match", 1.0),
        (1, "quasi_exact_match", 0.0),
        (2, "quasi_exact_match", 1.0),
        (3, "quasi_exact_match", 0.0),
    ]
    assert len({row.item_id for row in rows}) == 1
    assert [note for note in found.notes if "several times" in note]


def test_each_trial_has_stats_of_its_own(tmp_path: Path) -> None:
    states = [state("id1", said, train_trial_index=trial) for trial, said in enumerate((" B", " A"))]
    kept = [stats("id1", trial, exact_match=value) for trial, value in ((0, 1), (1, 0))]

    assert judged(tmp_path, *states, kept=kept) == [("scored", 1.0, 1), ("scored", 0.0, 0)]


def test_the_same_request_twice_is_a_duplicate(tmp_path: Path) -> None:
    found = run(written(tmp_path, [state("id1"), state("id1", " A")]))

    assert [row.scores[0].value for row in found.rows()] == [1.0]
    assert found.duplicates == 1


SEPARATE = "multiple_choice_separate_original"


def test_options_that_were_ranked_are_chosen_by_log_probability_a_token(tmp_path: Path) -> None:
    two_words = ("this", "quite that", "those", "these")
    states = ranked("id1", [-2.0, -1.0, -3.0, -4.0]) + ranked("id2", [-0.5, -1.5, -3.0, -4.0], options=two_words)
    (first, second) = told(written(tmp_path, states, method=SEPARATE))

    assert first.scores[0][:4] == ("quasi_exact_match", "scored", 1.0, 1)
    assert first.scores[0].logprobs == (-2.0, -1.0, -3.0, -4.0)
    assert first.scores[0].margin == 1.0
    assert second.scores[0][1:4] == ("scored", 0.0, 0)
    assert first.sample.prompt == "Which word is number id1?"
    assert (first.item.k, first.item.chance, first.sample.response) == (4, 0.25, None)


def test_calibrated_options_are_ranked_by_what_the_question_adds(tmp_path: Path) -> None:
    states = ranked("id1", [-2.0, -3.0, -3.0, -4.0]) + ranked("id1", [-1.0, -9.0, -1.0, -1.0], "calibration")

    assert judged(tmp_path, *states, method="multiple_choice_separate_calibrated") == [("scored", 1.0, 1)]


@pytest.mark.parametrize(
    ("told_values", "score"),
    [
        ({"exact_match": 1, "predicted_index": 1}, ("scored", 1.0, 1)),
        ({"exact_match": 0, "predicted_index": 2}, ("scored", 0.0, 2)),
        ({"exact_match": 1, "predicted_index": 2}, ("scored", 1.0, None)),
        ({"exact_match": 0.5, "predicted_index": 1}, ("scored", 0.5, 1)),
        ({"exact_match": 1}, ("scored", 1.0, 1)),
        ({"exact_match": 0}, ("scored", 0.0, None)),
    ],
)
def test_the_option_ranked_first_is_known_as_long_as_it_agrees_with_the_stat(
    told_values: dict[str, float], score: Any, tmp_path: Path
) -> None:
    states = ranked("id1", [-2.0, -1.0, -3.0, -4.0])

    assert judged(tmp_path, *states, kept=[stats("id1", **told_values)], method=SEPARATE) == [score]


def test_options_that_share_the_first_place_count_by_halves_and_none_is_chosen(tmp_path: Path) -> None:
    assert judged(tmp_path, *ranked("id1", [-1.0, -1.0, -3.0, -4.0]), method=SEPARATE) == [("scored", 0.5, None)]


def test_options_of_which_one_was_not_ranked_are_failed(tmp_path: Path) -> None:
    missing, strange = ranked("id1", [-1.0, -2.0, -3.0, -4.0])[:3], ranked("id2", [-1.0, -2.0, -3.0, -4.0])
    strange[0]["result"]["completions"][0]["tokens"][-1]["text"] = " something"

    assert judged(tmp_path, *missing, *strange, method=SEPARATE) == [("failed", None, None)] * 2


def test_of_several_completions_the_likeliest_is_the_answer_as_in_helm(tmp_path: Path) -> None:
    several = {"success": True, "completions": [{"text": " A", "logprob": -3.0}, {"text": " B", "logprob": -1.0}]}

    assert judged(tmp_path, state("id1", result=several)) == [("scored", 1.0, 1)]


def test_texts_stood_bare_in_old_files_and_thoughts_are_kept_apart(tmp_path: Path) -> None:
    old = {"id": "id1", "input": "Old?", "references": [{"output": "x", "tags": ["correct"]}], "sub_split": "easy"}
    thinking = {"text": "x", "logprob": 0, "thinking": {"text": "Is it x?"}}
    made = {**free("id1", "x", "x"), "instance": old, "result": {"success": True, "completions": [thinking]}}
    (row,) = told(written(tmp_path, [made], method="generation"))

    assert (row.item.question, row.item.golds, row.item.domain, row.item.meta) == ("Old?", ("x",), "easy", None)
    assert (row.sample.response, row.sample.reasoning, row.scores[0].value) == ("x", "Is it x?", 1.0)


def test_a_manner_of_asking_without_one_answer_an_item_needs_stats(tmp_path: Path) -> None:
    found = run(written(tmp_path, [state("id1")], method="language_modeling"))

    assert list(found.rows()) == []
    assert "was asked as language_modeling" in found.problems[0].why


def test_a_lone_reference_that_is_a_label_leaves_chance_unknown(tmp_path: Path) -> None:
    words = ["Positive", "Negative"] * 3
    states = [free(f"id{number}", "Positive", word) for number, word in enumerate(words)]
    rows = told(written(tmp_path, states, method="generation"))

    assert [(row.item.golds, row.item.k, row.item.chance) for row in rows] == [((word,), None, None) for word in words]
