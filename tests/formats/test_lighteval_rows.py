"""Rows of lighteval: what was asked, which option was chosen, what an answer is worth, in both layouts."""

from pathlib import Path
from typing import Any

import pytest

from forgetmap.formats.contract import Hints
from forgetmap.formats.lighteval.content import lettered_block
from forgetmap.formats.lighteval.rows import EXTRACTED, UNCERTAIN
from forgetmap.formats.lm_eval.choice import CONTRADICTED
from forgetmap.records.schema import Row
from tests.formats import lm_eval_told
from tests.formats.lighteval_told import Cells, flat, lettered, picked, run, settings, structs, summed, told, written

LETTERS = [" A", " B", " C", " D"]
OPTIONS = ["red", "green", "blue", "grey"]


def one(folder: Path, row: Cells, hints: Hints | None = None) -> Row:
    written(folder, [row])
    (found,) = told(folder, hints or Hints())
    return found


def test_options_and_question_are_read_from_a_lettered_query(tmp_path: Path) -> None:
    item = one(tmp_path, picked(7, 2, 1, specific={"id": "x", "subject": "law"})).item

    assert (item.question, item.domain, item.native_id) == ("Which is right, number 7?", "law", "7")
    assert item.choices == ("word 7-0", "word 7-1", "word 7-2", "word 7-3")
    assert (item.golds, item.k, item.chance) == (("word 7-2",), 4, 0.25)


@pytest.mark.parametrize(
    ("query", "block"),
    [
        ("Which?\nA) x\nB) y\nAnswer:", ("Which?", ["x", "y"])),
        ("Which?\n(A) x\n more\n(B) y\nand z\n\nSay it.", ("Which?", ["x\n more", "y\nand z"])),
        (
            "One?\nA. p\nB. q\nAnswer: A\n\nTwo?\nA. x\nB. y\nAnswer:",
            ("One?\nA. p\nB. q\nAnswer: A\n\nTwo?", ["x", "y"]),
        ),
        ("Which?\nA. x\nAnswer:", None),
        ("Which?\nA. x\nB.\nAnswer:", None),
    ],
)
def test_the_last_lettered_lines_are_the_options(query: str, block: Any) -> None:
    assert lettered_block(query, 2) == block


@pytest.mark.parametrize(
    "query",
    [
        lettered("Which colour?", OPTIONS),
        "Here are questions about colours.\n\n" + lettered("Which colour?", OPTIONS),
        "The following are multiple choice questions (with answers) about  colours.\n\n"
        + lettered("Which colour?", OPTIONS),
        lettered("An example?", OPTIONS) + " B\n\n" + lettered("Which colour?", OPTIONS),
        lettered("An example?", OPTIONS) + " B\nbecause it is\n\n" + lettered("Which colour?", OPTIONS),
        "Which colour?\nOptions:\n" + lettered("", OPTIONS).split("\n", 1)[1],
    ],
)
def test_instruction_examples_and_frame_are_no_part_of_the_question(query: str, tmp_path: Path) -> None:
    row = structs(
        1, query, LETTERS, 1, {"acc": 0}, logprobs=[-1.0] * 4, instruction="Here are questions about colours.\n\n"
    )
    item = one(tmp_path, row).item

    assert (item.question, item.choices) == ("Which colour?", tuple(OPTIONS))


def test_options_that_are_texts_are_kept_and_a_passage_stays_with_its_question(tmp_path: Path) -> None:
    query = "Passage: It rained.\nQuestion: Was it dry?\nAnswer:"
    item = one(tmp_path, structs(1, query, [" yes", " no"], 1, {"acc": 1}, logprobs=[-2.0, -1.0])).item

    assert item.question == "Passage: It rained.\nQuestion: Was it dry?"
    assert (item.choices, item.golds, item.chance) == (("yes", "no"), ("no",), 0.5)


def test_letters_without_texts_are_options_whose_texts_are_unknown(tmp_path: Path) -> None:
    item = one(tmp_path, structs(1, "Which?", LETTERS, 3, {"acc": 0}, logprobs=[-1.0] * 4)).item

    assert (item.choices, item.golds, item.k, item.chance) == (None, ("D",), 4, 0.25)


