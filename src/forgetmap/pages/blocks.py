"""What a page is made of: sections of sentences, bullets and tables. Values only: `terminal` and `markdown` draw them."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

Tone = Literal["plain", "good", "bad", "dim", "strong"]


class Entry(NamedTuple):
    """One place in a table."""

    text: str
    tone: Tone = "plain"


class Column(NamedTuple):
    """A column of a table. Where it is narrow, columns with the greatest `spare` are left out first; 0 always stays."""

    title: str
    align: Literal["left", "right", "estimate", "marked"] = "right"
    """Estimates stand value under value and interval under interval, marked numbers digit under digit."""
    spare: int = 0


class Table(NamedTuple):
    """Rows under titles; the first column names the row. Too wide, it leaves columns out, or with `wrap` goes on in blocks below."""

    columns: tuple[Column, ...]
    rows: Sequence[tuple[Entry, ...]]
    wrap: bool = False


class Sentences(NamedTuple):
    """Lines of prose, each wrapped by itself."""

    lines: list[str]
    tone: Tone = "plain"


class Bullets(NamedTuple):
    """Things to know, one a line."""

    lines: list[str]


class Command(NamedTuple):
    """Something to type next. Never broken, so that it can be copied."""

    said: str
    line: str


Part = Table | Sentences | Bullets | Command


class Section(NamedTuple):
    """Parts under a title."""

    title: str
    parts: list[Part]


Page = list[Section]
