"""Runs of a table: which rows belong to which, and what the table says about each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, repeat
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from forgetmap.errors import FormatError
from forgetmap.formats.opening import slug
from forgetmap.formats.table.columns import RUN
from forgetmap.formats.table.files import Source, load
from forgetmap.formats.table.order import in_order
from forgetmap.formats.table.rows import Cells, Reading, whole
from forgetmap.formats.table.writing import OptionsOf, RowError, writing_of
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row, RunInfo

ROWS_AT_ONCE = 4096
WANTED = (*Cells._fields, "run")


class Part(NamedTuple):
    """One file, and the task of its rows where no column says it."""

    source: Source
    task: str


class _Facts(NamedTuple):
    """What the rows of one run say about it."""

    about: dict[str, str]
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Suite:
    """The files of one folder (or one file): their runs are told apart by the column run, and called `name` where there is none."""

    name: str
    parts: Sequence[Part]
    rules: Sequence[tuple[str, str]]
    notes: Sequence[str] = ()

    def runs(self) -> Iterator[Run]:
        """Every run, in the order of first appearance."""
        said: dict[str, dict[tuple[str, str], Source]] = {}
        for part in self.parts:
            for run, about in _said(part.source, self.name):
                known = said.setdefault(run, {})
                known.update((pair, part.source) for pair in about if pair not in known)
        ids: set[str] = set()
        for run, own in said.items():
            facts = _facts(run, own)
            ids.add(run_id := _unused(slug(run), ids))
            notes = list(self.notes)
            yield Run(self._info(run_id, run, facts), _Reader(self, run, facts.seeds, notes), notes=notes)

    def _info(self, run_id: str, run: str, facts: _Facts) -> RunInfo:
        about = facts.about
        return RunInfo(
            run_id=run_id,
            checkpoint=about.get("checkpoint", run),
            stage=about.get("stage"),
            step=_whole(about.get("step")),
            template=about.get("template"),
            dtype=about.get("dtype"),
            harness=about.get("harness"),
            seeds=facts.seeds,
            source=tuple(part.source.name for part in self.parts),
        )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one run of a suite, as often as asked."""

    suite: Suite
    run: str
    seeds: tuple[int, ...]
    notes: list[str]

    def __call__(self, problems: list[Problem]) -> Iterator[Row]:
        own = [part for part in self.suite.parts if "run" in part.source.columns or self.run == self.suite.name]
        for parts in _blocks(own):
            yield from self._rows(parts, problems)

    def _rows(self, parts: Sequence[Part], problems: list[Problem]) -> Iterator[Row]:
        """Rows of files that may share a task."""
        options_of = OptionsOf(self.suite.rules)
        draws = {seed: rank for rank, seed in enumerate(self.seeds)}
        tables, readings = [], []
        for number, part in enumerate(parts):
            table = _with_task(load(part.source, WANTED, problems), part.task)
            writing = writing_of(table, options_of, part.source.name)
            self.notes.extend(note for note in writing.notes if note not in self.notes)
            readings.append(Reading(writing, options_of, draws))
            own = _of_run(table, self.run, part.source, problems)
            tables.append(own.append_column("source", pa.array([number] * own.num_rows, pa.int64())))
        for cells in _cells(pa.concat_tables(tables, promote_options="default").combine_chunks()):
            try:
                row = readings[cells.source].row(cells)
            except RowError as why:
                problems.append(Problem(parts[cells.source].source.where(cells.place), str(why)))
            else:
                yield row


def _said(source: Source, name: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The runs in one file, each with what its rows say about it: pairs of column and value, each pair once."""
    present = [column for column in (*RUN, "seed") if column in source.columns]
    if not present:
        yield name, []
        return
    table = load(source, present, []).select(present)
    if "run" in present and table["run"].null_count == table.num_rows:
        raise FormatError(
            f"{source.path} has a column run without any name in it: name the run of each row, or drop the column."
        )
    for row in table.group_by(present, use_threads=False).aggregate([]).to_pylist():
        run = row.pop("run", name)
        if run is not None:
            yield run, [(column, value) for column, value in row.items() if value is not None]


def _facts(run: str, said: Mapping[tuple[str, str], Source]) -> _Facts:
    about: dict[str, str] = {}
    for (column, value), source in said.items():
        if about.setdefault(column, value) != value and column != "seed":
            theirs = source.columns[column][0]
            raise FormatError(
                f"{source.path}: the column {theirs} says {about[column]} and {value} of one run, {run}; "
                f"if it tells runs apart, say so with --map {theirs}=run."
            )
    seeds = {seed for column, value in said if column == "seed" and (seed := _whole(value)) is not None}
    return _Facts(about, tuple(sorted(seeds)))


def _whole(cell: str | None) -> int | None:
    try:
        return whole(cell, "step")
    except RowError:
        return None


def _unused(run_id: str, taken: set[str]) -> str:
    """The id, numbered where another run of the path has it already."""
    names = (run_id if number == 1 else f"{run_id}-{number}" for number in count(1))
    return next(name for name in names if name not in taken)


def _blocks(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Files whose rows must be put in order together: those that name their tasks row by row, and shards of one task."""
    blocks: dict[str | None, list[Part]] = {}
    for part in parts:
        blocks.setdefault(None if "task" in part.source.columns else part.task, []).append(part)
    yield from blocks.values()


def _with_task(table: pa.Table, task: str) -> pa.Table:
    if "task" in table.column_names:
        return table
    return table.append_column("task", pa.array([task] * table.num_rows, pa.large_string()))


def _of_run(table: pa.Table, run: str, source: Source, problems: list[Problem]) -> pa.Table:
    """The rows of one run; a row that names none may be anyone's, so every run reports it."""
    if "run" not in table.column_names:
        return table
    nameless = table.filter(pc.is_null(table["run"]))["place"].to_pylist()
    problems.extend(Problem(source.where(place), "names no run") for place in nameless)
    return table.filter(pc.equal(table["run"], run)).drop_columns("run")


def _cells(table: pa.Table) -> Iterator[Cells]:
    """Rows in order, some at a time."""
    order = in_order(table)
    for start in range(0, table.num_rows, ROWS_AT_ONCE):
        part = table.take(order.slice(start, ROWS_AT_ONCE))
        present = set(part.column_names)
        columns: list[Any] = [part[name].to_pylist() if name in present else repeat(None) for name in Cells._fields]
        yield from map(Cells._make, zip(*columns, strict=False))
