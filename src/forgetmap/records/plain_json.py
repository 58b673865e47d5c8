"""JSON that takes every text and number a log can hold, and gives them back unchanged."""

import json
import re
from typing import Any

import orjson

_LONG = re.compile(rb"[0-9]{19}")
"""Digits enough for an integer that needs more than 64 bits."""


def dump(value: Any, *, infinite: bool = False, indent: bool = False) -> bytes:
    """One line of JSON (or, indented, a page). NaN becomes null, and so do infinities unless they are `infinite`.

    Half characters (lone surrogates) and integers beyond 64 bits are kept, what JSON has no word for becomes a text.

    >>> dump({"a": [1.0, "é", float("nan")]}).decode()
    '{"a":[1.0,"é",null]}'
    >>> load(dump(["\\ud83d", -float("inf")], infinite=True))
    ['\\ud83d', -inf]
    """
    if not infinite:
        options = orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS | (orjson.OPT_INDENT_2 if indent else 0)
        try:
            return orjson.dumps(value, default=str, option=options)
        except TypeError:
            value = _without_nan(value)
    return json.dumps(
        value, default=_plainly, indent=2 if indent else None, separators=None if indent else (",", ":")
    ).encode()


def load(text: bytes, *, exact: bool = True) -> Any:
    """What `dump` wrote; a ValueError where the text is not whole JSON. Not `exact`: integers beyond 64 bits may come rounded.

    >>> load(dump(-(2**63) - 1)) == -(2**63) - 1
    True
    """
    if exact and _LONG.search(text):
        return json.loads(text)
    try:
        return orjson.loads(text)
    except ValueError:
        return json.loads(text)


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {name: _without_nan(inner) for name, inner in value.items()}
    return [_without_nan(inner) for inner in value] if isinstance(value, list | tuple) else value


def _plainly(value: Any) -> Any:
    """Numbers and arrays of numpy as Python's own; anything else as its text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
