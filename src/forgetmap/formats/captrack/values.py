"""Cells of CapTrack's columns, whichever file they come from: JSON and Parquet hold lists and objects, CSV holds their text."""

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

from forgetmap.formats.lines import parse_json, to_json

_LONGEST = 1 << 20
"""Characters of a text that is read as a list or an object."""
_ANSWER_KEYS = ("answer", "text", "answers", "aliases")
_TEXT_KEYS = ("user prompt", "content", "text", "prompt")


def text(value: object) -> str | None:
    """A cell as text: whole numbers without a point, lists and objects as JSON; null for nothing.

    >>> text(7.0), text(True), text("007"), text(float("nan")), text(["a"])
    ('7', 'True', '007', None, '["a"]')
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        return None if value != value else str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, Mapping | list | tuple):
        return to_json(value) or str(value)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def decoded(value: object) -> object:
    """A list or an object, also where a table holds it as the text of JSON or of Python; anything else as it is.

    >>> decoded('["a", "b"]'), decoded("{'answer': 'a'}"), decoded("[see above]")
    (['a', 'b'], {'answer': 'a'}, '[see above]')
    """
    if not isinstance(value, str) or len(value) > _LONGEST or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        found = parse_json(value.encode("utf-8", "surrogatepass"))
    except ValueError:
        found = _of_python(value)
    return found if isinstance(found, list | dict) else value


def golds(value: object, *, structured: bool = False, several: bool = False) -> tuple[str, ...]:
    """The right answers as texts: of an object its answer, of a list of texts all, as one answer below the other or as `several` that
    are each right; none where the gold is something else to judge by. Text is decoded where the gold is `structured`.

    >>> golds({"answer": "yes", "supporting_facts": {}}), golds("[0, 1]"), golds(4.0)
    (('yes',), ('[0, 1]',), ('4',))
    >>> golds("['Rome', 'Roma']", structured=True, several=True), golds(["f(a=1)", "g()"])
    (('Rome', 'Roma'), ('f(a=1)\\ng()',))
    """
    gold = decoded(value) if structured else value
    if isinstance(gold, Mapping):
        return next((golds(gold[key], several=True) for key in _ANSWER_KEYS if gold.get(key) is not None), ())
    if isinstance(gold, list | tuple):
        plain = all(not isinstance(one, Mapping | list | tuple) for one in gold)
        said = [one for one in map(text, gold) if one] if plain else []
        return tuple(dict.fromkeys(said if several else ["\n".join(said)] if said else []))
    said_once = text(gold)
    return (said_once,) if said_once and said_once.strip() else ()


def options(value: object) -> tuple[str, ...]:
    """The options as shown; none where the column holds none.

    >>> options(["red", "blue"]), options('["red", "blue"]'), options({"label": ["A"], "text": ["red"]}), options(None)
    (('red', 'blue'), ('red', 'blue'), ('red',), ())
    """
    shown = decoded(value)
    if isinstance(shown, Mapping):
        shown = shown.get("text", list(shown.values()))
    if not isinstance(shown, list | tuple):
        return ()
    said = [text(one) for one in shown]
    return tuple(one for one in said if one is not None) if all(one is not None for one in said) else ()


def question(value: object) -> str | None:
    """What was asked: of several turns all, one below the other."""
    turns = turns_of(value)
    return "\n\n".join(turns) if turns else None


def turns_of(value: object) -> list[str]:
    """The user's turns: a text is one; of a list each text, or that in an object."""
    asked = decoded(value)
    said = [text(_turn(one)) for one in asked] if isinstance(asked, list | tuple) else [text(value)]
    return [turn for turn in said if turn is not None and turn.strip()]


def answers(value: object) -> Sequence[str | None]:
    """The generations of one row: a list of texts holds several, anything else is one."""
    if isinstance(value, list | tuple) and value and all(one is None or isinstance(one, str) for one in value):
        return [one if one is None else str(one) for one in value]
    return [text(value)] if not (isinstance(value, list | tuple) and not value) else [None]


def kept(value: Any) -> Any:
    """What goes into an item's meta: plain data, and text for all else."""
    plain = decoded(value)
    if isinstance(plain, bytes):
        return text(plain)
    return json.loads(said) if (said := to_json(plain)) is not None else str(plain)


def _turn(one: object) -> object:
    return next((one[key] for key in _TEXT_KEYS if key in one), one) if isinstance(one, Mapping) else one


def _of_python(value: str) -> object:
    try:
        return ast.literal_eval(value.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
