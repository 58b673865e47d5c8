"""A file that is one JSON list, entry by entry, without holding it in memory.

Before 0.4.3 lm-eval wrote its samples so, whatever the file was called, and so did the first logs published on the Hub.
"""

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import IO, NamedTuple

from forgetmap.formats.lines import parse_json

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},"]', re.DOTALL)
_BEGIN = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*\{")
_HEAD = 1 << 12
BLOCK = 1 << 18


class Entry(NamedTuple):
    """The bytes of an entry, and where they begin."""

    offset: int
    raw: bytes
    end: str
    """What stands behind it: "," or "]", or "" where the file ends before the list does."""


def is_list(file: IO[bytes]) -> bool:
    """Whether a file is one list of objects, cut or whole; a list with more behind it is a line among others."""
    file.seek(0)
    head = file.read(_HEAD)
    found = _BEGIN.match(head) is not None and _first_is_whole(file) and (_is_spread(head) or not _more_behind(file))
    file.seek(0)
    return found


def first_of_list(file: IO[bytes], count: int) -> Iterator[bytes]:
    """The first entries of a file that begins like a list of objects."""
    file.seek(0)
    begins = _BEGIN.match(file.read(_HEAD)) is not None
    file.seek(0)
    return (entry.raw for entry in islice(entries(file), count if begins else 0))


def _first_is_whole(file: IO[bytes]) -> bool:
    file.seek(0)
    try:
        return isinstance(parse_json(next(entries(file)).raw), dict)
    except ValueError:
        return False


def _is_spread(head: bytes) -> bool:
    """Whether the list begins on a line of its own."""
    return head.lstrip().partition(b"\n")[0].rstrip().endswith(b"[")


def _more_behind(file: IO[bytes]) -> bool:
    file.seek(0)
    (last,) = deque(entries(file), maxlen=1)
    file.seek(last.offset + len(last.raw))
    return last.end == "]" and file.read(_HEAD).strip() != b"]"


def entries(file: IO[bytes]) -> Iterator[Entry]:
    """What stands between the commas of a list that a file begins with; blank where nothing does."""
    held, base, depth, start, at = b"", 0, 0, 0, 0
    while block := file.read(BLOCK):
        held, at = held[start:] + block, at - start
        base, start = base + start, 0
        for token in _TOKEN.finditer(held, at):
            mark, at = token[0], token.end()
            if mark == b'"':
                # The text goes on in the next block.
                at = token.start()
                break
            if depth == 1 and mark in (b",", b"]"):
                yield Entry(base + start, held[start : token.start()], mark.decode())
                start = at
                if mark == b"]":
                    return
            elif mark in (b"[", b"{"):
                depth += 1
                start = at if depth == 1 else start
            elif mark in (b"]", b"}"):
                depth -= 1
    yield Entry(base + start, held[start:], "")
