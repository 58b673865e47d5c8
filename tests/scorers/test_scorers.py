"""What each scorer finds in the texts that models write."""

import pytest

from forgetmap.records.schema import Item, Score
from forgetmap.scorers import SCORERS
from forgetmap.tables import load

COLOURS = Item("colours", question="Which?", choices=("red", "blue", "green"), golds=("blue",), k=3, chance=1 / 3)
YES = Item("yes", question="Is it?", choices=("yes", "no"), golds=("yes",), k=2, chance=0.5)
HIDDEN = Item("hidden", question="Which?", golds=("(C)",))


def scored(name: str, item: Item, text: str) -> Score:
    score: Score = load(SCORERS, name, group="scorers")(item, text)
    return score


def gold(text: str) -> Item:
    return Item("open", question="?", golds=(text,), chance=0.0)


def worth(name: str, wanted: str, text: str) -> float | None:
    return scored(name, gold(wanted), text).value


CHOSEN = [
    ("(B)", 1),
    ("B", 1),
    (" b. ", 1),
    ("B) blue", 1),
    ("**B.** blue", 1),
    ("(B) blue, because the sky is", 1),
    ("blue", 1),
    ("Blue.", 1),
    ("I think the answer is (C).", 2),
    ("The answer is C", 2),
    ("Answer: A\nbecause of (B)", 0),
    ("The correct answer is: **B**", 1),
    ("The answer is green.", 2),
    ("so \\boxed{B}", 1),
    ("so \\boxed{\\text{blue}} is out, \\boxed{C}", 2),
    ("Not (A), and not (C) either: it must be (B)", 1),
    ("The answer is (B), not (A).", 1),
    ("The answer is A good one", None),
    ("A good question.", None),
    ("I do not know.", None),
    ("They are all nice.", None),
]


@pytest.mark.parametrize(("text", "place"), CHOSEN)
def test_choice_finds_the_option_that_a_text_names(text: str, place: int | None) -> None:
    score = scored("choice", COLOURS, text)

    assert score.choice == place
    assert (score.outcome, score.value) == (("unparsed", None) if place is None else ("scored", float(place == 1)))


def test_a_letter_beyond_the_options_is_wrong_and_names_none() -> None:
    for name in ("choice", "exact", "final_answer"):
        assert scored(name, COLOURS, "(F)")[:4] == (name, "scored", 0.0, None)


def test_options_that_are_hidden_are_held_by_letter() -> None:
    assert scored("choice", HIDDEN, "The answer is (C).")[1:4] == ("scored", 1.0, 2)
    assert scored("choice", HIDDEN, "(A) It is.")[1:4] == ("scored", 0.0, 0)
    assert scored("choice", HIDDEN, "no idea").outcome == "unparsed"


def test_a_bare_letter_is_an_open_answer_unless_the_item_has_options() -> None:
    assert worth("exact", "A", "a") == 0.0
    assert scored("exact", Item("t", golds=("A",), k=4), "a").value == 1.0


FINAL = [
    ("(B)", 1.0),
    ("Sky and sea. So the answer is (B).", 1.0),
    ("The answer is (A). No: the answer is (B).", 1.0),
    ("So the answer is (A).", 0.0),
    ("So the answer is that", None),
    ("It breaks off before", None),
]


@pytest.mark.parametrize(("text", "value"), FINAL)
def test_final_answer_reads_the_end_of_a_chain_of_thought(text: str, value: float | None) -> None:
    assert scored("final_answer", COLOURS, text).value == value


@pytest.mark.parametrize(("text", "value"), [("] ) }", 1.0), ("So the answer is ] ) }.", 1.0), ("] )", 0.0)])
def test_final_answer_holds_open_answers_against_the_gold(text: str, value: float) -> None:
    assert worth("final_answer", "] ) }", text) == value


SAID = [
    ("[Yes]", 1.0),
    ("[no] Let me see. [YES]", 1.0),
    ("[No]", 0.0),
    ("Yes, it is.", 1.0),
    ("So the answer is no.", 0.0),
    ("Nothing of the sort", None),
    ("Maybe [maybe]", None),
]


@pytest.mark.parametrize(("text", "value"), SAID)
def test_yes_no_reads_either_word(text: str, value: float | None) -> None:
    assert scored("yes_no", YES, text).value == value


NUMBERS = [
    ("1,200", "It is 1200.", 1.0),
    ("1200", "600 + 600 = 1,200.00", 1.0),
    ("0.5", "The answer is 1/2.", 1.0),
    ("-3", "#### -3", 1.0),
    ("-3", "#### 3", 0.0),
    ("18", "18 eggs. The answer is $18 a day, for 5 days.", 1.0),
    ("18", "x18y", None),
    ("18", "none", None),
    ("1200", "1,2000", 0.0),
]


@pytest.mark.parametrize(("wanted", "text", "value"), NUMBERS)
def test_number_reads_the_final_number(wanted: str, text: str, value: float | None) -> None:
    assert worth("number", wanted, text) == value


def test_a_gold_that_is_no_number_is_not_judged_by_number() -> None:
    assert scored("number", gold("a lot"), "7").outcome == "failed"
    assert scored("json_number", gold("a lot"), '{"answer": 7}').outcome == "failed"


