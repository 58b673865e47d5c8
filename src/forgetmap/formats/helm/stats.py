"""Which of HELM's stats say how right an answer is, and what they say of each."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from forgetmap.formats.helm.keys import Key, key_in
from forgetmap.formats.inspect_log.plain import listed, mapping
from forgetmap.records.schema import Problem

PREDICTED = "predicted_index"
"""The reference that was ranked first."""
CUT = "finish_reason_length"
"""Whether an answer ended only because it could not go on."""
_KEPT = (PREDICTED, CUT)
FIRST = (
    "math_equiv_chain_of_thought",
    "math_equiv",
    "final_number_exact_match",
    "exact_match_indicator",
    "pass",
    "code_eval_acc",
    "exact_match",
    "quasi_exact_match",
    "quasi_leave_articles_exact_match",
    "prefix_exact_match",
    "quasi_prefix_exact_match",
    "exact_set_match",
    "f1_score",
)
"""Scorers in order: those made for a kind of task, then the strictest first; others follow by name, best of several tries at last."""
_GOOD = re.compile(
    r"match|equiv|(?:^|_)acc(?:uracy)?(?:$|_)|correct|(?:^|_)f1|(?:^|_)iou|rouge|bleu|(?:^|_)pass(?:$|@|_)|score|precision|recall|(?:^|_)wip",
    re.IGNORECASE,
)
_BAD = re.compile(r"(?:^|_)(?:wer|mer|cer)_|error|toxi|difference", re.IGNORECASE)
_BOOKKEEPING = re.compile(
    r"num_|finish_reason|inference_|training_|logprob|perplexity|bits_per|prompt_truncated|max_prob|batch_size|estimated_|"
    r"predicted_|ece_|platt_|selective_|cost|runtime",
    re.IGNORECASE,
)


class Stats(NamedTuple):
    """What the stats say of each answer."""

    scorers: tuple[str, ...]
    values: Mapping[Key, Mapping[str, float]]
    left_out: Mapping[str, str]
    """Stats that may be scores and are not used, and why."""


def gathered(entries: Iterable[tuple[str, Any]], problems: list[Problem]) -> Stats:
    """The stats of all answers. HELM writes one entry for each metric of an answer, so several belong to one key; the first word counts."""
    values: dict[Key, dict[str, float]] = {}
    for place, entry in entries:
        try:
            key = key_in(mapping(entry))
        except ValueError as error:
            problems.append(Problem(place, str(error)))
            continue
        known = values.setdefault(key, {})
        for name, value in _said(mapping(entry).get("stats")):
            known.setdefault(name, value)
    return _sorted(values)


def is_score(name: str) -> bool:
    """Whether more of a stat means a better answer, as far as its name tells.

    >>> [name for name in ("exact_match@5", "num_references", "wer_score", "f1_score") if is_score(name)]
    ['exact_match@5', 'f1_score']
    """
    return _GOOD.search(name) is not None and _BAD.search(name) is None and _BOOKKEEPING.match(name) is None


def _said(stats: Any) -> Iterator[tuple[str, float]]:
    """Names and values: of a list as in per_instance_stats, or of the table in display_predictions."""
    if isinstance(stats, Mapping):
        pairs: Iterable[tuple[Any, Any]] = stats.items()
    else:
        pairs = [(mapping(mapping(stat).get("name")).get("name"), _mean(mapping(stat))) for stat in listed(stats)]
    for name, value in pairs:
        number = _number(value)
        if isinstance(name, str) and number is not None and (name in _KEPT or not _BOOKKEEPING.match(name)):
            yield name, number


def _mean(stat: Mapping[str, Any]) -> Any:
    if stat.get("mean") is not None:
        return stat["mean"]
    count, total = _number(stat.get("count")), _number(stat.get("sum"))
    return total / count if count and total is not None else None


def _number(value: Any) -> float | None:
    if not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _sorted(values: Mapping[Key, Mapping[str, float]]) -> Stats:
    names = {name for known in values.values() for name in known} - set(_KEPT)
    beyond = {name for known in values.values() for name, value in known.items() if not 0 <= value <= 1}
    left_out = {
        name: "it is not from 0 to 1" if is_score(name) else "its name does not say that more of it is better"
        for name in sorted(names)
        if name in beyond or not is_score(name)
    }
    return Stats(tuple(sorted(names - set(left_out), key=_rank)), values, left_out)


def _rank(name: str) -> tuple[bool, int, str]:
    plain, best_of, _ = name.partition("@")
    return plain != "pass" and bool(best_of), FIRST.index(plain) if plain in FIRST else len(FIRST), name
