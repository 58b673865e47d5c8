"""A run folded once, per task and scorer, into small columns over items. Statistics never touch rows again.

Records are folded column by column (`fold_tables`) or read from where an earlier call kept them (`kept`); logs are folded row by row here.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from math import nan

import numpy as np

from forgetmap.errors import FormatError
from forgetmap.measure.columns import (
    ABSENT,
    FAILED,
    NO_CHOICE,
    REFUSED,
    RIGHT,
    STATE_OF,
    TRUNCATED,
    UNPARSED,
    WRONG,
    Answered,
    Columns,
    Folded,
    Gathered,
    Items,
    table,
)
from forgetmap.measure.fold_tables import fold_tables
from forgetmap.measure.kept import kept_or
from forgetmap.measure.names import NOTHING, Coded, Names
from forgetmap.records.ids import collapse, prompt_id
from forgetmap.records.mending import Rules, Said, is_path, k_said
from forgetmap.records.run import Run, Tables
from forgetmap.records.schema import Item, Problem, Row, Score
from forgetmap.scorers.text import looping
from forgetmap.taxonomy.aliases import is_of_will

# What is folded is described in `columns`; readers of folds find its names here as well.
__all__ = [
    "ABSENT",
    "FAILED",
    "NO_CHOICE",
    "REFUSED",
    "RIGHT",
    "STATE_OF",
    "TRUNCATED",
    "UNPARSED",
    "WRONG",
    "Columns",
    "Folded",
    "answers",
    "demand_answers",
    "fold",
    "fold_rows",
]

Progress = Callable[[str, int], None]


def fold(run: Run, progress: Progress | None = None) -> Folded:
    """Read a run to its end and keep what statistics need, no text; `progress` hears the run's name and the rows read so far."""
    return fold_rows(run, progress) if run.tables is None else fold_stored(run, run.tables, progress)


def fold_stored(run: Run, tables: Tables, progress: Progress | None = None) -> Folded:
    """The columns of a stored run: those kept of an earlier fold, else folded from its tables."""
    summary = tables.summary
    told = None if progress is None else partial(progress, run.info.run_id)
    found = kept_or(summary, lambda: fold_tables(summary, told))
    found = found._replace(columns=mended(found.columns, tables.rules))
    folded = _folded(run, found, (summary.problems, summary.duplicates))
    return folded._replace(notes=[*folded.notes, *_without_log(folded, tables.rules)])


def _without_log(run: Folded, rules: Rules) -> Iterator[str]:
    """A sentence on rules that lead into a log, of which no number of options is left to find in records."""
    unknown = list(dict.fromkeys(task for (task, _), own in run.columns.items() if np.isnan(own.items.chance).any()))
    for pattern, value in rules:
        if is_path(value) and (tasks := [task for task in unknown if fnmatchcase(task, pattern)]):
            yield (
                f"{pattern} = {value} says where a log lists the options, and {run.info.run_id} is stored without its log: read the log "
                f"again with that rule, or give a number, such as --k {tasks[0]}=4"
            )


def mended(columns: dict[tuple[str, str], Columns], rules: Rules) -> dict[tuple[str, str], Columns]:
    """The columns with chances filled in where the user says the number of options; items that tables shared stay shared."""
    usable = [rule for rule in rules if not is_path(rule[1])]
    items: dict[tuple[int, Said], Items] = {}
    found = {}
    for name, own in columns.items():
        said = k_said(usable, name[0])
        side = items.setdefault((id(own.items), said), own.items.mended(said))
        found[name] = own._replace(items=side)
    return found


def fold_rows(run: Run, progress: Progress | None = None) -> Folded:
    """Fold a run by its rows, whatever it is read from."""
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
    columns = {key: tables.pop(key).columns(key) for key in list(tables)}
    return _folded(run, Gathered(columns, unscored), (run.problems, run.duplicates))


def _folded(run: Run, found: Gathered, missing: tuple[Sequence[Problem], int]) -> Folded:
    """All that is known of a run; `missing` is what could not be read, and how many rows came twice."""
    notes = [*run.notes, *_without_score(run.info.run_id, found.unscored)]
    problems, duplicates = missing
    return Folded(run.info, found.columns, list(problems), duplicates, notes, sum(found.unscored.values()))


def _without_score(run_id: str, unscored: Mapping[str, int]) -> list[str]:
    """A sentence on answers that nobody has judged."""
    if not unscored:
        return []
    tasks = f"{', '.join(list(unscored)[:3])}{f' and {len(unscored) - 3} more' if len(unscored) > 3 else ''}"
    return [f"{sum(unscored.values()):,} answers of {run_id} have no score yet, so they are not compared ({tasks})"]


def demand_answers(runs: Sequence[Folded]) -> list[Folded]:
    """The same runs; one that holds no readable answer, or none with a score, is refused."""
    for found in runs:
        if not found.columns and found.unscored:
            raise FormatError(
                f"{found.info.run_id} holds {found.unscored:,} answers, and none of them has a score yet: nothing says which are right. "
                "Keep them with `forgetmap read`, and compare a log that has scores, or a table of them with a column correct."
            )
        if not found.columns:
            first = (
                f" The first: {found.problems[0].where}: {found.problems[0].why.rstrip('.')}." if found.problems else ""
            )
            raise FormatError(
                f"{found.info.run_id} holds no readable answer ({len(found.problems)} rows could not be read).{first} "
                "Check that the log was written to its end; of a table, say which column is which with --map THEIRS=OURS."
            )
    return list(runs)


