"""The whole answer is a gold, word for word: case, punctuation and articles do not count."""

import re
import unicodedata
from string import punctuation

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.judging import Found, Judge

VERSION = "1"
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def words(text: str) -> str:
    """A text in lower case without punctuation and articles.

    >>> words("The Eiffel-Tower!")
    'eiffeltower'
    """
    bare = "".join(one for one in text.lower() if one not in punctuation and unicodedata.category(one)[0] != "P")
    return " ".join(_ARTICLES.sub(" ", bare).split())


def _same(answer: str, gold: str) -> bool:
    return words(answer) == words(gold)


_JUDGE = Judge("exact_words", VERSION, _same)


def exact_words(item: Item, answer: str) -> Score:
    """Whether the whole answer has the words of a gold, as is usual for short answers (SQuAD, HotpotQA)."""
    return _JUDGE.score(item, Found(answer, "the whole answer"))
