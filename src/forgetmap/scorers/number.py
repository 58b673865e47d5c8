"""A number, in the words and signs in which models write it."""

import re
from fractions import Fraction

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.final_answer import final
from forgetmap.scorers.judging import NO_GOLD, Found, Judge, last

VERSION = "1"
_NUMBER = re.compile(r"(?<![\w.])[-−+]?(?:\d{1,3}(?:,\d{3})+|\d{1,400})(?:\.\d{1,400})?(?:\s?/\s?\d{1,400})?(?![\d/])")
_MARKED = "####"


def value(text: str) -> Fraction | None:
    """The number that a text is, but for signs of money, percent and units behind it; null where it is none.

    >>> value("$1,234.50"), value("3/4"), value("12 apples"), value("none")
    (Fraction(2469, 2), Fraction(3, 4), Fraction(12, 1), None)
    """
    found = _NUMBER.search(text)
    return None if found is None else _read(found[0])


def _read(written: str) -> Fraction | None:
    plain = re.sub(r"[,\s+]", "", written).replace("−", "-")
    try:
        return Fraction(plain)
    except (ValueError, ZeroDivisionError):
        return None


def same_number(answer: str, gold: str) -> bool:
    """Whether two texts hold the same number."""
    said, wanted = value(answer), value(gold)
    return said is not None and said == wanted


_JUDGE = Judge("number", VERSION, same_number)


def number(item: Item, answer: str) -> Score:
    """Whether the final number is the gold's: behind "####" or "the answer is", else the last one in the text.

    >>> number(Item("t", golds=("1200",)), "600 each, so 1,200 in all.").value
    1.0
    """
    if item.golds and all(value(gold) is None for gold in item.golds):
        return _JUDGE.failed(f"{NO_GOLD} that is a number")
    return _JUDGE.score(item._replace(choices=None, k=None), _final(answer))


def _final(answer: str) -> Found | None:
    marked = answer.rpartition(_MARKED)
    behind = Found(marked[2], f'the number behind "{_MARKED}"') if marked[1] else final(answer)
    whole = behind.how == "the whole answer"
    if not whole and (first := _NUMBER.search(behind.text)):
        return Found(first[0], behind.how)
    written = last(_NUMBER, answer)
    return Found(written[0], "the last number") if written else None
