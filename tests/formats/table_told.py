"""Small tables for tests: the same rows told as CSV, JSON lines, a JSON list or Parquet, plain or packed."""

import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from forgetmap.formats.contract import Hints
from forgetmap.formats.table import FORMAT
from forgetmap.records.run import Run
from forgetmap.records.schema import Row, Score

KINDS = ("csv", "tsv", "jsonl", "json", "parquet")
NO_HINTS = Hints()


def told(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write rows as the ending of `path` says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    content = {"csv": _csv, "tsv": _tsv, "jsonl": _lines, "json": _list, "parquet": _parquet}[kind](rows)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def names_in(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _csv(rows: Sequence[Mapping[str, Any]], separator: str = ",") -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=separator)
    names = names_in(rows)
    writer.writerow(names)
    writer.writerows([_as_field(row.get(name)) for name in names] for row in rows)
    return stream.getvalue().encode()


def _as_field(cell: Any) -> Any:
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, list) else cell


def _tsv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    return _csv(rows, "\t")


def _lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _list(rows: Sequence[Mapping[str, Any]]) -> bytes:
    return json.dumps(list(rows), indent=1).encode()


def _parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({name: [row.get(name) for row in rows] for name in names_in(rows)}), stream)
    return stream.getvalue()


def runs(path: Path, hints: Hints = NO_HINTS) -> list[Run]:
    return list(FORMAT.read(path, hints))


def run(path: Path, hints: Hints = NO_HINTS) -> Run:
    """The one run in a path."""
    (found,) = runs(path, hints)
    return found


def rows_of(path: Path, hints: Hints = NO_HINTS) -> list[Row]:
    """The rows of the one run in a path, none of which may be a problem."""
    found = run(path, hints)
    rows = list(found.rows())
    assert found.problems == []
    return rows


def scores_of(path: Path, hints: Hints = NO_HINTS) -> list[Score]:
    return [row.scores[0] for row in rows_of(path, hints)]


def reasons(path: Path, hints: Hints = NO_HINTS) -> list[tuple[str, str]]:
    """Where and why rows of the one run in a path could not be read."""
    found = run(path, hints)
    list(found.rows())
    return [(problem.where, problem.why) for problem in found.problems]
