"""A map as one HTML file: what is said of it, its packed numbers, and the page that draws them. It asks nobody for anything."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Any

from forgetmap.front.assets import script, style
from forgetmap.front.blocks import html, paragraphs, said
from forgetmap.front.told import against, data, lead
from forgetmap.measure.map import Map
from forgetmap.report.samples import Samples, packed_json
from forgetmap.report.words import TERMS, again, methods, next_steps

ASSETS = Path(__file__).parent / "assets"


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
    first, *others = lead(map)
    drawing, look = _script(), _style()
    return Template((ASSETS / "page.html").read_text("utf-8")).substitute(
        title=said(title),
        version=said(map.version),
        headline=said(first),
        lead=paragraphs(others),
        doubts=html(against(map)),
        next=html(next_steps(map, study)),
        terms="".join(f"<dt>{said(term)}</dt><dd>{said(words)}</dd>" for term, words in TERMS.items()),
        methods=html(methods()),
        again=html(again(map, command)),
        data=packed_json(_data(map, kept)),
        chunks="".join(
            f'<script type="application/octet-stream" id="items-{place}">{found.chunk}</script>'
            for place, found in kept.items()
            if found.chunk
        ),
        script=drawing,
        style=look,
        script_hash=_hash(drawing),
        style_hash=_hash(look),
    )


def _data(map: Map, kept: Mapping[int, Samples]) -> dict[str, Any]:
    found = data(map)
    for place, about in kept.items():
        found["pairs"][place]["items"] = {"chunk": f"items-{place}" if about.chunk else "", "total": about.total}
    return found


@cache
def _script() -> str:
    return script(ASSETS / "embedded.js")


@cache
def _style() -> str:
    return style()


def _hash(text: str) -> str:
    """How a content security policy names a text that it allows."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
