"""Pages as HTML: the sections, sentences and tables that a terminal shows. Text is escaped, and what would not print is made visible."""

from collections.abc import Iterable, Iterator
from html import escape

from forgetmap.measure.visible import visible
from forgetmap.pages.blocks import Bullets, Command, Entry, Page, Part, Section, Sentences, Table, Tone

_TONES: dict[Tone, str] = {"bad": "loss-ink", "good": "gain-ink", "dim": "quiet", "strong": "strong", "plain": ""}


def said(text: str) -> str:
    """Text from anywhere, as text in HTML.

    >>> said("a <b>\\x1b")
    'a &lt;b&gt;␛'
    """
    return escape(visible(text))


def html(page: Page, *, level: int = 3) -> str:
    """Sections one below the other, their titles as headings of a level."""
    return "".join(part for section in page for part in _section(section, level))


def _section(section: Section, level: int) -> Iterator[str]:
    if section.title:
        yield f"<h{level}>{said(section.title)}</h{level}>"
    yield from map(part_html, section.parts)


def part_html(part: Part) -> str:
    """One part of a section."""
    match part:
        case Table():
            return _table(part)
        case Bullets(lines):
            return f'<ul class="said">{"".join(f"<li>{said(line)}</li>" for line in lines)}</ul>'
        case Command(words, line):
            return f'<p>{said(words)}</p><code class="command" tabindex="0">{said(line)}</code>'
        case Sentences(lines, tone):
            return paragraphs(lines, _TONES[tone])


def paragraphs(lines: Iterable[str], kind: str = "") -> str:
    """Lines of prose, each a paragraph."""
    named = f' class="{kind}"' if kind else ""
    return "".join(f"<p{named}>{said(line)}</p>" for line in lines)


def _table(table: Table) -> str:
    heads = "".join(
        f'<th scope="col"{"" if column.align == "left" else " class=number"}>{said(column.title)}</th>'
        for column in table.columns
    )
    body = "".join(_row(table, row) for row in table.rows)
    return f'<div class="wide" tabindex="0"><table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'


def _row(table: Table, row: tuple[Entry, ...]) -> str:
    first, *others = row
    cells = "".join(
        f'<td class="{_TONES[entry.tone]}{"" if column.align == "left" else " number"}">{said(entry.text)}</td>'
        for entry, column in zip(others, table.columns[1:], strict=True)
    )
    return f'<tr><th scope="row">{said(first.text)}</th>{cells}</tr>'
