"""Half characters (lone surrogates), which JSON logs can hold and UTF-8 cannot, spelled so that everyone sees them.

A lone surrogate becomes the replacement character and its code in braces; `unspell` gives it back, so that an item keeps its id.
"""

import re

MARK = "\ufffd{"
_HALF_OR_MARK = re.compile("[\ud800-\udfff]|\ufffd(?=\\{)")
_SPELLED = re.compile("\ufffd\\{([0-9a-f]{4})\\}")


def spell(text: str) -> str:
    """The text as UTF-8 can hold it.

    >>> spell("a\\ud83d") == "a\\ufffd{d83d}"
    True
    """
    return _HALF_OR_MARK.sub(lambda found: f"\ufffd{{{ord(found[0]):04x}}}", text)


def unspell(text: str) -> str:
    """The text as it was before `spell`, whatever it held.

    >>> unspell(spell("\\ufffd{d83d} \\ud83d")) == "\\ufffd{d83d} \\ud83d"
    True
    """
    return _SPELLED.sub(lambda found: chr(int(found[1], 16)), text) if MARK in text else text
