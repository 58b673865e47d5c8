"""The option that a text chooses, by its letter or its words."""

import re
from collections.abc import Iterator, Sequence

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.boxed import contents
from forgetmap.scorers.final_answer import final
from forgetmap.scorers.judging import Found, Judge, last, letter, option, same_text

VERSION = "1"
_BEGINS = re.compile(r"\s*\**(?:\(([A-Za-z])\)|([A-Z])[).:])(?!\w)")
_BRACKETED = re.compile(r"\(([A-Z])\)|\[([A-Z])\]")
_BEGUN_BEHIND = re.compile(
    r"[\s*$\\]*(?:(?:text|mathrm|boxed)\{)?(?:\(([A-Za-z])\)|\[([A-Za-z])\]|([A-Z])(?![\w'’])(?! [a-z]))"
)
_JUDGE = Judge("choice", VERSION, same_text)


def choice(item: Item, answer: str) -> Score:
    """Whether the option chosen is right. Tried in this order, the first that names an option counts:

    the whole answer, the last box, behind "the answer is", the letter at the beginning, the last letter in brackets.

    >>> item = Item("t", choices=("red", "blue"), golds=("blue",), k=2)
    >>> choice(item, "(B)").value, choice(item, "I think the answer is B.").value, choice(item, "Blue").choice
    (1.0, 1.0, 1)
    """
    return _JUDGE.score(item, chosen(item, answer))


def chosen(item: Item, answer: str) -> Found | None:
    """What the surest way that names an option finds; else a letter beyond the options; else null."""
    ways = list(_ways(answer))
    named = (found for found in ways if _names(found.text, item.choices or ()))
    beyond = (found for found in ways if letter(found.text) is not None)
    return next(named, None) or next(beyond, None)


def _names(text: str, choices: Sequence[str]) -> bool:
    return bool(choices) and option(text, choices) is not None


def _ways(answer: str) -> Iterator[Found]:
    """Every way in which a text may name an option, the surest first."""
    yield Found(answer, "the whole answer")
    box = contents(answer)
    if box is not None:
        yield Found(box, "the last box")
    said = final(answer)
    if said.how != "the whole answer":
        yield said
        if begun := _BEGUN_BEHIND.match(said.text):
            yield Found(_letter_of(begun), said.how)
    if begun := _BEGINS.match(answer):
        yield Found(_letter_of(begun), "the letter it begins with")
    if bracketed := last(_BRACKETED, answer):
        yield Found(_letter_of(bracketed), "the last letter in brackets")


def _letter_of(found: re.Match[str]) -> str:
    return next(group for group in found.groups() if group)
