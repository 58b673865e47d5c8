"""What an answer of HELM says, how it ended, and what each scorer makes of it."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from forgetmap.formats.helm.offered import Options
from forgetmap.formats.inspect_log.plain import listed, mapping, text
from forgetmap.formats.lm_eval.requests import number
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
_MATCH = "match"
NAMED = "letter or text"


class Answer(NamedTuple):
    """What was answered, and what it is called where that says nothing."""

    response: str | None
    place: int | None
    """The option named, as an index into the item's choices."""
    bare: int | None
    """The same where it is named by its letter and nothing else, which is all that HELM's matches read."""
    lettered: bool
    """Whether it was to name a letter."""
    unanswered: Outcome
    cut: bool
    """Whether it ended only because it could not go on."""

    def silent(self, scorer: str | None = None) -> bool:
        """Whether nothing was answered, or no option named in a way that a scorer reads."""
        if self.response is None:
            return False
        return self.read_by(scorer) is None if self.lettered else not self.response.strip()

    def read_by(self, scorer: str | None) -> int | None:
        """The option that a scorer finds in the answer."""
        return self.bare if self.lettered and scorer is not None and _MATCH in scorer else self.place


def completion(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """The completion that HELM scores: of several the one of the highest log-probability, the first of equals."""
    found = [mapping(one) for one in listed(result.get("completions"))]
    return max(found, key=lambda one: number(one.get("logprob")) or 0.0) if found else {}


def answer(told: Mapping[str, Any], options: Options | None, adapter: Mapping[str, Any], limit: int | None) -> Answer:
    """One completion as an answer."""
    response = told.get("text") if isinstance(told.get("text"), str) else None
    reason = finish_reason(told) or ""
    lettered = options is not None and bool(options.letters)
    said = None if response is None else _matched(response.strip(), adapter.get("output_mapping_pattern"))
    thought = _THOUGHT in str(adapter.get("method"))
    place = None if options is None or said is None else named(said, options, thought=thought)
    bare = None if options is None or said is None else options.letters.get(said)
    # Of an answer whose text was not kept it is not known whether it named an option first.
    roomy = not lettered or (response is not None and (limit is None or limit > _LETTER_ONLY))
    cut = roomy and _LENGTH.search(reason) is not None
    outcome: Outcome = "refused" if _REFUSED.search(reason) else "truncated" if cut else "unparsed"
    return Answer(response, place, bare, lettered, outcome, cut)


def finish_reason(told: Mapping[str, Any]) -> str | None:
    reason = told.get("finish_reason")
    return text(mapping(reason).get("reason")) or text(reason)


def named(said: str, options: Options, *, thought: bool = False) -> int | None:
    """The option that a text names: by its letter, bare or marked as one, by its text, or as "the answer is ..."; null for none.

    >>> options = Options(("red", "blue"), (0, 1), {"A": 0, "B": 1}, (1,))
    >>> [named(said, options) for said in ("B", "(b) because", "A. red", "blue", "B or A", "Both", "So the answer is (B).")]
    [1, 1, 0, 1, None, None, 1]
    """
    if said in options.letters:
        return options.letters[said]
    by_text = quasi_exact_match(Item("", choices=options.texts, golds=options.texts), said).choice
    if by_text is not None:
        return by_text
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
    place = given.read_by(scorer)
    if value == 0 and (given.silent(scorer) or given.unanswered == "refused"):
        return Score(scorer, given.unanswered)
    # A beginning that is wrong is wrong, however the text would have gone on.
    if value == 0 and given.cut and place is None and "prefix" not in scorer:
        return Score(scorer, "truncated")
    if place is None or "@" in scorer:
        return Score(scorer, "scored", value)
    if golds and value in (0.0, 1.0) and (place in golds) != (value == 1.0):
        return Score(scorer, "scored", value, found=CONTRADICTED)
    return Score(scorer, "scored", value, place, found=NAMED)


def judged(item: Item, given: Answer) -> Score:
    """The score of an answer that the log does not judge, by quasi-exact match."""
    said = given.response if given.place is None or item.choices is None else item.choices[given.place]
    score = quasi_exact_match(item, said or "")
    if given.silent() and score.outcome != "failed":
        return score._replace(outcome=given.unanswered, value=None, choice=None, found=None)
    if given.place is not None:
        return score._replace(found=NAMED)
    if score.outcome == "unparsed" or (score.value == 0 and (given.cut or given.unanswered == "refused")):
        return score._replace(outcome=given.unanswered, value=None, choice=None, found=None)
    return score
