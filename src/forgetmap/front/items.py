"""Items as a page takes them: every sign of their texts can be seen, and none is endless."""

from typing import Any

from forgetmap.measure.lost import LostItem, Said
from forgetmap.measure.visible import visible
from forgetmap.taxonomy.place import Taxonomy

LONGEST = 20_000
"""Characters of one text that are kept."""


def told(item: LostItem, placed: Taxonomy) -> dict[str, Any]:
    """A lost item with both answers."""
    domain = item.domain or item.task
    return {
        "id": item.item_id,
        "native": cut(item.native_id),
        "task": visible(item.task),
        "domain": visible(domain),
        "category": visible(placed.place(item.task, item.domain)),
        "cause": item.cause,
        "question": cut(item.question),
        "choices": None if item.choices is None else [cut(choice) for choice in item.choices],
        "golds": [cut(gold) for gold in item.golds],
        "before": side(item.before),
        "after": side(item.after),
    }


def side(said: Said) -> dict[str, Any]:
    """One side's answer."""
    return {
        "outcome": said.outcome,
        "choice": cut(said.choice),
        "response": cut(said.response),
        "found": said.found,
        "draws": said.draws,
        "right": round(said.right, 3),
    }


def cut(text: str | None) -> str | None:
    """A text in which every sign is seen, its middle left out where it is very long."""
    if text is None:
        return None
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}\n… {len(text) - LONGEST:,} characters left out …\n{text[-LONGEST // 2 :]}"
    return visible(text, lines=True)
