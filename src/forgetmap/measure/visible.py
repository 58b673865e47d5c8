"""Text from logs may hold anything: escape sequences, marks that turn the line around, line ends in a name. Here it becomes harmless."""

import unicodedata

_JOINERS = "\u200c\u200d"
"""Needed to write Persian, Hindi and many emoji; they cannot move the cursor or turn a line."""


def visible(text: str, *, lines: bool = False) -> str:
    """The same text with every sign that would not print replaced by one that does; with `lines` its line ends and tabs stay.

    >>> visible("red \\x1b[31m, end of line \\n, turned \\u202e")
    'red ␛[31m, end of line ␊, turned \\\\u202e'
    >>> visible("one\\r\\n\\ttwo", lines=True)
    'one\\n    two'
    """
    if text.isprintable():
        return text
    if lines:
        text = text.replace("\r\n", "\n").expandtabs(4)
    return "".join(sign if sign.isprintable() else _shown(sign, lines) for sign in text)


def _shown(sign: str, lines: bool) -> str:
    code = ord(sign)
    if sign in _JOINERS or unicodedata.category(sign) == "Zs" or (lines and sign == "\n"):
        return sign
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
