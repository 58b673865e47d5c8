"""Quasi-exact match: equal but for case, punctuation, articles and white space; and an outcome for whatever is said."""

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap.records.schema import OUTCOMES, Item
from forgetmap.scorers import SCORERS
from forgetmap.scorers.quasi_exact import quasi_exact_match
from forgetmap.tables import load

OPEN = Item("t", golds=("The Hague", "Den Haag"), chance=0.0)
CLOSED = Item("t", choices=("x + 1", "x - 1", "A cat", "the cat!"), golds=("x - 1",), k=4, chance=0.25)
ITEMS = (OPEN, CLOSED, Item("t"), Item("t", golds=("",)), Item("t", golds=("+",)), Item("t", choices=(), golds=("a",)))
TEXTS = st.text() | st.sampled_from(["", " \n", "\ud83d", "word " * 9999, "?!", "the", "x - 1", "{" * 5000])


@pytest.mark.parametrize("answer", ["The Hague", " the hague. ", "HAGUE", "den  haag\n", "A Hague"])
def test_an_answer_that_says_a_gold_is_right(answer: str) -> None:
    assert quasi_exact_match(OPEN, answer)[:3] == ("quasi_exact_match", "scored", 1.0)


@pytest.mark.parametrize("answer", ["Hague, I think", "Delft", "The", "?"])
def test_another_answer_is_wrong(answer: str) -> None:
    assert quasi_exact_match(OPEN, answer)[1:3] == ("scored", 0.0)


@pytest.mark.parametrize(
    ("answer", "place"),
    [("x - 1", 1), (" x  -  1", 1), ("x + 1", 0), ("A cat", 2), ("the cat!", 3), ("x 1", None), ("dog", None)],
)
def test_an_option_is_named_to_the_letter_or_by_the_one_text_that_says_the_same(answer: str, place: int | None) -> None:
    score = quasi_exact_match(CLOSED, answer)

    assert score.choice == place
    assert (score.outcome, score.value) == (("unparsed", None) if place is None else ("scored", float(place == 1)))


def test_a_text_of_signs_alone_is_compared_as_it_stands() -> None:
    signs = Item("t", golds=("+",))

    assert [quasi_exact_match(signs, answer).value for answer in ("+", "-")] == [1.0, 0.0]


@pytest.mark.parametrize("answer", ["", " \n\t"])
def test_no_answer_is_never_wrong(answer: str) -> None:
    assert {quasi_exact_match(item, answer).outcome for item in ITEMS} == {"unparsed"}


def test_an_item_without_a_gold_is_not_judged() -> None:
    assert quasi_exact_match(Item("t"), "anything").outcome == "failed"


@pytest.mark.parametrize("name", SCORERS)
@given(text=TEXTS, item=st.sampled_from(ITEMS))
def test_any_text_gets_an_outcome(name: str, text: str, item: Item) -> None:
    scorer = load(SCORERS, name, group="scorers")
    score = scorer(item, text)

    assert (score.scorer, score.version) == (name, import_module(scorer.__module__).VERSION)
    assert score.outcome in OUTCOMES
    assert (score.value is not None) == (score.outcome == "scored")
    assert score.value in (None, 0.0, 1.0)
    assert score.choice is None or 0 <= score.choice < len(item.choices or ())
