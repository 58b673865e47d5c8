"""Formats that hold only text against the rows expected of them, and against the same answers told as a table."""

import csv
import gzip
import json
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from forgetmap.formats.opening import open_run, open_runs
from forgetmap.measure.compare import compare
from forgetmap.measure.map import Map
from forgetmap.records.batches import Sizes
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row
from forgetmap.records.store import write
from forgetmap.records.study import Study
from forgetmap.taxonomy.aliases import is_of_will
from tests.formats.texts_told import GOLDEN, TEXTS, as_json, reader
from tests.records.made_up import files

PAIRS = (
    ("zero_eval", "Early-7B", "Late-7B"),
    ("bbh_outputs", "made-up-001-direct", "made-up-001-cot"),
    ("llmdrift", "early", "late"),
)


@pytest.mark.parametrize("name", TEXTS)
def test_golden_files_give_the_expected_rows(name: str) -> None:
    expected = json.loads((GOLDEN / "texts_expected" / f"{name}.json").read_text(encoding="utf-8"))

    assert reader(name).sniff(GOLDEN / name)
    assert [as_json(run) for run in open_runs(GOLDEN / name)] == expected


@pytest.mark.parametrize("name", TEXTS)
def test_each_golden_file_is_found_by_content_plain_or_compressed(name: str, tmp_path: Path) -> None:
    files = [file for file in (GOLDEN / name).rglob("*") if file.suffix in (".json", ".csv")]
    for file in files:
        packed = tmp_path / file.parent.name / f"{file.name}.gz"
        packed.parent.mkdir(exist_ok=True)
        packed.write_bytes(gzip.compress(file.read_bytes()))
        plain, small = (rows_in(open_runs(path)) for path in (file, packed))
        assert plain
        assert small == plain
    assert files


@pytest.mark.parametrize("name", TEXTS)
def test_no_other_format_claims_the_golden_files_first(name: str) -> None:
    assert {run.info.harness for run in open_runs(GOLDEN / name)} == {
        {"zero_eval": "ZeroEval", "bbh_outputs": "BIG-Bench Hard", "llmdrift": "LLMDrift", "cruxeval": "CRUXEval"}[name]
    }


def rows_in(runs: list[Run]) -> list[list[Row]]:
    found = []
    for run in runs:
        found.append(list(run.rows()))
        assert (run.problems, run.duplicates) == ([], 0)
    return found


@pytest.mark.parametrize(("name", "before", "after"), PAIRS)
def test_the_runs_of_a_pair_hold_the_same_items(name: str, before: str, after: str) -> None:
    sides = [{(row.item.task, row.item_id) for row in run_of(name, one).rows()} for one in (before, after)]

    assert sides[0] == sides[1]


def run_of(name: str, run: str) -> Run:
    return open_run(f"{GOLDEN / name}::{run}")


@pytest.mark.parametrize(("name", "before", "after"), PAIRS)
def test_the_same_pair_told_as_a_table_gives_the_same_map(name: str, before: str, after: str, tmp_path: Path) -> None:
    theirs = compare(run_of(name, before), run_of(name, after), scorers=())
    for one in (before, after):
        as_table(list(run_of(name, one).rows()), tmp_path / f"{one}.csv")
    ours = compare(tmp_path / f"{before}.csv", tmp_path / f"{after}.csv")

    assert numbers(ours) == numbers(theirs)
    assert theirs.cell().n > 4


def as_table(rows: list[Row], path: Path) -> None:
    """The rows as the columns that a table of one's own would have, by the scorer that `compare` takes."""
    names = ["task", "item_id", "question", "domain", "draw", "choices", "k", "gold", "choice", "correct", "outcome"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*names, "response"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(as_cells(row) for row in rows if not is_of_will(row.scores[0].scorer))


def as_cells(row: Row) -> dict[str, Any]:
    item, score = row.item, row.scores[0]
    options = item.choices is not None and bool(item.golds)
    return {
        "task": item.task,
        "item_id": row.item_id,
        "question": item.question,
        "domain": item.domain,
        "draw": row.sample.draw,
        "choices": json.dumps(item.choices) if options and item.choices else "",
        "k": "open" if item.chance == 0 else "",
        "gold": item.golds[0] if options else "",
        "choice": item.choices[score.choice] if options and item.choices and score.choice is not None else "",
        "correct": "" if score.value is None else int(score.value),
        "outcome": score.outcome,
        "response": row.sample.response,
    }


def numbers(found: Map) -> list[dict[str, Any]]:
    """The cells of a map without what names a run or a scorer."""
    cells = json.loads(found.to_json())["cells"]
    left_out = {"before", "after", "scorer", "notes"}
    told = [{name: value for name, value in cell.items() if name not in left_out} for cell in cells]
    return sorted(told, key=lambda cell: (cell["level"], str(cell["name"])))


def test_a_folder_of_files_of_several_formats_is_read_as_the_first_that_knows_some(tmp_path: Path) -> None:
    shutil.copytree(GOLDEN / "llmdrift", tmp_path / "drift")
    shutil.copytree(GOLDEN / "cruxeval", tmp_path / "crux")

    assert {run.info.harness for run in open_runs(tmp_path)} == {"LLMDrift"}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("rows", [1, 3, 5])
def test_a_reading_that_breaks_off_is_finished_by_the_same_command(name: str, rows: int, tmp_path: Path) -> None:
    sizes = Sizes(batch=1, shard=2)
    run = open_runs(GOLDEN / name)[0]

    def broken(problems: list[Problem]) -> Iterator[Row]:
        yield from islice(run.read(problems), rows)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(Study.at(tmp_path / "again"), Run(run.info, broken), sizes=sizes)
    again = write(Study.at(tmp_path / "again"), open_runs(GOLDEN / name)[0], sizes=sizes)
    once = write(Study.at(tmp_path / "once"), open_runs(GOLDEN / name)[0], sizes=sizes)

    assert again.content_hash == once.content_hash
    assert files(tmp_path / "again") == files(tmp_path / "once")
