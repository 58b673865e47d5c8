"""What a chart is: marks with a place and a role, what they show in words, and the same as a table.

Places are in units of one pixel, y grows downward. A role says what a mark stands for ("loss", "gain", "axis"); what that looks like is the
business of whoever draws it.
"""

from typing import Literal, NamedTuple

Role = Literal["loss", "gain", "luck", "unanswered", "noise", "ink", "muted", "grid", "axis", "paper", "clear"]
"""clear: nothing is drawn; the mark only bears a title."""
Anchor = Literal["start", "middle", "end"]
SHADES = 6
"""Shades of a role from 1 (faint) to 6 (full); 0 = the role's own."""


class Rect(NamedTuple):
    """A box; `shade` is its depth of colour, `hatched` marks what is a band and no value."""

    x: float
    y: float
    width: float
    height: float
    role: Role
    shade: int = 0
    hatched: bool = False
    title: str | None = None


class Line(NamedTuple):
    """A straight line; a dashed one is a guide."""

    x1: float
    y1: float
    x2: float
    y2: float
    role: Role
    dashed: bool = False
    title: str | None = None


class Shape(NamedTuple):
    """A path through points; closed ones are filled, faintly where they are areas of uncertainty."""

    points: tuple[tuple[float, float], ...]
    role: Role
    closed: bool = False
    faint: bool = False
    title: str | None = None


class Dot(NamedTuple):
    """A round mark; a hollow one is not shown to differ from zero."""

    x: float
    y: float
    radius: float
    role: Role
    hollow: bool = False
    title: str | None = None


class Text(NamedTuple):
    """One line of text, its foot at y; `on` is the shade of the box it stands on."""

    x: float
    y: float
    text: str
    role: Role = "ink"
    anchor: Anchor = "start"
    size: int = 12
    strong: bool = False
    on: int = 0
    title: str | None = None


Mark = Rect | Line | Shape | Dot | Text
Entry = str | float | int | None


class Table(NamedTuple):
    """What a chart shows, as columns and rows; shares are shares, absent is null."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]


class Spec(NamedTuple):
    """A chart as a value."""

    chart: str
    title: str
    says: str
    """What a reader who cannot see it should know."""
    width: float
    height: float
    marks: tuple[Mark, ...]
    table: Table
