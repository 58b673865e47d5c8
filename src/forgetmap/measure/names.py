"""Texts of many items in little memory: packed where all differ, coded where they repeat. Both read like sequences of texts or nulls."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from forgetmap.measure.arrow import packed, whole
from forgetmap.measure.arrow import texts as texts_of
from forgetmap.records.surrogates import MARK, spell, unspell
from forgetmap.stats.arrays import Bools, Ints, in_order

NOTHING = -1
"""The code of an item of which nothing is said."""


class Names:
    """Texts that mostly differ, as one Arrow array; half characters are spelled as in the records.

    >>> names = Names.of(["a", None, "b"])
    >>> names[2], names[1], len(names), names.places(Names.of(["b", "a"])).tolist()
    ('b', None, 3, [1, -1, 0])
    """

    __slots__ = ("packed",)

    def __init__(self, packed: pa.Array) -> None:
        self.packed = packed

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> "Names":
        listed = list(texts)
        try:
            found = texts_of(listed)
            marked = pc.any(pc.match_substring(found, MARK)).as_py()
        except UnicodeEncodeError:
            marked = True
        if marked:
            found = texts_of([None if text is None else spell(text) for text in listed])
        return cls(found.cast(pa.large_string()))

    @classmethod
    def joined(cls, parts: Sequence["Names"]) -> "Names":
        """All names of these, one after the other."""
        return cls(pa.concat_arrays([part.packed for part in parts])) if parts else cls.of(())

    def __len__(self) -> int:
        return len(self.packed)

    def __getitem__(self, row: int) -> str | None:
        text: str | None = self.packed[int(row)].as_py()
        return None if text is None else unspell(text)

    def __iter__(self) -> Iterator[str | None]:
        return (None if text is None else unspell(text) for text in self.packed.to_pylist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and (self.packed is other.packed or self.packed.equals(other.packed))

    __hash__ = None  # type: ignore[assignment]

    def take(self, rows: Ints | Bools) -> "Names":
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows
        return Names(self.packed.take(packed(rows)))

    def parts(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Lengths (−1 for null) and bytes: what tells these names from all others."""
        lengths = whole(pc.binary_length(self.packed), NOTHING)
        _, offsets, data = self.packed.buffers()
        spots = np.frombuffer(offsets, np.int64)[self.packed.offset : self.packed.offset + len(self) + 1]
        blob = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
        return lengths, blob[spots[0] : spots[-1]] if len(spots) else blob

    def any_begins(self, sign: str) -> bool:
        """Whether one of them begins with this."""
        return bool(pc.any(pc.starts_with(self.packed, sign)).as_py())

    def places(self, among: "Names") -> Ints:
        """Where each stands among others, which do not repeat; −1 where it does not."""
        found = pc.index_in(self.packed, value_set=among.packed, skip_nulls=True)
        return whole(found, NOTHING)


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Texts that repeat: a code an item, `NOTHING` for null, and the word of each code.

    >>> coded = Coded.of(["b", "a", None, "b"])
    >>> list(coded), coded.codes.tolist(), coded.words
    (['b', 'a', None, 'b'], [0, 1, -1, 0], ['b', 'a'])
    """

    codes: NDArray[np.int32]
    words: list[str]

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> "Coded":
        places: dict[str | None, int] = {None: NOTHING}
        # The place of null counts among the entries, so the next code is one less than their number.
        codes = [places.setdefault(text, len(places) - 1) for text in texts]
        return cls(np.array(codes, np.int32), [text for text in places if text is not None])

    @classmethod
    def nothing(cls, items: int) -> "Coded":
        """Nothing said of so many items."""
        return cls(_nothing(items), [])

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str | None:
        code = self.codes[row]
        return None if code < 0 else self.words[code]

    def __iter__(self) -> Iterator[str | None]:
        words = [*self.words, None]
        return (words[code] for code in self.codes.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coded) and self.words == other.words and np.array_equal(self.codes, other.codes)

    __hash__ = None  # type: ignore[assignment]

    def take(self, rows: Ints | Bools) -> "Coded":
        return Coded(self.codes[rows], self.words)

    def compact(self) -> "Coded":
        """The same with only the words that occur, in the order in which they first do."""
        told = self.codes >= 0
        number, first = in_order(self.codes[told].astype(np.int64))
        codes = np.full(len(self.codes), NOTHING, np.int32)
        codes[told] = number
        return Coded(codes, [self.words[code] for code in self.codes[told][first].tolist()])

    def filled(self, other: "Coded") -> "Coded":
        """The same, with the other's word where nothing is said."""
        if not other.words or (self.codes >= 0).all():
            return self
        places = {word: code for code, word in enumerate(self.words)}
        recoded = [places.setdefault(word, len(places)) for word in other.words]
        theirs = np.array([*recoded, NOTHING], np.int32)[other.codes]
        return Coded(np.where(self.codes >= 0, self.codes, theirs), list(places))


@lru_cache(maxsize=8)
def _nothing(items: int) -> NDArray[np.int32]:
    codes = np.full(items, NOTHING, np.int32)
    codes.setflags(write=False)
    return codes
