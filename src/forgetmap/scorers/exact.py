"""The whole answer is a gold."""

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.judging import Found, Judge, same_text

VERSION = "1"
_JUDGE = Judge("exact", VERSION, same_text)


def exact(item: Item, answer: str) -> Score:
    """Whether the whole answer is a gold (or names its option), white space collapsed and case kept.

    >>> exact(Item("t", golds=("New York",)), " New  York ").value
    1.0
    """
    return _JUDGE.score(item, Found(answer, "the whole answer"))
