"""A run that can be read: its info, and its rows with their names."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from forgetmap.records.ids import Namer
from forgetmap.records.schema import Problem, Row, RunInfo

if TYPE_CHECKING:
    from forgetmap.records.mending import Rules
    from forgetmap.records.summary import RunSummary


class Tables(NamedTuple):
    """Where the rows of a stored run stand as they were written, and the rules that fill in chances on reading."""

    summary: "RunSummary"
    rules: "Rules"


@dataclass(slots=True)
class Run:
    """A run that can be read, once or again: its info, and a way to get its rows.

    `read(problems)` yields rows whose items come in the order of their native ids within a task, and appends what it could not read to
    `problems`. Use `rows()`, which adds the item ids.
    """

    info: RunInfo
    read: Callable[[list[Problem]], Iterator[Row]]
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Choices made in reading that the user should know, one sentence each (such as: which of two files was taken)."""
    duplicates: int = 0
    """Rows that repeat the same item, draw and scorer; the first is kept."""
    tables: Tables | None = None
    """Of a stored run the tables that hold just these rows, for those who read by column."""

    def rows(self) -> Iterator[Row]:
        """Every row with its item id; `problems` and `duplicates` are filled on the way and are whole when the iterator ends."""
        self.problems.clear()
        self.duplicates = 0
        namer = Namer()
        for row in self.read(self.problems):
            item_id = namer.name(row)
            if item_id is None:
                self.duplicates += 1
            else:
                yield Row(row.item, row.sample, row.scores, item_id)
