"""The rows of a stored run, shard by shard, in the order in which they were written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forgetmap.records.lines import item_from, sample_from, score_from, unspelled
from forgetmap.records.mending import Rules, mender
from forgetmap.records.parquet import damaged, lines_in
from forgetmap.records.run import Run, Tables
from forgetmap.records.schema import Item, Problem, Row, Sample
from forgetmap.records.summary import RunSummary, Shard, shard_file


def stored_run(summary: RunSummary, rules: Rules = ()) -> Run:
    """A run that reads from the tables; what could not be read and what was double when they were written is told again.

    `rules` say the number of options where the log did not.
    """
    mend = mender(rules)

    def read(problems: list[Problem]) -> Iterator[Row]:
        problems.extend(summary.problems)
        run.duplicates = summary.duplicates
        for row in rows_of(summary.folder, summary.shards):
            yield row._replace(item=mend(row.item))

    run = Run(summary.info, read, notes=list(summary.notes), tables=Tables(summary, tuple(rules)))
    return run


def rows_of(folder: Path, shards: tuple[Shard, ...]) -> Iterator[Row]:
    """Every row of these shards. In memory are the texts of one shard, and of older ones that it or a later one borrows from."""
    items: dict[tuple[str, str], tuple[int, Item]] = {}
    prompts: dict[str, tuple[int, str]] = {}
    first = 0
    for number, shard in enumerate(shards):
        try:
            yield from _Shard(folder, number, items, prompts).rows(first, first + shard.rows)
        except LookupError:
            raise damaged(folder, f"the tables of its shard {number} do not belong together") from None
        first += shard.rows
        needed = _oldest_borrowed(shards, number + 1)
        items = {name: held for name, held in items.items() if held[0] >= needed}
        prompts = {name: held for name, held in prompts.items() if held[0] >= needed}


def _oldest_borrowed(shards: tuple[Shard, ...], following: int) -> int:
    borrowed = [shard.borrows for shard in shards[following:] if shard.borrows is not None]
    return min(borrowed, default=following)


class _Shard:
    """One pass over a shard. Its tables are in the order of its rows, so each is read on only as far as a row needs."""

    def __init__(
        self,
        folder: Path,
        number: int,
        items: dict[tuple[str, str], tuple[int, Item]],
        prompts: dict[str, tuple[int, str]],
    ) -> None:
        self._number = number
        self._items = items
        self._prompts = prompts
        self._new_items = _Ahead(shard_file(folder, "items", number), "items")
        self._new_prompts = lines_in(shard_file(folder, "prompts", number), "prompts")
        self._samples = _Ahead(shard_file(folder, "samples", number), "samples")
        self._scores = _Ahead(shard_file(folder, "scores", number), "scores")

    def rows(self, first: int, end: int) -> Iterator[Row]:
        """The rows of the run from `first` to before `end`."""
        sample, name = Sample(), ("", "")
        for number in range(first, end):
            for line in self._new_items.of(number):
                self._items[line[0], line[1]] = self._number, item_from(line)
            for line in self._samples.of(number):
                sample, name = sample_from(line, self._prompt(line[3])), (line[0], line[1])
            scores = tuple(map(score_from, self._scores.of(number)))
            yield Row(self._items[name][1], sample, scores, name[1])

    def _prompt(self, name: str | None) -> str | None:
        if name is None:
            return None
        while name not in self._prompts:
            line = next(self._new_prompts, None)
            if line is None:
                raise LookupError(name)
            self._prompts[line[0]] = self._number, unspelled(line[1])
        return self._prompts[name][1]


class _Ahead:
    """The lines of a table with a look at the next one."""

    def __init__(self, path: Path, table: str) -> None:
        self._lines = lines_in(path, table)
        self._next = next(self._lines, None)

    def of(self, number: int) -> Iterator[list[Any]]:
        """The lines of a row of the run, without its number."""
        while self._next is not None and self._next[0] == number:
            yield unspelled(list(self._next[1:]))
            self._next = next(self._lines, None)
