"""The field "answer" of a JSON object in a text: alone, in a code fence, behind prose, broken, or cut off."""

import json
import re
from typing import Any, NamedTuple

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.choice import chosen
from forgetmap.scorers.judging import Found, Judge, last, option

VERSION = "2"
_OBJECT = re.compile(r'\{\s*"')
_FIELD = re.compile(r'"answer"\s*:\s*')
_TRIES = 200
"""Places where an object may begin that are tried."""
_NULLS = frozenset({"None", "null"})
_QUOTES = "'\""
FIELD = "the field of a JSON object"
BROKEN = "the field of broken JSON, up to the next brace"


class Field(NamedTuple):
    """What became of the field: its answer, or whether the text broke off before it ended."""

    found: Found | None
    cut: bool = False
    null: bool = False
    """Whether the field is there and holds null: no answer, unless that is the gold."""


def field(text: str) -> Field:
    """The answer of the last whole object that has one; where none is whole, what stands behind the last name of the field.

    >>> field('Sure: {"reasoning": "…", "answer": 7}').found
    Found(text='7', how='the field of a JSON object')
    >>> field('{"reasoning": "he said "no"", "answer": "B"}').found.text
    'B'
    >>> field('{"reasoning": "let me').cut
    True
    """
    return whole(text) or _broken(text)


def whole(text: str) -> Field | None:
    """The answer of the last object in a text that is whole JSON (line breaks within its texts allowed); null where none has the field."""
    decoder, at = json.JSONDecoder(strict=False), 0
    found: Field | None = None
    for _ in range(_TRIES):
        begin = _OBJECT.search(text, at)
        if begin is None:
            break
        try:
            value, at = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError):
            at = begin.end()
            continue
        if isinstance(value, dict) and value.get("answer") is not None:
            found = Field(Found(_as_text(value["answer"]), FIELD))
        elif isinstance(value, dict) and "answer" in value:
            found = found or Field(None, null=True)
    return found


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def behind_field(text: str) -> str | None:
    """All that stands behind the last name of the field; null where it is not named."""
    named = last(_FIELD, text)
    return text[named.end() :] if named else None


def _broken(text: str) -> Field:
    rest = behind_field(text)
    if rest is None:
        begun = text.rfind("{")
        return Field(None, cut=begun >= 0 and "}" not in text[begun:])
    said, closed, _ = rest.partition("}")
    said = said.rstrip()
    if not closed and not (said[:1] == '"' == said[-1:] and len(said) > 1):
        return Field(None, cut=True)
    return Field(Found(said.removeprefix('"').removesuffix('"'), BROKEN))


def same_unquoted(answer: str, gold: str) -> bool:
    """Whether two texts are equal but for white space and one pair of quotes around them, and for which kind of quotes they use.

    >>> same_unquoted("hello", "'hello'"), same_unquoted('["a"]', "['a']"), same_unquoted("8.50", "8.5")
    (True, True, False)
    """
    return _unquoted(answer) == _unquoted(gold)


def _unquoted(text: str) -> str:
    bare = text.replace('"', "'").strip()
    return bare[1:-1] if len(bare) > 1 and bare[0] in _QUOTES and bare[0] == bare[-1] else bare


_JUDGE = Judge("json_answer", VERSION, same_unquoted)


def json_answer(item: Item, answer: str) -> Score:
    """Whether the field "answer" names the right option, or is a gold as it is written, quotes aside.

    Only the field counts: where the object is broken, as by quotes within its texts, escapes are not undone.
    """
    return judged_field(_JUDGE, item, field(answer))


def judged_field(judge: Judge, item: Item, said: Field) -> Score:
    """The judge's score of a field; truncated where the text broke off before it."""
    if said.cut and item.golds:
        return judge.truncated()
    if said.null and item.choices is None and not _NULLS.isdisjoint(item.golds):
        return judge.scored(True, FIELD)
    if said.found is not None and not said.found.text.strip() and item.choices is None and item.golds:
        # An empty text is an answer where a field was given for it.
        return judge.scored(any(judge.same(said.found.text, gold) for gold in item.golds), said.found.how)
    if said.found is not None and item.choices is not None:
        # A short field that says more than its letter, such as "B (of these)", is read as a text that ends in its answer.
        named = option(said.found.text, item.choices) is not None
        found = said.found if named else chosen(item, f"Answer: {said.found.text}")
        return judge.score(item, found and found._replace(how=said.found.how))
    return judge.score(item, said.found)
