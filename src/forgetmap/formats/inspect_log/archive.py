"""Members of a zip file one by one: stored, deflated, or Zstandard (method 93), which zipfile itself cannot open."""

import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa

from forgetmap.errors import FormatError
from forgetmap.formats.lines import DAMAGED, parse_json

_ZSTANDARD = 93
_LOCAL = struct.Struct("<4s22sHH")
"""The head of a member in place: its mark, what the directory says too, and how long its name and extra field are."""
_BROKEN = (zipfile.BadZipFile, struct.error, *DAMAGED)


def members(path: Path) -> dict[str, zipfile.ZipInfo]:
    """What the directory of a zip file lists, by name; FormatError where the file is cut off or damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {entry.filename: entry for entry in archive.infolist()}
    except (*_BROKEN, NotImplementedError, ValueError) as error:
        raise FormatError(
            f"{path} should be a log of Inspect in a zip file, but it is cut off or damaged ({error}): fetch it again."
        ) from error


def member_json(path: Path, member: zipfile.ZipInfo) -> Any:
    """What one member holds; ValueError with what is wrong, fit to follow its name."""
    try:
        content = _content(path, member)
    except _BROKEN as error:
        raise ValueError(f"is damaged or cut off ({error})") from error
    if len(content) != member.file_size or zlib.crc32(content) != member.CRC:
        raise ValueError("is damaged: its checksum is another")
    return parse_json(content)


def _content(path: Path, member: zipfile.ZipInfo) -> bytes:
    packed = _packed(path, member)
    if member.compress_type == zipfile.ZIP_STORED:
        return packed
    if member.compress_type == zipfile.ZIP_DEFLATED:
        return zlib.decompress(packed, -zlib.MAX_WBITS)
    if member.compress_type == _ZSTANDARD:
        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
            return bytes(stream.read())
    raise ValueError(f"is compressed in a way that is not known here (zip method {member.compress_type})")


def _packed(path: Path, member: zipfile.ZipInfo) -> bytes:
    """The bytes of a member as they lie in the file."""
    if member.flag_bits & 1:
        raise ValueError("is locked with a password")
    with path.open("rb") as file:
        file.seek(member.header_offset)
        mark, _, name, extra = _LOCAL.unpack(file.read(_LOCAL.size))
        if mark != b"PK\x03\x04":
            raise ValueError("is damaged: it does not stand where the directory of the zip file says")
        file.seek(name + extra, 1)
        packed = file.read(member.compress_size)
    if len(packed) != member.compress_size:
        raise ValueError("is cut off")
    return packed
