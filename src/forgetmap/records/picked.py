"""Single items of a stored run, read from the few groups of rows that hold them, and items whose texts hold some words.

A run is read by rows in `stored`; here somebody asks for one item of millions, and wants it at once.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from forgetmap.records.lines import item_from, sample_from, score_from, unspelled
from forgetmap.records.mending import Rules, mender
from forgetmap.records.parquet import COLUMNS, columns_in, damaged
from forgetmap.records.schema import Item, Row, Sample
from forgetmap.records.summary import RunSummary, shard_file
from forgetmap.records.surrogates import spell, unspell

Name = tuple[str, str]
"""A task and an item id."""
_NAMED = ("row", "task", "item_id")
_SEARCHED = {"items": ("question",), "samples": ("response",)}


class _Lines(NamedTuple):
    """Where each line of a table of a run stands: its shard, its row, and the item it is about."""

    shard: NDArray[np.int32]
    row: NDArray[np.int64]
    item_id: pa.ChunkedArray
    task: pa.ChunkedArray

    def of(self, name: Name) -> NDArray[np.int64]:
        """The lines about an item."""
        named = pc.equal(self.item_id, spell(name[1])).to_numpy()
        found = np.flatnonzero(named)
        tasks = self.task.take(pa.array(found)).to_pylist() if len(found) else []
        return found[[task == spell(name[0]) for task in tasks]] if len(found) else found


class Picked:
    """A stored run of which items are asked for one by one; `rules` say the number of options where the log did not."""

    def __init__(self, summary: RunSummary, rules: Rules = ()) -> None:
        self._summary = summary
        self._mend = mender(rules)
        self._items = self._lines("items")
        self._samples = self._lines("samples")
        self._ends = np.cumsum([shard.rows for shard in summary.shards])
        self._searched = lru_cache(maxsize=8)(self._search)

    def item(self, name: Name) -> Item | None:
        """An item as it was first shown; null where the run has none of this name."""
        found = self._items.of(name)
        return self._item(int(found[0])) if len(found) else None

    def rows(self, name: Name) -> list[Row]:
        """Every row of an item, in the order of its draws; prompts are left out."""
        shown, rows = self._items.of(name), []
        for line in self._samples.of(name):
            number, shard = int(self._samples.row[line]), int(self._samples.shard[line])
            before = shown[self._items.row[shown] <= number]
            item = self._item(int(before[-1] if len(before) else shown[0]))
            end = self._end(int(line))
            sample = Sample()
            for told in self._read("samples", shard, number, number + 1):
                sample = sample_from(told, None)
            scores: dict[int, list[Any]] = {}
            for told in self._read("scores", shard, number, end, numbered=True):
                scores.setdefault(told[0], []).append(score_from(told[1:]))
            rows += [Row(item, sample, tuple(own), name[1]) for own in scores.values()]
        return sorted(rows, key=lambda row: row.sample.draw)

    def holding(self, words: str) -> frozenset[Name]:
        """Items whose question or answers hold some words, whatever their case."""
        return self._searched(words)

    def _search(self, words: str) -> frozenset[Name]:
        found: set[Name] = set()
        for number in range(len(self._summary.shards)):
            for table, columns in _SEARCHED.items():
                held = columns_in(self._path(table, number), table, ("task", "item_id", *columns))
                for column in columns:
                    rows = pc.match_substring(held[column], spell(words), ignore_case=True).fill_null(False)
                    named = (held[one].filter(rows).to_pylist() for one in ("task", "item_id"))
                    found.update((unspell(task), unspell(item_id)) for task, item_id in zip(*named, strict=True))
        return frozenset(found)

    def _lines(self, table: str) -> _Lines:
        parts = [columns_in(self._path(table, number), table, _NAMED) for number in range(len(self._summary.shards))]
        rows = [part["row"].to_numpy(zero_copy_only=False) for part in parts]
        return _Lines(
            np.repeat(np.arange(len(parts), dtype=np.int32), [len(one) for one in rows]),
            np.concatenate(rows).astype(np.int64) if rows else np.zeros(0, np.int64),
            *(pa.chunked_array([part[name] for part in parts], pa.string()) for name in ("item_id", "task")),
        )

    def _end(self, line: int) -> int:
        """The row after the last one that a line of the samples stands for: neighbouring rows of one draw share it."""
        shard = int(self._samples.shard[line])
        if line + 1 < len(self._samples.row) and self._samples.shard[line + 1] == shard:
            return int(self._samples.row[line + 1])
        return int(self._ends[shard])

    def _item(self, line: int) -> Item:
        shard, row = int(self._items.shard[line]), int(self._items.row[line])
        for told in self._read("items", shard, row, row + 1):
            return self._mend(item_from(told))
        raise damaged(self._summary.folder, f"the tables of its shard {shard} do not belong together")

    def _path(self, table: str, shard: int) -> Path:
        return shard_file(self._summary.folder, table, shard)

    def _read(self, table: str, shard: int, first: int, end: int, *, numbered: bool = False) -> Iterator[list[Any]]:
        """The lines of a table whose rows go from `first` to before `end`, of which only their groups are unpacked."""
        path = self._path(table, shard)
        try:
            with pq.ParquetFile(path, page_checksum_verification=True) as file:
                groups = [
                    group for group in range(file.num_row_groups) if _meets(file.metadata.row_group(group), first, end)
                ]
                held = file.read_row_groups(groups, list(COLUMNS[table]), use_threads=False)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise damaged(path, str(error).splitlines()[0]) from error
        row = held.column("row")
        held = held.filter(pc.and_(pc.greater_equal(row, first), pc.less(row, end)))
        for line in zip(*(column.to_pylist() for column in held.columns), strict=True):
            plain = unspelled(list(line))
            yield plain if numbered else plain[1:]


def _meets(group: Any, first: int, end: int) -> bool:
    """Whether a group of rows may hold some of these; one without statistics may."""
    told = group.column(0).statistics
    return told is None or not told.has_min_max or (told.min < end and told.max >= first)
