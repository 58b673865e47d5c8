"""Mistakes that users make with tables, each with the one sentence it gets."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from forgetmap.errors import FormatError, InputError, SettingError
from forgetmap.formats.contract import Hints
from tests.formats.table_told import run, runs, told

ROWS: list[dict[str, Any]] = [{"id": 1, "answer": "B", "pred": "A"}, {"id": 2, "answer": "A", "pred": "A"}]


def sentence(path: Path, **columns: str) -> str:
    """What the user is told about a path."""
    with pytest.raises(InputError) as found:
        for one in runs(path, Hints(columns={theirs: ours for ours, theirs in columns.items()})):
            list(one.rows())
    return str(found.value).replace(f"{path.parent}/", "")


def test_columns_of_other_names(tmp_path: Path) -> None:
    assert sentence(told(tmp_path / "quiz.csv", ROWS)) == (
        "quiz.csv does not say item_id or question nor correct or choice + gold: its columns are id, answer, pred. "
        "Say which column is which, such as --map id=item_id --map answer=gold --map pred=choice."
    )


def test_a_table_that_says_nothing_of_right_and_wrong(tmp_path: Path) -> None:
    assert sentence(told(tmp_path / "quiz.jsonl", [{"item_id": 1, "gold": "A", "my pred": "B"}])) == (
        "quiz.jsonl does not say correct or choice + gold: its columns are item_id, gold, my pred. "
        "Say which column is which, such as --map THEIRS=choice."
    )


def test_a_table_of_scores_under_another_name(tmp_path: Path) -> None:
    assert sentence(told(tmp_path / "quiz.csv", [{"idx": 1, "output": "A", "Is_Correct": 1}])).endswith(
        "such as --map idx=item_id --map Is_Correct=correct."
    )


def test_a_mapped_column_that_is_not_there(tmp_path: Path) -> None:
    path = told(tmp_path / "quiz.csv", ROWS)

    assert sentence(path, item_id="idx") == (
        "quiz.csv has no column 'idx', wanted by --map idx=item_id; its columns are id, answer, pred."
    )
    assert sentence(path, choices="choice0,choice1").startswith("quiz.csv has no column 'choice0', wanted by --map")


def test_a_map_to_a_name_that_is_none_of_ours(tmp_path: Path) -> None:
    said = sentence(told(tmp_path / "quiz.csv", ROWS), idem_id="id")

    assert said.startswith(
        "--map id=idem_id maps to 'idem_id', which is no column forgetmap knows; there are item_id, "
    )


def test_a_map_the_wrong_way_round(tmp_path: Path) -> None:
    assert sentence(told(tmp_path / "quiz.csv", ROWS), id="item_id") == (
        "--map item_id=id maps to 'id', which is no column forgetmap knows; it is THEIRS=OURS: write id=item_id."
    )


def test_two_columns_mapped_to_one(tmp_path: Path) -> None:
    path = told(tmp_path / "quiz.csv", ROWS)
    with pytest.raises(SettingError, match="--map names 'gold' twice"):
        runs(path, Hints(columns={"answer": "gold", "pred": "gold"}))
    with pytest.raises(SettingError, match="joins 2 columns; only choices can be made of several"):
        runs(path, Hints(columns={"answer,pred": "gold"}))


def test_two_columns_of_one_name(tmp_path: Path) -> None:
    path = tmp_path / "quiz.csv"
    path.write_text("item_id,correct,correct\n1,1,0\n")

    assert sentence(path) == "quiz.csv has 2 columns called 'correct'; rename all but the one that counts."


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet"])
def test_a_table_without_rows(tmp_path: Path, kind: str) -> None:
    path = told(tmp_path / f"quiz.{kind}", [{"item_id": 1, "correct": 1}])
    if kind == "parquet":
        import pyarrow.parquet as pq

        pq.write_table(pq.read_table(path).slice(0, 0), path)
    else:
        header = b"item_id,correct\n"
        path.write_bytes(gzip.compress(header) if kind == "csv.gz" else header)

    assert sentence(path) in (
        f"quiz.{kind} has a header and no rows: was it written to its end?",
        f"quiz.{kind} has columns and no rows: was it written to its end?",
    )


def test_a_gzip_name_on_a_file_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "quiz.csv.gz"
    path.write_text("item_id,correct\n1,1\n")

    assert sentence(path).startswith("quiz.csv.gz ends in .gz but is not gzip-compressed")


def test_a_file_that_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Dear all,\n")
    (tmp_path / "letter.json").write_text('{\n "name": "pretty"\n}\n')

    wanted = "CSV with a header of two or more columns, one JSON object a line, a JSON list of objects, or Parquet is wanted."
    assert sentence(tmp_path / "letter.json") == f"letter.json is no table: {wanted}"


def test_a_cut_parquet_file(tmp_path: Path) -> None:
    path = told(tmp_path / "quiz.parquet", [{"item_id": 1, "correct": 1}] * 50)
    path.write_bytes(path.read_bytes()[:-30])

    assert sentence(path).startswith("quiz.parquet is a damaged or cut Parquet file, of which nothing can be read (")
    assert sentence(path).endswith("): write or fetch it again.")


def test_a_folder_without_tables(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "notes.txt").write_text("nothing here\n")

    assert sentence(tmp_path / "logs") == "logs holds no table: CSV, JSON lines or Parquet is wanted."


def test_golds_that_count_from_one(tmp_path: Path) -> None:
    rows = [
        {"item_id": n, "question": "?", "choices": list("wxyz"), "gold": n % 4 + 1, "choice": "A"} for n in range(8)
    ]

    assert sentence(told(tmp_path / "quiz.jsonl", rows)) == (
        "quiz.jsonl counts its options from 1 in gold (the highest is an item's number of options, none is 0); "
        "indices count from 0: subtract one, or write letters."
    )


def test_several_models_in_one_file_without_a_column_run(tmp_path: Path) -> None:
    rows = [{"item_id": n, "correct": 1, "llm": name} for n in range(2) for name in ("before", "after")]

    assert sentence(told(tmp_path / "all.csv", rows), checkpoint="llm") == (
        "all.csv: the column llm says before and after of one run, all; if it tells runs apart, say so with --map llm=run."
    )


def test_a_column_run_without_names(tmp_path: Path) -> None:
    path = told(tmp_path / "all.csv", [{"item_id": 1, "correct": 1, "run": None}])

    assert sentence(path) == (
        "all.csv has a column run without any name in it: name the run of each row, or drop the column."
    )


@pytest.mark.parametrize("value", ["many", "0", "-4", "100001"])
def test_a_number_of_options_that_is_none(tmp_path: Path, value: str) -> None:
    path = told(tmp_path / "quiz.csv", [{"item_id": 1, "gold": "A", "choice": "B"}])

    with pytest.raises(SettingError, match=f"^--k it\\*={value}: a number of options from 1 to 100000 is wanted"):
        list(run(path, Hints(k=(("it*", value),))).rows())


@pytest.mark.parametrize("value", ["doc.options"])
def test_a_path_to_options_in_a_table_without_any(tmp_path: Path, value: str) -> None:
    path = told(tmp_path / "quiz.csv", [{"item_id": 1, "gold": "A", "choice": "B"}])
    with pytest.raises(SettingError) as found:
        list(run(path, Hints(k=(("it*", value),))).rows())

    assert str(found.value) == (
        f'--k says {value} for items, a table without options: a number of options, or "open", is wanted.'
    )


def test_a_header_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "quiz.csv"
    path.write_bytes("item_id,correct,Größe\n1,1,2\n".encode("latin-1"))

    assert sentence(path) == "quiz.csv is not UTF-8 text: save it as UTF-8."


def test_errors_are_about_the_format_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        runs(tmp_path / "absent.csv")
