"""A page as GitHub writes it."""

import re
from collections.abc import Iterator

from forgetmap.measure.visible import visible
from forgetmap.pages.blocks import Bullets, Command, Page, Part, Table

_SIGNS = re.compile(r"([\\`*_<>|~])|(?<=\])\(")


def markdown(page: Page) -> str:
    """Headings, paragraphs, lists and tables; names from logs cannot become markup."""
    return "\n\n".join(block for section in page for block in _section(section.title, section.parts)) + "\n"


def _section(title: str, parts: list[Part]) -> Iterator[str]:
    if title:
        yield f"### {escaped(title)}"
    for part in parts:
        if isinstance(part, Table):
            yield "\n".join(_table(part))
        elif isinstance(part, Bullets):
            yield "\n".join(f"- {escaped(line)}" for line in part.lines)
        elif isinstance(part, Command):
            yield f"{escaped(part.said)}\n\n    {visible(part.line)}"
        else:
            yield "\n\n".join(escaped(line) for line in part.lines)


def escaped(text: str) -> str:
    """
    >>> print(escaped("a|b <i> [x](y) snake_case"))
    a\\|b \\<i\\> [x]\\(y) snake\\_case
    """
    return _SIGNS.sub(lambda found: "\\" + found[0], visible(text))


def _table(table: Table) -> Iterator[str]:
    yield _row([column.title for column in table.columns])
    yield _rule(table)
    yield from (_row([entry.text for entry in row]) for row in table.rows)


def _row(texts: list[str]) -> str:
    return "| " + " | ".join(map(escaped, texts)) + " |"


def _rule(table: Table) -> str:
    return "| " + " | ".join("---" if column.align == "left" else "---:" for column in table.columns) + " |"
