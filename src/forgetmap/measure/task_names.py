"""Which task of one run is which task of the other: by its name, else by what harnesses are known to call it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from forgetmap.errors import SettingError
from forgetmap.measure.columns import Columns, Folded
from forgetmap.taxonomy.aliases import plain_task

Aliases = Mapping[str, str]
"""The user's own: a task's name, and the name it is to pair under."""
TOLERATED = 0.01
"""Share of items that may lack a partner: of a task's smaller side before two names are one task, of all before `compare` stops."""
_SAY_SO = "if they are one task, say so with `[aliases]` in study.toml"


class TaskNames(NamedTuple):
    """The tasks of two runs by the names under which they pair; a task that both have has one name in both."""

    before: dict[str, str]
    after: dict[str, str]
    apart: list[str]
    """Sentences on tasks whose names look like one task, and that were not joined."""


class _Pair(NamedTuple):
    """Two names of what may be one task."""

    before: str
    after: str
    shared: int | None
    """Items in both by content; null where a log has none."""
    smaller: int
    """Items of the side that has fewer."""

    @property
    def one(self) -> bool:
        """Whether nearly all items of the smaller side are on the other too."""
        return bool(self.shared) and self.smaller - (self.shared or 0) <= TOLERATED * self.smaller


def task_names(before: Folded, after: Folded, aliases: Aliases) -> TaskNames:
    """Names of equal spelling are one task, once the user's aliases are applied. Only of those left over, names that harnesses are known
    to give one task are joined, under the name before: where exactly one task of either side fits, and nearly all items of the smaller
    side are in both by their content. So nothing that pairs by its own name ever pairs otherwise.
    """
    left, right = _called(before, aliases), _called(after, aliases)
    alike = list(_alike((before, left), (after, right)))
    often = Counter(side for pair in alike if pair.one for side in (("before", pair.before), ("after", pair.after)))
    joined = {
        pair.after: pair.before
        for pair in alike
        if pair.one and often["before", pair.before] == often["after", pair.after] == 1
    }
    return TaskNames(left, {joined.get(name, name): task for name, task in right.items()}, _apart(alike, joined))


def _called(run: Folded, aliases: Aliases) -> dict[str, str]:
    """Tasks of a run by the name that the user gives them, else their own."""
    named: dict[str, str] = {}
    for task in run.tasks():
        other = named.setdefault(aliases.get(task, task), task)
        if other != task:
            raise SettingError(
                f"the tasks {other} and {task} of {run.info.run_id} would both be called {aliases.get(task, task)}: "
                "take one of them out of `[aliases]` in study.toml."
            )
    return named


def _alike(before: tuple[Folded, dict[str, str]], after: tuple[Folded, dict[str, str]]) -> Iterator[_Pair]:
    """Names without a namesake on the other side whose plain names are equal."""
    (run, left), (other_run, right) = before, after
    free: dict[str, list[str]] = {}
    for name in right:
        if name not in left:
            free.setdefault(plain_task(name), []).append(name)
    for name, task in left.items():
        for other in free.get(plain_task(name), ()) if name not in right else ():
            one, two = _any_scorer(run, task), _any_scorer(other_run, right[other])
            yield _Pair(name, other, _shared(one, two), min(len(one.items), len(two.items)))


def _any_scorer(run: Folded, task: str) -> Columns:
    return next(columns for (name, _), columns in run.columns.items() if name == task)


def _shared(before: Columns, after: Columns) -> int | None:
    if not before.has_content or not after.has_content:
        return None
    return int((before.item_ids.places(after.item_ids) >= 0).sum())


def _apart(alike: list[_Pair], joined: Mapping[str, str]) -> list[str]:
    """One sentence for each reason, with its first case."""
    known = set(joined) | set(joined.values())
    left_over = [pair for pair in alike if not {pair.before, pair.after} & known]
    few = [pair for pair in left_over if pair.shared and not pair.one]
    told = [f"only {pair.shared:,} of {pair.smaller:,} items are the same in both; {_SAY_SO}" for pair in few[:1]]
    reasons = {
        f"a log of them does not say what its items are; {_SAY_SO}": [p for p in left_over if p.shared is None],
        "no question with the same options and gold is in both": [p for p in left_over if p.shared == 0],
        **dict.fromkeys(told, few),
        f"more than one task could be meant; {_SAY_SO}": [p for p in left_over if p.one],
    }
    return [
        f"{pairs[0].before} before and {pairs[0].after} after have names of one task{_more(len(pairs) - 1)}, but are kept apart: {why}"
        for why, pairs in reasons.items()
        if pairs
    ]


def _more(number: int) -> str:
    return f" (so {number} more)" if number else ""
