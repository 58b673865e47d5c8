"""Tables of any content: no exception but ours, and every row is either a row or a problem."""

import gzip
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from forgetmap.errors import InputError
from forgetmap.formats.contract import Hints
from forgetmap.formats.table import FORMAT
from forgetmap.formats.table.columns import OURS
from forgetmap.records.run import Run
from forgetmap.records.schema import OUTCOMES, Row
from tests.formats.table_told import KINDS, NO_HINTS, told

TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
LIKELY = st.sampled_from(
    [
        *"ABCDabz01234",
        "0.5",
        "1.0",
        "-1",
        "7.0",
        "true",
        "No",
        "nan",
        "open",
        "A,C",
        '["A", "C"]',
        "[0, 1]",
        "(B)",
        " B ",
        "x\ny",
    ]
)
CELLS = st.one_of(st.none(), LIKELY, LIKELY, st.sampled_from(OUTCOMES), TEXTS)
CHOICES = st.one_of(
    st.none(), st.sampled_from(['["x", "y", "z"]', "[1, 2, 3]", '["a", "a ", null]', "[]", "['x']", "x"])
)
COLUMNS = st.sets(st.sampled_from([name for name in OURS if name != "run"]), max_size=10)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
ENOUGH = ("item_id", "gold", "choice", "choices")


@st.composite
def tables(draw: st.DrawFn, cells: st.SearchStrategy[Any] = CELLS) -> list[dict[str, Any]]:
    """Rows that have at least the columns that a table needs."""
    names = [*ENOUGH, *sorted(draw(COLUMNS) - set(ENOUGH))]
    special = {"choices": CHOICES, "item_id": st.integers(0, 9).map(str) | cells}
    row = st.fixed_dictionaries({name: special.get(name, cells) for name in names})
    return draw(st.lists(row, min_size=1, max_size=12))


@contextmanager
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        yield Path(name)


def read(path: Path, hints: Hints = NO_HINTS) -> list[tuple[Run, list[Row]]] | None:
    """Every run with its rows, before ids are given; null where the file is refused with a sentence."""
    sniffed = FORMAT.sniff(path)
    assert isinstance(sniffed, bool)
    try:
        return [(run, list(run.read(run.problems))) for run in FORMAT.read(path, hints)]
    except InputError as error:
        assert str(error).endswith((".", "?"))
        return None


@pytest.mark.parametrize("kind", KINDS)
@given(rows=tables())
@settings(max_examples=60)
def test_every_row_is_a_row_or_a_problem(kind: str, rows: list[dict[str, Any]]) -> None:
    with folder() as place:
        found = read(told(place / f"quiz.{kind}", rows))
    if found is not None:
        ((run, read_rows),) = found
        assert len(read_rows) + len(run.problems) == len(rows)
        assert all(_is_sound(row) for row in read_rows)


def _is_sound(row: Row) -> bool:
    item, (score,) = row.item, row.scores
    number = item.k if item.choices is None else len(item.choices)
    return (
        (score.value is not None) == (score.outcome == "scored")
        and (item.chance is None or 0 <= item.chance <= 1)
        and (score.choice is None or number is None or 0 <= score.choice < number)
        and (item.choices is None or set(item.golds) <= set(item.choices))
        and (item.native_id is not None or item.question is not None)
        and row.sample.draw >= 0
    )


@given(rows=tables(JSON))
@settings(max_examples=100)
def test_json_of_any_shape_is_a_row_or_a_problem(rows: list[dict[str, Any]]) -> None:
    with folder() as place:
        for kind in ("jsonl", "json"):
            found = read(told(place / f"quiz.{kind}", rows))
            if found is not None:
                assert sum(len(read_rows) + len(run.problems) for run, read_rows in found) == len(rows)


@given(rows=tables())
@settings(max_examples=60)
def test_csv_json_and_parquet_say_the_same(rows: list[dict[str, Any]]) -> None:
    with folder() as place:
        found = [read(told(place / kind / f"quiz.{kind}", rows)) for kind in KINDS]
    for other in found[1:]:
        assert (other is None) == (found[0] is None)
        if found[0] is not None and other is not None:
            assert [read_rows for _, read_rows in other] == [read_rows for _, read_rows in found[0]]
            assert [len(run.problems) for run, _ in other] == [len(run.problems) for run, _ in found[0]]


