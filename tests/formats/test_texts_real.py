"""Published generations against the counts and accuracies that others got from them."""

import csv
from pathlib import Path

import pytest

from forgetmap.formats.opening import open_run, open_runs
from forgetmap.measure.cell import Cell
from forgetmap.measure.compare import compare
from forgetmap.measure.map import Map

COUNTS = ("n", "n11", "n10", "n01", "n00")
HAPPY, LEETCODE = "counthappynumber", "leetcode_easy"
PAIRS = {
    ("shared:zeroeval_crux", "ALL"): ("zeroeval_crux", "crux"),
    ("shared:llmdrift", "happy_numbers"): ("llmdrift/COUNTAHAPPYNUMBER_EVAL.csv.gz", HAPPY),
    ("shared:llmdrift", "leetcode_easy"): ("llmdrift/LEETCODE_EASY_EVAL.csv.gz", LEETCODE),
}
BBH = {
    ("direct", "date_understanding"): 63.6,
    ("direct", "sports_understanding"): 72.8,
    ("cot", "date_understanding"): 87.2,
    ("cot", "sports_understanding"): 97.6,
}


@pytest.fixture(scope="module")
def published(shared_data: Path) -> Path:
    folder = shared_data / "sample_results"
    if not (folder / "zeroeval_crux").is_dir():
        pytest.skip(f"the published generations are not at {folder}: fetch the sample results")
    return folder


@pytest.fixture(scope="module")
def reference(shared_data: Path) -> list[dict[str, str]]:
    path = shared_data.parent / "reference" / "shared-raw-transitions.csv"
    if not path.is_file():
        pytest.skip(f"the table of counts is not at {path}")
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["table"] in ("shared:zeroeval_crux", "shared:llmdrift")]


def task(found: Map, name: str) -> Cell:
    (cell,) = (cell for cell in found.cells if cell.level == "task" and cell.name == name)
    return cell


def counts(cell: Cell) -> list[float]:
    return [float(getattr(cell, name) or 0) for name in (*COUNTS, "unanswered_before", "unanswered_after")]


def wanted(row: dict[str, str]) -> list[float]:
    return [float(row[name]) for name in (*COUNTS, "unparsed_before", "unparsed_after")]


def test_counts_equal_the_reference(published: Path, reference: list[dict[str, str]]) -> None:
    checked = 0
    for row in reference:
        if (row["table"], row["domain"]) not in PAIRS:
            continue
        path, name = PAIRS[row["table"], row["domain"]]
        found = compare(f"{published / path}::{row['model_before']}", f"{published / path}::{row['model_after']}")
        assert counts(task(found, name)) == wanted(row), row
        assert counts(found.cell()) == wanted(row), row
        checked += 1
    assert checked == 5


def test_two_tables_in_one_folder_have_the_counts_of_their_sum(
    published: Path, reference: list[dict[str, str]], tmp_path: Path
) -> None:
    for name in ("COUNTAHAPPYNUMBER_EVAL.csv.gz", "LEETCODE_EASY_EVAL.csv.gz"):
        (tmp_path / name).symlink_to(published / "llmdrift" / name)
    for row in reference:
        if row["table"] == "shared:llmdrift" and row["domain"] == "ALL":
            found = compare(f"{tmp_path}::{row['model_before']}", f"{tmp_path}::{row['model_after']}")
            assert counts(found.cell()) == wanted(row)


def test_what_a_model_is_willing_to_do_is_no_part_of_forgetting(
    published: Path, reference: list[dict[str, str]]
) -> None:
    for row in reference:
        if row["table"] == "shared:llmdrift" and row["domain"] == "ALL":
            folder = published / "llmdrift"
            found = compare(f"{folder}::{row['model_before']}", f"{folder}::{row['model_after']}")
            assert counts(found.cell()) == wanted(row)
            assert any("sensitiveq (response_rate)" in note for note in found.comparisons[0].notes)


def test_the_values_of_answers_lose_less_than_their_spelling(published: Path) -> None:
    folder = published / "zeroeval_crux"
    before, after = f"{folder}::Meta-Llama-3-70B-Instruct", f"{folder}::Athene-70B"

    as_written = compare(before, after).cell()
    by_value = compare(before, after, scorers="json_literal").cell()

    assert (as_written.n10, by_value.n10) == (109, 82)
    assert by_value.accuracy_after is not None and as_written.accuracy_after is not None
    assert by_value.accuracy_after > as_written.accuracy_after + 0.04


def test_outputs_of_big_bench_hard_have_their_published_accuracies(published: Path) -> None:
    folder = published / "bbh_codex"
    found = compare(folder / "code-davinci-002-direct", folder / "code-davinci-002-cot")

    for (style, name), accuracy in BBH.items():
        cell = task(found, name)
        ours = cell.accuracy_before if style == "direct" else cell.accuracy_after
        assert ours is not None and round(100 * ours, 1) == accuracy
    assert not [note for run in open_runs(folder) for note in run.notes if "published" in note]
    assert (task(found, "date_understanding").n10, task(found, "sports_understanding").n10) == (10, 5)


def test_sensitive_questions_are_scored_by_whether_they_were_answered(published: Path) -> None:
    run = open_run(f"{published / 'llmdrift' / 'SENSITIVEQ_EVAL.csv.gz'}::gpt-4-0314")
    rows = list(run.rows())

    assert len({row.item_id for row in rows}) == len(rows) == 100
    assert sum(row.scores[0].value or 0 for row in rows) == 21
    assert {(row.scores[0].scorer, row.item.chance) for row in rows} == {("response_rate", 0.0)}
    assert any("neither is right or wrong" in note for note in run.notes)


def test_ten_draws_of_one_checkpoint_differ_by_four_in_a_hundred(published: Path) -> None:
    path = published / "cruxeval_replicates"
    cell = compare(path, path).cell()

    assert cell.n == 800
    assert cell.noise_floor is not None and round(cell.noise_floor.value or 0, 3) == 0.042
    assert cell.excess is not None and cell.excess.value == pytest.approx(0, abs=1e-12)
