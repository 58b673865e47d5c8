"""Any number of folded runs joined item by item: the items that every one of them has."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from forgetmap.errors import PairingError
from forgetmap.measure.fold import Columns, Folded
from forgetmap.measure.pair import Pairing, TaskPairs, join, named_tasks, pair
from forgetmap.measure.scorer_choice import choose
from forgetmap.stats.arrays import Bools, Ints


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
    """Runs with one scorer a task: the same one in all that have the task, where there is such a one."""

    runs: tuple[Folded, ...]
    names: tuple[Mapping[str, str], ...]
    """For each run its own names of tasks, by the name they are joined under."""
    scorers: tuple[Mapping[str, str], ...]
    aliases: Mapping[str, str]

    def columns(self, run: int, task: str) -> Columns:
        return self.runs[run].columns[self.names[run][task], self.scorers[run][task]]

    def pairing(self, before: int, after: int) -> Pairing:
        """Two of the runs, with all that only they share."""
        one, two = self.scorers[before], self.scorers[after]
        both = {task: (one[task], two[task]) for task in one if task in two}
        return pair(self.runs[before], self.runs[after], scorers=both, aliases=self.aliases)


def choose_scorers(runs: Sequence[Folded], rules: Sequence[str], aliases: Mapping[str, str]) -> Chosen:
    """One scorer for each task of each run, by the rules of `compare`, over all runs that have the task at once."""
    names = tuple(named_tasks(run, aliases) for run in runs)
    offers: dict[str, list[list[str]]] = {}
    for run, own in zip(runs, names, strict=True):
        for task, said in own.items():
            offers.setdefault(task, []).append(run.scorers(said))
    common = {task: [one for one in told[0] if all(one in other for other in told)] for task, told in offers.items()}
    chosen = choose({task: (shared, shared) for task, shared in common.items() if shared}, rules)
    scorers = []
    for run, own in zip(runs, names, strict=True):
        alone = {task: (run.scorers(said), run.scorers(said)) for task, said in own.items() if task not in chosen}
        mine = {**chosen, **choose(alone, ())}
        scorers.append({task: mine[task][0] for task in own})
    return Chosen(tuple(runs), names, tuple(scorers), aliases)


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
            yield f"{run.info.run_id} lacks {_some(several)}: not part of the paths"
    for task, items in kept.items():
        most = max(len(chosen.columns(run, task).state) for run in range(len(chosen.runs)))
        if most > items:
            yield f"{task}: {items:,} of up to {most:,} items are in every run; the others are not part of the paths"


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
            f"no item is in all of {runs}, though all have {_some(tasks)}: questions, options and golds differ. "
            "Look at two of them with `forgetmap compare BEFORE AFTER --dry-run`."
        )
    has = "; ".join(
        f"{run.info.run_id} has {_some(list(own))}" for run, own in zip(chosen.runs, chosen.names, strict=True)
    )
    return f"no task is in all runs: {has}. If they are one task under several names, say so with `[aliases]` in study.toml."


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