@given(rows=tables(), seed=st.integers(0, 99))
@settings(max_examples=60)
def test_the_order_of_lines_does_not_matter_where_items_have_ids(rows: list[dict[str, Any]], seed: int) -> None:
    rows = [row | {"item_id": f"{row['item_id']}/{number}"} for number, row in enumerate(rows)]
    turned = random.Random(seed).sample(rows, len(rows))
    with folder() as place:
        try:
            straight, shuffled = (
                [list(run.rows()) for run in FORMAT.read(told(place / name / "quiz.jsonl", some), NO_HINTS)]
                for name, some in (("straight", rows), ("turned", turned))
            )
        except InputError:
            return
    assert straight == shuffled


@given(rows=tables(), names=st.lists(st.sampled_from(["a", "b", None]), min_size=12, max_size=12))
@settings(max_examples=60)
def test_runs_in_one_file_share_its_rows_among_them(rows: list[dict[str, Any]], names: list[str | None]) -> None:
    rows = [row | {"run": name} for row, name in zip(rows, names, strict=False)]
    with folder() as place:
        found = read(told(place / "quiz.jsonl", rows))
    for run, read_rows in found or []:
        own = sum(row["run"] in (run.info.checkpoint, run.info.run_id, None) for row in rows)
        if not any(row.get("checkpoint") for row in rows):
            assert len(read_rows) + len(run.problems) == own


@given(
    content=st.binary(max_size=200), name=st.sampled_from(["a", "a.csv", "a.jsonl", "a.json", "a.parquet", "a.csv.gz"])
)
@example(content=b"PAR1", name="a.parquet")
@example(content=b"\x1f\x8b", name="a.csv.gz")
@example(content=b"a,b\r1,2\r", name="a.csv")
@example(content=b'[{"a":', name="a.json")
@example(content=b"[" * 100_000, name="a.json")
@example(content=b'"a\n,b', name="a.csv")
def test_bytes_of_any_kind_raise_nothing_but_our_errors(content: bytes, name: str) -> None:
    with folder() as place:
        (place / name).write_bytes(content)
        read(place / name)
        (place / name).write_bytes(b"item_id,correct\n" + content)
        read(place / name)
        (place / name).write_bytes(gzip.compress(b'{"item_id": 1, "correct": 1}\n' + content))
        read(place / name)


@pytest.mark.parametrize("kind", [*KINDS, "csv.gz", "jsonl.gz", "json.gz"])
@given(data=st.data())
@settings(max_examples=40)
def test_a_damaged_file_raises_nothing_but_our_errors(kind: str, data: st.DataObject) -> None:
    rows = [
        {"item_id": n, "question": f'A "{n}",\n é?', "choices": ["x", "y"], "gold": 0, "choice": "B"} for n in range(9)
    ]
    with folder() as place:
        path = told(place / f"quiz.{kind}", rows)
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 4))):
            at = data.draw(st.integers(0, len(content)))
            content[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=5))
        path.write_bytes(content)
        read(path)


@given(lines=st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")), max_size=8))
def test_every_json_line_is_a_row_or_a_problem(lines: list[bytes]) -> None:
    with folder() as place:
        path = place / "quiz.jsonl"
        path.write_bytes(b'{"item_id": 1, "correct": 1}\n' + b"\n".join(lines))
        found = read(path)
    assert found is not None
    ((run, rows),) = found
    blank = sum(not line.decode("utf-8", "replace").strip() for line in lines)
    assert len(rows) + len(run.problems) == 1 + len(lines) - blank


@given(
    renamed=st.dictionaries(st.sampled_from(["a", "b", "a,b", "c", ",", "item_id"]), st.sampled_from([*OURS, "x", ""]))
)
def test_maps_of_any_kind_raise_nothing_but_our_errors(renamed: dict[str, str]) -> None:
    with folder() as place:
        path = told(place / "quiz.csv", [{"a": 1, "b": "x", "item_id": "A", "correct": 1}])
        read(path, Hints(columns=renamed))
