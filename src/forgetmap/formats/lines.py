"""Bytes, lines and JSON of log files, plain or .gz, with one sentence for whatever is wrong with them."""

import gzip
import json
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import orjson

from forgetmap.errors import FormatError
from forgetmap.records.schema import Problem

BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_BLOCK = 1 << 20
_BUFFER = 1 << 17
"""Log lines are long: with the usual 8 kB a line takes several reads."""
DAMAGED = (EOFError, OSError, zlib.error)
"""What reading a damaged gzip file raises."""


def open_bytes(path: Path) -> IO[bytes]:
    """Open a plain or gzip-compressed file, told apart by content."""
    file = _open(path)
    if file.read(2) == _GZIP:
        file.close()
        return gzip.open(path, "rb")  # type: ignore[return-value]
    if path.suffix == ".gz":
        file.close()
        raise FormatError(f"{path} ends in .gz but is not gzip-compressed: rename it, or fetch it again.")
    file.seek(0)
    return file


def _open(path: Path) -> IO[bytes]:
    try:
        return path.open("rb", buffering=_BUFFER)
    except OSError as error:
        raise FormatError(f"{path} cannot be opened: {error.strerror or error}.") from error


def open_seekable(path: Path, problems: list[Problem]) -> IO[bytes]:
    """The same where any place of the file will be asked for: what is compressed is first unpacked into a temporary file."""
    file = open_bytes(path)
    if not isinstance(file, gzip.GzipFile):
        return file
    unpacked: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    with file:
        try:
            while block := file.read1(_BLOCK):
                unpacked.write(block)
        except DAMAGED as error:
            problems.append(damage(path, error))
    unpacked.seek(0)
    return unpacked


def damage(path: Path, error: Exception) -> Problem:
    """A gzip file that cannot be read to its end."""
    return Problem(path.name, f"the compressed data is damaged or cut off; only what stands before is read ({error})")


def text_lines(path: Path, problems: list[Problem]) -> Iterator[tuple[int, str]]:
    """Number (from 1) and text of each line of a plain or .gz file, without line end (of Windows too) and byte order mark.

    A line that is not UTF-8, and the rest of a damaged gzip file, become problems.
    """
    with open_bytes(path) as file:
        lines = enumerate(file, start=1)
        while True:
            try:
                number, line = next(lines)
            except StopIteration:
                return
            except DAMAGED as error:
                problems.append(damage(path, error))
                return
            try:
                yield number, line.removeprefix(BOM if number == 1 else b"").rstrip(b"\r\n").decode()
            except UnicodeDecodeError:
                problems.append(Problem(place(path.name, number), "is not UTF-8 text"))


def place(name: str, number: int, unit: str = "line") -> str:
    """Where a line, or another part of a file, stands, in words."""
    return f"{name} {unit} {number}"


def parse_json(raw: bytes) -> Any:
    """One JSON value; NaN, Infinity and very large numbers pass, half characters (lone surrogates) do not.

    Raises ValueError with what is wrong as its message, fit to follow "line 7".

    >>> parse_json(b'{"score": NaN}')
    {'score': nan}
    >>> parse_json(b'{"score": ')
    Traceback (most recent call last):
    ValueError: is not whole JSON
    """
    try:
        return orjson.loads(raw)
    except ValueError:
        return _parse_leniently(raw.removeprefix(BOM))


def _parse_leniently(raw: bytes) -> Any:
    try:
        value = json.loads(raw.decode())
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8 text") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    except ValueError:
        raise ValueError("is not whole JSON") from None
    if b"\\u" in raw and not _encodes(value):
        raise ValueError("holds half a character (a lone surrogate)")
    return value


def _encodes(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def to_json(value: Any) -> str | None:
    """Plain data as one JSON text with its names sorted; null where it is no plain data."""
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return None
