"""A map as one HTML file: what is said of it, its packed numbers, and the page that draws them. It asks nobody for anything."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template

from forgetmap.charts.hidden import hidden
from forgetmap.charts.radar import radar
from forgetmap.charts.spec import Spec
from forgetmap.charts.split import split
from forgetmap.charts.svg import style as chart_style
from forgetmap.charts.svg import svg
from forgetmap.charts.trade import trade
from forgetmap.measure.labels import Labels, at, cells_of, most_forgotten_first
from forgetmap.measure.map import Map
from forgetmap.measure.visible import visible
from forgetmap.measure.words import estimate
from forgetmap.pages.blocks import Page, Section, Sentences
from forgetmap.pages.doubts import doubts
from forgetmap.pages.flags import flags
from forgetmap.pages.headline import headline
from forgetmap.report.blocks import html, paragraphs, said
from forgetmap.report.facts import facts
from forgetmap.report.samples import Samples, packed_json
from forgetmap.report.words import again, methods, next_steps, terms

ASSETS = Path(__file__).parent / "assets"
_COMMENTS = re.compile(r"^ *\/\*.*?\*\/ *$", re.DOTALL | re.MULTILINE)
DRAWN_FOR = 3
"""Comparisons up to which each has its charts in the page; of more, one chart shows all."""


def page(
    map: Map, *, samples: Mapping[int, Samples] | None = None, command: Sequence[str] = (), study: str | None = None
) -> str:
    """The whole file; `samples` are the lost items of some comparisons, by their place in the map."""
    kept = samples or {}
    title = (
        "What was forgotten: " + ", ".join(pair.after for pair in map.comparisons[:3])
        if map.comparisons
        else "An empty map"
    )
    first, *others = _headline(map)
    script, style = _script(), _style()
    return Template((ASSETS / "page.html").read_text("utf-8")).substitute(
        title=said(title),
        version=said(map.version),
        headline=said(first),
        lead=paragraphs(others),
        doubts=html(_doubts(map)),
        next=html(next_steps(map, study)),
        terms="".join(f"<dt>{said(term)}</dt><dd>{said(words)}</dd>" for term, words in terms().items()),
        methods=html(methods()),
        again=html(again(map, command)),
        data=packed_json(_data(map, kept)),
        chunks="".join(
            f'<script type="application/octet-stream" id="items-{place}">{found.chunk}</script>'
            for place, found in kept.items()
            if found.chunk
        ),
        script=script,
        style=style,
        script_hash=_hash(script),
        style_hash=_hash(style),
    )


def _headline(map: Map) -> list[str]:
    """The first line is the title: what the reader should take away."""
    if not map.comparisons:
        return ["Nothing was compared."]
    if len(map.comparisons) == 1:
        return headline(map.cells) or ["Nothing can be said of this comparison."]
    known = [cell for cell in most_forgotten_first(at(map.cells, "all")) if cell.forgetting is not None]
    since = f" since {map.comparisons[0].before}" if len({pair.before for pair in map.comparisons}) == 1 else ""
    if not known:
        return [f"{len(map.comparisons)} comparisons{since}: how much was forgotten cannot be said."]
    most, least = known[0], known[-1]
    return [
        f"Of {len(map.comparisons)} checkpoints{since}, {most.after} forgot most: {estimate(most.forgetting, ' %')} of the items.",
        f"{least.after} forgot least: {estimate(least.forgetting, ' %')}.",
    ]


def _data(map: Map, kept: Mapping[int, Samples]) -> dict[str, object]:
    found = facts(map) | {"charts": _charts(map)}
    for place, (pair, told) in enumerate(zip(map.comparisons, found["pairs"], strict=True)):
        told["said"] = [visible(line) for line in headline(cells_of(map, pair))]
        about = kept.get(place)
        if about is not None:
            told["items"] = {"chunk": f"items-{place}" if about.chunk else "", "total": about.total}
    return found


def _charts(map: Map) -> str:
    """The charts that fit the number of comparisons; nothing for an empty map."""
    return "".join(
        f"<figure><figcaption>{said(spec.title)}</figcaption>{svg(spec, standalone=False)}</figure>"
        for spec in _specs(map)
    )


def _specs(map: Map) -> Iterator[Spec]:
    if len(map.comparisons) > 1:
        yield trade(map)
    if 0 < len(map.comparisons) <= DRAWN_FOR:
        for pair in map.comparisons:
            yield from (chart(map, after=pair.after) for chart in (hidden, split, radar))


def _doubts(map: Map) -> Page:
    labels, several = Labels(map.cells), len(map.comparisons) > 1
    shown = [cell for cell in map.cells if cell.level in ("all", "category")]
    found = [*flags(map), *doubts(map.cells, shown, labels, several=several)]
    return found or [Section("", [Sentences(["Nothing stands against these numbers that the logs would tell."])])]


@cache
def _script() -> str:
    """The script without its comments and indents, which nobody reads here."""
    lines = (line.strip() for line in _COMMENTS.sub("", (ASSETS / "app.js").read_text("utf-8")).splitlines())
    return "\n".join(line for line in lines if line)


@cache
def _style() -> str:
    """The style without the blanks that mean nothing in it."""
    own = re.sub(r"\s*([{};,])\s*", r"\1", (ASSETS / "style.css").read_text("utf-8"))
    return chart_style() + own.replace(": ", ":")


def _hash(text: str) -> str:
    """How a content security policy names a text that it allows."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
