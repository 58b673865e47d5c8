"""Samples and where they stand, those of one content together."""

from typing import NamedTuple

from forgetmap.formats.lines import to_json
from forgetmap.formats.lm_eval.requests import Entry


class Placed(NamedTuple):
    """A sample and its position."""

    position: int
    entry: Entry


def by_content(placed: list[Placed]) -> list[list[Placed]]:
    """Several items may stand under one doc_id where logs were joined or ids are wrong: they are told apart by content."""
    groups: dict[str, list[Placed]] = {}
    for one in placed:
        groups.setdefault(_content_key(one.entry), []).append(one)
    return [groups[key] for key in sorted(groups)]


def _content_key(entry: Entry) -> str:
    named = entry.get("doc_hash")
    return named if isinstance(named, str) else to_json(entry.get("doc")) or ""
