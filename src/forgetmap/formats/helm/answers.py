"""What an answer of HELM says, how it ended, and what each scorer makes of it."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from forgetmap.formats.helm.offered import Options
from forgetmap.formats.inspect_log.plain import listed, mapping, text
from forgetmap.formats.lm_eval.requests import number
from forgetmap.records.ids import collapse
from forgetmap.records.schema import Item, Outcome, Score
from forgetmap.scorers.quasi_exact import quasi_exact_match

CONTRADICTED = "the stored score contradicts the option answered"
NO_NUMBER = "the log holds no number"
_LETTER_ONLY = 5
"""Tokens that leave room for a letter and no more: an answer that ran into such a limit was not cut short."""
_REFUSED = re.compile(
    r"content.?(?:filter|policy|management)|safety|refus|blocked|recitation|prohibited", re.IGNORECASE
)
_LENGTH = re.compile(r"length|max.?tokens", re.IGNORECASE)
_MARKED = re.compile(r"\(?(\w+)\)(?:\s|$)|(\w+)[.:](?:\s|$)|(\w+)\s*$")
_CONCLUDED = re.compile(r"\b(?i:answer)(?:\s+is)?\s*:?[\s*$(\[{]*(?:\\boxed\{)?([A-Z0-9]+)(?!\w|['’]\w)")
_THOUGHT = "chain_of_thought"
NAMED = "letter or text"


class Answer(NamedTuple):
    """What was answered, and what it is called where that says nothing."""

    response: str | None
    place: int | None
    """The option named, as an index into the item's choices."""
    silent: bool
    """Whether nothing was answered, or no option named."""
    unanswered: Outcome
    cut: bool
    """Whether it ended only because it could not go on."""


def completion(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """The completion that HELM scores: of several the one of the highest log-probability, the first of equals."""
    found = [mapping(one) for one in listed(result.get("completions"))]
    return max(found, key=lambda one: number(one.get("logprob")) or 0.0) if found else {}


def answer(told: Mapping[str, Any], options: Options | None, adapter: Mapping[str, Any], limit: int | None) -> Answer:
    """One completion as an answer."""
    response = told.get("text") if isinstance(told.get("text"), str) else None
    reason = finish_reason(told) or ""
    lettered = options is not None and bool(options.letters)
    place = None if options is None or response is None else _place(response, options, adapter)
    silent = response is not None and (place is None if lettered else not response.strip())
    # Of an answer whose text was not kept it is not known whether it named an option first.
    roomy = not lettered or (response is not None and (limit is None or limit > _LETTER_ONLY))
    cut = roomy and _LENGTH.search(reason) is not None
    outcome: Outcome = "refused" if _REFUSED.search(reason) else "truncated" if cut else "unparsed"
    return Answer(response, place, silent, outcome, cut)


def finish_reason(told: Mapping[str, Any]) -> str | None:
    reason = told.get("finish_reason")
    return text(mapping(reason).get("reason")) or text(reason)


def _place(response: str, options: Options, adapter: Mapping[str, Any]) -> int | None:
    """The option that an answer names; one that was told to think first names it at its end."""
    said = _matched(response.strip(), adapter.get("output_mapping_pattern"))
    return named(said, options, thought=_THOUGHT in str(adapter.get("method")))


def named(said: str, options: Options, *, thought: bool = False) -> int | None:
    """The option that a text names: by its letter, bare or marked as one, by its text, or as "the answer is ..."; null for none.

    >>> options = Options(("red", "blue"), (0, 1), {"A": 0, "B": 1}, (1,))
    >>> [named(said, options) for said in ("B", "(b) because", "A. red", "blue", "B or A", "Both", "So the answer is (B).")]
    [1, 1, 0, 1, None, None, 1]
    """
    if said in options.letters:
        return options.letters[said]
    texts = [collapse(known) for known in options.texts]
    if collapse(said) in texts:
        return texts.index(collapse(said))
    begun = None if thought else _MARKED.match(said)
    words = [next(filter(None, begun.groups()))] if begun else []
    places = [_letter(word, options) for word in (*words, *reversed(_CONCLUDED.findall(said)))]
    return next((place for place in places if place is not None), None)


def _letter(word: str, options: Options) -> int | None:
    return options.letters.get(word, options.letters.get(word.upper()))


def _matched(said: str, pattern: Any) -> str:
    """The part of an answer that the run was told to look at, if it was."""
    if not isinstance(pattern, str) or not pattern:
        return said
    try:
        found = re.search(pattern, said)
    except (re.error, RecursionError, OverflowError):
        return said
    return "" if found is None else (found[1] or "") if found.groups() else found[0]


def stored(scorer: str, value: float | None, given: Answer, golds: tuple[int, ...]) -> Score:
    """A stored stat as a score. What earned nothing and says nothing, or was cut short, is unanswered."""
    if value is None:
        return Score(scorer, "failed", found=NO_NUMBER)
    if value == 0 and (given.silent or given.unanswered == "refused"):
        return Score(scorer, given.unanswered)
    # A beginning that is wrong is wrong, however the text would have gone on.
    if value == 0 and given.cut and given.place is None and "prefix" not in scorer:
        return Score(scorer, "truncated")
    if given.place is None or "@" in scorer:
        return Score(scorer, "scored", value)
    if golds and value in (0.0, 1.0) and (given.place in golds) != (value == 1.0):
        return Score(scorer, "scored", value, found=CONTRADICTED)
    return Score(scorer, "scored", value, given.place, found=NAMED)


def judged(item: Item, given: Answer) -> Score:
    """The score of an answer that the log does not judge, by quasi-exact match."""
    said = given.response if given.place is None or item.choices is None else item.choices[given.place]
    score = quasi_exact_match(item, said or "")
    if given.silent and score.outcome != "failed":
        return score._replace(outcome=given.unanswered, value=None, choice=None, found=None)
    if given.place is not None:
        return score._replace(found=NAMED)
    if score.outcome == "unparsed" or (score.value == 0 and (given.cut or given.unanswered == "refused")):
        return score._replace(outcome=given.unanswered, value=None, choice=None, found=None)
    return score
