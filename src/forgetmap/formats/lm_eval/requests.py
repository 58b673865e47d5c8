"""What an lm-eval sample was asked and what came back: requests, log-likelihoods, responses, scores.

On disk `arguments` is {"gen_args_0": {"arg_0": …, "arg_1": …}} and log-likelihoods are text; in memory they are tuples and numbers.
Both are read here. `resps` and `filtered_resps` stand in the order of the requests.
"""

import math
from typing import Any, Literal, NamedTuple

from forgetmap.formats.lines import to_json

Entry = dict[str, Any]
"""One line of a samples file, or one sample in memory."""

Kind = Literal["choice", "greedy", "text"]
_ABOUT_ALL = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics")
NO_METRICS = frozenset([*_ABOUT_ALL, "doc_hash", "prompt_hash", "target_hash"])
_TEXT_ONLY = {str}
_NUMBERED = [f"gen_args_{number}" for number in range(64)]


class Requests(NamedTuple):
    """Prompts, and beside each the continuation scored (text) or the settings of generation (a dict)."""

    prompts: list[Any]
    continuations: list[Any]


def requests(entry: Entry) -> Requests:
    """Every request of a sample, in order."""
    given = entry.get("arguments")
    if isinstance(given, dict):
        given = [one for one in _in_order(given) if one is not None]
    if not isinstance(given, list | tuple):
        return Requests([], [])
    if set(map(type, given)) == {dict}:
        return Requests([one.get("arg_0") for one in given], [one.get("arg_1") for one in given])
    pairs = [_pair(one) for one in given]
    return Requests([prompt for prompt, _ in pairs], [continuation for _, continuation in pairs])


def _in_order(given: dict[str, Any]) -> list[Any]:
    """`gen_args_10` comes after `gen_args_9`, whatever the order of the keys."""
    if len(given) > 1 and list(given) != _NUMBERED[: len(given)]:
        numbered = [f"gen_args_{number}" for number in range(len(given))]
        if given.keys() == set(numbered):
            return [given[name] for name in numbered]
    return list(given.values())


def _pair(given: Any) -> tuple[Any, Any]:
    if isinstance(given, dict):
        return given.get("arg_0"), given.get("arg_1")
    if isinstance(given, list | tuple):
        return given[0] if given else None, given[1] if len(given) > 1 else None
    return given, None


def kind(asked: Requests, entry: Entry) -> Kind:
    """Whether options were ranked, one continuation was tried, or text was generated."""
    if asked.continuations:
        if set(map(type, asked.continuations)) != _TEXT_ONLY:
            return "text"
        return "choice" if len(asked.continuations) > 1 else "greedy"
    answers = entry.get("filtered_resps")
    pairs = isinstance(answers, list | tuple) and len(answers) > 1 and _are_pairs(answers)
    return "choice" if pairs else "text"


def prompt(asked: Requests) -> str | None:
    """The prompt of the first request; a chat is kept as JSON."""
    given = asked.prompts[0] if asked.prompts else None
    if isinstance(given, list | tuple) and len(given) == 1 and isinstance(given[0], str):
        given = given[0]
    return given if given is None or isinstance(given, str) else to_json(given)


def loglikelihoods(entry: Entry) -> list[float] | None:
    """The log-likelihood of each request's continuation, or null where one is missing or no number."""
    answers: Any = entry.get("filtered_resps")
    if not _are_pairs(answers):
        answers = [one[0] if isinstance(one, list | tuple) and one else None for one in _as_list(entry.get("resps"))]
        if not _are_pairs(answers):
            return None
    try:
        found = [float(answer[0]) for answer in answers]
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return None if math.isnan(sum(found)) and any(map(math.isnan, found)) else found


def _are_pairs(answers: Any) -> bool:
    """Whether these may be (log-likelihood, is greedy) pairs, one a request."""
    return isinstance(answers, list | tuple) and bool(answers) and set(map(type, answers)) <= {list, tuple}


def _as_list(given: Any) -> list[Any]:
    return list(given) if isinstance(given, list | tuple) else []


def responses(entry: Entry) -> list[str]:
    """The raw answers to the first request, one a repeat."""
    given = _as_list(entry.get("resps"))
    repeats = _as_list(given[0]) if given else []
    return [answer for answer in repeats if isinstance(answer, str)]


def filtered(entry: Entry) -> str | None:
    """What the filter made of the answer to the first request; null where it is no single text."""
    given = _as_list(entry.get("filtered_resps"))
    answer = given[0] if given else None
    if isinstance(answer, list | tuple) and len(answer) == 1:
        answer = answer[0]
    return answer if isinstance(answer, str) else None


def filter_name(entry: Entry) -> str:
    named = entry.get("filter")
    return named if isinstance(named, str) and named else "none"


def metric_values(entry: Entry) -> dict[str, Any]:
    """Every metric's value as logged, in the order of the log."""
    named = entry.get("metrics")
    if isinstance(named, list | tuple):
        return {name: entry[name] for name in named if isinstance(name, str) and name in entry}
    return {name: value for name, value in entry.items() if name not in NO_METRICS}


def number(value: Any) -> float | None:
    """A metric's value as a number: booleans are 0 and 1; NaN where the log has no value; null for lists and text.

    >>> number(True), number("0.5"), number([1, 2])
    (1.0, None, None)
    """
    if type(value) is float:
        return value
    if value is None:
        return math.nan
    if not isinstance(value, int | float) and hasattr(value, "item") and getattr(value, "size", 0) == 1:
        value = value.item()
    if not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf
