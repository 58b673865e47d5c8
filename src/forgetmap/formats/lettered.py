"""Options that a question shows on lines of its own: "(A) this", "(A). this", or "- this" below "Options:"."""

import re
from collections.abc import Sequence
from string import ascii_uppercase
from typing import NamedTuple

_LETTERED = re.compile(r"\s*\(([A-Z])\)[.:]?\s*(.*)")
_DASHED = re.compile(r"\s*-\s+(.*\S)\s*")
_ASKS = re.compile(r"\s*(?:answer|a)\s*:\s*", re.IGNORECASE)
_ANNOUNCED = re.compile(r"\s*(?:answer )?(?:options|choices)\s*:\s*", re.IGNORECASE)


class Shown(NamedTuple):
    """A question without its options, and these in the order shown (none where it shows none)."""

    question: str
    options: tuple[str, ...]


def shown(text: str) -> Shown:
    """Take the last block of options off a question.

    >>> shown("Which day?\\nOptions:\\n(A) Monday\\n(B) Friday")
    Shown(question='Which day?', options=('Monday', 'Friday'))
    >>> shown("Is it valid?\\nOptions:\\n- valid \\n- invalid")
    Shown(question='Is it valid?', options=('valid', 'invalid'))
    >>> shown("Sort: b a").options
    ()
    """
    lines = text.rstrip().split("\n")
    if _ASKS.fullmatch(lines[-1]):
        lines.pop()
    for start, options in ((_begin_lettered(lines), _lettered(lines)), _dashed(lines)):
        if len(options) > 1:
            head = lines[:start]
            if head and _ANNOUNCED.fullmatch(head[-1]):
                head.pop()
            return Shown("\n".join(head).strip(), options)
    return Shown(text.strip(), ())


def _begin_lettered(lines: Sequence[str]) -> int:
    starts = [number for number, line in enumerate(lines) if (found := _LETTERED.match(line)) and found[1] == "A"]
    return starts[-1] if starts else len(lines)


def _lettered(lines: Sequence[str]) -> tuple[str, ...]:
    """From the last A on, each letter behind the one before; a line without a letter goes on with its option."""
    texts: list[str] = []
    for line in lines[_begin_lettered(lines) :]:
        found = _LETTERED.match(line)
        if found and len(texts) < len(ascii_uppercase) and found[1] == ascii_uppercase[len(texts)]:
            texts.append(found[2].strip())
        elif line.strip() and not found:
            texts[-1] = f"{texts[-1]}\n{line.strip()}"
        else:
            break
    return tuple(texts) if all(texts) else ()


def _dashed(lines: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    announced = [number for number, line in enumerate(lines) if _ANNOUNCED.fullmatch(line)]
    if not announced:
        return len(lines), ()
    found = [_DASHED.fullmatch(line) for line in lines[announced[-1] + 1 :]]
    if not all(found):
        return len(lines), ()
    return announced[-1] + 1, tuple([one[1] for one in found if one])
