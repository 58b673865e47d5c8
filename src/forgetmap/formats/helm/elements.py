"""The entries of a large JSON file one after another: those of a list at the top, or of the lists in an object at the top.

Only a window of the file is in memory, so a file of any size takes as much as its largest entry.
"""

import json
import re
from collections.abc import Iterator
from typing import IO, NamedTuple

_BLOCK = 1 << 18
_WHITE = " \t\r\n"
_CLOSED = tuple('"[{')
"""What begins a value that says itself where it ends."""
_SIGN = re.compile(r"[\s,:\]}]")
_decode = json.JSONDecoder().raw_decode


class Part(NamedTuple):
    """One entry of a list, or one value of the object at the top."""

    key: str | None
    """Where it stands in the object at the top; null where the top is a list."""
    number: int | None
    """Its place in a list, from 1; null where it is no entry of one."""
    start: int
    """Where its bytes begin in the file."""
    raw: bytes


def parts(file: IO[bytes]) -> Iterator[Part]:
    """Every entry as it stands in the file; ValueError behind the last whole one where the file is cut off or is no JSON."""
    window = _Window(file)
    first = window.peek()
    if first == "[":
        yield from _entries(window, None)
    elif first == "{":
        yield from _values(window)
    else:
        raise ValueError("holds neither a JSON list nor an object")
    if window.peek():
        raise ValueError("holds more than one JSON value")


def _values(window: "_Window") -> Iterator[Part]:
    for _ in _until(window, "}"):
        key = json.loads(window.value().raw)
        window.take(":")
        if not isinstance(key, str):
            raise ValueError("is not whole JSON")
        if window.peek() == "[":
            yield from _entries(window, key)
        else:
            yield window.value()._replace(key=key)


def _entries(window: "_Window", key: str | None) -> Iterator[Part]:
    for number in _until(window, "]"):
        yield window.value()._replace(key=key, number=number)


def _until(window: "_Window", end: str) -> Iterator[int]:
    """Counts what stands between an opening sign and `end`, with commas between."""
    window.skip()
    number = 0
    if window.peek() == end:
        window.skip()
        return
    while True:
        number += 1
        yield number
        if window.peek() == end:
            window.skip()
            return
        window.take(",")


class _Window:
    """The part of a file that is looked at. Bytes are read as Latin-1, where each is one character and the signs of JSON are themselves."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._text = file.read(_BLOCK).decode("latin-1").removeprefix("\xef\xbb\xbf")
        self._begins = file.tell() - len(self._text)
        self._at = 0

    def peek(self) -> str:
        """The next sign; empty at the end of the file."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _WHITE:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def skip(self) -> None:
        self._at += 1

    def take(self, sign: str) -> None:
        if self.peek() != sign:
            raise ValueError("is cut off" if not self.peek() else "is not whole JSON")
        self.skip()

    def value(self) -> Part:
        """One value; ValueError where there is none that is whole."""
        end = self._end_of_word() if self.peek() not in _CLOSED else self._end_of_closed()
        start, self._at = self._at, end
        return Part(None, None, self._begins + start, self._text[start:end].encode("latin-1"))

    def _end_of_closed(self) -> int:
        """Where a text, a list or an object ends. One that is not whole may only reach beyond the window."""
        while True:
            try:
                return _decode(self._text, self._at)[1]
            except RecursionError:
                raise ValueError("is nested too deeply") from None
            except ValueError:
                if not self._more():
                    raise ValueError("is cut off or not whole JSON") from None

    def _end_of_word(self) -> int:
        """Where a number, true, false or null ends: before the next sign, for any part of a number is one too."""
        while (found := _SIGN.search(self._text, self._at)) is None and self._more():
            pass
        end = found.start() if found else len(self._text)
        try:
            json.loads(self._text[self._at : end])
        except ValueError:
            raise ValueError("is cut off or not whole JSON") from None
        return end

    def _more(self) -> bool:
        """Read on, as much again as is kept; false at the end of the file."""
        kept = self._text[self._at :]
        block = self._file.read(max(_BLOCK, len(kept)))
        if block:
            self._begins += self._at
            self._text, self._at = kept + block.decode("latin-1"), 0
        return bool(block)
