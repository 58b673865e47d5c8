"""Runs and tasks: told by columns, else by the names of files and folders."""

from pathlib import Path
from typing import Any

import pytest

from forgetmap.errors import FormatError
from forgetmap.formats.contract import Hints
from tests.formats.table_told import reasons, rows_of, run, runs, told

ROWS: list[dict[str, Any]] = [
    {"item_id": number, "question": f"{number}?", "correct": number % 2} for number in range(4)
]


def tasks_in(path: Path) -> list[str]:
    return list(dict.fromkeys(row.item.task for row in rows_of(path)))


def test_a_single_file_is_a_run_called_like_it_with_one_neutral_task(tmp_path: Path) -> None:
    before = told(tmp_path / "llama-3.1-8b.csv.gz", ROWS)
    after = told(tmp_path / "llama-3.1-8b-instruct.jsonl", ROWS)

    assert [run(path).info.run_id for path in (before, after)] == ["llama-3.1-8b", "llama-3.1-8b-instruct"]
    assert run(before).info.checkpoint == "llama-3.1-8b"
    assert run(before).info.source == ("llama-3.1-8b.csv.gz",)
    assert tasks_in(before) == tasks_in(after) == ["items"]


def test_tasks_of_a_folder_are_its_files_less_what_all_of_them_share(tmp_path: Path) -> None:
    for name in ("econometrics_result.csv.gz", "formal_logic_result.csv.gz", "global_facts_result.csv.gz"):
        told(tmp_path / "step-50" / name, ROWS)
    found = run(tmp_path / "step-50")

    assert tasks_in(tmp_path / "step-50") == ["econometrics", "formal_logic", "global_facts"]
    assert (found.info.run_id, found.info.checkpoint) == ("step-50", "step-50")
    assert found.info.source == (
        "econometrics_result.csv.gz",
        "formal_logic_result.csv.gz",
        "global_facts_result.csv.gz",
    )


@pytest.mark.parametrize(
    ("files", "tasks"),
    [
        (["mmlu/law.csv", "mmlu/virology.csv", "bbh/dates.csv"], ["bbh/dates", "mmlu/law", "mmlu/virology"]),
        (["out/mmlu_law.csv", "out/mmlu_virology.jsonl"], ["law", "virology"]),
        (["a.csv", "a_hard.csv"], ["a", "a_hard"]),
        (["x_a_y.csv", "x_y.csv"], ["x", "x_a"]),
        (["only_result.csv"], ["items"]),
        (["train-00000-of-00002.parquet", "train-00001-of-00002.parquet"], ["items"]),
        (["law-0-of-2.csv", "law-1-of-2.csv", "art-0-of-1.csv"], ["art", "law"]),
    ],
)
def test_names_of_tasks_from_names_of_files(tmp_path: Path, files: list[str], tasks: list[str]) -> None:
    for number, name in enumerate(files):
        told(tmp_path / "run" / name, [row | {"item_id": 10 * number + row["item_id"]} for row in ROWS])

    assert sorted(tasks_in(tmp_path / "run")) == tasks
    assert len(rows_of(tmp_path / "run")) == len(ROWS) * len(files)


def test_a_column_task_is_the_task_whatever_the_file_is_called(tmp_path: Path) -> None:
    told(tmp_path / "run" / "one.csv", [row | {"task": "law"} for row in ROWS[2:]])
    told(tmp_path / "run" / "two.jsonl", [row | {"task": "law"} for row in ROWS[:2]])
    told(tmp_path / "run" / "art.csv", ROWS)
    found = [(row.item.task, row.item.native_id) for row in rows_of(tmp_path / "run")]

    assert sorted(found) == [(task, str(number)) for task in ("art", "law") for number in range(4)]
    assert [native for task, native in found if task == "law"] == ["0", "1", "2", "3"]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_one_file_may_hold_several_runs(tmp_path: Path, kind: str) -> None:
    rows = [
        row | {"run": name, "model": f"org/{name}", "stage": stage, "step": step, "dtype": "bfloat16", "seed": seed}
        for row in ROWS
        for name, stage, step, seed in (("before", "pretrained", None, 1), ("after", "sft", 200, 2))
    ]
    before, after = runs(told(tmp_path / f"all.{kind}", rows))

    assert [found.info.run_id for found in (before, after)] == ["before", "after"]
    assert (before.info.checkpoint, before.info.stage, before.info.step) == ("org/before", "pretrained", None)
    assert (after.info.checkpoint, after.info.stage, after.info.step) == ("org/after", "sft", 200)
    assert (after.info.dtype, after.info.seeds) == ("bfloat16", (2,))
    assert [row.item_id for row in before.rows()] == [row.item_id for row in after.rows()]
    assert {row.sample.draw for row in after.rows()} == {0}


