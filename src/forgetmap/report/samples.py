"""Lost items with both answers, compressed, within a budget of bytes: what lies in a report besides its map."""

import gzip
from base64 import b64encode
from typing import Any, NamedTuple

import orjson

from forgetmap.front.items import told
from forgetmap.measure.map import Comparison, Map

SINGLE_FILE = 15_000_000
"""Bytes that the items of a report may take by default."""


class Samples(NamedTuple):
    """The lost items of one comparison that lie in the report."""

    chunk: str
    """Base64 of gzipped JSON: a list of items."""
    kept: int
    total: int


def samples(map: Map, pair: Comparison, budget: int) -> Samples:
    """As many lost items as fit, those lost most certainly first."""
    found = map.lost(pair.after, limit=10**9)
    every = [told(item, map.placed) for item in found]
    kept, packed = len(every), b64encode(_packed(every)).decode()
    while len(packed) > budget and kept:
        kept = min(kept - 1, int(kept * budget / len(packed) * 0.98))
        packed = b64encode(_packed(every[:kept])).decode()
    return Samples(packed if kept else "", kept, len(found))


def packed_json(value: Any) -> str:
    """A value as base64 of gzipped JSON, the same bytes every time."""
    return b64encode(_packed(value)).decode()


def _packed(value: Any) -> bytes:
    return gzip.compress(orjson.dumps(value), 9, mtime=0)
