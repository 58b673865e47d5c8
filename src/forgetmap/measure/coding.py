"""Words of columns that come in pieces, numbered as they come."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from forgetmap.measure.arrow import whole
from forgetmap.measure.names import NOTHING
from forgetmap.records.surrogates import unspell


class Words:
    """Codes for the words of a column that comes in pieces, numbered as they come."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def code(self, word: str | None) -> int:
        """The code of one word."""
        return NOTHING if word is None else self.known.setdefault(word, len(self.known))

    def codes(self, column: pa.Array) -> NDArray[np.int32]:
        """A code each; `NOTHING` for null."""
        if column.null_count == len(column):
            return np.full(len(column), NOTHING, np.int32)
        coded = column.dictionary_encode()
        codes = [self.code(unspell(word)) for word in coded.dictionary.to_pylist()]
        return np.array([*codes, NOTHING], np.int32)[whole(coded.indices, len(codes))]
