"""A spec drawn as SVG: text that any browser, slide or paper takes, with light and dark colours of its own."""

from collections.abc import Iterator
from functools import singledispatch
from xml.sax.saxutils import escape, quoteattr

from forgetmap.charts.spec import SHADES, Dot, Line, Mark, Rect, Shape, Spec, Text
from forgetmap.measure.visible import visible

# Vermilion and blue are told apart by every kind of colour vision; shades mix the full colour with the page.
LIGHT = {
    "paper": "#ffffff",
    "ink": "#1c1f23",
    "muted": "#646b75",
    "grid": "#e3e6ea",
    "axis": "#9aa1ab",
    "loss": "#c8450c",
    "gain": "#1b66b5",
    "luck": "#b9bec6",
    "noise": "#7a6a2f",
    "unanswered": "#8a5bb0",
    "on": "#ffffff",
}
DARK = {
    "paper": "#14171b",
    "ink": "#e8eaed",
    "muted": "#9aa3ae",
    "grid": "#2a2f36",
    "axis": "#6a727d",
    "loss": "#f0763e",
    "gain": "#6aaeee",
    "luck": "#5b636e",
    "noise": "#c9b35a",
    "unanswered": "#bb93dc",
    "on": "#14171b",
}
MIX = (0, 10, 20, 34, 50, 66, 100)
"""Per cent of the full colour in each shade."""
DARK_INK_UP_TO = 5
"""Shades on which the page's ink is read; on the deepest, text takes the colour made for it. Contrast is 4.5 or more on all."""
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'


def svg(spec: Spec, *, standalone: bool = True) -> str:
    """The chart as one `<svg>`; alone it brings its style with it, within a page it takes the page's (`style()`)."""
    shown = "".join(_drawn(spec))
    name, says = escape(visible(spec.title)), escape(visible(spec.says))
    own = f"<style>{style()}</style>" if standalone else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" viewBox="0 0 {_n(spec.width)} {_n(spec.height)}" '
        f'width="{_n(spec.width)}" height="{_n(spec.height)}" aria-label={quoteattr(visible(f"{spec.title}. {spec.says}"))}>'
        f"<title>{name}</title><desc>{says}</desc>{own}{_HATCH if 'hatch' in shown else ''}{shown}</svg>"
    )


def style() -> str:
    """The rules that give roles their colours, light and dark."""
    names = {role: f"var(--{role})" for role in LIGHT}
    rules = [
        f":root{{{_values(LIGHT)}}}",
        f"@media(prefers-color-scheme:dark){{:root{{{_values(DARK)}}}}}",
        f".chart text{{font-family:{FONT};font-variant-numeric:tabular-nums}}",
        *(f".chart .{role}{{--c:{colour}}}" for role, colour in names.items() if role != "on"),
        ".chart rect,.chart circle,.chart .area{fill:var(--c)}",
        ".chart line,.chart .path{stroke:var(--c);fill:none;stroke-width:1.5}",
        ".chart text{fill:var(--c)}",
        ".chart .faint{opacity:.16}.chart .dashed{stroke-dasharray:3 3}.chart .clear{opacity:0}",
        ".chart .hollow{fill:var(--paper);stroke:var(--c);stroke-width:1.5}",
        ".chart .grid,.chart .axis{stroke-width:1}.chart .strong{font-weight:600}",
        *(f".chart .s{n}{{fill:color-mix(in oklab,var(--c) {MIX[n]}%,var(--paper))}}" for n in range(1, SHADES + 1)),
        ".chart .on{--c:var(--on)}",
        ".chart rect.paper{stroke:var(--grid)}.chart .hatch{fill:url(#hatch);pointer-events:none}",
    ]
    return "".join(rules)


def _values(colours: dict[str, str]) -> str:
    return "".join(f"--{role}:{colour};" for role, colour in colours.items())


_HATCH = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="muted" width="1.5" height="6" opacity=".45"/></pattern></defs>'
)


def _drawn(spec: Spec) -> Iterator[str]:
    for mark in spec.marks:
        yield _one(mark)


@singledispatch
def _one(mark: Mark) -> str:
    raise TypeError(f"no such mark: {mark!r}")


@_one.register
def _rect(mark: Rect) -> str:
    place = f'x="{_n(mark.x)}" y="{_n(mark.y)}" width="{_n(mark.width)}" height="{_n(mark.height)}" rx="2"'
    shade = f" s{mark.shade}" if mark.shade else ""
    box = _tag("rect", f'class="{mark.role}{shade}" {place}', mark.title)
    return box + (f'<rect {place} class="hatch"/>' if mark.hatched else "")


@_one.register
def _line(mark: Line) -> str:
    place = f'x1="{_n(mark.x1)}" y1="{_n(mark.y1)}" x2="{_n(mark.x2)}" y2="{_n(mark.y2)}"'
    return _tag("line", f'class="{mark.role}{" dashed" * mark.dashed}" {place}', mark.title)


@_one.register
def _shape(mark: Shape) -> str:
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in mark.points)
    kind = "area" if mark.faint else "path"
    name = "polygon" if mark.closed else "polyline"
    return _tag(name, f'class="{mark.role} {kind}{" faint" * mark.faint}" points="{points}"', mark.title)


@_one.register
def _dot(mark: Dot) -> str:
    place = f'cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{_n(mark.radius)}"'
    return _tag("circle", f'class="{mark.role}{" hollow" * mark.hollow}" {place}', mark.title)


@_one.register
def _text(mark: Text) -> str:
    deep = mark.on > DARK_INK_UP_TO
    names = f"{mark.role}{' strong' * mark.strong}{' on' * deep}"
    place = f'x="{_n(mark.x)}" y="{_n(mark.y)}" font-size="{mark.size}"'
    anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
    said = f"<title>{escape(visible(mark.title))}</title>" if mark.title and mark.title != mark.text else ""
    return f'<text class="{names}" {place}{anchor}>{said}{escape(visible(mark.text))}</text>'


def _tag(name: str, attributes: str, title: str | None) -> str:
    if title is None:
        return f"<{name} {attributes}/>"
    return f"<{name} {attributes}><title>{escape(visible(title))}</title></{name}>"


def _n(value: float) -> str:
    """A place in as few digits as are seen.

    >>> _n(12.0), _n(3.14159)
    ('12', '3.1')
    """
    return f"{value:.1f}".removesuffix(".0")
