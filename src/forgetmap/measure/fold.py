"""Rows folded once, per task and scorer, into small columns over items. Statistics never touch rows again."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forgetmap.errors import FormatError
from forgetmap.records.ids import NATIVE, collapse, prompt_id
from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Problem, Row, RunInfo, Score
from forgetmap.scorers.text import looping

ABSENT, FAILED = 255, 5
RIGHT, WRONG, UNPARSED, REFUSED, TRUNCATED = range(5)
"""States of an answer; the first five index transitions, `FAILED` and `ABSENT` are no answers."""
STATE_OF = {"unparsed": UNPARSED, "refused": REFUSED, "truncated": TRUNCATED, "failed": FAILED}
NO_CHOICE = -1

States = NDArray[np.uint8]


class Columns(NamedTuple):
    """One task under one scorer: entries over items (first axis) and draws (second axis)."""

    task: str
    scorer: str
    item_ids: list[str]
    natives: list[str | None]
    domains: list[str | None]
    categories: list[str | None]
    clusters: list[str | None]
    k: NDArray[np.int32]
    """Options; 0 = open or unknown."""
    chance: NDArray[np.float64]
    """NaN = unknown."""
    prompts: list[str | None]
    seeds: list[int | None]
    """One a draw: its seed, or null."""
    state: States
    choice: NDArray[np.int32]
    """Rank of a wrong option chosen among the item's sorted options; 0 for another that the log names, `NO_CHOICE` where it names none."""
    value: NDArray[np.float64]
    looping: NDArray[np.bool_]
    graded: bool

    @property
    def has_content(self) -> bool:
        """Whether items are named by what they say; where a log has no content they are named by native id."""
        return not any(item.startswith(NATIVE) for item in self.item_ids)


class Folded(NamedTuple):
    """A whole run, folded."""

    info: RunInfo
    columns: dict[tuple[str, str], Columns]
    problems: list[Problem]
    duplicates: int
    notes: list[str]
    unscored: int = 0
    """Answers that nobody has judged yet."""

    def scorers(self, task: str) -> list[str]:
        return [scorer for name, scorer in self.columns if name == task]

    def tasks(self) -> list[str]:
        return list(dict.fromkeys(task for task, _ in self.columns))


def fold(run: Run, progress: Callable[[str, int], None] | None = None) -> Folded:
    """Read a run to its end and keep what statistics need, no text; `progress` hears the run's name and the rows read so far."""
    tables: dict[tuple[str, str], _Table] = {}
    unscored: Counter[str] = Counter()
    for number, row in enumerate(run.rows()):
        if progress is not None and number % 1000 == 0:
            progress(run.info.run_id, number)
        if not row.scores:
            unscored[row.item.task] += 1
        for score in row.scores:
            key = (row.item.task, score.scorer)
            if key not in tables:
                tables[key] = _Table()
            tables[key].add(row, score)
    columns = {key: table.columns(*key) for key, table in tables.items()}
    notes = [*run.notes, *_without_score(run.info.run_id, unscored)]
    return Folded(run.info, columns, list(run.problems), run.duplicates, notes, unscored.total())


def _without_score(run_id: str, unscored: Counter[str]) -> list[str]:
    """A sentence on answers that nobody has judged."""
    if not unscored:
        return []
    tasks = f"{', '.join(list(unscored)[:3])}{f' and {len(unscored) - 3} more' if len(unscored) > 3 else ''}"
    return [f"{unscored.total():,} answers of {run_id} have no score yet, so they are not compared ({tasks})"]


def demand_answers(runs: Sequence[Folded]) -> list[Folded]:
    """The same runs; one that holds no readable answer, or none with a score, is refused."""
    for found in runs:
        if not found.columns and found.unscored:
            raise FormatError(
                f"{found.info.run_id} holds {found.unscored:,} answers, and none of them has a score yet: nothing says which are right. "
                "Keep them with `forgetmap read`, and compare a log that has scores, or a table of them with a column correct."
            )
        if not found.columns:
            first = f" The first: {found.problems[0].where}: {found.problems[0].why}" if found.problems else ""
            raise FormatError(
                f"{found.info.run_id} holds no readable answer ({len(found.problems)} rows could not be read).{first} "
                "Check that the log was written to its end and holds one line a sample."
            )
    return list(runs)