def knowledge(run: Folded) -> Folded:
    """The same run without scorers of what a model is willing to do: there nothing is right or wrong, and nothing can be forgotten."""
    willing = [(task, scorer) for task, scorer in run.columns if is_of_will(scorer)]
    if not willing:
        return run
    columns = {key: table for key, table in run.columns.items() if key not in willing}
    named = ", ".join(f"{task} ({scorer})" for task, scorer in willing)
    if not columns:
        raise FormatError(
            f"{run.info.run_id} holds only what the model was willing to do: {named}. "
            "Nothing in it is right or wrong, so nothing can be forgotten."
        )
    note = f"left out, for it tells what a model is willing to do and not what it knows: {named}"
    return run._replace(columns=columns, notes=[*run.notes, note])


@dataclass(slots=True)
class _Texts:
    """Texts that repeat, coded as they come."""

    codes: "array[int]" = field(default_factory=lambda: array("i"))
    places: dict[str, int] = field(default_factory=dict)

    def add(self, text: str | None) -> None:
        self.codes.append(NOTHING if text is None else self.places.setdefault(text, len(self.places)))

    def coded(self) -> Coded:
        return Coded(np.array(self.codes, np.int32), list(self.places))


@dataclass(slots=True)
class _Asked:
    """What rows say of items, in the making: one entry an item, no text but its names."""

    at: dict[str, int] = field(default_factory=dict)
    natives: list[str | None] = field(default_factory=list)
    domains: _Texts = field(default_factory=_Texts)
    categories: _Texts = field(default_factory=_Texts)
    clusters: _Texts = field(default_factory=_Texts)
    k: "array[int]" = field(default_factory=lambda: array("i"))
    chance: "array[float]" = field(default_factory=lambda: array("d"))
    golds: "array[int]" = field(default_factory=lambda: array("i"))

    def place(self, item_id: str, item: Item) -> int:
        """The place of an item; a new one is put last."""
        place = self.at.setdefault(item_id, len(self.natives))
        if place == len(self.natives):
            self.natives.append(item.native_id)
            self.domains.add(item.domain)
            category = item.meta.get("category") if item.meta else None
            self.categories.add(None if category is None else str(category))
            self.clusters.add(item.cluster)
            self.k.append(item.k or 0)
            self.chance.append(nan if item.chance is None else item.chance)
            self.golds.append(len(set(item.golds)))
        return place

    def items(self) -> Items:
        ids, natives = Names.of(self.at), Names.of(self.natives)
        self.at.clear()
        self.natives.clear()
        return Items(
            ids=ids,
            natives=natives,
            domains=self.domains.coded(),
            categories=self.categories.coded(),
            clusters=self.clusters.coded(),
            k=np.array(self.k, np.int32),
            chance=np.array(self.chance, np.float64),
            golds=np.array(self.golds, np.int32),
        )


@dataclass(slots=True)
class _Table:
    """Columns in the making: the items, and one entry an answer."""

    asked: _Asked = field(default_factory=_Asked)
    prompts: "array[int]" = field(default_factory=lambda: array("Q"))
    seeds: dict[int, int | None] = field(default_factory=dict)
    places: "array[int]" = field(default_factory=lambda: array("q"))
    draw: "array[int]" = field(default_factory=lambda: array("q"))
    state: "array[int]" = field(default_factory=lambda: array("B"))
    choice: "array[int]" = field(default_factory=lambda: array("i"))
    value: "array[float]" = field(default_factory=lambda: array("d"))
    loops: "array[int]" = field(default_factory=lambda: array("B"))

    def add(self, row: Row, score: Score) -> None:
        sample = row.sample
        place = self.asked.place(row.item_id, row.item)
        if place == len(self.prompts):
            self.prompts.append(0 if sample.prompt is None else int(prompt_id(sample.prompt), 16))
        self.seeds.setdefault(sample.draw, sample.seed)
        state = STATE_OF.get(score.outcome, RIGHT if (score.value or 0.0) >= 1.0 else WRONG)
        self.places.append(place)
        self.draw.append(sample.draw)
        self.state.append(state)
        # Only wrong answers are ever held against each other; of others it matters whether the log names their option.
        named = NO_CHOICE if score.choice is None else 0
        self.choice.append(_rank(row.item, score) if state == WRONG else named)
        self.value.append(nan if score.value is None else score.value)
        self.loops.append(state != RIGHT and sample.response is not None and looping(sample.response))

    def columns(self, name: tuple[str, str]) -> Columns:
        said = Answered(
            place=np.array(self.places, np.int64),
            draw=np.array(self.draw, np.int64),
            state=np.array(self.state, np.uint8),
            choice=np.array(self.choice, np.int32),
            value=np.array(self.value, np.float64),
            loops=np.array(self.loops, bool),
        )
        return table(name, self.asked.items(), np.array(self.prompts, np.uint64), self.seeds, said)


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
