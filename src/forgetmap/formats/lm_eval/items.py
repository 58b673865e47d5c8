"""One task read: the lines of one item brought together, one a filter, none twice, and what is left over counted.

Every line that is not blank ends in exactly one place: in a row (one line for each filter whose scores the row holds), as a duplicate
(the row comes again, and `Run.rows` counts it), as a problem of its own, or among the lines of a task or item without any score.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from forgetmap.formats.lm_eval.filters import Filters
from forgetmap.formats.lm_eval.lines import Native
from forgetmap.formats.lm_eval.metrics import Metrics
from forgetmap.formats.lm_eval.placed import Placed, by_content
from forgetmap.formats.lm_eval.requests import Entry, filter_name
from forgetmap.formats.lm_eval.rows import TaskRows
from forgetmap.records.mending import Said
from forgetmap.records.schema import Problem, Row


class Source(Protocol):
    """Samples of one task, on disk or in memory, by position."""

    @property
    def name(self) -> str: ...
    @property
    def metrics(self) -> Metrics: ...
    @property
    def gaps(self) -> bool: ...
    def items(self) -> Iterator[tuple[Native, list[int]]]: ...
    def entry(self, position: int) -> Entry: ...
    def entries(self) -> Iterator[Entry]: ...
    def where(self, position: int) -> str: ...


class Setting(NamedTuple):
    """What is known of a task besides its samples."""

    task: str
    config: Mapping[str, Any]
    k: Said


@dataclass(slots=True)
class _Count:
    rows: int = 0
    without_score: list[int] = field(default_factory=list)


def read_task(source: Source, setting: Setting, problems: list[Problem], notes: list[str]) -> Iterator[Row]:
    """Rows of one task in the order of their doc_ids."""
    shape = TaskRows(setting.task, setting.config, source.metrics, setting.k, source.entries)
    count, filters = _Count(), Filters(setting.config, source)
    for native, positions in source.items():
        read = _parsed(source, positions, problems)
        placed = filters.named(read, positions)
        if placed is None:
            problems += [Problem(source.where(one.position), _unnamed(read, filters)) for one in read]
        elif len(placed) == 1:
            yield from _rows(native, placed, 0, shape, count)
        elif placed:
            yield from _merged(native, placed, shape, count)
    _report(source, shape, count, problems)
    _remark(shape, count, filters, notes)


def _unnamed(placed: list[Placed], filters: Filters) -> str:
    listed = ", ".join(filters.names)
    return f"names no filter, and {len(placed)} of the lines of its item do not tell which belongs to which of {listed}"


def _parsed(source: Source, positions: list[int], problems: list[Problem]) -> list[Placed]:
    placed = []
    for position in positions:
        try:
            placed.append(Placed(position, source.entry(position)))
        except ValueError as error:
            problems.append(Problem(source.where(position), str(error)))
    return placed


def _merged(native: Native, placed: list[Placed], shape: TaskRows, count: _Count) -> Iterator[Row]:
    """Filters come in the order of the task's settings, whatever the order of lines."""
    for same in by_content(placed):
        first: dict[str, Placed] = {}
        for one in same:
            first.setdefault(filter_name(one.entry), one)
        scored = [first[name] for name in shape.in_order(first) if shape.says_something(first[name].entry)]
        if not scored:
            count.without_score += [one.position for one in same]
            continue
        kept = {one.position for one in scored}
        count.without_score += [one.position for one in first.values() if one.position not in kept]
        yield from _rows(native, scored, len(same) - len(first), shape, count)


def _rows(native: Native, placed: list[Placed], repeats: int, shape: TaskRows, count: _Count) -> Iterator[Row]:
    row = shape.row(native, [one.entry for one in placed])
    if row is None:
        count.without_score += [one.position for one in placed]
        return
    count.rows += 1
    yield row
    for _ in range(repeats):
        yield row


def _report(source: Source, shape: TaskRows, count: _Count, problems: list[Problem]) -> None:
    """Samples without a score: one problem for a task that has no other, else one each."""
    if count.rows == 0 and count.without_score:
        why = "; ".join(f"{name}: {why}" for name, why in shape.left_out.items()) or "they hold no metric"
        said = f"{shape.task}: none of its {len(count.without_score)} samples has a score between 0 and 1 ({why})"
        problems.append(Problem(source.name, said))
        return
    problems += [Problem(source.where(position), "has no score between 0 and 1") for position in count.without_score]


def _remark(shape: TaskRows, count: _Count, filters: Filters, notes: list[str]) -> None:
    said = [f"{shape.task}: {name} is left out: {why}." for name, why in shape.left_out.items() if count.rows]
    if shape.unresolved:
        said.append(
            f"{shape.task}: --k {shape.k} leads to no number of options in {shape.unresolved} of {count.rows} samples; "
            "their chance stays unknown."
        )
    if filters.numbered:
        said.append(
            f"{shape.task}: its lines name no filter and no results file beside them lists any, so that the filters are "
            f"numbered in the order of the log: {', '.join(filters.names)}."
        )
    notes += [note for note in said if note not in notes]
