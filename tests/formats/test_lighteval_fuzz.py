"""Whatever a table of lighteval holds: rows, problems, or one sentence."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetmap.errors import InputError
from forgetmap.formats.contract import Hints
from forgetmap.formats.lighteval import FORMAT
from forgetmap.records.schema import Row
from tests.formats.lighteval_told import GOLDEN, Cells, flat, picked, run, structs, summed, written

TEXT = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(["A. x\nB. y", "Answer: A\n\n", "B", ""])
NUMBER = st.integers(-2, 5) | st.floats(-3, 3) | st.just(float("nan"))
KINDS: list[st.SearchStrategy[Any]] = [
    st.none(),
    TEXT | st.none(),
    NUMBER.map(float) | st.none(),
    st.integers(-2, 6) | st.none(),
    st.booleans(),
    st.lists(TEXT | st.none(), max_size=5),
    st.lists(NUMBER.map(float) | st.none(), max_size=5),
    st.lists(st.lists(st.floats(-3, 3), max_size=2), max_size=4),
    st.fixed_dictionaries({"extracted_predictions": st.lists(TEXT, max_size=2), "question": TEXT}),
]
FIELDS = ["query", "choices", "gold_index", "specific", "original_query", "id", "instruction", "generation_size"]
ANSWERS = ["input", "text", "reasonings", "logprobs"]


@st.composite
def tables(draw: st.DrawFn) -> list[Cells]:
    """Rows of one type, as a table has them, with any type for some fields."""
    count, odd = draw(st.integers(1, 4)), draw(st.lists(st.sampled_from([*FIELDS, *ANSWERS]), max_size=3, unique=True))
    kinds = {name: draw(st.sampled_from(KINDS)) for name in odd}
    metric = draw(st.sampled_from(KINDS))
    rows = []
    for number in range(count):
        row = picked(draw(st.integers(0, 2)), draw(st.integers(-1, 3)), number % 4)
        for name, kind in kinds.items():
            row["doc" if name in FIELDS else "model_response"][name] = draw(kind)
        row["metric"] = {"acc": draw(st.sampled_from([0, 1])), "other": draw(metric)}
        rows.append(row)
    return rows


def is_sound(row: Row) -> bool:
    item = row.item
    options = item.k if item.choices is None else len(item.choices)
    within = all(score.choice is None or (options is not None and 0 <= score.choice < options) for score in row.scores)
    valued = all((score.outcome == "scored") == (score.value is not None) for score in row.scores)
    finite = all(score.value is None or 0.0 <= score.value <= 1.0 for score in row.scores)
    chance = item.chance is None or 0.0 <= item.chance <= 1.0
    return within and valued and finite and chance and (item.choices is None or item.k == len(item.choices))


@given(tables())
@settings(max_examples=150)
def test_every_row_is_a_row_a_duplicate_or_a_problem(rows: list[Cells]) -> None:
    with TemporaryDirectory() as folder:
        try:
            written(Path(folder), rows)
        except (pa.ArrowException, TypeError):
            return
        found = run(Path(folder))
        told = list(found.rows())

        assert len(told) + found.duplicates + len(found.problems) == len(rows)
        assert all(map(is_sound, told))
        assert list(found.rows()) == told or any("nan" in str(row) for row in told)


@given(
    st.sampled_from(["choices", "gold", "gold_index", "predictions", "specifics", "example", "full_prompt"]), st.data()
)
@settings(max_examples=100)
def test_a_flat_table_with_any_type_in_a_column_is_read(name: str, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(KINDS))
    rows = [flat(f"Which {n}?", ["x", "y"], 0, [-1.0, -2.0], acc=1.0) | {name: data.draw(kind)} for n in range(3)]
    with TemporaryDirectory() as folder:
        written(Path(folder), rows)
        found = run(Path(folder))
        told = list(found.rows())

        assert len(told) + found.duplicates + len(found.problems) == len(rows)
        assert all(map(is_sound, told))


@given(st.lists(st.tuples(st.integers(0, 40_000), st.integers(0, 255)), max_size=6), st.integers(0, 200))
@settings(max_examples=100)
def test_any_damage_gives_rows_problems_or_one_sentence(changes: list[tuple[int, int]], cut: int) -> None:
    raw = bytearray((GOLDEN / "before" / "hm_gen.parquet").read_bytes())
    for place, value in changes:
        raw[place % len(raw)] = value
    with TemporaryDirectory() as folder:
        path = Path(folder) / "details_x|0.parquet"
        path.write_bytes(raw[: len(raw) - cut])
        FORMAT.sniff(path)
        try:
            told = list(run(path).rows())
        except InputError as error:
            assert "\n" not in str(error)
        else:
            assert all(map(is_sound, told))


@given(st.recursive(st.none() | st.integers() | TEXT, lambda inner: st.dictionaries(TEXT, inner) | st.lists(inner)))
@settings(max_examples=60)
def test_whatever_a_results_file_holds_the_details_are_read(content: Any) -> None:
    with TemporaryDirectory() as folder:
        written(Path(folder), [picked(1, 0, 0)])
        for around in (content, {"config_general": content, "config_tasks": content, "summary_tasks": content}):
            summed(Path(folder), around)
            assert len(list(run(Path(folder)).rows())) == 1


@pytest.mark.parametrize("broken", [b"\xff\xfe", b"\x80"])
def test_a_row_with_bytes_that_are_no_text_is_a_problem(broken: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, [structs(n, f"What {n} marker?", ["7"], 0, {"em": 1}, text=["7"]) for n in range(3)])
    whole = pq.ParquetFile(path).read()
    pq.write_table(whole, path, compression="none", use_dictionary=False)
    path.write_bytes(path.read_bytes().replace(b"What 1 marker?", (broken + b"What 1 marker?")[:14]))
    found = run(path, Hints())

    assert len(list(found.rows())) == 2
    assert [problem.where for problem in found.problems] == [f"{path.name} row 2"]
