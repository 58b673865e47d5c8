"""Between numpy and Arrow, by the bytes that both share.

`pyarrow.array` and `pyarrow.scalar` import pandas wherever it is installed, half a second and 40 MB for nothing; so arrays are put
together here.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from forgetmap.stats.arrays import Bools, Floats, Ints


def packed(column: NDArray[Any], null: Bools | None = None) -> pa.Array:
    """A numpy array as an Arrow array, null where said.

    >>> packed(np.array([1, 2, 3], np.int8), np.array([False, True, False])).to_pylist()
    [1, None, 3]
    """
    column = np.ascontiguousarray(column)
    kind = pa.from_numpy_dtype(column.dtype)
    told = None if null is None else pa.py_buffer(np.packbits(~null, bitorder="little"))
    data = np.packbits(column, bitorder="little") if column.dtype == bool else column
    return pa.Array.from_buffers(kind, len(column), [told, pa.py_buffer(data)])


def texts(listed: Sequence[str | None]) -> pa.Array:
    """Texts as an Arrow array; a UnicodeEncodeError where one holds half a character.

    >>> texts(["a", None]).to_pylist()
    ['a', None]
    """
    builder = pa.lib.StringBuilder()
    builder.append_values(listed)
    return builder.finish()


def whole(column: pa.Array, null: int = 0) -> Ints:
    """Integers, with a number for null.

    >>> whole(packed(np.array([1, 2]), np.array([False, True])), -1).tolist()
    [1, -1]
    """
    if column.null_count == len(column):
        return np.full(len(column), null, np.int64)
    plain = _plain(column)
    return (plain if column.null_count == 0 else np.where(valid(column), plain, null)).astype(np.int64)


def numbers(column: pa.Array) -> Floats:
    """Reals, NaN for null."""
    if column.null_count == len(column):
        return np.full(len(column), np.nan)
    plain = _plain(column)
    return (plain if column.null_count == 0 else np.where(valid(column), plain, np.nan)).astype(np.float64)


def valid(column: pa.Array) -> Bools:
    """Where an array is not null."""
    if column.null_count == 0:
        return np.ones(len(column), bool)
    return _bits(column, 0)


def true(column: pa.BooleanArray) -> Bools:
    """Where an array of answers is true; null is not."""
    return _bits(column, 1) & valid(column)


def _plain(column: pa.Array) -> NDArray[Any]:
    """The values as they lie in memory, whatever stands where there is none."""
    if len(column) == 0:
        return np.zeros(0)
    kind = np.dtype(column.type.to_pandas_dtype())
    return np.frombuffer(column.buffers()[1], kind, len(column), column.offset * kind.itemsize)


def _bits(column: pa.Array, buffer: int) -> Bools:
    if len(column) == 0:
        return np.zeros(0, bool)
    bits = np.unpackbits(np.frombuffer(column.buffers()[buffer], np.uint8), bitorder="little")
    return bits[column.offset : column.offset + len(column)].astype(bool)
