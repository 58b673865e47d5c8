"""A stored run gives the same columns by its tables as by its rows."""

from pathlib import Path

import pytest

from forgetmap.errors import StudyError
from forgetmap.measure.fold import fold, fold_rows, mended
from forgetmap.measure.fold_tables import fold_tables
from forgetmap.records.mending import Rules
from forgetmap.records.run import Run
from forgetmap.records.study import Study, whole_run
from tests.measure.folds import assert_same, runs_of_every_kind, stored
from tests.records.made_up import rows, run_of

EVERY = [pytest.param(run, id=run.info.run_id) for run in runs_of_every_kind()]
RULES: list[Rules] = [(), (("quiz_1", "4"), ("*", "2")), (("*", "open"),), (("quiz_*", "doc.options"),)]


@pytest.mark.parametrize("run", EVERY)
def test_columns_by_table_are_those_by_row(run: Run, tmp_path: Path) -> None:
    found = stored(tmp_path, run)
    assert found.tables is not None

    by_row = fold_rows(found)

    assert len(by_row.columns) > 0
    assert_same(by_row._replace(columns=fold_tables(found.tables.summary).columns), by_row)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_chances_that_the_user_tells_are_filled_in_alike(rules: Rules, tmp_path: Path) -> None:
    run = next(runs_of_every_kind())
    stored(tmp_path, run)
    summary = Study.open(tmp_path).runs()[run.info.run_id]

    by_row = fold_rows(whole_run(summary, rules))

    assert_same(by_row._replace(columns=mended(fold_tables(summary).columns, rules)), by_row)


def test_answers_that_nobody_has_judged_are_counted_by_task(tmp_path: Path) -> None:
    told = [row._replace(scores=()) if number % 4 == 1 else row for number, row in enumerate(rows(90))]
    run = stored(tmp_path, run_of(told))

    by_row = fold_rows(run)

    for _ in range(2):
        assert_same(fold(run), by_row)
    assert by_row.unscored == 23 and any("have no score yet" in note for note in by_row.notes)


def test_a_run_without_any_score_has_answers_and_no_columns(tmp_path: Path) -> None:
    run = stored(tmp_path, run_of([row._replace(scores=()) for row in rows(60)]))

    for _ in range(2):
        assert_same(fold(run), fold_rows(run))
    assert (fold(run).columns, fold(run).unscored) == ({}, 60)


def test_progress_hears_of_every_shard(tmp_path: Path) -> None:
    run = stored(tmp_path, run_of(rows(60)))
    told: list[int] = []
    assert run.tables is not None

    fold_tables(run.tables.summary, told.append)

    assert told == [0, 30]


def test_tables_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    one, other = (stored(tmp_path / name, run_of(rows(60, seed=seed))) for seed, name in enumerate("ab"))
    assert one.tables is not None and other.tables is not None
    for table in ("items", "samples"):
        here, there = (run.tables.summary.folder / f"{table}-0001.parquet" for run in (one, other))  # type: ignore[union-attr]
        here.write_bytes((there.parent / f"{table}-0000.parquet").read_bytes())

    with pytest.raises(StudyError, match="do not belong together"):
        fold_tables(one.tables.summary)
