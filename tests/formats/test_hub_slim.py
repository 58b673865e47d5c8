"""What is left out of published logs changes nothing that a reader sees, whatever the log holds."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap.formats.hub import slim
from forgetmap.formats.hub.sources import OnDisk, Parts
from forgetmap.formats.opening import open_run
from tests.formats.lighteval_told import kept
from tests.formats.lm_eval_told import TIME, filtered, picked, ranked, said

GOLDEN = Path(__file__).parents[1] / "golden"


def slimmed(raw: bytes) -> bytes:
    return b"\n".join(slim.line(one) for one in raw.split(b"\n"))


def rows(folder: Path, raw: bytes) -> tuple[list[Any], list[Any]]:
    folder.mkdir()
    (folder / f"samples_quiz_{TIME}.jsonl").write_bytes(raw)
    run = open_run(folder)
    return list(run.rows()), run.problems


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("lm_eval/*/samples_*.jsonl")), ids=lambda path: path.name[:20])
def test_logs_of_the_harness_itself_are_read_the_same(path: Path, tmp_path: Path) -> None:
    raw = path.read_bytes()

    assert rows(tmp_path / "slim", slimmed(raw)) == rows(tmp_path / "whole", raw)
    assert len(slimmed(raw)) <= len(raw)


def multiple(number: int) -> dict[str, Any]:
    return picked(number, 1, 2, acc=0.0, acc_norm=1.0)


def in_lists(number: int) -> dict[str, Any]:
    entry = multiple(number)
    return {**entry, "arguments": [[one["arg_0"], one["arg_1"]] for one in entry["arguments"].values()]}


def two_contexts(number: int) -> dict[str, Any]:
    """The options stand in the prompts, and what is ranked is the same for both."""
    entry = ranked(
        number, {"sentence": "_ ran.", "option1": "Ann", "option2": "Bob", "answer": "1"}, "ab", 0, [-1, -2], acc=1.0
    )
    for place, request in enumerate(entry["arguments"].values()):
        request |= {"arg_0": ("Ann", "Bob")[place], "arg_1": " ran."}
    return entry


def with_nothing(number: int) -> dict[str, Any]:
    """The second half asks for the same after nothing, as with mutual information."""
    entry = ranked(number, {"question": "Which?", "choices": ["x", "y"]}, "xyxy", 0, [-1, -2, -3, -4], acc=1.0)
    for place, request in enumerate(entry["arguments"].values()):
        request["arg_0"] = "" if place > 1 else request["arg_0"]
    return entry


@pytest.mark.parametrize(
    "make",
    [
        multiple,
        in_lists,
        two_contexts,
        with_nothing,
        lambda n: {**multiple(n), "arguments": None},
        lambda n: {**multiple(n), "arguments": {"gen_args_0": "text"}},
        lambda n: {**multiple(n), "acc": float("nan")},
        lambda n: {**multiple(n), "doc": {"question": "half \ud83d", "choices": ["x", "y", "z", "w"]}},
        lambda n: said(n, {"question": "2 and 2?"}, "4", "It is 4.", "4", exact_match=1.0),
        lambda n: filtered(said(n, {"question": "2 and 2?"}, "4", "It is 4.", "4", exact_match=1.0), "strict"),
    ],
)
def test_samples_of_every_shape_are_read_the_same(make: Callable[[int], dict[str, Any]], tmp_path: Path) -> None:
    entries = [multiple(0), *(make(number) for number in range(1, 4))]
    raw = "".join(json.dumps(entry) + "\n" for entry in entries).encode()

    assert rows(tmp_path / "slim", slimmed(raw)) == rows(tmp_path / "whole", raw)


@given(st.binary(max_size=60) | st.builds(lambda rest: b'{"doc_id": 1, ' + rest, st.binary(max_size=60)))
def test_what_is_no_sample_stays_byte_for_byte(raw: bytes) -> None:
    assert slim.line(raw) == raw


@pytest.mark.parametrize("side", ["before", "after"])
def test_details_of_the_harness_itself_are_read_the_same(side: str, tmp_path: Path) -> None:
    whole, less = kept(tmp_path / "whole", side), kept(tmp_path / "less", side)
    sizes = []
    for path in sorted(less.rglob("*.parquet")):
        content = path.read_bytes()
        (tmp_path / "one.parquet").write_bytes(content)
        assert slim.parquet(Parts(OnDisk(tmp_path / "one.parquet")), path)
        assert "output_tokens" not in {part.name for part in pq.read_schema(path).field("model_response").type}
        sizes.append(path.stat().st_size / len(content))

    assert list(open_run(less).rows()) == list(open_run(whole).rows())
    assert max(sizes) < 1


def parts_of(table: pa.Table, folder: Path, **how: Any) -> Parts:
    out = io.BytesIO()
    pq.write_table(table, out, **how)
    (folder / "whole.parquet").write_bytes(out.getvalue())
    return Parts(OnDisk(folder / "whole.parquet"))


def test_a_table_that_needs_all_its_columns_is_left_as_it_is(tmp_path: Path) -> None:
    assert not slim.parquet(parts_of(pa.table({"item_id": [1], "correct": [1]}), tmp_path), tmp_path / "slim.parquet")


@pytest.mark.parametrize("count", [0, 1, 5000])
def test_columns_keep_their_rows_and_types_over_many_row_groups(count: int, tmp_path: Path) -> None:
    table = pa.table(
        {
            "full_prompt": pa.array([f"prompt {n}" for n in range(count)], pa.string()),
            "choices": pa.array([["a", "b"]] * count, pa.list_(pa.string())),
            "predictions": pa.array([[-1.0, -2.0]] * count, pa.list_(pa.float64())),
            "gold_index": pa.array([0] * count, pa.int32()),
            "nothing": pa.nulls(count),
            "input_tokens": pa.array([list(range(50))] * count, pa.list_(pa.int64())),
        }
    )
    assert slim.parquet(parts_of(table, tmp_path, row_group_size=700), tmp_path / "slim.parquet")

    assert pq.read_table(tmp_path / "slim.parquet").equals(table.drop_columns(["input_tokens"]))
