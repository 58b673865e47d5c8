"""How many items it takes, as a page."""

from collections.abc import Mapping

from forgetmap.measure.flat import percent
from forgetmap.pages.blocks import Bullets, Page, Section, Sentences
from forgetmap.stats.power import MOST_ITEMS, Plan


def power_page(plan: Plan, answer: Mapping[str, int | float | None]) -> Page:
    """The answer, and what it assumes."""
    said = _of_items(answer) if "items" in answer else _of_forgetting(answer)
    return [Section("", [Sentences(said)]), Section("Assumed", [Bullets(_assumed(plan))])]


def _of_forgetting(answer: Mapping[str, int | float | None]) -> list[str]:
    forgetting, excluded = percent(answer["forgetting"]), percent(answer["exclude"])
    return [
        f"To show a forgetting of {forgetting} %: {_items(answer['items_to_show'])}.",
        f"To exclude one of {excluded} % where {forgetting} % is true: {_items(answer['items_to_exclude'])}.",
    ]


def _of_items(answer: Mapping[str, int | float | None]) -> list[str]:
    return [
        f"The smallest forgetting that {_items(answer['items'])} show: {_share(answer['smallest_shown'])}.",
        f"The smallest they exclude where {percent(answer['forgetting'])} % is true: {_share(answer['smallest_excluded'])}.",
    ]


def _items(items: float | None) -> str:
    """
    >>> _items(1200), _items(None)
    ('1,200 items', 'more than 1,000,000,000 items')
    """
    return f"more than {MOST_ITEMS:,} items" if items is None else f"{items:,} items"


def _share(share: float | None) -> str:
    """
    >>> _share(0.0213), _share(None)
    ('2.13 %', 'none, not even of all that is known')
    """
    return "none, not even of all that is known" if share is None else f"{100 * share:.2f} %"


def _assumed(plan: Plan) -> list[str]:
    options = "open answers" if plan.k is None else f"{plan.k} options, one of them right"
    lines = [
        f"{options}; {percent(plan.known)} % known before, nothing gained, every draw answered, items independent",
        f"the {percent(plan.confidence)} % interval, in {percent(plan.power)} % of all studies",
        f"{plan.draws} {'draw' if plan.draws == 1 else 'draws'} of each item on each side",
    ]
    if plan.k is not None:
        lines.append(
            f"a second guess repeats the first in {percent(plan.repeated_luck)} % of the cases, by a habit of the item"
        )
    if plan.noise:
        lines.append(
            f"{percent(plan.noise)} % of the items are known and yet lost from draw to draw; this share is taken as known, "
            "and to show is to stand clear of it"
        )
    return lines
