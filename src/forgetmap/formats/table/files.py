"""Files of tables: what kind they are by content, which of them a folder holds, and their columns as text."""

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from forgetmap.errors import FormatError
from forgetmap.formats.lines import DAMAGED, open_bytes
from forgetmap.formats.table import csv_file, json_file, parquet_file
from forgetmap.formats.table.cells import NUMBERS, Lot, Report, joined, texts
from forgetmap.formats.table.columns import FREE_TEXT, Columns, assign
from forgetmap.records.schema import Problem

LOOKS = (1 << 16, 1 << 24)
"""Bytes of a file looked at to find its kind: a few, then more where one line is longer than that."""
OTHERS = (
    {"doc_id", "resps"},
    {"question_id", "pred", "options"},
    {"instance_id", "train_trial_index"},
    {"input", "references", "split"},
)
"""Columns by which the rows of other formats are known: samples of lm-evaluation-harness, results of MMLU-Pro, stats and items of HELM."""
TELLING = {"item_id", "question", "choices", "gold", "choice", "correct"}
PARQUET = "PAR1"


class Kind(NamedTuple):
    """A way to write a table: what a row is called, and how to get names of columns and lots of rows."""

    unit: str
    columns: Callable[[Path], list[str]]
    lots: Callable[[Path, list[str], Report], Iterator[Lot]]


CSV = Kind(csv_file.UNIT, csv_file.columns, csv_file.lots)
LINES = Kind(json_file.Lines.UNIT, json_file.Lines.columns, json_file.Lines.lots)
LIST = Kind(json_file.List.UNIT, json_file.List.columns, json_file.List.lots)
PARQUET_FILE = Kind(parquet_file.UNIT, parquet_file.columns, parquet_file.lots)


class Source(NamedTuple):
    """One file of a run."""

    path: Path
    name: str
    kind: Kind
    columns: Columns

    def where(self, place: int) -> str:
        """Where a row stands, in words."""
        return f"{self.name} {self.kind.unit} {place}"


def sniff(path: Path) -> bool:
    """Whether a file, or some file in a folder, is a table and no log of another format. Looks at content only."""
    try:
        return any(map(_is_table, _files(path))) if path.is_dir() else _is_table(path)
    except OSError:
        return False


def tables_in(folder: Path) -> list[Path]:
    """All tables in a folder and in those below it, by name."""
    return [path for path in _files(folder) if _is_table(path)]


def source(path: Path, name: str, renamed: Mapping[str, str]) -> Source:
    """Open one file: its kind, and which of its columns is which of ours."""
    kind = _kind(path)
    if kind is None:
        raise FormatError(
            f"{path} is no table: CSV with a header of two or more columns, one JSON object a line, "
            f"a JSON list of objects, or Parquet is wanted."
        )
    return Source(path, name, kind, assign(kind.columns(path), renamed, str(path)))


def load(source: Source, wanted: Collection[str], problems: list[Problem]) -> pa.Table:
    """Our columns `wanted`, as far as the file has them, as text; `place` says where each row stands."""
    columns = {ours: theirs for ours, theirs in source.columns.items() if ours in wanted}
    names = sorted({name for theirs in columns.values() for name in theirs})
    parts, numbers = [], {"gold", "choice"} & set(columns)
    for lot in source.kind.lots(source.path, names, _report(source, problems)):
        parts.append(_named(lot, columns))
        numbers = {ours for ours in numbers if lot.numbers.issuperset(columns[ours])}
    schema = pa.schema([*((ours, pa.large_string()) for ours in columns), ("place", pa.int64())])
    table = pa.concat_tables(parts) if parts else schema.empty_table()
    for ours in columns:
        if ours not in FREE_TEXT:
            table = _replaced(table, ours, _trimmed(table[ours]))
    if "item_id" in columns:
        table = _replaced(table, "item_id", _whole_numbers(table["item_id"]))
    return table.replace_schema_metadata({NUMBERS: ",".join(sorted(numbers))})


def _report(source: Source, problems: list[Problem]) -> Report:
    return lambda where, why: problems.append(Problem(f"{source.name} {where}", why))


def _named(lot: Lot, columns: Columns) -> pa.Table:
    said = {ours: [texts(lot.cells[name]) for name in theirs] for ours, theirs in columns.items()}
    cells = {ours: joined(parts) if len(parts) > 1 else parts[0] for ours, parts in said.items()}
    return pa.table({**cells, "place": pa.array(lot.places, pa.int64())})


def _replaced(table: pa.Table, name: str, column: pa.ChunkedArray) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, column)


def _trimmed(column: pa.ChunkedArray) -> pa.ChunkedArray:
    trimmed = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, pa.large_string()), trimmed)


def _whole_numbers(ids: pa.ChunkedArray) -> pa.ChunkedArray:
    """Ids that are all like "7.0" are whole numbers that were kept as floats because of a gap somewhere."""
    floats = pc.all(pc.match_substring_regex(ids, r"^-?\d+\.0$")).as_py()
    return pc.replace_substring(ids, ".0", "") if floats else ids


def _files(folder: Path) -> Iterator[Path]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return (path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def _is_table(path: Path) -> bool:
    try:
        return any(_looks(path, _tells_a_table))
    except FormatError:
        return False


def _kind(path: Path) -> Kind | None:
    return next((kind for kind in _looks(path, _kind_of) if kind is not None), None)


def _looks(path: Path, judge: Callable[[str, bool, Path], Any]) -> Iterator[Any]:
    """What `judge` says of the beginning of a file; of more of it, until it is told apart or was seen whole."""
    for size in LOOKS:
        head, whole = _head(path, size)
        yield judge(head, whole, path)
        if whole:
            return


def _head(path: Path, size: int) -> tuple[str, bool]:
    blocks, read = [], 0
    with open_bytes(path) as file:
        try:
            while read < size and (block := file.read1(size - read)):  # type: ignore[attr-defined]
                blocks.append(block)
                read += len(block)
        except DAMAGED:
            pass  # Told when the file is read.
    return b"".join(blocks).decode("utf-8", "surrogateescape"), read < size


def _kind_of(head: str, whole: bool, path: Path) -> Kind | None:
    if head.startswith(PARQUET):
        return PARQUET_FILE
    if json_file.first_of_list(head) is not None:
        return LIST
    if json_file.first_of_lines(head, whole=whole) is not None:
        return LINES
    return None if _is_json(head) or not csv_file.has_header(head, whole=whole) else CSV


def _tells_a_table(head: str, whole: bool, path: Path) -> bool:
    if head.startswith(PARQUET):
        return parquet_file.is_table(path)
    row = json_file.first_of_list(head) or json_file.first_of_lines(head, whole=whole)
    if row is None:
        return not _is_json(head) and csv_file.is_table(head, whole=whole)
    return not any(other <= row.keys() for other in OTHERS) and (len(TELLING & row.keys()) > 1 or _is_flat(row))


def _is_json(head: str) -> bool:
    return head.removeprefix("\ufeff").lstrip().startswith(("{", "["))


def _is_flat(row: dict[str, Any]) -> bool:
    cells = (entry for cell in row.values() for entry in (cell if isinstance(cell, list) else [cell]))
    return len(row) > 1 and not any(isinstance(cell, list | dict) for cell in cells)
