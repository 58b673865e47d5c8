"""Text in a chart: how wide it is, and as much of it as fits."""

import unicodedata

WIDE = "WF"
_NARROW, _BROAD = "ijltfrI.,:;|!'()[] ", "mwMW%@—…"


def width(text: str, size: float = 12) -> float:
    """About how wide a line of text is in a plain sans-serif; East Asian signs are as wide as high.

    >>> width("ill") < width("sum") < width("MMM") < width("模型型")
    True
    """
    return size * sum(_share(sign) for sign in text)


def _share(sign: str) -> float:
    if unicodedata.combining(sign) or unicodedata.category(sign) == "Cf":
        return 0.0
    if unicodedata.east_asian_width(sign) in WIDE:
        return 1.0
    return 0.32 if sign in _NARROW else 0.86 if sign in _BROAD else 0.66 if sign.isupper() else 0.56


def fitted(text: str, room: float, size: float = 12) -> str:
    """The text, or its beginning and end with … between, so that it is at most `room` wide.

    >>> fitted("short", 100), fitted("reasoning_about_colored_objects", 100)
    ('short', 'reasoning…bjects')
    """
    if width(text, size) <= room:
        return text
    for kept in range(len(text) - 1, 1, -1):
        head = kept - kept * 2 // 5
        cut = text[:head] + "…" + text[len(text) - (kept - head) :]
        if width(cut, size) <= room:
            return cut
    return "…"
