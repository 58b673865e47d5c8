"""The items of a stored run as its tables tell them: one line the first time an item shows, another where it is not as before."""

from collections import deque
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from forgetmap.measure.arrow import numbers, packed, texts, true, whole
from forgetmap.measure.coding import Words
from forgetmap.measure.columns import Items
from forgetmap.measure.names import NOTHING, Coded, Names
from forgetmap.measure.option_ranks import option_ranks
from forgetmap.records.parquet import columns_in
from forgetmap.records.plain_json import load
from forgetmap.records.surrogates import unspell
from forgetmap.stats.arrays import Ints

COLUMNS = ("row", "task", "item_id", "native_id", "domain", "choices", "golds", "k", "chance", "cluster", "meta")
_NO_OPTIONS = -1
_BETWEEN = texts(["\x1f"]).cast(pa.large_string())[0]


class _Options(NamedTuple):
    """The options of the items of one shard."""

    size: Ints
    """Options of each line; `_NO_OPTIONS` where the log knows no texts."""
    first: Ints
    rank: NDArray[np.int32]

    @classmethod
    def of(cls, choices: pa.ListArray) -> "_Options":
        size = whole(pc.list_value_length(choices), _NO_OPTIONS)
        listed = np.maximum(size, 0)
        return cls(size, np.cumsum(listed) - listed, option_ranks(choices))

    def ranks(self, line: Ints, choice: Ints) -> Ints:
        told = self.size[line] != _NO_OPTIONS
        if (choice < 0).any() or (choice[told] >= self.size[line[told]]).any():
            raise LookupError("an option that the item has not")
        found = choice.copy()
        found[told] = self.rank[self.first[line[told]] + choice[told]]
        return found


class ItemLines:
    """All lines read so far. Of texts only names are kept; of options where each stands among the others."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._size = 0
        self._names: dict[str, list[pa.Array]] = {name: [] for name in ("task", "item_id", "native_id")}
        self._row: list[Ints] = []
        self._words = {name: Words() for name in ("domain", "category", "cluster")}
        self._columns: dict[str, list[np.ndarray]] = {name: [] for name in (*self._words, "k", "chance", "golds")}
        self._options: list[_Options] = []
        self._shown: dict[tuple[str, str], int] = {}
        self._to_show: deque[tuple[int, tuple[str, str], int]] = deque()
        self._queued = 0

    def add(self, path: Path) -> None:
        """Read the lines of one more shard."""
        found = columns_in(path, "items", COLUMNS)
        self._starts.append(self._size)
        self._size += len(found["row"])
        self._row.append(whole(found["row"]))
        for name, parts in self._names.items():
            parts.append(found[name])
        told: dict[str, np.ndarray] = {
            "domain": self._words["domain"].codes(found["domain"]),
            "category": _categories(found["meta"], self._words["category"]),
            "cluster": self._words["cluster"].codes(found["cluster"]),
            "k": whole(found["k"]).astype(np.int32),
            "chance": numbers(found["chance"]),
            "golds": _distinct(found["golds"]),
        }
        for name, column in told.items():
            self._columns[name].append(column)
        self._options.append(_Options.of(found["choices"]))

    def lines_of(self, row: Ints, task: pa.Array, item_id: pa.Array) -> Ints:
        """The line of the item of each answer of the shard read last, as it stood at its row."""
        place = np.searchsorted(self._row[-1], row, side="right") - 1
        places = packed(np.maximum(place, 0), place < 0)
        same = [
            pc.equal(self._names[name][-1].take(places), column)
            for name, column in (("task", task), ("item_id", item_id))
        ]
        line = place + self._starts[-1]
        others = np.flatnonzero(~true(pc.and_(*same)))
        if len(others):
            rows = packed(others)
            line[others] = self._looked_up(row[others], task.take(rows), item_id.take(rows))
        return line

    def ranks(self, line: Ints, choice: Ints) -> Ints:
        """Where chosen options stand among those of their items; the choice itself where the log knows no texts."""
        part = np.searchsorted(self._starts, line, side="right") - 1
        found = np.empty(len(line), np.int64)
        for number in np.unique(part):
            some = part == number
            found[some] = self._options[number].ranks(line[some] - self._starts[number], choice[some])
        return found

    def items(self) -> Ints:
        """The item of each line, numbered as they first come."""
        named = pc.binary_join_element_wise(self._name("task"), self._name("item_id"), _BETWEEN)
        return whole(named.dictionary_encode().indices)

    def take(self, lines: Ints) -> Items:
        """What these lines say."""
        rows = packed(lines)
        ids, natives = (Names(self._name(name).take(rows)) for name in ("item_id", "native_id"))
        domains, categories, clusters = (self._coded(name, lines) for name in ("domain", "category", "cluster"))
        k, chance, golds = (self._column(name)[lines] for name in ("k", "chance", "golds"))
        return Items(ids, natives, domains, categories, clusters, k=k, chance=chance, golds=golds)

    def _coded(self, name: str, lines: Ints) -> Coded:
        return Coded(self._column(name)[lines], list(self._words[name].known)).compact()

    def _looked_up(self, row: Ints, task: pa.Array, item_id: pa.Array) -> list[int]:
        """The same one by one, for answers apart from their item's line."""
        for number in range(self._queued, len(self._starts)):
            names = zip(*(self._names[name][number].to_pylist() for name in ("task", "item_id")), strict=True)
            self._to_show.extend(zip(self._row[number].tolist(), names, count(self._starts[number])))
        self._queued = len(self._starts)
        found = []
        for number, name in zip(row.tolist(), zip(task.to_pylist(), item_id.to_pylist(), strict=True), strict=True):
            while self._to_show and self._to_show[0][0] <= number:
                _, shown, line = self._to_show.popleft()
                self._shown[shown] = line
            found.append(self._shown[name])
        return found

    def _column(self, name: str) -> np.ndarray:
        parts = self._columns[name]
        if len(parts) > 1:
            parts[:] = [np.concatenate(parts)]
        return parts[0]

    def _name(self, name: str) -> pa.Array:
        parts = self._names[name]
        if len(parts) > 1 or parts[0].type != pa.large_string():
            parts[:] = [pa.concat_arrays([part.cast(pa.large_string()) for part in parts])]
        return parts[0]


def _categories(meta: pa.Array, words: Words) -> NDArray[np.int32]:
    """What the logs themselves call the category of each item."""
    if meta.null_count == len(meta):
        return np.full(len(meta), NOTHING, np.int32)
    coded = meta.dictionary_encode()
    codes = [words.code(_category(text)) for text in coded.dictionary.to_pylist()]
    return np.array([*codes, NOTHING], np.int32)[whole(coded.indices, len(codes))]


def _category(meta: str) -> str | None:
    said = load(unspell(meta).encode()).get("category") if '"category"' in meta else None
    return None if said is None else str(said)


def _distinct(golds: pa.ListArray) -> NDArray[np.int32]:
    """How many different right options or answers each item has."""
    found = whole(pc.list_value_length(golds)).astype(np.int32)
    several = np.flatnonzero(found > 1)
    found[several] = [len(set(told)) for told in golds.take(packed(several)).to_pylist()]
    return found
