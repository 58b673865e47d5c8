"""How a file writes: its options row by row, and whether its gold and choice are letters, indices or texts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from forgetmap.errors import FormatError, SettingError
from forgetmap.formats.table.cells import NUMBERS, listed
from forgetmap.formats.table.choices import (
    HOWS,
    LETTERS,
    OPEN,
    UNKNOWN,
    How,
    Options,
    apart,
    counted,
    fits,
    is_letter,
    shown,
)
from forgetmap.records import mending
from forgetmap.records.mending import Rules, k_in, k_said

ROWS_AT_ONCE = 8192
SURE: tuple[How, ...] = ("letter", "text", "index")
NAMES: Mapping[How, str] = {"text": "texts", "letter": "letters", "index": "indices from 0"}


class RowError(Exception):
    """A row cannot be read; the message says why, fit to follow where it stands. Becomes a problem of the run."""


class Writing(NamedTuple):
    """How one file writes its answers. An order of readings begins with the one that fits most of the file's rows."""

    gold: tuple[How, ...]
    choice: tuple[How, ...]
    lettered: bool
    """Whether golds are letters though no row says how many options there are."""
    judged: frozenset[str]
    """Tasks in which `correct` says what is right."""
    notes: tuple[str, ...]
    """What could as well be read otherwise."""


class OptionsOf:
    """The options of a row: those it shows, else as many as it says, else as the user says for its task."""

    def __init__(self, rules: Rules) -> None:
        self._said = cache(lambda task: _said_by_user(rules, task))

    def __call__(self, choices: str | None, k: str | None, task: str) -> Options:
        return (choices and _shown_in(choices)) or (k and _said_by_row(k)) or self._said(task)


def writing_of(table: pa.Table, options_of: OptionsOf, where: str) -> Writing:
    """Look through all rows of a file: one writer wrote them all, and one row alone may be read in two ways."""
    numbers = (table.schema.metadata or {}).get(NUMBERS.encode(), b"").decode().split(",")
    golds, choices = _Count("gold" in numbers), _Count("choice" in numbers)
    for choices_cell, k, task, gold, choice in _unlike_rows(table):
        try:
            options = options_of(choices_cell, k, task or "")
        except RowError:
            continue
        golds.add(gold, options)
        choices.add(choice, options)
    if golds.counts_from_one():
        raise FormatError(
            f"{where} counts its options from 1 in gold (the highest is an item's number of options, none is 0); "
            "indices count from 0: subtract one, or write letters."
        )
    notes = (*golds.doubts("gold", where), *choices.doubts("choice", where))
    return Writing(golds.order(), choices.order(), _lettered(golds, choices), _judged(table), notes)


def _unlike_rows(table: pa.Table) -> Iterator[Sequence[str | None]]:
    """Rows that differ in what says an answer, about once each."""
    names = ("choices", "k", "task", "gold", "choice")
    if not {"gold", "choice"} & set(table.column_names):
        return
    for start in range(0, table.num_rows, ROWS_AT_ONCE):
        part = table.slice(start, ROWS_AT_ONCE)
        found = [part[name].to_pylist() if name in part.column_names else [None] * part.num_rows for name in names]
        yield from dict.fromkeys(zip(*found, strict=True))


class _Count:
    """How many cells of one column fit which reading."""

    def __init__(self, numbers: bool) -> None:
        self._numbers = numbers
        """Integers by type beside options of text: where both readings fit, they are indices."""
        self._fit: Counter[How] = Counter()
        self._apart: set[tuple[How, How]] = set()
        self._first = self._beyond = 0
        self.unbound: Counter[str] = Counter()
        """Kinds of cells in rows whose options are unknown."""

    def add(self, cell: str | None, options: Options) -> None:
        if cell is None or options is OPEN:
            return
        if options is UNKNOWN:
            self.unbound[_kind(cell)] += 1
            return
        self._fit.update(fits(cell, options))
        self._apart.update(apart(cell, options))
        number = cell.removesuffix(".0")
        self._first += number == "0"
        self._beyond += number == str(len(options.places))

    def order(self) -> tuple[How, ...]:
        return tuple(sorted(HOWS, key=lambda how: (-self._fit[how], self._numbers and how != "index")))

    def doubts(self, column: str, where: str) -> Iterator[str]:
        """A sentence where another reading fits as many cells and means other options."""
        taken = self.order()[0]
        if self._numbers and taken == "index":
            return
        rivals = [how for how in HOWS if (taken, how) in self._apart and self._fit[how] == self._fit[taken]]
        if rivals:
            free = next(how for how in SURE if how != taken and how not in rivals)
            yield (
                f"{where}: {column} fits as well when read as {NAMES[rivals[0]]}, and then means other options; "
                f"it is read as {NAMES[taken]}. Write {NAMES[free]} to settle it."
            )

    def counts_from_one(self) -> bool:
        return self.order()[0] == "index" and self._beyond > 0 and self._first == 0


def _kind(cell: str) -> str:
    if all(is_letter(part.strip()) for part in cell.split(",")):
        return "letter"
    return "place" if cell.isdecimal() and int(cell[:9]) < LETTERS else "text"


def _lettered(golds: _Count, choices: _Count) -> bool:
    if golds.unbound and set(golds.unbound) == {"place"}:
        return 2 * choices.unbound["letter"] >= choices.unbound.total() > 0
    return set(golds.unbound) == {"letter"}


def _judged(table: pa.Table) -> frozenset[str]:
    if "correct" not in table.column_names:
        return frozenset()
    if not {"choice", "gold"} <= set(table.column_names):
        return frozenset(pc.unique(table["task"]).to_pylist())
    marked = table.filter(pc.is_valid(table["correct"]))
    return frozenset(pc.unique(marked["task"]).to_pylist())


@lru_cache(1 << 14)
def _shown_in(choices: str) -> Options | None:
    cells = listed(choices)
    if cells is None:
        raise RowError(f"choices is no JSON list: {quoted(choices)}")
    return shown(cells)


@cache
def _said_by_row(k: str) -> Options | None:
    said = k_in(k)
    if said is None:
        raise RowError(f'k is {quoted(k)}: a number of options, or "open", is wanted')
    return None if said == 0 else _options(said)


def _said_by_user(rules: Rules, task: str) -> Options:
    said = k_said(rules, task)
    if isinstance(said, str) and said != mending.OPEN:
        raise SettingError(
            f'--k says {said} for {task}, a table without options: a number of options, or "open", is wanted.'
        )
    return UNKNOWN if said is None else _options(said)


def _options(said: int | str) -> Options:
    return counted(said) if isinstance(said, int) else OPEN


def quoted(cell: str) -> str:
    """A cell in a message, cut where it is long.

    >>> quoted("(B)")
    "'(B)'"
    """
    return repr(cell if len(cell) <= 40 else cell[:37] + "...")
