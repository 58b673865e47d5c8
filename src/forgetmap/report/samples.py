"""Lost items with both answers, compressed, within a budget of bytes: what lies in a report besides its map."""

import gzip
from base64 import b64encode
from typing import Any, NamedTuple

import orjson

from forgetmap.measure.lost import LostItem, Said
from forgetmap.measure.map import Comparison, Map
from forgetmap.measure.visible import visible

SINGLE_FILE = 15_000_000
"""Bytes that the items of a report may take by default."""
LONGEST = 20_000
"""Characters of one text that are kept."""


class Samples(NamedTuple):
    """The lost items of one comparison that lie in the report."""

    chunk: str
    """Base64 of gzipped JSON: a list of items."""
    kept: int
    total: int


def samples(map: Map, pair: Comparison, budget: int) -> Samples:
    """As many lost items as fit, those lost most certainly first."""
    found = map.lost(pair.after, limit=10**9)
    told = [_told(map, item) for item in found]
    kept, packed = len(told), b64encode(_packed(told)).decode()
    while len(packed) > budget and kept:
        kept = min(kept - 1, int(kept * budget / len(packed) * 0.98))
        packed = b64encode(_packed(told[:kept])).decode()
    return Samples(packed if kept else "", kept, len(found))


def packed_json(value: Any) -> str:
    """A value as base64 of gzipped JSON, the same bytes every time."""
    return b64encode(_packed(value)).decode()


def _packed(value: Any) -> bytes:
    return gzip.compress(orjson.dumps(value), 9, mtime=0)


def _told(map: Map, item: LostItem) -> dict[str, Any]:
    domain = item.domain or item.task
    return {
        "id": item.item_id,
        "native": _cut(item.native_id),
        "task": visible(item.task),
        "domain": visible(domain),
        "category": visible(map.placed.place(item.task, item.domain)),
        "cause": item.cause,
        "question": _cut(item.question),
        "choices": None if item.choices is None else [_cut(choice) for choice in item.choices],
        "golds": [_cut(gold) for gold in item.golds],
        "before": _side(item.before),
        "after": _side(item.after),
    }


def _side(said: Said) -> dict[str, Any]:
    return {
        "outcome": said.outcome,
        "choice": _cut(said.choice),
        "response": _cut(said.response),
        "found": said.found,
        "draws": said.draws,
        "right": round(said.right, 3),
    }


def _cut(text: str | None) -> str | None:
    """A text in which every sign is seen, its middle left out where it is very long."""
    if text is None:
        return None
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}\n… {len(text) - LONGEST:,} characters left out …\n{text[-LONGEST // 2 :]}"
    return visible(text, lines=True)