def test_several_golds_and_equal_options_make_the_chance(tmp_path: Path) -> None:
    row = structs(1, "Which?", ["x", "y", "x ", "z"], [0, 1], {"acc": 1}, logprobs=[-2.0, -3.0, -1.0, -4.0])
    found = one(tmp_path, row)

    assert (found.item.choices, found.item.golds, found.item.chance) == (
        ("x", "y", "z"),
        ("x", "y"),
        pytest.approx(2 / 3),
    )
    assert (found.scores[0].choice, found.scores[0].logprobs) == (0, (-1.0, -3.0, -4.0))


def test_a_hidden_gold_leaves_the_chance_unknown_and_is_said(tmp_path: Path) -> None:
    written(tmp_path, [picked(1, -1, 3)])
    found = run(tmp_path)
    (row,) = found.rows()

    assert (row.item.golds, row.item.k, row.item.chance) == ((), 4, None)
    assert [note for note in found.notes if "1 of 1 rows do not say which choice is right" in note]


@pytest.mark.parametrize("value", [1, 1.0, True])
def test_metrics_may_be_integers_numbers_or_booleans(value: Any, tmp_path: Path) -> None:
    score = one(tmp_path, picked(1, 2, 2) | {"metric": {"acc": value}}).scores[0]

    assert (score.scorer, score.value, score.choice, score.margin) == ("acc", 1.0, 2, 1.0)


def test_the_stored_score_wins_over_the_log_likelihoods(tmp_path: Path) -> None:
    score = one(tmp_path, picked(1, 2, 2) | {"metric": {"acc": 0}}).scores[0]

    assert (score.value, score.choice, score.found) == (0.0, None, CONTRADICTED)


def test_a_normalised_choice_is_known_where_all_ways_to_count_agree(tmp_path: Path) -> None:
    # A character: -0.5 or -0.67; -0.83 or -1.0.
    row = structs(1, "Which?", [" abc", " fghij"], 0, {"acc_norm": 1}, logprobs=[-2.0, -5.0])
    # -1.0 or -2.0; -1.25 or -1.67: which is higher depends on the space.
    other = structs(2, "Which two?", [" a", " bcd"], 0, {"acc_norm": 1}, logprobs=[-2.0, -5.0])
    written(tmp_path, [row, other])

    assert [(found.scores[0].choice, found.scores[0].found) for found in told(tmp_path)] == [
        (0, "highest log-likelihood a character"),
        (None, UNCERTAIN),
    ]


@pytest.mark.parametrize(
    ("told_by", "choice"),
    [
        ("LoglikelihoodAcc(logprob_normalization=None)", 0),
        ("LoglikelihoodAcc(logprob_normalization=LogProbCharNorm(name='norm', ignore_first_space=True))", 1),
        ("LoglikelihoodAcc(logprob_normalization=LogProbTokenNorm(name='norm_token'))", None),
    ],
)
def test_the_settings_of_a_task_say_how_options_are_ranked(told_by: str, choice: int | None, tmp_path: Path) -> None:
    row = structs(1, "Which?", [" ab", " abcdefghi"], None, {"mine": 1}, logprobs=[-2.0, -3.0])
    row["doc"]["gold_index"] = 1 if choice == 1 else 0
    written(tmp_path, [row])
    metrics = [{"metric_name": "mine", "sample_level_fn": told_by}]
    summed(tmp_path, settings(config_tasks={"quiz|5": {"metrics": metrics, "hf_repo": "org/quiz"}}))
    (found,) = told(tmp_path)

    assert (found.scores[0].choice, found.item.source) == (choice, "org/quiz")


def generated(answer: str, metric: Cells, choices: list[str], gold: Any, **more: Any) -> Cells:
    return structs(1, lettered("Which?", OPTIONS), choices, gold, metric, text=[answer], **more)


