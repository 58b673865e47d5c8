"""Formats that hold only text, on files that are cut, damaged, or hold something else in some place."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetmap.errors import InputError
from tests.formats.texts_told import GOLDEN, TEXTS, reader, runs_of

FILES = {
    "zero_eval": GOLDEN / "zero_eval" / "metal-quiz" / "Early-7B.json",
    "bbh_outputs": GOLDEN / "bbh_outputs" / "made-up-001-cot" / "which_day_few_shot_template_0-255000.json",
    "llmdrift": GOLDEN / "llmdrift" / "EXAM_EVAL.csv",
    "cruxeval": GOLDEN / "cruxeval" / "sample_scored_made-up-7b_temp0.2_input.json",
}
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6) | st.just("(B)")
VALUE = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
Spot = tuple[str, Any]


def told(name: str, content: bytes) -> tuple[int, int]:
    """Rows that are read and problems and duplicates that are reported, over all runs, when a file holds this."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / FILES[name].name
        path.write_bytes(content)
        rows = other = 0
        for run in runs_of(name, path):
            for row in run.rows():
                rows += 1
                assert all((score.outcome == "scored") == (score.value is not None) for score in row.scores)
            other += len(run.problems) + run.duplicates
        return rows, other


@pytest.mark.parametrize("name", TEXTS)
@given(start=st.integers(0, 3000), end=st.integers(0, 3000), middle=st.binary(max_size=6))
@settings(max_examples=60)
def test_damaged_files_give_rows_or_one_sentence(name: str, start: int, end: int, middle: bytes) -> None:
    raw = FILES[name].read_bytes()
    try:
        told(name, raw[: min(start, len(raw))] + middle + raw[min(start + end % 9, len(raw)) :])
    except InputError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("name", TEXTS)
@given(st.integers(1, 400))
@settings(max_examples=30)
def test_a_cut_gzip_file_gives_rows_or_one_sentence(name: str, cut: int) -> None:
    packed = gzip.compress(FILES[name].read_bytes(), mtime=0)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{FILES[name].name}.gz"
        path.write_bytes(packed[: max(len(packed) - cut, 1)])
        reader(name).sniff(path)
        try:
            for run in runs_of(name, path):
                list(run.rows())
        except InputError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize("name", TEXTS)
@given(content=st.binary(max_size=80) | VALUE.map(lambda value: json.dumps(value).encode()))
@settings(max_examples=60)
def test_sniffing_anything_says_no_and_raises_nothing(name: str, content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.json"
        path.write_bytes(content)
        assert not reader(name).sniff(path)
        assert not reader(name).sniff(Path(folder))


def entries(name: str) -> list[dict[str, Any]]:
    content = json.loads(FILES[name].read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = content["outputs"] if name == "bbh_outputs" else content
    return found


def written(name: str, rows: list[Any]) -> bytes:
    return json.dumps({"canary": "x", "outputs": rows} if name == "bbh_outputs" else rows).encode()


@pytest.mark.parametrize("name", ["zero_eval", "bbh_outputs"])
@given(data=st.data())
@settings(max_examples=80)
def test_every_entry_is_a_row_a_duplicate_or_a_problem(name: str, data: st.DataObject) -> None:
    rows: list[Any] = entries(name)
    place = data.draw(st.integers(1, len(rows) - 1))
    field = data.draw(st.sampled_from(sorted(rows[place])))
    rows[place] = data.draw(VALUE | st.just({**rows[place], field: data.draw(VALUE)}))

    read, other = told(name, written(name, rows))

    draws = rows[place].get("output") if isinstance(rows[place], dict) else None
    more = len(draws) - 1 if isinstance(draws, list) and draws and all(isinstance(one, str) for one in draws) else 0
    assert read + other == len(rows) + more


@given(
    place=st.integers(0, 3),
    field=st.sampled_from(["trail", "dataset", "id", "query", "ref_answer", "answer"]),
    said=st.text(max_size=5),
)
@settings(max_examples=80)
def test_every_line_of_a_table_is_a_row_a_duplicate_or_a_problem_of_its_model(
    place: int, field: str, said: str
) -> None:
    with FILES["llmdrift"].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[place][field] = said.replace("\0", "")
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)

    read, other = told("llmdrift", stream.getvalue().encode("utf-8", "replace"))

    assert read + other == len(rows)


@given(value=VALUE, table=st.sampled_from(["raw_generations", "raw_scored_generations"]))
@settings(max_examples=80)
def test_every_item_of_scored_generations_is_read_or_reported(value: Any, table: str) -> None:
    content = json.loads(FILES["cruxeval"].read_text(encoding="utf-8"))
    content[table]["sample_9"] = value

    read, other = told("cruxeval", json.dumps(content).encode())

    marks = content["raw_scored_generations"]["sample_9"]
    assert (read, other) == (3, 1) or (read, other) == (3 + len(marks), 0)


CUTS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("zero_eval", lambda raw: raw[: len(raw) * 2 // 3]),
    ("bbh_outputs", lambda raw: raw[: len(raw) * 2 // 3]),
    ("llmdrift", lambda raw: raw[: len(raw) * 2 // 3].rpartition(b'"')[0] + b'"'),
    ("cruxeval", lambda raw: raw[: len(raw) * 2 // 3]),
]


@pytest.mark.parametrize(("name", "cut"), CUTS)
def test_a_cut_file_is_reported(name: str, cut: Callable[[bytes], bytes]) -> None:
    rows, other = told(name, cut(FILES[name].read_bytes()))

    assert other >= 1
    assert rows < told(name, FILES[name].read_bytes())[0]