class _Kept(NamedTuple):
    """What statistics need of an item: no text."""

    native_id: str | None
    domain: str | None
    category: str | None
    cluster: str | None
    k: int | None
    chance: float | None

    @classmethod
    def of(cls, item: Item) -> "_Kept":
        category = item.meta.get("category") if item.meta else None
        said = None if category is None else str(category)
        return cls(item.native_id, item.domain, said, item.cluster, item.k, item.chance)


@dataclass(slots=True)
class _Table:
    """Columns in the making: one entry an item, and one an answer."""

    at: dict[str, int] = field(default_factory=dict)
    items: list[_Kept] = field(default_factory=list)
    prompts: list[str | None] = field(default_factory=list)
    seeds: dict[int, int | None] = field(default_factory=dict)
    place: "array[int]" = field(default_factory=lambda: array("q"))
    draw: "array[int]" = field(default_factory=lambda: array("q"))
    state: "array[int]" = field(default_factory=lambda: array("B"))
    choice: "array[int]" = field(default_factory=lambda: array("i"))
    value: "array[float]" = field(default_factory=lambda: array("d"))
    loops: "array[int]" = field(default_factory=lambda: array("B"))

    def add(self, row: Row, score: Score) -> None:
        sample = row.sample
        place = self.at.get(row.item_id)
        if place is None:
            place = self.at[row.item_id] = len(self.items)
            self.items.append(_Kept.of(row.item))
            self.prompts.append(None if sample.prompt is None else prompt_id(sample.prompt))
        self.seeds.setdefault(sample.draw, sample.seed)
        state = STATE_OF.get(score.outcome, RIGHT if (score.value or 0.0) >= 1.0 else WRONG)
        self.place.append(place)
        self.draw.append(sample.draw)
        self.state.append(state)
        # Only wrong answers are ever held against each other; of others it matters whether the log names their option.
        named = NO_CHOICE if score.choice is None else 0
        self.choice.append(_rank(row.item, score) if state == WRONG else named)
        self.value.append(nan if score.value is None else score.value)
        self.loops.append(state != RIGHT and sample.response is not None and looping(sample.response))

    def columns(self, task: str, scorer: str) -> Columns:
        draws = {draw: column for column, draw in enumerate(sorted(self.seeds))}
        shape = (len(self.items), len(draws))
        state, choice = np.full(shape, ABSENT, np.uint8), np.full(shape, NO_CHOICE, np.int32)
        value, loops = np.full(shape, np.nan), np.zeros(shape, bool)
        where = (np.array(self.place), np.array([draws[number] for number in self.draw]))
        state[where], choice[where], value[where], loops[where] = self.state, self.choice, self.value, self.loops
        return Columns(
            task=task,
            scorer=scorer,
            item_ids=list(self.at),
            natives=[item.native_id for item in self.items],
            domains=[item.domain for item in self.items],
            categories=[item.category for item in self.items],
            clusters=[item.cluster for item in self.items],
            k=np.array([item.k or 0 for item in self.items], np.int32),
            chance=np.array([np.nan if item.chance is None else item.chance for item in self.items], float),
            prompts=self.prompts,
            seeds=[self.seeds[draw] for draw in draws],
            state=state,
            choice=choice,
            value=value,
            looping=loops,
            graded=bool(np.any((value > 0) & (value < 1))),
        )


def _rank(item: Item, score: Score) -> int:
    """The chosen option by its place among the item's sorted options, so that the order shown does not matter."""
    if score.choice is None:
        return NO_CHOICE
    if item.choices is None:
        return score.choice
    chosen = collapse(item.choices[score.choice])
    return sum(option < chosen for option in {collapse(option) for option in item.choices})


def answers(run: Run, wanted: set[tuple[str, str]]) -> Iterator[Row]:
    """The rows of some (task, item id) of a run, read again for their texts."""
    return (row for row in run.rows() if (row.item.task, row.item_id) in wanted)
