"""Scores of multiple-choice samples: the stored metric decides, the log-likelihoods tell which option was chosen."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from forgetmap.formats.lm_eval.options import Options
from forgetmap.records.schema import Score

CONTRADICTED = "the stored score contradicts the log-likelihoods"


class Ranked(NamedTuple):
    """What a sample's scores share: the options, the gold ones among `options.choices`, and log-likelihoods."""

    options: Options
    golds: tuple[int, ...]
    loglikelihoods: list[float] | None
    """One a request, or twice as many where unconditioned ones follow; null where the log has them not."""
    logprobs: tuple[float, ...] | None
    """One for each of `options.choices`."""


def ranked(options: Options, golds: tuple[int, ...], given: list[float] | None) -> Ranked:
    count = len(options.places)
    if given is None or len(given) not in (count, 2 * count):
        return Ranked(options, golds, None, None)
    return Ranked(options, golds, given, _logprobs(options, given[:count]))


def score(scorer: str, metric: str, value: float, rank: Ranked) -> Score:
    """One metric's score. The option chosen is known only where it agrees with a stored 0 or 1."""
    values = _order(metric, rank)
    if values is None:
        return Score(scorer, "scored", value, logprobs=rank.logprobs)
    found = _FOUND[metric]
    chosen = rank.options.places[values.index(max(values))]
    if not rank.golds or value not in (0.0, 1.0):
        return Score(scorer, "scored", value, found=found, logprobs=rank.logprobs)
    if (chosen in rank.golds) != (value == 1.0):
        return Score(scorer, "scored", value, found=CONTRADICTED, logprobs=rank.logprobs)
    return Score(scorer, "scored", value, chosen, None, found, _margin(values), rank.logprobs)


_FOUND = {
    "acc": "highest log-likelihood",
    "acc_norm": "highest log-likelihood a character",
    "acc_bytes": "highest log-likelihood a byte",
    "acc_mutual_info": "highest mutual information",
}


def _order(metric: str, rank: Ranked) -> Sequence[float] | None:
    """What the metric ranks the options by; null for metrics that rank nothing."""
    given, options = rank.loglikelihoods, rank.options
    if given is None or metric not in _FOUND:
        return None
    count = len(options.places)
    values = given if len(given) == count else given[:count]
    if metric == "acc":
        return values
    if metric == "acc_norm":
        return _per(values, [len(text) for text in options.shown])
    if metric == "acc_bytes":
        return _per(values, [len(text.encode()) for text in options.shown])
    return _mutual(given, count) if len(given) == 2 * count else None


def _per(values: Sequence[float], lengths: Sequence[int]) -> list[float]:
    return [value / length if length else -math.inf for value, length in zip(values, lengths, strict=True)]


def _mutual(given: Sequence[float], count: int) -> list[float] | None:
    gains = [one - other for one, other in zip(given[:count], given[count:], strict=True)]
    return None if any(map(math.isnan, gains)) else gains


def _margin(values: Sequence[float]) -> float | None:
    """The best less the second best."""
    if len(values) < 2:
        return None
    ordered = sorted(values)
    margin = ordered[-1] - ordered[-2]
    return margin if math.isfinite(margin) else None


def _logprobs(options: Options, given: list[float]) -> tuple[float, ...] | None:
    """One log-likelihood an option of `choices`: the best of those that say the same."""
    if not math.isfinite(sum(given)):
        return None
    if options.k == len(given):
        return tuple(given)
    return tuple(
        max(value for at, value in zip(options.places, given, strict=True) if at == place) for place in range(options.k)
    )
