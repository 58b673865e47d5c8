"""What Inspect's scorers made of a sample: letters for right and wrong, numbers, yes and no, and tables of these."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from forgetmap.formats.inspect_log.options import Options
from forgetmap.formats.inspect_log.plain import listed, mapping, text
from forgetmap.records.schema import Outcome, Score

CONTRADICTED = "the stored score contradicts the option answered"
EDITED = "edited after the run"
_UNCHANGED = "UNCHANGED"
_NO_ANSWER = "N"
_WORDS = {"C": 1.0, "I": 0.0, "P": 0.5, _NO_ANSWER: 0.0}
_YES_NO = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_NO_FORMAT = "invalid_response_format"


class Judged(NamedTuple):
    """One scorer's word on a sample, after whatever edits it had."""

    value: Any
    answer: str | None
    reason: str | None
    edited: bool


class Scale(NamedTuple):
    """Which scorers of a log can be used, in the order of first mention, and why the others cannot."""

    scorers: tuple[str, ...]
    left_out: Mapping[str, str]


class Ending(NamedTuple):
    """How a sample ended: its error, what it is called where it found no answer, and whether it said anything."""

    error: str | None
    unanswered: Outcome
    silent: bool


def judged(scores: Any) -> Iterator[tuple[str, Judged]]:
    """Every scorer with its word; one whose value is a table is a scorer for each of its keys."""
    for scorer, stored in mapping(scores).items():
        if not isinstance(stored, Mapping):
            continue
        value, answer = _last(stored, "value"), _last(stored, "answer")
        edited = bool(listed(stored.get("history")))
        found = Judged(value, answer if isinstance(answer, str) else None, text(stored.get("reason")), edited)
        if isinstance(value, Mapping):
            yield from ((f"{scorer}/{key}", found._replace(value=one)) for key, one in value.items())
        else:
            yield scorer, found


def _last(stored: Mapping[str, Any], name: str) -> Any:
    """The latest edit's word for a field, or what stands in the score itself."""
    edits = (mapping(edit).get(name, _UNCHANGED) for edit in reversed(listed(stored.get("history"))))
    return next((word for word in edits if word != _UNCHANGED), stored.get(name))


def scale(all_scores: Iterable[Any]) -> Scale:
    """The scorers of a log. One that gave a single value beyond 0 and 1 has another scale, so none of its values counts."""
    seen: dict[str, str | None] = {}
    for scores in all_scores:
        for scorer, found in judged(scores):
            seen[scorer] = seen.get(scorer) or _trouble(found.value)
    usable = tuple(scorer for scorer, trouble in seen.items() if trouble is None)
    return Scale(usable, {scorer: trouble for scorer, trouble in seen.items() if trouble is not None})


def _trouble(value: Any) -> str | None:
    if _is_absent(value) or _number(value) is not None:
        return None
    if isinstance(value, list | Mapping):
        return "lists"
    return "words" if isinstance(value, str) else "numbers beyond 0 and 1"


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _number(value: Any) -> float | None:
    """A value as a number from 0 to 1; null where it is none.

    >>> _number("P"), _number(True), _number("0.25"), _number(7), _number("a lot")
    (0.5, 1.0, 0.25, None, None)
    """
    if isinstance(value, str):
        known = _WORDS.get(value, _YES_NO.get(value.lower()))
        return _within(value) if known is None else known
    return _within(value) if isinstance(value, int | float) else None


def _within(value: str | float) -> float | None:
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number <= 1 else None


def score(scorer: str, found: Judged, ending: Ending, options: Options | None) -> Score:
    """One scorer's score. What earned nothing and found no answer is unanswered; what was not judged is failed."""
    value = _number(found.value)
    edited = EDITED if found.edited else None
    if ending.error is not None or value is None:
        return Score(scorer, "failed", found=edited)
    if value == 0 and _no_answer(found, ending):
        return Score(scorer, ending.unanswered, found=edited)
    place = options.place(found.answer) if options is not None and found.answer is not None else None
    if options is None or place is None:
        return Score(scorer, "scored", value, found=edited)
    if options.golds and value in (0.0, 1.0) and (place in options.golds) != (value == 1.0):
        return Score(scorer, "scored", value, found=edited or CONTRADICTED)
    return Score(scorer, "scored", value, place, found=edited or "the scorer's answer")


def _no_answer(found: Judged, ending: Ending) -> bool:
    if found.answer is not None:
        return not found.answer.strip()
    return found.value == _NO_ANSWER or found.reason == _NO_FORMAT or ending.silent
