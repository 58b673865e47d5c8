"""The exam of every scorer: whatever a model says, there is a score that says what could be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap.records.schema import OUTCOMES, Item, Score
from forgetmap.scorers import SCORERS
from forgetmap.tables import load

ITEMS = (
    Item("options", question="Which?", choices=("red", "blue", "green"), golds=("blue",), k=3, chance=1 / 3),
    Item("yes or no", question="Is it?", choices=("yes", "no"), golds=("no",), k=2, chance=0.5),
    Item("letters", question="Which?", golds=("(B)",)),
    Item("number", question="How many?", golds=("1,200",), chance=0.0),
    Item("literal", question="f(1) == ??", golds=("['a', 1]",), chance=0.0),
    Item("several", question="Name one.", golds=("Mars", "Venus"), chance=0.0),
    Item("no gold", question="What do you think?"),
)
HALF = "\ud83d answer is \udc00 \\boxed{\ud800}"
GARBAGE = [
    "",
    " \n\t ",
    "\0",
    HALF,
    "\x1b[38;5;196m✘ \x1b[39m",
    "\x1b[",
    "{" * 5000,
    '{"answer": ' * 2000,
    "[" * 5000,
    "(" * 5000,
    '{"answer": "' + "9" * 10_000 + '"}',
    "9" * 20_000,
    "1" + ",111" * 5000,
    "1/0",
    "\\boxed{" * 2000,
    "\\boxed{" + "{}" * 5000,
    "the answer is " * 5000,
    "answer" + " " * 50_000,
    '"answer"' + " " * 50_000,
    "{" + " " * 50_000,
    "word " * 200_000,
    "-" * 100_000,
    '{"answer": null}',
    '{"answer": NaN}',
    '{"answer": {"answer": []}}',
    "1e400",
    "0x" + "f" * 5000,
    "'" * 9999,
    "(A)(B)(C)" * 3000,
]
PIECES = st.sampled_from(
    [*"{}[]()\",':\\`", "answer", "boxed{", "answer is", "yes", "[No]", "(B)", "B", "1,200", "#", "\n", " ", "Accepted"]
)
TEXTS = st.text() | st.lists(PIECES, max_size=30).map("".join) | st.text(st.characters(categories=["Cs", "Nd", "P"]))


def demand_a_score(name: str, score: Score, item: Item) -> None:
    assert isinstance(score, Score)
    assert (score.scorer, score.version) == (name, load_version(name))
    assert score.outcome in OUTCOMES
    assert (score.value is not None) == (score.outcome == "scored")
    assert score.value in (None, 0.0, 1.0)
    assert score.outcome != "scored" or score.found
    assert score.choice is None or item.choices is None or 0 <= score.choice < len(item.choices)


def load_version(name: str) -> str:
    module = SCORERS[name].partition(":")[0]
    version = load({name: f"{module}:VERSION"}, name, group="scorers")
    assert isinstance(version, str) and version
    return version


@pytest.mark.parametrize("text", GARBAGE, ids=range(len(GARBAGE)))
@pytest.mark.parametrize("name", SCORERS)
def test_garbage_gets_an_outcome(name: str, text: str) -> None:
    scorer = load(SCORERS, name, group="scorers")
    for item in ITEMS:
        demand_a_score(name, scorer(item, text), item)


@pytest.mark.parametrize("name", SCORERS)
@given(text=TEXTS, item=st.sampled_from(ITEMS))
def test_any_text_gets_an_outcome(name: str, text: str, item: Item) -> None:
    demand_a_score(name, load(SCORERS, name, group="scorers")(item, text), item)


@pytest.mark.parametrize("name", SCORERS)
@pytest.mark.parametrize("text", ["", " \n\t"])
def test_what_says_nothing_is_never_wrong(name: str, text: str) -> None:
    scorer = load(SCORERS, name, group="scorers")

    assert {scorer(item, text).outcome for item in ITEMS} <= {"unparsed", "failed"}


@pytest.mark.parametrize("name", SCORERS)
@given(text=TEXTS, gold=st.text(max_size=9))
def test_any_gold_can_be_held_against_any_text(name: str, text: str, gold: str) -> None:
    item = Item("t", golds=(gold,), chance=0.0)

    demand_a_score(name, load(SCORERS, name, group="scorers")(item, text), item)


@pytest.mark.parametrize("name", sorted(set(SCORERS) - {"accepted"}))
def test_an_item_without_a_gold_is_not_judged(name: str) -> None:
    scorer = load(SCORERS, name, group="scorers")

    assert scorer(ITEMS[-1], '{"answer": "B"} so the answer is (B): [Yes] \\boxed{1}').outcome == "failed"
