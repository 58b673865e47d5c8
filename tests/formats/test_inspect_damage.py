"""Logs of Inspect that are packed in every way, cut, damaged, or hold anything at all."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetmap.errors import FormatError, InputError
from forgetmap.formats.contract import Hints
from forgetmap.formats.inspect_log import FORMAT
from forgetmap.formats.opening import open_run
from forgetmap.records.run import Run
from forgetmap.records.schema import Row
from tests.formats.inspect_told import DEFLATED, FRAMES, STORED, ZSTANDARD, header, sample, written, zipped

ENTRIES = [sample(native) for native in (1, 2, 3)]


def run(path: Path) -> Run:
    (found,) = FORMAT.read(path, Hints())
    return found


def rows(path: Path) -> list[Row]:
    return list(run(path).rows())


@pytest.mark.parametrize("method", [STORED, DEFLATED, ZSTANDARD, FRAMES])
def test_members_are_unpacked_whatever_they_are_packed_with(method: int, tmp_path: Path) -> None:
    packed = written(tmp_path, ENTRIES, method=method)

    assert FORMAT.sniff(packed)
    assert rows(packed) == rows(written(tmp_path, ENTRIES, name="twin.json"))
    assert len(rows(packed)) == 3


def test_an_unfinished_log_has_its_header_in_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    start = {name: value for name, value in header().items() if name != "status"}
    path.write_bytes(zipped({"_journal/start.json": start, "samples/1_epoch_1.json": sample(1)}))

    assert FORMAT.sniff(path)
    with pytest.raises(FormatError, match="its status is started"):
        open_run(path)
    assert len(list(open_run(path, format="inspect_partial").rows())) == 1


def test_a_damaged_sample_is_a_problem_and_the_others_are_read(tmp_path: Path) -> None:
    for method in (STORED, DEFLATED, ZSTANDARD):
        path = written(tmp_path, ENTRIES, method=method)
        raw = bytearray(path.read_bytes())
        place = raw.index(b"samples/2_epoch_1.json") + 60
        raw[place] ^= 0xFF
        path.write_bytes(raw)
        found = run(path)

        assert [row.item.native_id for row in found.rows()] == ["1", "3"]
        assert [problem.where for problem in found.problems] == ["log.eval samples/2_epoch_1.json"]


def test_a_way_of_packing_that_is_not_known_is_a_problem(tmp_path: Path) -> None:
    path = written(tmp_path, ENTRIES, method=STORED)
    raw = path.read_bytes()
    name = b"samples/2_epoch_1.json"
    entry = raw.rindex(name) - 46
    path.write_bytes(raw[: entry + 10] + b"\x0e\0" + raw[entry + 12 :])
    found = run(path)

    assert len(list(found.rows())) == 2
    assert "zip method 14" in found.problems[0].why


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_cut_log_gets_one_sentence(share: float, tmp_path: Path) -> None:
    path = written(tmp_path, ENTRIES)
    raw = path.read_bytes()
    path.write_bytes(raw[: int(len(raw) * share) + 1])

    with pytest.raises(FormatError, match=r"cut off or damaged.*fetch it again"):
        run(path)
    assert not FORMAT.sniff(path)
    with pytest.raises(FormatError):
        open_run(path)


def test_a_damaged_header_gets_one_sentence(tmp_path: Path) -> None:
    path = written(tmp_path, ENTRIES)
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"header.json") + 40] ^= 0xFF
    path.write_bytes(raw)

    with pytest.raises(FormatError, match=r"its header.json is damaged"):
        run(path)


def test_a_damaged_log_among_others_is_left_out_and_said(tmp_path: Path) -> None:
    written(tmp_path, ENTRIES, name="whole.eval")
    (tmp_path / "cut.eval").write_bytes(b"PK\3\4 and no more")
    found = run(tmp_path)

    assert len(list(found.rows())) == 3
    assert [note for note in found.notes if "cut.eval" in note and "left out" in note]


def test_other_json_is_left_alone(tmp_path: Path) -> None:
    for content in ({"version": 2, "status": "success"}, [header()], {"results": {}, "task": "x"}):
        (tmp_path / "x.json").write_text(json.dumps(content), encoding="utf-8")

        assert not FORMAT.sniff(tmp_path)


PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from("ABCIN")
JSON = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=6
)
FIELDS = [*sorted(sample(1)), "error", "limit"]
SCORES = st.dictionaries(
    st.sampled_from(["choice", "judge"]),
    st.fixed_dictionaries({"value": JSON, "answer": JSON}, optional={"history": JSON, "reason": JSON}),
)
TOLD = (
    JSON
    | st.builds(
        lambda number, name, value: sample(number) | {name: value}, st.integers(0, 3), st.sampled_from(FIELDS), JSON
    )
    | st.builds(lambda number, scores: sample(number, scores=scores), st.integers(0, 3), SCORES)
)


@given(st.lists(TOLD, max_size=6))
@settings(max_examples=150)
def test_every_sample_is_a_row_a_duplicate_or_a_problem(entries: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        found = run(written(Path(folder), entries, name="x.json"))
        told = list(found.rows())
        empty = 0 if entries else 1

        assert len(told) + found.duplicates + len(found.problems) == len(entries) + empty
        scores = [score for row in told for score in row.scores]
        assert all((score.outcome == "scored") == (score.value is not None) for score in scores)
        assert all(0 <= score.value <= 1 for score in scores if score.value is not None)


@given(JSON, JSON, st.sampled_from(sorted(header())), st.sampled_from(sorted(header()["eval"])))
@settings(max_examples=150)
def test_any_header_gives_rows_or_one_sentence(value: Any, inner: Any, name: str, told: str) -> None:
    with TemporaryDirectory() as folder:
        path, top = Path(folder) / "x.json", header()
        top["eval"][told] = inner
        path.write_text(json.dumps({**top, "samples": [sample(1)], name: value}), encoding="utf-8")
        FORMAT.sniff(path)
        try:
            rows(path)
        except InputError as error:
            assert "\n" not in str(error)


@given(st.data())
@settings(max_examples=150)
def test_any_damage_to_a_zip_gives_rows_problems_or_one_sentence(data: st.DataObject) -> None:
    members = {f"samples/{entry['id']}_epoch_1.json": entry for entry in ENTRIES}
    raw = bytearray(zipped({**members, "header.json": header()}, data.draw(st.sampled_from([DEFLATED, ZSTANDARD]))))
    for place in data.draw(st.lists(st.integers(0, len(raw) - 1), min_size=1, max_size=4)):
        raw[place] = data.draw(st.integers(0, 255))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.eval"
        path.write_bytes(raw[: data.draw(st.integers(len(raw) // 2, len(raw)))])
        FORMAT.sniff(path)
        try:
            rows(path)
        except InputError as error:
            assert str(error)
