"""Damaged and strange folders of CapTrack answers: nothing is lost in silence, and nothing breaks."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetmap.errors import InputError
from forgetmap.formats.captrack import FORMAT
from forgetmap.formats.captrack.tasks import TASKS
from forgetmap.formats.contract import Hints
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.records.store import write
from tests.formats.captrack_told import KINDS, lettered, row, run, written

TEXTS = st.text() | st.sampled_from(
    ["B", "(A)", "", " ", "[1]", "{'a': 1}", "[[", "{", "nan", "\x00", "Answer: C", "1.0"]
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(TEXTS | st.sampled_from(["answer", "text"]), inner, max_size=3)
    ),
    max_leaves=8,
)
COLUMNS = (
    "id",
    "prompt",
    "formatted_prompt",
    "ctx",
    "choices",
    "gold",
    "meta",
    "schema",
    "task",
    "seed",
    "outputs",
    "turn1_response",
)
ROWS = st.lists(st.dictionaries(st.sampled_from(COLUMNS), VALUES, max_size=len(COLUMNS)), min_size=1, max_size=6)
FIRST = row("first", "B", "B", choices=["x", "y"])


def draws(cells: dict[str, Any]) -> int:
    said = cells["outputs"]
    several = isinstance(said, list) and bool(said) and all(one is None or isinstance(one, str) for one in said)
    return len(said) if several else 1


@given(ROWS, st.sampled_from(TASKS))
def test_every_row_is_read_or_reported_and_what_is_read_can_be_stored(lines: list[dict[str, Any]], task: str) -> None:
    with TemporaryDirectory() as folder:
        path = written(Path(folder) / "model", f"{task.replace('.', '_')}.jsonl", [FIRST, *lines])
        found = run(path)
        rows = list(found.rows())
        answered = {number: draws(cells) for number, cells in enumerate([FIRST, *lines], start=1) if "outputs" in cells}
        left_out = {int(problem.where.rpartition(" ")[2]) for problem in found.problems}

        assert len(left_out) == len(found.problems)
        assert len(rows) + found.duplicates == sum(n for line, n in answered.items() if line not in left_out)
        assert left_out | answered.keys() == set(range(1, len(lines) + 2))
        assert found.duplicates == 0
        write(Path(folder) / "study", found)
        assert [one.item_id for one in open_run(Path(folder) / "study").rows()] == [one.item_id for one in rows]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(data=st.data())
def test_a_damaged_file_gives_rows_problems_or_one_sentence(kind: str, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        rows = [lettered(f"m{number}", "B", "(A)", meta=None) for number in range(5)]
        path = written(Path(folder), f"mmlu_pro_subset.{kind}", rows)
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 3))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(content[: data.draw(st.integers(1, len(content)))])

        assert FORMAT.sniff(path) in (True, False)
        try:
            found = run(path)
            told = list(found.rows())
        except InputError as error:
            assert "\n" not in str(error)
        else:
            assert all(one.item.task == "mmlu_pro.subset" and one.item_id for one in told)
            assert all(problem.where.startswith(path.name) and problem.why for problem in found.problems)


@given(st.binary(max_size=300) | st.binary(max_size=30).map(b"\x1f\x8b".__add__), st.sampled_from(KINDS))
def test_any_bytes_under_the_name_of_a_task_get_one_sentence(content: bytes, kind: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"gsm8k_subset.{kind}"
        path.write_bytes(content)
        try:
            for found in FORMAT.read(path, Hints()):
                list(found.rows())
        except InputError as error:
            assert str(path) in str(error)


def test_one_damaged_file_among_others_is_a_problem_and_the_rest_is_read(tmp_path: Path) -> None:
    written(tmp_path, "popqa.jsonl", [row(1, ["x"], "x")])
    (tmp_path / "gsm8k_subset.parquet").write_bytes(b"PAR1 and no more")
    (tmp_path / "mgsm.json").write_text("[]", encoding="utf-8")
    written(tmp_path, "boolq.csv", [{"id": 1, "prompt": "?"}])

    (found,) = open_runs(tmp_path)

    assert [one.item.task for one in found.rows()] == ["popqa.subset"]
    assert sorted(problem.where for problem in found.problems) == ["boolq.csv", "gsm8k_subset.parquet", "mgsm.json"]


def test_a_cut_list_is_read_up_to_the_cut(tmp_path: Path) -> None:
    path = written(tmp_path, "gsm8k_subset.json", [row(number, "x", "x") for number in range(3)])
    path.write_text(json.dumps(json.loads(path.read_text()))[:-20], encoding="utf-8")

    found = run(path)

    assert len(list(found.rows())) == 2
    assert [problem.where for problem in found.problems] == ["gsm8k_subset.json entry 3"]
