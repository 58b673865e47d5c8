"""A page on a terminal. Text goes out as text: nothing in it is read as markup, and what would not print is made visible."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from forgetmap.cli.drawn.layout import GAP, Laid, folded, laid_out
from forgetmap.measure.visible import visible
from forgetmap.pages.blocks import Bullets, Column, Command, Entry, Page, Part, Sentences, Table, Tone

_BREAKS = " _-/"
"""Signs after which a name in a table may go on in the next line."""
_TOGETHER = re.compile(r"(?<=\d) (?=%|points)|(?<=\d,) (?=[−\d][\d.]*\])")
"""Spaces at which a line must not end: before a unit, and within an interval."""
_BOND = "\ue000"
"""Stands for such a space while a text is folded; no visible text holds it."""
STYLES: dict[Tone, str] = {"plain": "", "good": "green", "bad": "red", "dim": "dim", "strong": "bold"}


def draw(page: Page, console: Console) -> None:
    """Print a page, section by section."""
    for number, section in enumerate(page):
        if number:
            console.print()
        if section.title:
            for line in wrapped(section.title, console.width, "strong"):
                show(line, console)
        for part in section.parts:
            for line in lines_of(part, console.width):
                show(line, console)


def show(line: Text, console: Console) -> None:
    """One line that is already wrapped."""
    line.rstrip()
    console.print(line, soft_wrap=True, highlight=False, markup=False, emoji=False)


def lines_of(part: Part, width: int) -> Iterator[Text]:
    if isinstance(part, Table):
        for number, laid in enumerate(laid_out(_upright(_visible(part)), width)):
            if number:
                yield Text()
            yield from _table(laid, width)
    elif isinstance(part, Command):
        yield from wrapped(part.said, width)
        yield Text("  " + visible(part.line), STYLES["strong"])
    else:
        first, rest = ("· ", "  ") if isinstance(part, Bullets) else ("", "")
        tone = part.tone if isinstance(part, Sentences) else "plain"
        for text in part.lines:
            yield from wrapped(text, width, tone, first=first, rest=rest)


def wrapped(text: str, width: int, tone: Tone = "plain", *, first: str = "", rest: str = "") -> Iterator[Text]:
    """Text in lines of at most `width`, the later ones indented by `rest`."""
    bound = _TOGETHER.sub(_BOND, visible(text))
    for number, line in enumerate(folded(bound, max(width - len(first), 8))):
        yield Text((rest if number else first) + line.replace(_BOND, " "), STYLES[tone])


def _visible(table: Table) -> Table:
    columns = tuple(column._replace(title=visible(column.title)) for column in table.columns)
    return table._replace(
        columns=columns, rows=[tuple(entry._replace(text=visible(entry.text)) for entry in row) for row in table.rows]
    )


def _upright(table: Table) -> Table:
    """Spaces before values, and after marked numbers, so that the numbers of a column stand under each other."""
    columns = [
        _padded([row[place].text for row in table.rows], column.align) for place, column in enumerate(table.columns)
    ]
    rows = [
        tuple(entry._replace(text=columns[place][number]) for place, entry in enumerate(row))
        for number, row in enumerate(table.rows)
    ]
    return table._replace(rows=rows)


def _padded(texts: list[str], align: str) -> list[str]:
    if align == "estimate":
        room = max((cell_len(_value(text)) for text in texts), default=0)
        return [" " * (room - cell_len(_value(text))) + text for text in texts]
    if align == "marked":
        room = max((cell_len(_marks(text)) for text in texts), default=0)
        return [text + " " * (room - cell_len(_marks(text))) for text in texts]
    return texts


def _value(text: str) -> str:
    """The value of an estimate without its interval; of a band the lower end.

    >>> _value("8.5 [7.9, 9.0]"), _value("–"), _value("1.0 … 9.0")
    ('8.5', '–', '1.0')
    """
    return text.partition(" [")[0].partition(" … ")[0]


def _marks(text: str) -> str:
    """What follows the last digit.

    >>> _marks("8.5?▼"), _marks("–")
    ('?▼', '')
    """
    bare = text.rstrip("?▼▲●")
    return text[len(bare) :]


def _table(laid: Laid, width: int) -> Iterator[Text]:
    heads = tuple(Entry(column.title, "strong") for column in laid.table.columns)
    yield from _row(heads, laid, bottom=True)
    yield _rule(laid)
    for number, row in enumerate(laid.table.rows):
        if number and row[0].tone == "strong" and laid.table.rows[number - 1][0].tone != "strong":
            yield _rule(laid)
        yield from _row(row, laid)
    if laid.left_out:
        yield from wrapped(f"Too narrow for: {', '.join(laid.left_out)}.", width, "dim")


def _rule(laid: Laid) -> Text:
    """Under the heads, and over the totals (rows of a strong name)."""
    return Text("─" * (sum(laid.widths) + GAP * (len(laid.widths) - 1)), "dim")


def _row(entries: tuple[Entry, ...], laid: Laid, *, bottom: bool = False) -> Iterator[Text]:
    """One row, in as many lines as its longest entry needs; heads stand on the rule."""
    parts = [folded(entry.text, width, _BREAKS) for entry, width in zip(entries, laid.widths, strict=True)]
    height = max(map(len, parts))
    if bottom:
        parts = [[""] * (height - len(part)) + part for part in parts]
    for line in zip_longest(*parts, fillvalue=""):
        text = Text()
        for place, (piece, column, entry) in enumerate(zip(line, laid.table.columns, entries, strict=True)):
            text.append(" " * (GAP if place else 0))
            text.append(_aligned(piece, column, laid.widths[place]), STYLES[entry.tone])
        yield text


def _aligned(text: str, column: Column, width: int) -> str:
    space = " " * (width - cell_len(text))
    return space + text if column.align in ("right", "marked") or not text.strip() else text + space
