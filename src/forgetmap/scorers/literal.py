"""The value of a Python literal."""

import ast
import warnings
from typing import Any

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.judging import Found, Judge

VERSION = "1"
_LONGEST = 100_000
"""Characters of a literal that are looked at; none that a question asks for is longer."""


class Text(str):
    """What is no literal, as it stands."""

    __slots__ = ()


def read(text: str) -> Any:
    """The value that a text spells as a Python literal, as `Text` where it spells none.

    >>> read("[1, 2]"), read("{'a': None}"), type(read("hello")).__name__
    ([1, 2], {'a': None}, 'Text')
    """
    bare = text.strip()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.literal_eval(bare) if len(bare) <= _LONGEST else Text(bare)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return Text(bare)


def same_value(answer: str, gold: str) -> bool:
    """Whether two texts spell the same value (1 is not True); a text without quotes stands for the string that it would be in quotes.

    >>> same_value("[1,2]", "[1, 2]"), same_value("hello", "'hello'"), same_value("1", "True")
    (True, True, False)
    """
    said, wanted = read(answer), read(gold)
    if isinstance(said, Text) and isinstance(wanted, str):
        return wanted in (answer, answer.strip())
    try:
        return bool(said == wanted) and _kinds(said) == _kinds(wanted)
    except RecursionError:
        return False


def _kinds(value: Any) -> Any:
    """The types within a value, so that 1, 1.0 and True are told apart."""
    if isinstance(value, list | tuple):
        return [type(value), *(_kinds(one) for one in value)]
    if isinstance(value, dict):
        return sorted((repr(key), str(_kinds(key)), str(_kinds(one))) for key, one in value.items())
    return str if isinstance(value, str) else type(value)


_JUDGE = Judge("literal", VERSION, same_value)


def literal(item: Item, answer: str) -> Score:
    """Whether the whole answer has the value of a gold, both read as Python literals."""
    return _JUDGE.score(item._replace(choices=None), Found(answer, "the whole answer"))
