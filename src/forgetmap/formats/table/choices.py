"""Letters, indices and texts: which option a cell of `choice` or `gold` means."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from forgetmap.formats.table.cells import listed
from forgetmap.records.ids import collapse
from forgetmap.records.options import distinct

Answer = int | str
"""What a cell means: an option by its index, or a text where no options are known."""
How = Literal["text", "letter", "index"]
HOWS: tuple[How, ...] = ("text", "letter", "index")
UNKNOWN_ORDER: tuple[How, ...] = ("letter", "index", "text")
"""Where no options are known every text fits, so it is tried last."""
INDEX = re.compile(r"(0|[1-9][0-9]{0,8})(?:\.0)?")
LETTERS = 26
REMEMBERED = 4096
"""Answers kept: where a log shows letters only, a handful of different rows is all there is."""


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """What an item can be answered with.

    `texts` are its distinct options, null where the log does not show them; `places[i]` is the index among the distinct options of the
    one in place i, null where none stands there. Two are special: `OPEN` (any text) and `UNKNOWN` (the log does not say).
    """

    k: int | None = None
    texts: tuple[str, ...] | None = None
    places: Sequence[int | None] = ()
    by_text: Mapping[str, int] = field(default_factory=dict)

    @property
    def any_text(self) -> bool:
        return self.k is None


OPEN = Options()
UNKNOWN = Options(places=range(LETTERS))


class Found(NamedTuple):
    """What a cell (or one of the several answers in it) means, how it was written, and the very word."""

    answer: Answer
    how: How
    word: str


def shown(cells: Iterable[str | None]) -> Options | None:
    """Options as shown, place by place; those of equal text are one. Null where none is there.

    >>> options = shown(["yes", None, "no", "yes "])
    >>> options.texts, options.places
    (('yes', 'no'), [0, None, 1, 0])
    """
    cells = list(cells)
    found = distinct(cell for cell in cells if cell is not None)
    following = iter(found.places)
    places = [None if cell is None else next(following) for cell in cells]
    return Options(len(found.texts), found.texts, places, found.by_text) if found.texts else None


def counted(k: int) -> Options:
    """Options of which only the number is known."""
    return Options(k, places=range(k))


@lru_cache(REMEMBERED)
def find(word: str, options: Options, order: tuple[How, ...]) -> Found | None:
    """What a cell means, by the first reading in `order` that fits; null where none does.

    >>> find("b", counted(4), HOWS), find("4", counted(4), HOWS), find("(B)", counted(4), HOWS)
    (Found(answer=1, how='letter', word='b'), None, None)
    >>> numbers = shown(["2", "0", "1"])
    >>> find("1", numbers, ("text", "letter", "index")).answer, find("1", numbers, ("index", "letter", "text")).answer
    (2, 1)
    """
    for how in UNKNOWN_ORDER if options is UNKNOWN else order:
        answer = READINGS[how](word, options)
        if answer is not None:
            return Found(answer, how, word)
    return None


@lru_cache(REMEMBERED)
def golds(cell: str, options: Options, order: tuple[How, ...]) -> tuple[Found, ...]:
    """Every right answer that a cell names: one, or several as a JSON list or between commas; none where something fits nothing.

    >>> [gold.answer for gold in golds('["D", 0]', counted(4), HOWS)], golds("A,E", counted(4), HOWS)
    ([3, 0], ())
    """
    found = [find(word, options, order) for word in _words(cell, options)]
    distinct = {one.answer: one for one in found if one is not None}
    return tuple(distinct.values()) if all(found) else ()


@lru_cache(REMEMBERED)
def apart(cell: str, options: Options) -> tuple[tuple[How, How], ...]:
    """Pairs of readings (both ways round) under which a cell means something, and not the same.

    >>> apart("1", shown(["2", "0", "1"]), ), apart("B", counted(4))
    ((('text', 'index'), ('index', 'text')), ())
    """
    words = _words(cell, options)
    means = {how: {READINGS[how](word, options) for word in words} for how in fits(cell, options)}
    return tuple((one, other) for one in means for other in means if means[one] != means[other])


@lru_cache(REMEMBERED)
def fits(cell: str, options: Options) -> tuple[How, ...]:
    """The readings under which a cell means something (all its parts, where it names several)."""
    words = _words(cell, options)
    return tuple(how for how in HOWS if all(READINGS[how](word, options) is not None for word in words))


def is_letter(word: str) -> bool:
    return len(word) == 1 and word.isascii() and word.isalpha()


def _words(cell: str, options: Options) -> list[str]:
    """The parts of a cell that names several answers; the cell itself where that means something as a whole."""
    if options.any_text:
        parts = _texts_listed(cell) or (_letters(cell) if options is UNKNOWN else None)
    else:
        parts = None if find(cell, options, HOWS) else listed(cell) or cell.split(",")
    return [part.strip() for part in parts or () if part and part.strip()] or [cell]


def _texts_listed(cell: str) -> list[str | None] | None:
    """A JSON list of texts. A list of numbers stays one answer: `[1, 2]` may be what was asked for."""
    return listed(cell) if re.match(r'\[\s*"', cell) else None


def _letters(cell: str) -> list[str] | None:
    parts = cell.split(",")
    return parts if all(is_letter(part.strip()) for part in parts) else None


def _by_text(word: str, options: Options) -> Answer | None:
    return collapse(word) if options.any_text else options.by_text.get(collapse(word))


def _by_letter(word: str, options: Options) -> Answer | None:
    return _in_place(ord(word.upper()) - ord("A"), options) if is_letter(word) else None


def _by_index(word: str, options: Options) -> Answer | None:
    number = INDEX.fullmatch(word)
    if number is None:
        return None
    return int(number[1]) if options is UNKNOWN else _in_place(int(number[1]), options)


def _in_place(place: int, options: Options) -> int | None:
    return options.places[place] if place < len(options.places) else None


READINGS: Mapping[How, Callable[[str, Options], Answer | None]] = {
    "text": _by_text,
    "letter": _by_letter,
    "index": _by_index,
}
