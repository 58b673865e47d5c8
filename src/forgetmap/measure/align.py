"""Any number of folded runs joined item by item: the items that every one of them has."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from forgetmap.errors import PairingError
from forgetmap.measure.fold import Columns, Folded
from forgetmap.measure.pair import Pairing, TaskPairs, join, pair
from forgetmap.measure.scorer_choice import choose, fits
from forgetmap.measure.task_names import Aliases, task_names
from forgetmap.measure.words import listed
from forgetmap.stats.arrays import Bools, Ints
from forgetmap.taxonomy.aliases import same_kind

MOST = 3
"""Names that a sentence lists before it counts the rest."""


class Aligned(NamedTuple):
    """One task in all runs: the rows of each run's columns that are the same items."""

    task: str
    columns: tuple[Columns, ...]
    rows: tuple[Ints, ...]

    @property
    def graded(self) -> bool:
        return any(columns.graded for columns in self.columns)

    @property
    def items(self) -> int:
        return len(self.rows[0])

    def pair(self, before: int, after: int) -> TaskPairs:
        """Two of the runs, by their places, over the items that all have."""
        one, two = self.columns[before], self.columns[after]
        return TaskPairs(self.task, one, two, self.rows[before], self.rows[after], [], [], 0)

    def only(self, items: Bools) -> "Aligned":
        return self._replace(rows=tuple(rows[items] for rows in self.rows))


class Chosen(NamedTuple):
    """Runs with one scorer a task: the same one in all that have the task, by whatever name, where there is such a one."""

    runs: tuple[Folded, ...]
    names: tuple[Mapping[str, str], ...]
    """For each run its own names of tasks, by the name they are joined under: that of the first run that has the task."""
    scorers: tuple[Mapping[str, str], ...]
    """For each run the scorer of each of its tasks, by its own names."""
    rules: Sequence[str]
    aliases: Aliases

    def columns(self, run: int, task: str) -> Columns:
        own = self.names[run][task]
        return self.runs[run].columns[own, self.scorers[run][own]]

    def pairing(self, before: int, after: int) -> Pairing:
        """Two of the runs, as `compare` joins them; of the rules those count that fit the two."""
        one, two = self.runs[before], self.runs[after]
        left, right, _ = task_names(one, two, self.aliases)
        offers = {task: (one.scorers(own), two.scorers(right[task])) for task, own in left.items() if task in right}
        rules = [rule for rule in self.rules if fits(offers, rule, right)]
        return pair(one, two, scorers=rules, aliases=self.aliases)

    def of(self, runs: Sequence[int]) -> "Chosen":
        """Some of the runs by themselves: the scorers that they have in common; of the rules those count that fit them."""
        return choose_scorers([self.runs[run] for run in runs], self.rules, self.aliases, idle=True)


def choose_scorers(runs: Sequence[Folded], rules: Sequence[str], aliases: Aliases, *, idle: bool = False) -> Chosen:
    """One scorer for each task of each run, by the rules of `compare`: of those that all runs with the task have, where there are any.

    A rule that fits no task is an error, unless it may be `idle`.
    """
    names = [task_names(runs[0], run, aliases).after for run in runs]
    places: dict[str, list[int]] = {}
    for place, own in enumerate(names):
        for task in own:
            places.setdefault(task, []).append(place)
    offers = {task: [runs[place].scorers(names[place][task]) for place in told] for task, told in places.items()}
    rest = {task: names[told[-1]][task] for task, told in places.items()}
    sides = {task: (_served(told), told[-1]) for task, told in offers.items()}
    first = choose(sides, [rule for rule in rules if not idle or fits(sides, rule, rest)], rest)
    scorers: list[dict[str, str]] = [{} for _ in runs]
    for task, told in places.items():
        for place, offered in zip(told, offers[task], strict=True):
            chosen = choose({task: ([first[task][0]], offered)}, ())
            scorers[place][names[place][task]] = chosen[task][1]
    return Chosen(tuple(runs), tuple(names), tuple(scorers), tuple(rules), aliases)


def _served(offers: Sequence[list[str]]) -> list[str]:
    """The first run's scorers that all others have too, by whatever name; all of its own where there is none."""
    first, *others = offers
    return [one for one in first if all(any(same_kind(one, it) for it in other) for other in others)] or first


def align(chosen: Chosen) -> list[Aligned]:
    """Every task that all runs have, over the items that all have; a PairingError where no item is left."""
    first, *others = chosen.names
    tasks = [task for task in first if all(task in other for other in others)]
    found = [one for one in (_aligned(chosen, task) for task in tasks) if one.items]
    if not found:
        raise PairingError(_nothing_common(chosen, tasks))
    return found


def left_out(chosen: Chosen, aligned: Sequence[Aligned]) -> Iterator[str]:
    """Tasks that not every run has, and items of the others that not every run has, in sentences."""
    kept = {one.task: one.items for one in aligned}
    for run, own in zip(chosen.runs, chosen.names, strict=True):
        missing = [task for names in chosen.names for task in names if task not in own]
        if missing:
            several = list(dict.fromkeys(missing))
            yield f"{run.info.run_id} lacks {listed(several, MOST)}: not part of the paths"
    for task, items in kept.items():
        most = max(len(chosen.columns(run, task).state) for run in range(len(chosen.runs)))
        if most > items:
            yield f"{task}: {items:,} of up to {most:,} items are in every run; the others are not part of the paths"


def scored_otherwise(chosen: Chosen, pairings: Sequence[Pairing]) -> Iterator[str]:
    """Tasks of the paths that a pair of the runs, by itself, scores by something else, in sentences."""
    place = {run.info.run_id: number for number, run in enumerate(chosen.runs)}
    for pairing in pairings:
        run = place[pairing.before.info.run_id]
        names = {own: name for name, own in chosen.names[run].items()}
        for task in pairing.tasks:
            name, taken = names[task.before.task], chosen.scorers[run][task.before.task]
            if task.before.scorer != taken and all(name in own for own in chosen.names):
                yield (
                    f"{name}: {pairing.before.info.run_id} → {pairing.after.info.run_id} is scored by {task.before.scorer}, the paths "
                    f"by {taken}"
                )


def _aligned(chosen: Chosen, task: str) -> Aligned:
    columns = tuple(chosen.columns(run, task) for run in range(len(chosen.runs)))
    joined = [join(task, columns[0], other) for other in columns[1:]]
    rows = np.arange(len(columns[0].state))
    for one in joined:
        rows = rows[np.isin(rows, one.rows_before)]
    places = [np.argsort(one.rows_before) for one in joined]
    found = [
        one.rows_after[order][np.searchsorted(one.rows_before[order], rows)]
        for one, order in zip(joined, places, strict=True)
    ]
    return Aligned(task, columns, (rows, *found))


def _nothing_common(chosen: Chosen, tasks: Sequence[str]) -> str:
    runs = ", ".join(dict.fromkeys(run.info.run_id for run in chosen.runs))
    if tasks:
        return (
            f"no item is in all of {runs}, though all have {listed(tasks, MOST)}: questions, options and golds differ. "
            "Look at two of them with `forgetmap compare BEFORE AFTER --dry-run`."
        )
    has = "; ".join(
        f"{run.info.run_id} has {listed(own, MOST)}" for run, own in zip(chosen.runs, chosen.names, strict=True)
    )
    return f"no task is in all runs: {has}. If they are one task under several names, say so with `[aliases]` in study.toml."
