"""Which scorer of a task is compared: the one asked for, else a stated default."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from forgetmap.errors import PairingError
from forgetmap.measure.words import listed
from forgetmap.taxonomy.aliases import alike, plain_task, same_kind

PREFERRED = ("acc", "exact_match", "correct", "choice", "pred")
"""Taken first where a task has several and the user names none; then the log's own order."""

Offers = Mapping[str, tuple[list[str], list[str]]]
"""Per task the scorers of either side."""
Chosen = Mapping[str, tuple[str, str]]
"""Per task one scorer a side."""
Scorers = Sequence[str] | Chosen


def choose(offers: Offers, rules: Sequence[str], other_names: Mapping[str, str] | None = None) -> Chosen:
    """One scorer a side for every task: by the first rule that names one both sides have, else one that both have, else two that are
    known to ask the same, else each side's first.

    A rule is a name (in full, its metric or its filter) or "TASK_PATTERN=NAME"; one that fits no task is an error. `other_names` are
    those that the other log has for a task.

    >>> choose({"t": (["acc,none", "acc_norm,none"], ["acc_norm,none"])}, [])
    {'t': ('acc_norm,none', 'acc_norm,none')}
    """
    chosen: dict[str, tuple[str, str]] = {}
    for rule in rules:
        fitting = dict(_fitting(offers, rule, other_names or {}))
        if not fitting:
            raise PairingError(_unfit(offers, rule, other_names or {}))
        chosen = {**fitting, **chosen}
    return {task: chosen.get(task) or _default(*sides) for task, sides in offers.items()}


def fits(offers: Offers, rule: str, other_names: Mapping[str, str] | None = None) -> bool:
    """Whether a rule is about a task here, and can serve it.

    >>> fits({"t": (["acc"], ["acc", "em"])}, "t=acc"), fits({"t": (["acc"], ["acc", "em"])}, "em")
    (True, False)
    """
    return any(_fitting(offers, rule, other_names or {}))


def _fitting(offers: Offers, rule: str, other_names: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The tasks that a rule is about and can serve."""
    pattern, _, name = rule.rpartition("=")
    for task in _meant(offers, pattern, other_names):
        named = _named(name, offers[task])
        if named[0] and named[1]:
            yield task, (named[0], named[1])


def _meant(offers: Offers, pattern: str, other_names: Mapping[str, str]) -> list[str]:
    """The tasks that a pattern matches by their name on either side; else by the one name of what harnesses call differently."""
    if not pattern:
        return list(offers)
    own = [task for task in offers if any(fnmatchcase(one, pattern) for one in (task, other_names.get(task, task)))]
    return own or [task for task in offers if fnmatchcase(plain_task(task), pattern)]


def _named(name: str, sides: tuple[list[str], list[str]]) -> tuple[str | None, str | None]:
    """The scorer that a name means on either side; where only one side has it, what another harness calls the same on the other."""
    before, after = (next((one for one in side if name in (one, *one.split(","))), None) for side in sides)
    if before and not after:
        after = _called_otherwise(before, sides[1])
    elif after and not before:
        before = _called_otherwise(after, sides[0])
    return before, after


def _called_otherwise(scorer: str, side: list[str]) -> str | None:
    """Another filter of the same metric is never what a filter's name means."""
    return next((one for one in side if _metric(one) != _metric(scorer) and same_kind(one, scorer)), None)


def _metric(scorer: str) -> str:
    return scorer.partition(",")[0]


def _default(before: list[str], after: list[str]) -> tuple[str, str]:
    common = [scorer for scorer in before if scorer in after]
    if common:
        first = min(common, key=_preference)
        return first, first
    for here, there in alike(before, after):
        return min(here, key=_preference), min(there, key=_preference)
    return min(before, key=_preference), min(after, key=_preference)


def _preference(scorer: str) -> int:
    return PREFERRED.index(_metric(scorer)) if _metric(scorer) in PREFERRED else len(PREFERRED)


def _unfit(offers: Offers, rule: str, other_names: Mapping[str, str]) -> str:
    pattern, _, name = rule.rpartition("=")
    meant = _meant(offers, pattern, other_names)
    if pattern and not meant:
        return f"no common task matches {pattern!r} of --scorer {rule}; there are: {listed(offers)}."
    common = sorted({scorer for task in meant for scorer in offers[task][0] if scorer in offers[task][1]})
    where = f"a task matching {pattern!r}" if pattern else "any common task"
    return (
        f"no scorer called {name!r} scored {where} on both sides; both have: {', '.join(common) or 'none'}. "
        "Name one of them, or one for some tasks with TASK=NAME."
    )