def test_options_stay_known_where_the_log_likelihoods_were_not_kept(tmp_path: Path) -> None:
    found = one(tmp_path, structs(1, "Which?", [" red", " blue"], 1, {"acc": 1}, logprobs=None))

    assert (found.item.choices, found.item.golds, found.item.chance) == (("red", "blue"), ("blue",), 0.5)
    assert (found.scores[0].value, found.scores[0].choice) == (1.0, None)


def test_a_generated_open_answer_has_no_options_and_chance_zero(tmp_path: Path) -> None:
    found = one(tmp_path, structs(1, "What is 2 plus 5?", ["7"], 0, {"extractive_match": 1}, text=["It is 7."]))

    assert (found.item.choices, found.item.golds, found.item.k, found.item.chance) == (None, ("7",), None, 0.0)
    assert (found.sample.response, found.scores[0].value) == ("It is 7.", 1.0)


def test_texts_that_the_query_does_not_show_are_no_options_and_chance_is_unknown(tmp_path: Path) -> None:
    found = one(tmp_path, structs(1, "Why?", ["because", "never", "no"], [0], {"judged": 1}, text=["so"]))

    assert (found.item.choices, found.item.golds, found.item.chance) == (None, ("because",), None)


@pytest.mark.parametrize(
    ("answer", "extracted", "value", "wanted"),
    [
        ("The answer is C.", ["C", "C"], 1.0, ("scored", 1.0, 2)),
        ("The answer is B.", ["B"], 0.0, ("scored", 0.0, 1)),
        ("B or C", ["B", "C"], 1.0, ("scored", 1.0, None)),
        ("I do not know", [], 0.0, ("unparsed", None, None)),
        ("C is what it says", ["D"], 1.0, ("scored", 1.0, None)),
        ("and then " * 300, [], 0.0, ("truncated", None, None)),
    ],
)
def test_an_extracted_letter_is_the_choice_and_none_is_unparsed(
    answer: str, extracted: list[str], value: float, wanted: Any, tmp_path: Path
) -> None:
    row = generated(answer, {"extractive_match": value}, list("ABCD"), 2, specific={EXTRACTED: extracted})
    written(tmp_path, [row, picked(9, 0, 0, specific={EXTRACTED: ["A"]}) | {"metric": {"extractive_match": 1.0}}])
    score = told(tmp_path)[0].scores[0]

    assert (score.outcome, score.value, score.choice) == wanted


@pytest.mark.parametrize(("answer", "choice"), [(" C", 2), ("(C)", 2), ("C it is", None)])
def test_without_extraction_only_a_bare_letter_is_a_choice(answer: str, choice: int | None, tmp_path: Path) -> None:
    assert one(tmp_path, generated(answer, {"em": 1}, LETTERS, 2)).scores[0].choice == choice


def test_flat_log_likelihoods_and_a_column_a_metric_are_read(tmp_path: Path) -> None:
    query = lettered("Which colour?", OPTIONS)
    row = flat(query, LETTERS, 1, [-3.0, -1.0, -2.0, -4.0], acc=1.0, acc_norm=1.0, hashes={"hash": "x"}, truncated=0)
    found = one(tmp_path, row)

    assert (found.item.question, found.item.choices, found.item.golds) == ("Which colour?", tuple(OPTIONS), ("green",))
    assert [(score.scorer, score.value, score.choice) for score in found.scores] == [
        ("acc", 1.0, 1),
        ("acc_norm", 1.0, 1),
    ]
    assert found.sample.prompt == f"An example.\n\n{query}"


def test_an_item_has_one_name_in_both_layouts_and_under_either_kind_of_answer(tmp_path: Path) -> None:
    query = lettered("Which colour?", OPTIONS)
    ranked = one(tmp_path / "a", structs(1, query, LETTERS, 1, {"acc": 0}, logprobs=[-1.0] * 4))
    older = one(tmp_path / "b", flat(query, LETTERS, [1], [-1.0] * 4, acc=0.0))
    said = one(tmp_path / "c", flat(query, list("ABCD"), [1], ["B"], metrics={"extractive_match": 1.0}))
    texts = one(
        tmp_path / "d",
        structs(1, "Which colour?", [f" {text}" for text in OPTIONS], 1, {"acc": 0}, logprobs=[-1.0] * 4),
    )

    assert len({row.item_id for row in (ranked, older, said, texts)}) == 1
    assert said.scores[0].choice == 1


def test_golds_of_a_flat_row_without_index_come_from_their_texts(tmp_path: Path) -> None:
    found = one(tmp_path, flat("Which?", ["x", "y"], None, [-1.0, -2.0], acc=0.0) | {"gold": ["y"]})

    assert (found.item.golds, found.scores[0].choice) == (("y",), 0)


def test_in_the_oldest_files_example_is_an_id_and_the_prompt_ends_with_the_question(tmp_path: Path) -> None:
    row = flat(
        "Q17", ["x", "y"], 0, [-1.0, -2.0], acc=1.0, full_prompt="Question: One?\nAnswer: x\n\nQuestion: Two?\nAnswer:"
    )
    found = one(tmp_path, row)

    assert (found.item.native_id, found.item.question) == ("Q17", "Two?")


def test_the_users_number_of_options_fills_in_what_the_log_does_not_say(tmp_path: Path) -> None:
    row = structs(
        1, "Which of them?", ["B"], 0, {"extractive_match": 1}, text=["It is B"], specific={"options": ["x", "y", "z"]}
    )

    assert one(tmp_path / "a", row).item.chance is None
    assert one(tmp_path / "b", row, Hints(k=(("quiz", "4"),))).item.chance == 0.25
    assert one(tmp_path / "c", row, Hints(k=(("*", "doc.specific.options"),))).item.chance == pytest.approx(1 / 3)


def test_a_score_that_is_missing_in_some_rows_has_failed_there(tmp_path: Path) -> None:
    written(tmp_path, [picked(1, 0, 0), picked(2, 0, 0) | {"metric": {"acc": None}}])

    assert [row.scores[0].outcome for row in told(tmp_path)] == ["scored", "failed"]


def test_a_chat_prompt_and_reasoning_are_kept(tmp_path: Path) -> None:
    chat = [{"role": "user", "content": "Hi?"}]
    sample = one(tmp_path, structs(1, "Hi?", ["yes"], 0, {"em": 1}, text=["yes"], input=chat, reasonings=["hm"])).sample

    assert sample.prompt == '[{"content": "Hi?", "role": "user"}]'
    assert (sample.response, sample.reasoning) == ("yes", "hm")


RAMBLING = "and then we add the next number to what we have so far " * 20
ANSWERS = [("", 0.0), (" \n", 0.0), ("I say 7", 0.0), ("I say 2", 1.0), (RAMBLING, 0.0), ("", 1.0), (RAMBLING, 1.0)]


def test_empty_and_cut_answers_have_the_outcomes_they_have_in_other_formats(tmp_path: Path) -> None:
    wanted = ["unparsed", "unparsed", "scored", "scored", "truncated", "scored", "scored"]
    asked = [f"What is 1 plus {number}?" for number in range(len(ANSWERS))]
    new = [
        structs(number, question, [f"about {number}"], 0, {"em": value}, text=[text])
        for number, (question, (text, value)) in enumerate(zip(asked, ANSWERS, strict=True))
    ]
    old = [
        flat(question, [f"about {number}"], [0], [text], em=value)
        for number, (question, (text, value)) in enumerate(zip(asked, ANSWERS, strict=True))
    ]
    other = [
        lm_eval_told.said(number, {"question": question}, f"about {number}", text, text, em=value)
        for number, (question, (text, value)) in enumerate(zip(asked, ANSWERS, strict=True))
    ]
    general = settings(config_tasks={"quiz|5": {"generation_size": 64}})
    for name, rows in (("new", new), ("old", old)):
        written(tmp_path / name, rows)
        summed(tmp_path / name, general)

    for told_rows in (
        told(tmp_path / "new"),
        told(tmp_path / "old"),
        lm_eval_told.rows(lm_eval_told.log(tmp_path, "quiz", other)),
    ):
        assert [row.scores[0].outcome for row in told_rows] == wanted
        assert [row.item.chance for row in told_rows] == [0.0] * len(ANSWERS)
