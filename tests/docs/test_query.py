"""The queries of docs/how-to/query.md do what the page says, on a study written by the real code."""

import json
import random
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from forgetmap import Map, compare, read
from tests.docs.pages import code

PAGE = "how-to/query.md"


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study `my-study` of two runs with three tasks, in the folder where the queries run."""
    rng = random.Random(1)
    for run in ("before", "after"):
        with (tmp_path / f"{run}.jsonl").open("w") as file:
            for number in range(240):
                row = {
                    "task": f"task-{number % 3}",
                    "question": f"Which is number {number}?",
                    "choices": [f"{number} {letter}" for letter in "abcd"],
                    "gold": "ABCD"[number % 4],
                    "choice": rng.choice(["A", "B", "C", "D", "none of them"]),
                }
                file.write(json.dumps(row) + "\n")
    read([tmp_path / "before.jsonl", tmp_path / "after.jsonl"], study=tmp_path / "my-study")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "my-study"


def rows(query: str) -> list[dict[str, Any]]:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install 'forgetmap[bench]'")
    found: list[dict[str, Any]] = duckdb.connect().sql(query).arrow().read_all().to_pylist()
    return found


def tasks(map: Map) -> list[Any]:
    return sorted(map.select(level="task"), key=lambda cell: cell.name)


def test_accuracy_of_each_run_and_task_is_that_of_the_map(study: Path) -> None:
    found = {(row["run"], row["task"]): row["accuracy"] for row in rows(code(PAGE, "sql")[0])}

    for cell in tasks(compare("before", "after", study=study)):
        assert found["before", cell.name] == pytest.approx(cell.accuracy_before)
        assert found["after", cell.name] == pytest.approx(cell.accuracy_after)


def test_kept_lost_gained_and_never_are_those_of_the_map(study: Path) -> None:
    found = [(row["task"], row["kept"], row["lost"], row["gained"], row["never"]) for row in rows(code(PAGE, "sql")[1])]

    cells = tasks(compare("before", "after", study=study))
    assert found == [(cell.name, cell.n11, cell.n10, cell.n01, cell.n00) for cell in cells]


def test_lost_items_are_lost_and_show_both_answers(study: Path) -> None:
    found = rows(code(PAGE, "sql")[2])

    assert len(found) == 5
    assert all(row["answer_before"] == row["golds"][0] != row["answer_after"] for row in found)


def test_pandas_finds_as_many_lost_answers_as_the_map(study: Path) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: pip install 'forgetmap[bench]'")
    names: dict[str, Any] = {"Path": Path}
    exec(code(PAGE, "python")[0], names)

    assert len(names["lost"]) == compare("before", "after", study=study).cell().n10


def test_polars_counts_every_outcome(study: Path) -> None:
    pytest.importorskip("polars", reason="Polars is not installed: pip install 'forgetmap[bench]'")
    names: dict[str, Any] = {}
    exec(code(PAGE, "python")[1], names)

    assert sum(names["outcomes"]["len"]) == 480


def test_the_exported_pairs_have_the_counts_of_the_map(study: Path) -> None:
    for command in "\n".join(code(PAGE, "")).splitlines():
        assert subprocess.run([sys.executable, "-m", *shlex.split(command)], check=False).returncode == 0

    found = {row["task"]: (row["items"], row["lost"], row["gained"]) for row in rows(code(PAGE, "sql")[3])}

    assert found == {cell.name: (cell.n, cell.n10, cell.n01) for cell in tasks(compare("before", "after", study=study))}
