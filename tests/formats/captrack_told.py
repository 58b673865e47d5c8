"""Small folders of answers to CapTrack's tasks for tests. No real one was at hand: they follow the published layout."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from forgetmap.formats.captrack import FORMAT
from forgetmap.formats.contract import Hints
from forgetmap.records.run import Run
from forgetmap.records.schema import Row

GOLDEN = Path(__file__).parents[1] / "golden" / "captrack"
Cells = dict[str, Any]
KINDS = ("jsonl", "json", "csv", "parquet", "pq")


def row(native: Any, gold: Any, outputs: Any, **more: Any) -> Cells:
    """A row with every column of the data set."""
    asked = {
        "id": native,
        "family": "single_turn_text",
        "prompt": f"What is meant by {native}?",
        "formatted_prompt": f"<user> What is meant by {native}? <model>",
        "ctx": None,
        "choices": None,
        "gold": gold,
        "meta": {"source": "made up"},
        "schema": None,
        "tool_spec": None,
        "outputs": outputs,
    }
    return {**asked, **more}


def lettered(native: Any, gold: Any, outputs: Any, **more: Any) -> Cells:
    """A row with three options of its own."""
    return row(native, gold, outputs, **{"family": "single_turn_mc", "choices": ["red", "blue", "green"], **more})


def written(folder: Path, name: str, rows: Sequence[Cells]) -> Path:
    """A file of the kind that its ending says."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(cells, ensure_ascii=False) + "\n" for cells in rows), encoding="utf-8")
    elif path.suffix == ".json":
        path.write_text(json.dumps(list(rows), indent=1), encoding="utf-8")
    elif path.suffix == ".csv":
        _as_csv(path, rows)
    else:
        pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def _as_csv(path: Path, rows: Sequence[Cells]) -> None:
    """As a table of text is written: lists and objects as Python spells them, nothing as nothing."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows({name: "" if cell is None else cell for name, cell in cells.items()} for cells in rows)


def run(path: Path, hints: Hints = Hints()) -> Run:  # noqa: B008 - never changed
    (found,) = FORMAT.read(path, hints)
    return found


def told(path: Path, hints: Hints = Hints()) -> list[Row]:  # noqa: B008 - never changed
    """All rows of a folder or file that has nothing unreadable."""
    found = run(path, hints)
    rows = list(found.rows())
    assert (found.problems, found.duplicates) == ([], 0)
    return rows
