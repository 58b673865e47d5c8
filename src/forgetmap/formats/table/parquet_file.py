"""Parquet: columns of any type, nulls, and one sentence for a file that is damaged."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from forgetmap.errors import FormatError
from forgetmap.formats.table.cells import Lot, Report, text

UNIT = "row"
ROWS_IN_LOT = 16384
DAMAGED = (pa.ArrowException, OSError, ValueError, MemoryError)
"""What reading a damaged Parquet file raises."""
OWN = b"forgetmap"
"""Begins the name under which our own records say their version."""


def columns(path: Path) -> list[str]:
    """Names of the columns; a table without any row is an error."""
    with _opened(path) as file:
        if file.metadata.num_rows == 0:
            raise FormatError(f"{path} has columns and no rows: was it written to its end?")
        return list(file.schema_arrow.names)


def is_table(path: Path) -> bool:
    """Whether this is a Parquet file, and none of our own records."""
    try:
        with _opened(path) as file:
            return not any(key.startswith(OWN) for key in file.schema_arrow.metadata or {})
    except FormatError:
        return False


def lots(path: Path, names: list[str], report: Report) -> Iterator[Lot]:
    """The rows, some at a time; rows that hold no text where text is wanted, and the rest of a damaged file, are reported."""
    with _opened(path) as file:
        read = 0
        batches = file.iter_batches(ROWS_IN_LOT, columns=names)
        while True:
            try:
                batch = next(batches, None)
            except DAMAGED as error:
                report(
                    f"rows {read + 1} to {file.metadata.num_rows}",
                    f"cannot be read: the file is damaged ({_said(error)})",
                )
                return
            if batch is None:
                return
            yield _lot(batch, names, read, report)
            read += batch.num_rows


def _opened(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except DAMAGED as error:
        raise FormatError(
            f"{path} is a damaged or cut Parquet file, of which nothing can be read ({_said(error)}): write or fetch it again."
        ) from error


def _said(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")


def _lot(batch: pa.RecordBatch, names: list[str], read: int, report: Report) -> Lot:
    broken: set[int] = set()
    cells = {name: _texts(batch.column(name), broken) for name in names}
    numbers = frozenset(name for name in names if pa.types.is_integer(batch.schema.field(name).type))
    places = list(range(read + 1, read + batch.num_rows + 1))
    if not broken:
        return Lot(places, cells, numbers)
    for row in sorted(broken):
        report(f"{UNIT} {places[row]}", "holds a value that is no text (not UTF-8, or out of the range of its type)")
    kept = [row for row in range(batch.num_rows) if row not in broken]
    return Lot([places[row] for row in kept], {name: column.take(kept) for name, column in cells.items()}, numbers)


def _texts(array: pa.Array, broken: set[int]) -> pa.Array:
    """A column as text; rows that cannot be said as text are added to `broken` and null."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    kind = array.type
    try:
        array.validate(full=True)
        if pa.types.is_boolean(kind):
            return pc.if_else(array, "True", "False").cast(pa.large_string())
        if _arrow_says_as_we_do(kind):
            return array.cast(pa.large_string())
        return pa.array([text(cell) for cell in array.to_pylist()], pa.large_string())
    except (pa.ArrowException, ValueError, OverflowError):
        return pa.array([_text(array, row, broken) for row in range(len(array))], pa.large_string())


def _arrow_says_as_we_do(kind: pa.DataType) -> bool:
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_integer, pa.types.is_null)
    return any(test(kind) for test in tests)


def _text(array: pa.Array, row: int, broken: set[int]) -> str | None:
    try:
        said = text(array[row].as_py())
        if said is not None:
            said.encode()
        return said
    except (pa.ArrowException, ValueError, OverflowError):
        broken.add(row)
        return None
