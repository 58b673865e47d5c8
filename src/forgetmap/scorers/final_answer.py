"""What a text says behind its last "the answer is"; all of it where it says no such thing."""

import re

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.judging import Found, Judge, last, same_text

VERSION = "1"
_SAID = re.compile(r"\banswer\s*(?:is\b\s*:?|:)[ \t]*", re.IGNORECASE)
_JUDGE = Judge("final_answer", VERSION, same_text)


def final(answer: str) -> Found:
    """The rest of the line behind the last "answer is" or "answer:", less a full stop at its end.

    >>> final("3 and 4 make 7. So the answer is 7.")
    Found(text='7', how='the words behind "the answer is"')
    >>> final("(B)")
    Found(text='(B)', how='the whole answer')
    """
    said = last(_SAID, answer)
    if said is None:
        return Found(_undotted(answer), "the whole answer")
    rest = answer[said.end() :].lstrip()
    return Found(_undotted(rest.partition("\n")[0]), 'the words behind "the answer is"')


def _undotted(text: str) -> str:
    bare = text.strip()
    return bare[:-1].rstrip() if bare.endswith(".") else bare


def final_answer(item: Item, answer: str) -> Score:
    """Whether the final answer of a chain of thought, or an answer given directly, is right.

    With BIG-Bench Hard's published outputs it gives the published accuracies of both prompt styles.
    """
    return _JUDGE.score(item, final(answer))
