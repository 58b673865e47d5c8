"""The field "answer" of a JSON object, by the value of the Python literal that it spells; broken JSON is mended first."""

import json

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.json_answer import Field, behind_field, field, judged_field, whole
from forgetmap.scorers.judging import Found, Judge
from forgetmap.scorers.literal import same_value

VERSION = "2"
MENDED = "the field of broken JSON, mended"


def mended(text: str) -> Field:
    """The field of a whole object, else all behind its name up to the last brace, without quotes or backticks, escapes undone.

    >>> mended('{"reasoning": "gives "ab"", "answer": "{\\\\"a\\\\": 1}"}').found.text
    '{"a": 1}'
    """
    said = whole(text)
    if said is not None:
        return said
    rest = behind_field(text)
    if rest is None or "}" not in rest:
        return field(text)
    bare = rest[: rest.rfind("}")].strip()
    if bare.startswith('"'):
        bare = _unescaped(bare[1 : bare.rfind('"')] if bare.count('"') > 1 else bare[1:])
    return Field(Found(bare.strip("`"), MENDED))


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


_JUDGE = Judge("json_literal", VERSION, same_value)


def json_literal(item: Item, answer: str) -> Score:
    """Whether the field "answer" has the value of a gold, both read as Python literals: `[1,2]` is `[1, 2]`, `hello` is `'hello'`."""
    return judged_field(_JUDGE, item._replace(choices=None), mended(answer))
