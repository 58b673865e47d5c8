"""Make the outcomes that the demo embeds from two MMLU-Pro result files: numbers and letters only, no item text.

    python experiments/demo_outcomes.py BEFORE.zip AFTER.zip src/forgetmap/studies/demo_outcomes.parquet

The files are `eval_results/model_outputs_Mistral-7B-v0.2-hf_5shots.zip` and `…_Mistral-7B-Instruct-v0.2_5shots.zip` of
TIGER-AI-Lab/MMLU-Pro at f418b116db (Apache-2.0). The result is a plain table as `docs/how-to/tables.md` describes it.
"""

import sys
from pathlib import Path
from string import ascii_uppercase as letters
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from forgetmap import open_run
from forgetmap.records.ids import collapse
from forgetmap.records.schema import Row

NAMES = ("mistral-7b-v0.2", "mistral-7b-instruct-v0.2")
TYPES = {
    "run": pa.dictionary(pa.int8(), pa.string()),
    "task": pa.dictionary(pa.int8(), pa.string()),
    "item_id": pa.int32(),
    "domain": pa.dictionary(pa.int8(), pa.string()),
    "k": pa.int8(),
    "gold": pa.dictionary(pa.int8(), pa.string()),
    "choice": pa.dictionary(pa.int8(), pa.string()),
    "correct": pa.int8(),
    "outcome": pa.dictionary(pa.int8(), pa.string()),
}


def line(name: str, row: Row) -> dict[str, Any]:
    """One answer without its text."""
    item, score = row.item, row.scores[0]
    options = [collapse(option) for option in item.choices or ()]
    return {
        "run": name,
        "task": item.task,
        "item_id": int(item.native_id or 0),
        "domain": item.domain,
        "k": item.k,
        "gold": letters[options.index(collapse(item.golds[0]))],
        "choice": None if score.choice is None else letters[score.choice],
        "correct": None if score.value is None else int(score.value),
        "outcome": score.outcome,
    }


def main(before: str, after: str, target: str) -> None:
    rows = [line(name, row) for name, path in zip(NAMES, (before, after), strict=True) for row in open_run(path).rows()]
    table = pa.Table.from_pylist(rows, schema=pa.schema(list(TYPES.items())))
    pq.write_table(table, target, compression="zstd", compression_level=19, row_group_size=len(rows))
    print(f"{len(rows)} answers, {Path(target).stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