def test_a_row_that_names_no_run_may_be_any_run_s_and_is_listed_by_each(tmp_path: Path) -> None:
    rows = [ROWS[0] | {"run": "a"}, ROWS[1] | {"run": None}, ROWS[2] | {"run": "b"}]
    found = runs(told(tmp_path / "all.csv", rows))

    assert [len(list(one.rows())) for one in found] == [1, 1]
    assert [[(problem.where, problem.why) for problem in one.problems] for one in found] == [
        [("all.csv line 3", "names no run")]
    ] * 2


def test_runs_of_like_names_get_ids_of_their_own(tmp_path: Path) -> None:
    rows = [ROWS[0] | {"run": name} for name in ("模型", "基础", "a/b", "a__b")]

    assert [one.info.run_id for one in runs(told(tmp_path / "all.csv", rows))] == ["run", "run-2", "a__b", "a__b-2"]
    assert [one.info.checkpoint for one in runs(tmp_path / "all.csv")] == ["模型", "基础", "a/b", "a__b"]


def test_the_user_may_name_the_one_run_of_a_path(tmp_path: Path) -> None:
    found = run(told(tmp_path / "quiz.csv", ROWS), Hints(name="Llama before"))

    assert (found.info.run_id, found.info.checkpoint) == ("Llama-before", "Llama before")
    assert len(list(found.rows())) == len(ROWS)


def test_folders_that_hold_files_of_the_same_names_are_runs(tmp_path: Path) -> None:
    for folder in ("step-0", "step-50"):
        for name in ("law.csv", "art.csv"):
            told(tmp_path / "sft" / folder / name, ROWS)
    told(tmp_path / "sft" / "other.csv", ROWS)
    found = runs(tmp_path / "sft")

    assert [one.info.run_id for one in found] == ["step-0", "step-50"]
    assert {row.item.task for row in found[0].rows()} == {"law", "art"}
    assert any("holds files of the same names in 2 folders" in note for note in found[0].notes)
    assert any("other.csv" in note for note in found[0].notes)


def test_tables_of_other_things_in_a_folder_are_left_out_and_noted(tmp_path: Path) -> None:
    told(tmp_path / "run" / "law.csv", ROWS)
    told(tmp_path / "run" / "art.csv", ROWS)
    told(tmp_path / "run" / "summary.csv", [{"task": "law", "accuracy": 0.5}])
    found = run(tmp_path / "run")

    assert {row.item.task for row in found.rows()} == {"law", "art"}
    assert len(found.notes) == 1
    assert "summary.csv" in found.notes[0]
    assert "its columns are task, accuracy" in found.notes[0]


def test_problems_of_every_file_are_listed_with_its_name(tmp_path: Path) -> None:
    told(tmp_path / "run" / "law.csv", [*ROWS, {"item_id": 9, "question": "9?", "correct": 7}])
    told(tmp_path / "run" / "deep" / "art.jsonl", [{"item_id": 9, "correct": 7}, *ROWS])

    assert [where for where, _ in reasons(tmp_path / "run")] == ["deep/art.jsonl line 1", "law.csv line 6"]


def test_two_files_for_one_task_are_an_error(tmp_path: Path) -> None:
    told(tmp_path / "run" / "law.csv", ROWS)
    told(tmp_path / "run" / "law.csv.gz", ROWS)

    with pytest.raises(FormatError, match=r"law.csv, law.csv.gz are 2 files for one task; keep one of them"):
        runs(tmp_path / "run")
