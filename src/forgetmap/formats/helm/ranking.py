"""Options that were ranked: a request for each reference, answered by the log-probabilities of its words."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from forgetmap.formats.inspect_log.plain import listed, mapping
from forgetmap.formats.lm_eval.requests import number
from forgetmap.records.ids import collapse

CALIBRATION = "calibration"


class Ranking(NamedTuple):
    """What each reference got: `scores` rank them, `logprobs` are those of their words."""

    scores: list[float]
    logprobs: list[float]

    @property
    def best(self) -> list[int]:
        """Places of the references ranked first; several where they are equal."""
        top = max(self.scores)
        return [place for place, score in enumerate(self.scores) if score == top]

    @property
    def margin(self) -> float | None:
        ordered = sorted(self.scores)
        return ordered[-1] - ordered[-2] if len(ordered) > 1 else None


class _Words(NamedTuple):
    logprob: float
    tokens: int


def ranking(states: Sequence[Mapping[str, Any]], references: Sequence[str], *, calibrated: bool) -> Ranking | None:
    """References ranked as HELM does: by log-probability a token, or by what the question adds to it; null where some is not known."""
    plain = _by_reference([state for state in states if state.get("request_mode") != CALIBRATION], references)
    bare = _by_reference([state for state in states if state.get("request_mode") == CALIBRATION], references)
    if not references or None in plain or (calibrated and None in bare):
        return None
    words = [found for found in plain if found is not None]
    before = [found for found in bare if found is not None]
    logprobs = [found.logprob for found in words]
    if calibrated:
        return Ranking([one - other.logprob for one, other in zip(logprobs, before, strict=True)], logprobs)
    return Ranking([found.logprob / found.tokens for found in words], logprobs)


def _by_reference(states: Sequence[Mapping[str, Any]], references: Sequence[str]) -> list[_Words | None]:
    found: dict[int, _Words | None] = {}
    for state in states:
        place = state.get("reference_index")
        if isinstance(place, int) and 0 <= place < len(references) and place not in found:
            found[place] = _last_words(state, references[place])
    return [found.get(place) for place in range(len(references))]


def _last_words(state: Mapping[str, Any], reference: str) -> _Words | None:
    """The tokens at the end that spell a reference; null where none do."""
    completions = listed(mapping(state.get("result")).get("completions"))
    tokens = listed(mapping(completions[0]).get("tokens")) if completions else []
    wanted, said, total = "".join(reference.split()), "", 0.0
    for count, token in enumerate(reversed(tokens), start=1):
        piece, logprob = mapping(token).get("text"), number(mapping(token).get("logprob"))
        if not isinstance(piece, str) or logprob is None or not math.isfinite(logprob):
            return None
        said, total = "".join(piece.split()) + said, total + logprob
        if said == wanted and wanted:
            return _Words(total, count)
        if len(said) > len(wanted):
            return None
    return None


def shared_prompt(prompts: Sequence[str], references: Sequence[str]) -> str | None:
    """What was asked before the first reference."""
    if not prompts or not references:
        return None
    bare = prompts[0].rstrip()
    return bare.removesuffix(references[0].strip()).rstrip() if collapse(references[0]) else bare
