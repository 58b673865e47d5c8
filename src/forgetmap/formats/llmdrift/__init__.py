"""Tables of LLMDrift ("How Is ChatGPT's Behavior Changing over Time?", arXiv 2307.09009): one row a model, item and trial.

Every table has model, temperature, max_tokens, trail, dataset, id, query, ref_answer, answer and more. A model is a run, over all
tables of a folder. What is right depends on the kind of question: a number in a box, yes or no in brackets, a letter, words, the
report of a judge, or whether the question was answered at all.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.json_list import files_at, head_of, is_any_at
from forgetmap.formats.llmdrift.kinds import KEYS, MORE, RATES, REPORTS, Asked, asked, note, sample_of, scores_of
from forgetmap.formats.opening import slug
from forgetmap.formats.scoring import natural
from forgetmap.formats.table import csv_file
from forgetmap.records.mending import mender
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row, RunInfo

_ENDINGS = (".csv", ".csv.gz")
_HEAD = 1 << 12
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?")


def sniff(path: Path) -> bool:
    return is_any_at(path, _is_ours, _ENDINGS)


def _is_ours(file: Path) -> bool:
    first = head_of(file, _HEAD).removeprefix(b"\xef\xbb\xbf").split(b"\n")[0].decode("utf-8", "replace")
    return set(KEYS) <= {name.strip() for name in first.split(",")}


class _Table(NamedTuple):
    """One file, and the names of its columns that count."""

    path: Path
    names: tuple[str, ...]


class _Said(NamedTuple):
    """What the rows of a model say about its run."""

    model: str
    temperatures: list[str]
    limits: list[str]
    files: list[str]


def read(path: Path, hints: Hints) -> Iterator[Run]:
    """A run for each model, in the order in which the tables name them."""
    tables, left_out = _tables(list(files_at(path, _is_ours, _ENDINGS)))
    if not tables:
        raise (
            left_out[0]
            if left_out
            else FormatError(f"{path} holds no table of LLMDrift: columns {', '.join(KEYS)} are wanted.")
        )
    taken: set[str] = set()
    for said in _models(tables).values():
        notes = [f"{error} It was left out." for error in left_out]
        yield Run(_info(said, taken), partial(_rows, tables, said.model, hints, notes), notes=notes)


FORMAT = Format(sniff=sniff, read=read, logs=r".*\.csv(?:\.gz)?")


def _tables(files: Sequence[Path]) -> tuple[list[_Table], list[FormatError]]:
    """The tables that have rows, and what is wrong with the others."""
    tables: list[_Table] = []
    left_out: list[FormatError] = []
    for file in files:
        try:
            present = csv_file.columns(file)
        except FormatError as error:
            left_out.append(error)
        else:
            names = (*KEYS, *MORE, *REPORTS, *RATES)
            tables.append(_Table(file, tuple(name for name in names if name in present)))
    return tables, left_out


def _models(tables: Sequence[_Table]) -> dict[str, _Said]:
    found: dict[str, _Said] = {}
    for table in tables:
        for _, cells in _cells(table, []):
            said = found.setdefault(cells["model"] or "", _Said(cells["model"] or "", [], [], []))
            for known, new in (
                (said.temperatures, cells.get("temperature")),
                (said.limits, cells.get("max_tokens")),
                (said.files, table.path.name),
            ):
                if new is not None and new not in known:
                    known.append(new)
    return {model: said for model, said in found.items() if model}


def _info(said: _Said, taken: set[str]) -> RunInfo:
    name = slug(said.model.rpartition("/")[2])
    run_id = next(one for one in (name, *(f"{name}-{number}" for number in range(2, 10_000))) if one not in taken)
    taken.add(run_id)
    decoding: dict[str, Any] = {}
    if said.temperatures:
        decoding["temperature"] = _alone(said.temperatures)
    if said.limits:
        decoding["max_tokens"] = _alone(said.limits)
    return RunInfo(
        run_id=run_id, checkpoint=said.model, decoding=decoding, harness="LLMDrift", source=tuple(said.files)
    )


def _alone(said: Sequence[str]) -> Any:
    """The one number that all rows say, or all that were said."""
    numbers = [float(one) if _NUMBER.fullmatch(one) else one for one in said]
    numbers = [int(one) if isinstance(one, float) and one.is_integer() else one for one in numbers]
    return numbers[0] if len(numbers) == 1 else numbers


def _cells(table: _Table, problems: list[Problem]) -> Iterator[tuple[int, dict[str, str | None]]]:
    """Line and cells of every row; what is no row is a problem."""

    def report(where: str, why: str) -> None:
        problems.append(Problem(f"{table.path.name} {where}", why))

    for lot in csv_file.lots(table.path, list(table.names), report):
        columns: list[Any] = [lot.cells[name] for name in table.names]
        for place, *cells in zip(lot.places, *columns, strict=True):
            yield place, dict(zip(table.names, cells, strict=True))


def _rows(
    tables: Sequence[_Table], model: str, hints: Hints, notes: list[str], problems: list[Problem]
) -> Iterator[Row]:
    mend = mender(hints.k)
    found = [one for table in tables for one in _asked(table, model, problems)]
    found.sort(key=lambda one: (one.item.task, natural(one.item.native_id), one.draw))
    for one in found:
        said = note(one)
        notes.extend([] if said is None or said in notes else [said])
        sample = sample_of(one)
        yield Row(mend(one.item), sample, scores_of(one, sample))


def _asked(table: _Table, model: str, problems: list[Problem]) -> Iterator[Asked]:
    """The rows of one model in a table; those that cannot be read, or name no model, are problems."""
    for place, cells in _cells(table, problems):
        if cells["model"] not in (None, model):
            continue
        try:
            if cells["model"] is None:
                raise ValueError("names no model")
            yield asked(cells)
        except ValueError as error:
            problems.append(Problem(f"{table.path.name} {csv_file.UNIT} {place}", str(error)))
