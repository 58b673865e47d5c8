"""Values of a log that may be anything: each as the kind wanted, or nothing."""

from collections.abc import Iterator, Mapping
from typing import Any

_ATTACHED = "attachment://"


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def whole(value: Any) -> int | None:
    """A whole number that fits a column; true and false are none."""
    fits = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 31
    return int(value) if fits else None


def said(content: Any, attachments: Mapping[str, Any]) -> str | None:
    """The text of a message: itself, or that of its parts; long texts lie in the sample's attachments.

    >>> said([{"type": "reasoning", "reasoning": "3+4"}, {"type": "text", "text": "7"}], {})
    '7'
    >>> said("attachment://a1", {"a1": "a long question"})
    'a long question'
    """
    parts = _parts(content, attachments, "text")
    return "\n".join(parts) if parts else None


def thought(content: Any, attachments: Mapping[str, Any]) -> str | None:
    """The reasoning among the parts of a message, where they tell it.

    >>> thought([{"type": "reasoning", "reasoning": "3+4"}, {"type": "text", "text": "7"}], {})
    '3+4'
    """
    parts = _parts(content, attachments, "reasoning") if isinstance(content, list) else []
    return "\n".join(parts) or None


def _parts(content: Any, attachments: Mapping[str, Any], kind: str) -> list[str]:
    if isinstance(content, str):
        return [_attached(content, attachments)]
    return list(_of_kind(listed(content), attachments, kind))


def _of_kind(parts: list[Any], attachments: Mapping[str, Any], kind: str) -> Iterator[str]:
    for part in map(mapping, parts):
        if part.get("type") == kind and isinstance(part.get(kind), str) and not part.get("redacted"):
            yield _attached(part[kind], attachments)


def _attached(content: str, attachments: Mapping[str, Any]) -> str:
    kept = attachments.get(content.removeprefix(_ATTACHED)) if content.startswith(_ATTACHED) else None
    return kept if isinstance(kept, str) else content
