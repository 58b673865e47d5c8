"""Lines of rows on their way into the tables of one shard: an item and a prompt are put down once a run."""

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from forgetmap.records.lines import Line, Lines, spelled, text_of
from forgetmap.records.parquet import TABLES, arrow
from forgetmap.records.surrogates import MARK

# How a half character or its mark shows in JSON, as UTF-8 or escaped.
_TO_SPELL = (MARK.encode(), b"\\ufffd{", b"\\ud")


@dataclass(slots=True)
class Tally:
    """What was put down of a task; the scorers are the keys, in the order in which they came."""

    items: int = 0
    samples: int = 0
    scorers: dict[str, None] = field(default_factory=dict)


class Shelves:
    """Takes the rows of a run in order, shard by shard.

    An item is put down again where it is not as it was before (other domain, options in other order); a sample once for neighbouring
    rows of one draw.
    """

    def __init__(self) -> None:
        self.rows = 0
        self.borrows: int | None = None
        """The oldest shard that holds an item or a prompt of the present one."""
        self.tasks: dict[str, Tally] = {}
        self._shard = 0
        self._shown: dict[tuple[str, str], tuple[int, int]] = {}
        self._asked: dict[str, int] = {}
        self._said: Line | None = None
        self._said_here = False
        self._lines: dict[str, list[Line]] = {table: [] for table in TABLES}
        self._batches: dict[str, list[pa.RecordBatch]] = {table: [] for table in TABLES}

    def put(self, lines: Lines) -> bytes:
        """Put one row down; its JSON text comes back."""
        text = text_of(lines)
        if any(sign in text for sign in _TO_SPELL):
            lines = spelled_lines(lines)
        tally = self.tasks.setdefault(lines.item[0], Tally())
        self._put_item(lines.item, tally)
        if lines.prompt is not None:
            self._put_prompt(lines.prompt)
        self._put_sample(lines.sample, tally)
        self._lines["scores"] += [(self.rows, *score) for score in lines.scores]
        tally.scorers.update((score[3], None) for score in lines.scores)
        self.rows += 1
        return text

    def pack(self) -> None:
        """Turn what was put down since the last time into columns."""
        for table, lines in self._lines.items():
            self._batches[table].append(arrow(table, lines))
            lines.clear()

    def tables(self) -> dict[str, list[pa.RecordBatch]]:
        """What the present shard holds, as far as it is packed."""
        return self._batches

    def next_shard(self) -> None:
        """Clear the shelves; what the run has seen is remembered."""
        self._batches = {table: [] for table in TABLES}
        self._shard += 1
        self.borrows = None
        self._said_here = False

    def _put_item(self, line: Line, tally: Tally) -> None:
        name, looks = (line[0], line[1]), hash(line)
        before = self._shown.get(name)
        if before is None or before[0] != looks:
            tally.items += before is None
            self._shown[name] = (looks, self._shard)
            self._lines["items"].append((self.rows, *line))
        else:
            self._borrow(before[1])

    def _put_prompt(self, line: Line) -> None:
        shard = self._asked.get(line[0])
        if shard is None:
            self._asked[line[0]] = self._shard
            self._lines["prompts"].append(line)
        else:
            self._borrow(shard)

    def _put_sample(self, line: Line, tally: Tally) -> None:
        same = line == self._said
        tally.samples += not same
        if not (same and self._said_here):
            self._lines["samples"].append((self.rows, *line))
        self._said, self._said_here = line, True

    def _borrow(self, shard: int) -> None:
        if shard < self._shard:
            self.borrows = min(shard, self._shard if self.borrows is None else self.borrows)


def spelled_lines(lines: Lines) -> Lines:
    """The lines with half characters spelled out."""
    plain: tuple[Any, ...] = spelled(tuple(lines))
    return Lines(*plain)
