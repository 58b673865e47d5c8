"""A map as a page."""

from forgetmap.measure.map import Map
from forgetmap.pages.blocks import Page, Section, Sentences
from forgetmap.pages.grid import grid
from forgetmap.pages.single import single


def map_page(map: Map, *, by: str | None = None, everything: bool = False) -> Page:
    """What one comparison, or several, have to say; `by` chooses the rows, `everything` shows each domain."""
    if not map.comparisons or not map.cells:
        return [Section("", [Sentences(["The map is empty: nothing was compared."])])]
    if len(map.comparisons) == 1:
        return single(map, map.comparisons[0], by=by, everything=everything)
    return grid(map, by=by, everything=everything)
