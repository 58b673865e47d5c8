"""The tables as others see them: open Parquet, and small."""

import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from forgetmap.records.batches import Sizes
from forgetmap.records.schema import Item, Row, Sample, Score
from forgetmap.records.store import write
from forgetmap.records.study import Study
from tests.records.made_up import rows, run_of

COLUMNS = {
    "items": "row task item_id native_id domain question choices golds k chance cluster source meta",
    "prompts": "prompt_id text",
    "samples": "row task item_id draw prompt_id seed permutation weight response reasoning finish_reason tokens seconds error",
    "scores": "row task item_id draw scorer version outcome value choice found margin logprobs",
}


def tables(folder: Path) -> dict[str, pa.Table]:
    """Each table of a run, all shards together, read as anyone would."""
    return {
        name: pa.concat_tables(pq.read_table(path) for path in sorted(folder.glob(f"{name}-*.parquet")))
        for name in COLUMNS
    }


def test_every_table_has_the_columns_that_are_promised(tmp_path: Path) -> None:
    written = write(tmp_path, run_of(rows(50, draws=2)), sizes=Sizes(batch=10, shard=40))

    assert {name: " ".join(table.column_names) for name, table in tables(written.folder).items()} == COLUMNS


def test_tables_join_on_task_item_and_draw(tmp_path: Path) -> None:
    run = run_of(rows(50, draws=2))
    found = tables(write(tmp_path, run, sizes=Sizes(batch=10, shard=40)).folder)

    key = ["task", "item_id", "draw"]
    joined = (
        found["scores"].select([*key, "scorer"]).join(found["samples"].select([*key, "prompt_id", "response"]), key)
    )
    joined = joined.join(found["items"].select(["task", "item_id", "question"]), ["task", "item_id"])
    joined = joined.join(found["prompts"], "prompt_id")

    assert joined.num_rows == found["scores"].num_rows == 200
    told = {(row.item.question, row.sample.prompt, row.sample.response) for row in run.rows()}
    assert set(zip(*(joined[name].to_pylist() for name in ("question", "text", "response")), strict=True)) == told


def test_what_is_absent_is_null_and_nowhere_a_number_that_is_none(tmp_path: Path) -> None:
    item = Item("essay", question="Why?")
    row = Row(item, Sample(), (Score("judge", outcome="failed"),))
    found = tables(write(tmp_path, run_of([row])).folder)

    absent = {
        (name, column) for name, table in found.items() for column in table.column_names if table[column].null_count
    }
    assert absent == {
        *(
            ("items", column)
            for column in ["native_id", "domain", "choices", "k", "chance", "cluster", "source", "meta"]
        ),
        *(("samples", column) for column in ["prompt_id", "seed", "permutation", "weight", "response", "reasoning"]),
        *(("samples", column) for column in ["finish_reason", "tokens", "seconds", "error"]),
        *(("scores", column) for column in ["version", "value", "choice", "found", "margin", "logprobs"]),
    }
    reals = [column for table in found.values() for column in table.columns if pa.types.is_floating(column.type)]
    assert not any(pc.any(pc.is_nan(column)).as_py() for column in reals)


def test_texts_are_in_groups_of_a_thousand_rows(tmp_path: Path) -> None:
    written = write(tmp_path, run_of(rows(2_500)))

    metadata = pq.read_metadata(written.folder / "samples-0000.parquet")

    assert [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)] == [1_000, 1_000, 500]


def mmlu_sized(subjects: int, items: int) -> Iterator[Row]:
    """Rows of the shape and size of MMLU's: a subject's examples in 2 kB before each question of 500 characters."""
    rng = random.Random(7)
    syllables = ["ka", "lo", "mi", "ten", "ra", "su", "vel", "in", "do", "pre", "s", "ta", "un", "gor", "e"]
    words = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(6_000)]
    # Words of any language are about as frequent as one over their rank.
    ranks = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))

    def text(length: int) -> str:
        return " ".join(rng.choices(words, cum_weights=ranks, k=length // 5))[:length]

    for subject in range(subjects):
        examples = text(2_000)
        for number in range(items):
            question, choices = text(500), tuple(text(30) for _ in range(4))
            logprobs = tuple(-rng.expovariate(0.5) for _ in range(4))
            choice = logprobs.index(max(logprobs))
            asked = "\n".join((examples, question, *map(". ".join, zip("ABCD", choices, strict=True)), "Answer:"))
            item = Item(f"mmlu_{subject}", str(number), None, question, choices, choices[:1], len(set(choices)), 0.25)
            score = Score("acc", value=float(choice == 0), choice=choice, margin=rng.random(), logprobs=logprobs)
            yield Row(item, Sample(prompt=asked, response="ABCD"[choice]), (score,))


def test_a_log_of_mmlu_s_size_takes_less_than_a_twentieth(tmp_path: Path) -> None:
    told = list(mmlu_sized(subjects=10, items=246))
    # One line of such a log repeats the prompt for each option: 157 MB for 14,042 items.
    log = len(told) * 157_000_000 / 14_042

    write(tmp_path, run_of(told))
    found = Study.open(tmp_path).runs()["made-up"]

    assert sum(len(row.sample.prompt or "") for row in told) / len(told) > 2_600
    assert log / found.bytes > 20
