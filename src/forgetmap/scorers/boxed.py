r"""What stands in the last \boxed{…} of a text."""

import re

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.judging import Found, Judge, same_text
from forgetmap.scorers.number import value

VERSION = "1"
_BOX = re.compile(r"\\f?boxed\s*\{")
_TRIES = 20
"""Boxes that are looked into, from the last, for one that is closed."""
_NUMBER = re.compile(r"[-−+]?[\d,]{1,400}(?:\.\d{1,400})?")


def contents(text: str) -> str | None:
    r"""What stands in the last closed \boxed{…}; null where there is none.

    >>> contents(r"so \boxed{\frac{1}{2}}."), contents(r"so \boxed{3")
    ('\\frac{1}{2}', None)
    """
    for found in list(_BOX.finditer(text))[: -_TRIES - 1 : -1]:
        end = _closing(text, found.end())
        if end is not None:
            return text[found.end() : end]
    return None


def _closing(text: str, start: int) -> int | None:
    """Where the brace that was opened before `start` is closed."""
    depth = 1
    for brace in re.finditer(r"[{}]", text[start : start + 10_000]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return start + brace.start()
    return None


def _same(answer: str, gold: str) -> bool:
    said, wanted = answer.strip(" $"), gold.strip(" $")
    if _NUMBER.fullmatch(said) and _NUMBER.fullmatch(wanted):
        return value(said) == value(wanted)
    return same_text(said, wanted)


_JUDGE = Judge("boxed", VERSION, _same)


def boxed(item: Item, answer: str) -> Score:
    r"""Whether the last \boxed{…} holds a gold: as numbers where both are such, else as text.

    >>> boxed(Item("t", golds=("2",)), r"Two of them: $\\boxed{2}$.").value
    1.0
    """
    said = contents(answer)
    return _JUDGE.score(item, None if said is None else Found(said, "the last box"))