BOXES = [
    ("2", r"\boxed{2}", 1.0),
    ("2", r"\\boxed{2}", 1.0),
    ("2", r"\boxed{1}, or rather \boxed{ 2.0 }", 1.0),
    ("2", r"\boxed{2} and \boxed{", 1.0),
    (r"\frac{1}{2}", r"$\boxed{\frac{1}{2}}$", 1.0),
    ("2", r"\boxed{two}", 0.0),
    ("2", "2", None),
]


@pytest.mark.parametrize(("wanted", "text", "value"), BOXES)
def test_boxed_reads_the_last_box_that_is_closed(wanted: str, text: str, value: float | None) -> None:
    assert worth("boxed", wanted, text) == value


LITERALS = [
    ("[1, 2]", "[1,2]", 1.0),
    ("'hello'", "hello", 1.0),
    ("'hello'", '"hello"', 1.0),
    ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", 1.0),
    ("True", "1", 0.0),
    ("[1.0]", "[1]", 0.0),
    ("5", "'5'", 0.0),
    ("[1, 2]", "[2, 1]", 0.0),
]


@pytest.mark.parametrize(("wanted", "text", "value"), LITERALS)
def test_literal_compares_values(wanted: str, text: str, value: float) -> None:
    assert worth("literal", wanted, text) == value
    assert worth("json_literal", wanted, '{"answer": `' + text + "` }") == value


FIELDS = [
    ("'hi'", '{"answer": "\'hi\'"}', 1.0, 1.0),
    ("'hi'", '{"answer": "hi"}', 1.0, 1.0),
    ("'hi'", 'Here:\n```json\n{"reasoning": "two\nlines", "answer": "hi"}\n```\nDone.', 1.0, 1.0),
    ("7", '{"answer": 7}', 1.0, 1.0),
    ("[1, 2]", '{"answer": [1,2]}', 1.0, 1.0),
    ("'hi'", '{"answer": "no"}\nWait.\n{"answer": "hi"}', 1.0, 1.0),
    ("'hi'", '{"reasoning": "f("x") is it", "answer": "hi"}', 1.0, 1.0),
    ("'hi'", '{"reasoning": "f("x")", "answer": "\\"hi\\""}', 0.0, 1.0),
    ("{'a': 1}", '{"reasoning": "f("x")", "answer": "{\'a\': 1}"}', 0.0, 1.0),
    ("False", '{"reasoning": "f("x")", "answer": `False`}', 0.0, 1.0),
    ("[1, 2]", '{"answer": "[1,2]"}', 0.0, 1.0),
    ("''", '{"answer": ""}', 1.0, 1.0),
    ("'hi'", "'hi'", None, None),
    ("'hi'", '{"reasoning": "hi"}', None, None),
]


@pytest.mark.parametrize(("wanted", "text", "as_written", "by_value"), FIELDS)
def test_the_field_of_an_object_is_found(
    wanted: str, text: str, as_written: float | None, by_value: float | None
) -> None:
    assert (worth("json_answer", wanted, text), worth("json_literal", wanted, text)) == (as_written, by_value)


def test_an_object_that_breaks_off_is_truncated() -> None:
    for text in ('{"reasoning": "and then', '{"reasoning": "so", "answer": "[1, 2'):
        for name in ("json_answer", "json_literal", "json_number"):
            assert scored(name, gold("3"), text).outcome == "truncated"


def test_the_field_may_name_an_option() -> None:
    for said, place in (("B", 1), ("(C)", 2), ("B. blue", 1), ("red", 0), ("B (of these)", 1)):
        score = scored("json_answer", COLOURS, f'{{"reasoning": "…", "answer": "{said}"}}')
        assert (score.choice, score.value) == (place, float(place == 1))
    assert scored("json_answer", COLOURS, '{"answer": "none of these"}').outcome == "unparsed"


def test_the_field_may_hold_a_number_with_its_unit() -> None:
    assert worth("json_number", "#### 1,200", '{"answer": "$1200 a year"}') == 1.0
    assert worth("json_number", "1200", '{"answer": "a lot"}') is None


@pytest.mark.parametrize(
    ("report", "value"),
    [
        ("  \x1b[38;5;46m✔ Accepted\x1b[39m\n  ✔ 9/9 cases passed", 1.0),
        ("  ✘ Wrong Answer\n  ✘ 3/9 cases passed", 0.0),
        ("\x1b[38;5;196m✘ Runtime Error\x1b[39m\n  ✘ answer: Accepted", 0.0),
        ("Memory Limit Exceeded", 0.0),
        ("[ERROR] http error [code=429]", None),
    ],
)
def test_accepted_reads_the_verdict_of_a_judge(report: str, value: float | None) -> None:
    score = scored("accepted", Item("t"), report)

    assert score.value == value
    assert score.outcome == ("failed" if value is None else "scored")


def test_a_field_that_holds_null_is_no_answer_unless_null_is_the_gold() -> None:
    for text in ('{"answer": null}', '{"reasoning": "so", "answer": null}'):
        for name in ("json_answer", "json_literal"):
            assert scored(name, gold("'hello'"), text).outcome == "unparsed"
            assert (scored(name, gold("None"), text).value, scored(name, gold("None"), text).version) == (1.0, "2")
        assert scored("json_number", gold("7"), text).outcome == "unparsed"
