"""Yes or no, in brackets where the question asked for them."""

import re

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.final_answer import final
from forgetmap.scorers.judging import Found, Judge, same_text

VERSION = "1"
_BRACKETED = re.compile(r"\[\s*(yes|no)\s*\]", re.IGNORECASE)
_FIRST = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


def _same(answer: str, gold: str) -> bool:
    return same_text(answer.casefold(), gold.casefold())


_JUDGE = Judge("yes_no", VERSION, _same)


def yes_no(item: Item, answer: str) -> Score:
    """Whether the last [Yes] or [No] is right; where there is none, the final answer if that begins with either word.

    >>> yes_no(Item("t", choices=("yes", "no"), golds=("yes",)), "[No]. I take that back: [Yes]").value
    1.0
    """
    bracketed = _BRACKETED.findall(answer)
    if bracketed:
        return _JUDGE.score(item, Found(bracketed[-1].lower(), "the last word in brackets"))
    said = final(answer)
    begun = _FIRST.match(said.text)
    return _JUDGE.score(item, Found(begun[1].lower(), said.how) if begun else None)
