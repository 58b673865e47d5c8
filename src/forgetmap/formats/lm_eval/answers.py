"""Scores of generated answers: the filter decides what was answered, the stored metric whether it is right."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from forgetmap.formats.lm_eval.content import literal
from forgetmap.formats.lm_eval.options import Options, letter
from forgetmap.records.ids import collapse
from forgetmap.records.schema import Score
from forgetmap.scorers.text import cut_off

CONTRADICTED = "the stored score contradicts the option that the filter found"
_UNPARSED = frozenset({"", "[invalid]", "invalid"})
_OF_BEGINNING = re.compile(r"prefix|\bpq?em\b|first_token", re.IGNORECASE)
"""Metrics by which a beginning that is wrong is wrong, however the text would have gone on."""
_LETTER_ONLY = 5
"""Tokens that leave room for a letter and no more: an answer that ran into such a limit was not cut short."""
_LIMITS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")


class Answer(NamedTuple):
    """One answer as logged: the text kept, what the filter made of it, and whether it may have been cut off."""

    response: str | None
    filtered: str | None
    limit: int | None


def kept_response(responses: Sequence[str], filtered: str | None) -> str | None:
    """Of several repeats, the one the filter kept: equal to what it found, or the first that holds it, or the first."""
    if filtered is None or len(responses) < 2 or filtered.strip().lower() in _UNPARSED:
        return responses[0] if responses else None
    found = filtered.strip()
    equal = (response for response in responses if response.strip() == found)
    holding = (response for response in responses if found in response)
    return next(equal, None) or next(holding, responses[0])


def token_limit(settings: Any) -> int | None:
    """The most tokens that generation settings allow."""
    limits = [settings.get(name) for name in _LIMITS] if isinstance(settings, dict) else []
    return next((limit for limit in limits if isinstance(limit, int)), None)


def score(scorer: str, value: float, answer: Answer, options: Options | None, golds: tuple[int, ...]) -> Score:
    """One metric's score. Nothing found and nothing earned is an answer that could not be parsed, or was cut off before it came."""
    found = answer.filtered
    if value == 0 and found is not None and found.strip().lower() in _UNPARSED:
        return Score(scorer, "truncated" if _ran_out(answer) else "unparsed")
    chosen = None if options is None or found is None else _option(found, options)
    if chosen is None:
        cut = value == 0 and _is_whole(answer) and not _OF_BEGINNING.search(scorer) and _ran_out(answer)
        return Score(scorer, "truncated") if cut else Score(scorer, "scored", value)
    if golds and value in (0.0, 1.0) and (chosen in golds) != (value == 1.0):
        return Score(scorer, "scored", value, found=CONTRADICTED)
    return Score(scorer, "scored", value, chosen, found="the filter's answer")


def _is_whole(answer: Answer) -> bool:
    """Whether nothing was looked for in the text: the metric read all of it, or the log does not tell what was found."""
    return answer.filtered is None or answer.filtered.strip() == (answer.response or "").strip()


def _ran_out(answer: Answer) -> bool:
    """Whether the text ran into its limit of tokens, where that left room for more than a letter."""
    roomy = answer.limit is not None and answer.limit > _LETTER_ONLY
    return roomy and cut_off(answer.response or "", answer.limit or 0)


def _option(found: str, options: Options) -> int | None:
    """Index in `choices` of the option that a filtered answer names by letter or text."""
    named = letter(found)
    if 0 <= named < len(options.places):
        return options.places[named]
    plain = collapse(found)
    texts = [collapse(text) for text in options.choices]
    return texts.index(plain) if plain in texts else None


def open_golds(target: Any) -> tuple[str, ...]:
    """Right answers as texts: one, or those that a list spells."""
    if isinstance(target, str):
        listed = literal(target)
        target = target if listed is None else listed
    if isinstance(target, list | tuple):
        return tuple(dict.fromkeys(str(one).strip() for one in target if isinstance(one, str | int | float)))
    return () if target is None else (str(target).strip(),)
