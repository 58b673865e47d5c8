"""The lines of one samples file, in the order of their items, without holding the file in memory.

A first pass notes where each line stands, its doc_id and its metrics, which lm-eval writes at the two ends of a line; a second reads
the lines of one item after the other, wherever they stand. A file that is one JSON list has entries in place of lines.
"""

import re
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import orjson

from forgetmap.formats.lines import DAMAGED, damage, parse_json, place
from forgetmap.formats.lm_eval import lists
from forgetmap.formats.lm_eval.metrics import Metrics
from forgetmap.formats.lm_eval.requests import metric_values
from forgetmap.records.schema import Problem

_START = re.compile(rb'\{"doc_id": ?(-?\d{1,18}),')
_END = b'"target_hash"'

Native = int | str


class Lines:
    """Where the lines of a file stand, and what their metrics hold."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self.metrics = Metrics()
        self.gaps = False
        """Whether some line before the last could not be read."""
        self._file = file
        self._unit = "line"
        self._number = 0
        """Of the line last noted."""
        self._numbers = array("q")
        """Number of each line in the file, from 1; the other arrays run beside it."""
        self._offsets = array("q")
        self._lengths = array("q")
        self._natives: array[int] = array("q")
        self._texts: dict[int, str] = {}
        """doc_ids that are no whole numbers of 64 bits, by position."""

    def scan(self, problems: list[Problem]) -> None:
        """The first pass. Lines that are no samples become problems."""
        listed, before = lists.is_list(self._file), len(problems)
        self._unit = "entry" if listed else "line"
        try:
            (self._scan_list if listed else self._scan_lines)(problems)
        except DAMAGED as error:
            problems.append(damage(self.path, error))
        last = (self._place(self._number), self.path.name)
        self.gaps = any(problem.where not in last for problem in problems[before:])

    def _scan_lines(self, problems: list[Problem]) -> None:
        offset, raw = 0, b""
        for number, raw in enumerate(self._file, start=1):
            self._number = number
            self._note(offset, raw, problems)
            offset += len(raw)
        if not raw.endswith(b"\n") and problems[-1:] == [Problem(self._place(self._number), "is not whole JSON")]:
            problems[-1] = problems[-1]._replace(why="is cut off: it is the last line and has no end")

    def _scan_list(self, problems: list[Problem]) -> None:
        for number, entry in enumerate(lists.entries(self._file), start=1):
            self._number, before = number, len(problems)
            self._note(entry.offset, entry.raw, problems)
            if not entry.end:
                known = len(problems) == before
                where = self.path.name if known else self._place(self._number)
                problems[before:] = [Problem(where, "is cut off: the file ends before its list does")]

    def _place(self, number: int) -> str:
        return place(self.path.name, number, self._unit)

    def _note(self, offset: int, raw: bytes, problems: list[Problem]) -> None:
        native: Native | None = self._quickly(raw)
        if native is None:
            if not raw.strip():
                return
            try:
                native = self._slowly(raw)
            except ValueError as error:
                problems.append(Problem(self._place(self._number), str(error)))
                return
        if isinstance(native, str):
            self._texts[len(self._numbers)] = native
        self._numbers.append(self._number)
        self._offsets.append(offset)
        self._lengths.append(len(raw))
        self._natives.append(0 if isinstance(native, str) else native)

    def _quickly(self, raw: bytes) -> int | None:
        """The doc_id from the start of a line as lm-eval writes it, and its metrics from the end; null where either stands elsewhere."""
        start, end = _START.match(raw), raw.rfind(_END)
        if start is None or end < 0:
            return None
        try:
            values = orjson.loads(b"{" + raw[end:])
        except ValueError:
            return None
        del values["target_hash"]
        if not values:
            return None
        self.metrics.add(values)
        return int(start[1])

    def _slowly(self, raw: bytes) -> Native:
        entry = parse_entry(raw)
        self.metrics.add(metric_values(entry))
        return native_of(entry)

    def items(self) -> Iterator[tuple[Native, list[int]]]:
        """Each doc_id with the positions of its lines, numbers first and in their order."""
        numbered = sorted(
            (position for position in range(len(self._numbers)) if position not in self._texts),
            key=self._natives.__getitem__,
        )
        yield from _groups(numbered, self._natives)
        yield from _groups(sorted(self._texts, key=self._texts.__getitem__), self._texts)

    @property
    def name(self) -> str:
        return self.path.name

    def where(self, position: int) -> str:
        """A line in words."""
        return self._place(self._numbers[position])

    def entry(self, position: int) -> dict[str, Any]:
        """One sample; ValueError says what is wrong with its line."""
        self._file.seek(self._offsets[position])
        return parse_entry(self._file.read(self._lengths[position]))

    def entries(self) -> Iterator[dict[str, Any]]:
        """All samples that can be read, in the order of the file."""
        for position in range(len(self._numbers)):
            try:
                yield self.entry(position)
            except ValueError:
                continue


def _groups(positions: list[int], natives: Any) -> Iterator[tuple[Native, list[int]]]:
    group: list[int] = []
    for position in positions:
        if group and natives[group[0]] != natives[position]:
            yield natives[group[0]], group
            group = []
        group.append(position)
    if group:
        yield natives[group[0]], group


def parse_entry(raw: bytes) -> dict[str, Any]:
    """One line as a sample: a JSON object with a doc_id. ValueError says what is wrong with it."""
    entry = parse_json(raw)
    if not isinstance(entry, dict):
        raise ValueError(f"is no JSON object but a {type(entry).__name__}")
    native_of(entry)
    return entry


def native_of(entry: Mapping[str, Any]) -> Native:
    """The doc_id: a whole number, or text."""
    native = entry.get("doc_id")
    if isinstance(native, bool) or not isinstance(native, int | str):
        raise ValueError("has no doc_id, so it is no sample of lm-evaluation-harness")
    return native if isinstance(native, str) or abs(native) < 1 << 62 else str(native)
