"""What a page says of a map: the headline, the packed numbers with their sentences, the charts, and what stands against them."""

from collections.abc import Iterator
from typing import Any

from forgetmap.charts.hidden import hidden
from forgetmap.charts.radar import radar
from forgetmap.charts.spec import Spec
from forgetmap.charts.split import split
from forgetmap.charts.svg import svg
from forgetmap.charts.trade import trade
from forgetmap.front.blocks import said
from forgetmap.front.facts import facts
from forgetmap.measure.labels import Labels, at, cells_of, most_forgotten_first
from forgetmap.measure.map import Map
from forgetmap.measure.visible import visible
from forgetmap.measure.words import estimate
from forgetmap.pages.blocks import Page, Section, Sentences
from forgetmap.pages.doubts import doubts
from forgetmap.pages.flags import flags
from forgetmap.pages.headline import headline

DRAWN_FOR = 3
"""Comparisons up to which each has its charts in the page; of more, one chart shows all."""


def lead(map: Map) -> list[str]:
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


def data(map: Map) -> dict[str, Any]:
    """What the script draws: numbers, sentences on each comparison, charts."""
    found = facts(map) | {"charts": _charts(map)}
    for pair, told in zip(map.comparisons, found["pairs"], strict=True):
        told["said"] = [visible(line) for line in headline(cells_of(map, pair))]
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


def against(map: Map) -> Page:
    """What keeps a reader from believing the numbers."""
    labels, several = Labels(map.cells), len(map.comparisons) > 1
    shown = [cell for cell in map.cells if cell.level in ("all", "category")]
    found = [*flags(map), *doubts(map.cells, shown, labels, several=several)]
    return found or [Section("", [Sentences(["Nothing stands against these numbers that the logs would tell."])])]
