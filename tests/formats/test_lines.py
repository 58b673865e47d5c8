"""Lines and JSON of plain and compressed text files."""

import gzip
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap.errors import FormatError
from forgetmap.formats.lines import open_bytes, open_seekable, parse_json, text_lines
from forgetmap.records.schema import Problem


def write(folder: Path, content: bytes, name: str = "x.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_lines_come_without_their_ends_and_byte_order_mark(packed: bool, tmp_path: Path) -> None:
    content = b"\xef\xbb\xbfone\r\ntwo\n\n\xc3\xbc"
    path = write(tmp_path, gzip.compress(content) if packed else content)

    assert list(text_lines(path, [])) == [(1, "one"), (2, "two"), (3, ""), (4, "ü")]


@pytest.mark.parametrize("wrong", [b"\xff", b"\xed\xa0\x80", b"\xc3"])
def test_a_line_that_is_no_text_is_a_problem_and_the_others_come(wrong: bytes, tmp_path: Path) -> None:
    problems: list[Problem] = []

    assert list(text_lines(write(tmp_path, b"one\n" + wrong + b"\nthree"), problems)) == [(1, "one"), (3, "three")]
    assert problems == [Problem("x.txt line 2", "is not UTF-8 text")]


def test_a_compressed_file_that_was_cut_gives_what_it_has_and_a_problem(tmp_path: Path) -> None:
    noise = random.Random(5)
    content = b"".join(f"{number} {noise.random()}\n".encode() for number in range(20_000))
    packed = gzip.compress(content)
    path = write(tmp_path, packed[: len(packed) // 2], "x.gz")
    problems: list[Problem] = []

    lines = list(text_lines(path, problems))

    assert 100 < len(lines) < 20_000
    assert [problem.where for problem in problems] == ["x.gz"]


@pytest.mark.parametrize("packed", [False, True])
def test_any_place_of_a_file_can_be_asked_for(packed: bool, tmp_path: Path) -> None:
    path = write(tmp_path, gzip.compress(b"0123456789") if packed else b"0123456789")

    with open_seekable(path, []) as file:
        file.seek(7)
        assert file.read(2) == b"78"
        file.seek(1)
        assert file.read(2) == b"12"


def test_a_file_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="absent cannot be opened: No such file"):
        open_bytes(tmp_path / "absent")
    with pytest.raises(FormatError, match="cannot be opened: Is a directory"):
        open_bytes(tmp_path)


def test_what_only_calls_itself_gzip_says_so(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"ends in \.gz but is not gzip-compressed"):
        open_bytes(write(tmp_path, b"text", "x.gz"))


def test_numbers_that_json_does_not_have_are_read() -> None:
    found = parse_json(b'{"a": NaN, "b": [-Infinity], "c": 123456789012345678901234567890}')

    assert math.isnan(found["a"])
    assert found["b"] == [-math.inf]
    assert found["c"] >= 1e29


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "not whole JSON"),
        (b"{", "not whole JSON"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": "\\ud800"}', "half a character"),
        (b'{"\\ud800": NaN}', "half a character"),
        (b"[" * 5000 + b"]" * 5000, "nested too deeply"),
        (b"1" * 5000 + b"x", "not whole JSON"),
    ],
)
def test_what_is_no_json_says_why(raw: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_json(raw)


PLAIN = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(VALUES)
def test_whatever_was_written_is_read(value: Any) -> None:
    assert parse_json(json.dumps(value).encode()) == value
    assert parse_json(json.dumps(value, ensure_ascii=False).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_json_or_one_kind_of_error(raw: bytes) -> None:
    try:
        parse_json(raw)
    except ValueError as error:
        assert str(error)
