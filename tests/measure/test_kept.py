"""Columns kept beside records: used where they are just those, and never needed."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from forgetmap import KnowOrGuess, compare
from forgetmap.measure import kept, kept_sweep
from forgetmap.measure.columns import RIGHT, Columns, Gathered
from forgetmap.measure.fold import fold, fold_rows
from forgetmap.measure.pair import pair
from forgetmap.records.disk import TEMPORARY
from forgetmap.records.run import Run
from forgetmap.records.store import write
from forgetmap.records.study import Study, is_study, whole_run
from forgetmap.records.summary import RunSummary
from tests.measure.folds import assert_same, assert_same_columns, runs_of_every_kind, stored
from tests.records.made_up import renamed, rows, run_of

EVERY = [pytest.param(run, id=run.info.run_id) for run in runs_of_every_kind()]
Table = tuple[str, str]


def summary_of(run: Run) -> RunSummary:
    assert run.tables is not None
    return run.tables.summary


def kept_of(run: Run) -> dict[Table, Columns]:
    """What is kept of a run; an error where nothing is, or nothing that holds."""

    def fold_again() -> Gathered:
        raise AssertionError("folded again")

    return kept.kept_or(summary_of(run), fold_again).columns


def files(run: Run) -> list[Path]:
    return sorted(path for path in kept.home(summary_of(run).folder).rglob("*") if path.is_file())


@pytest.mark.parametrize("run", EVERY)
def test_what_is_kept_is_what_was_folded(run: Run, tmp_path: Path) -> None:
    found = stored(tmp_path, run)
    folded = fold(found)

    again = kept_of(found)

    assert_same(folded._replace(columns=again), fold_rows(found))


@pytest.mark.parametrize("run", EVERY[:2])
def test_a_program_that_starts_anew_reads_the_same(run: Run, tmp_path: Path) -> None:
    found = stored(tmp_path, run)
    fold(found)
    kept._items.clear()
    kept._prompts.clear()

    again = kept_of(found)

    assert_same(fold(found)._replace(columns=again), fold_rows(found))


def test_runs_that_asked_the_same_items_share_what_is_said_of_them(tmp_path: Path) -> None:
    before, after = (stored(tmp_path, renamed(run_of(rows(60, seed=seed)), name)) for seed, name in enumerate("ab"))

    one, two = fold(before), fold(after)

    assert all(two.columns[key].items is own.items for key, own in one.columns.items())
    assert all(task.aligned for task in pair(one, two).tasks)
    assert [path.parent.name for path in files(before)].count("items") == 1


def test_a_rule_on_options_holds_for_columns_kept_without_it(tmp_path: Path) -> None:
    run = next(runs_of_every_kind())
    fold(stored(tmp_path, run))
    summary = Study.open(tmp_path).runs()[run.info.run_id]

    for rules in ((("quiz_1", "4"),), (("*", "open"),)):
        found = whole_run(summary, rules)
        assert_same(fold(found), fold_rows(found))


def test_a_rule_that_leads_into_a_log_is_said_to_do_nothing_for_a_stored_run(tmp_path: Path) -> None:
    law = KnowOrGuess(known=0.5).runs(items=20, seed=1)[1]
    bare = [row._replace(item=row.item._replace(k=None, chance=None)) for row in law.rows()]
    run, task = run_of(bare), bare[0].item.task
    write(tmp_path, run)
    summary = Study.open(tmp_path).runs()[run.info.run_id]

    def notes(*rules: tuple[str, str]) -> list[str]:
        return [note for note in fold(whole_run(summary, rules)).notes if "stored without its log" in note]

    (said,) = notes((task, "doc.options"), ("another", "doc.options"))
    assert said.startswith(
        f"{task} = doc.options says where a log lists the options, and {run.info.run_id} is stored without its log"
    )
    assert notes((task, "doc.options"), ("*", "4")) == notes((task, "4")) == []


def test_columns_of_other_records_are_folded_anew(tmp_path: Path) -> None:
    run = stored(tmp_path, run_of(rows(60, seed=1)))
    fold(run)
    shutil.rmtree(summary_of(run).folder)

    other = stored(tmp_path, run_of(rows(60, seed=2)))

    with pytest.raises(AssertionError, match="folded again"):
        kept_of(other)
    assert_same(fold(other), fold_rows(other))
    assert_same(fold(other)._replace(columns=kept_of(other)), fold_rows(other))


def test_columns_of_another_version_are_folded_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = stored(tmp_path, run_of(rows(60)))
    fold(run)
    monkeypatch.setattr(kept, "VERSION", kept.VERSION + 1)

    with pytest.raises(AssertionError, match="folded again"):
        kept_of(run)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def foreign(path: Path) -> None:
    path.write_bytes(Path(__file__).read_bytes())


def torn(path: Path) -> None:
    """Bytes in its middle are other ones, as after a fault of the disk."""
    content = bytearray(path.read_bytes())
    for place in range(20, 60):
        content[place] ^= 0xFF
    path.write_bytes(bytes(content))


def gone(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("damage", [cut, emptied, foreign, torn, gone])
@pytest.mark.parametrize("folder", ["answers", "items", "prompts"])
def test_what_is_damaged_is_folded_anew_and_put_right(
    damage: Callable[[Path], None], folder: str, tmp_path: Path
) -> None:
    run = stored(tmp_path, run_of(rows(60)))
    fold(run)
    kept._items.clear()
    kept._prompts.clear()
    damage(next(path for path in files(run) if path.parent.name == folder))

    assert_same(fold(run), fold_rows(run))
    kept._items.clear()
    kept._prompts.clear()
    assert_same(fold(run)._replace(columns=kept_of(run)), fold_rows(run))


def test_items_of_another_study_under_the_same_name_are_not_taken(tmp_path: Path) -> None:
    one, two = (stored(tmp_path / name, run_of(rows(items))) for name, items in (("a", 60), ("b", 30)))
    fold(one)
    fold(two)
    here, there = (next(path for path in files(run) if path.parent.name == "items") for run in (one, two))
    here.write_bytes(there.read_bytes())
    kept._items.clear()

    assert_same(fold(one), fold_rows(one))


def test_where_nothing_can_be_written_runs_are_folded_all_the_same(tmp_path: Path) -> None:
    run = stored(tmp_path, run_of(rows(60)))
    (tmp_path / kept.FOLDER).write_text("a file stands where the folder would be")

    assert_same(fold(run), fold_rows(run))


def test_a_study_without_kept_columns_loses_nothing(tmp_path: Path) -> None:
    runs = [stored(tmp_path, renamed(run_of(rows(60, seed=seed)), name)) for seed, name in enumerate("ab")]
    first = compare("a", "b", study=tmp_path).to_json()
    second = compare("a", "b", study=tmp_path).to_json()
    shutil.rmtree(kept.home(summary_of(runs[0]).folder))

    assert first == second == compare("a", "b", study=tmp_path).to_json()


def test_a_study_sees_its_runs_and_no_more(tmp_path: Path) -> None:
    fold(stored(tmp_path, run_of(rows(60))))

    assert list(Study.open(tmp_path).runs()) == ["made-up"]
    assert not is_study(tmp_path / kept.FOLDER)
    assert write(tmp_path, run_of(rows(60))).how == "already there"


def test_a_run_that_stands_alone_keeps_its_columns_within(tmp_path: Path) -> None:
    folder = summary_of(stored(tmp_path / "study", run_of(rows(60)))).folder
    alone = shutil.move(folder, tmp_path / "alone")

    compare(alone, alone)

    assert (tmp_path / "alone" / kept.FOLDER / "answers" / "alone.parquet").is_file()
    assert not (tmp_path / kept.FOLDER).exists()


def test_a_run_under_another_name_is_that_run(tmp_path: Path) -> None:
    run = stored(tmp_path, run_of(rows(60)))
    fold(run)
    run.info = replace(run.info, run_id="other")

    assert fold(run).info.run_id == "other"


def keeping(run: Run, times: int) -> "subprocess.Popen[str]":
    """A process that keeps the run's columns so many times, when it has folded them."""
    summary = summary_of(run)
    command = [sys.executable, str(Path(__file__).with_name("keeping.py")), str(summary.folder.parent.parent)]
    process = subprocess.Popen([*command, summary.info.run_id, str(times)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def test_a_process_killed_while_it_writes_leaves_nothing_that_is_taken_for_whole(tmp_path: Path) -> None:
    run = stored(tmp_path, run_of(rows(600)))
    by_row = fold_rows(run)

    for pause in (0.0, 0.004, 0.01, 0.02, 0.05):
        with keeping(run, 10_000) as process:
            time.sleep(pause)
            process.kill()
        kept._items.clear()
        assert_same(fold(run), by_row)


def test_what_a_killed_process_left_is_swept_away_in_time(tmp_path: Path) -> None:
    run = stored(tmp_path, run_of(rows(60)))
    fold(run)
    left = kept.home(summary_of(run).folder) / "answers" / f"made-up.parquet.1{TEMPORARY}"
    young = left.with_name(f"made-up.parquet.2{TEMPORARY}")
    for path in (left, young):
        path.write_bytes(b"half")
    os.utime(left, (0, 0))
    files(run)[0].unlink()

    fold(run)

    assert (left.exists(), young.exists()) == (False, True)


def replaced(folder: Path, run: Run) -> Run:
    shutil.rmtree(folder / "runs" / run.info.run_id)
    return stored(folder, run)


def names_of(run: Run) -> set[str]:
    return {f"{path.parent.name}/{path.name}" for path in files(run)}


def test_what_a_replaced_run_alone_referred_to_goes_with_it(tmp_path: Path) -> None:
    first, other = (stored(tmp_path, renamed(run_of(rows(60)), name)) for name in ("first", "other"))
    fold(first)
    fold(other)
    shared = names_of(first)
    last = [renamed(run_of(rows(number)), "first") for number in (30, 40)]
    for run in last:
        again = replaced(tmp_path, run)
        fold(again)

    assert shared < names_of(first) and len(names_of(first) - shared) == 2
    assert [fold(run).columns.keys() for run in (again, other)] and kept_of(again) and kept_of(other)
    fold(replaced(tmp_path, renamed(run_of(rows(40)), "other")))
    assert sorted(name.partition("/")[0] for name in names_of(first)) == ["answers", "answers", "items", "prompts"]


def test_what_was_kept_of_a_run_that_is_gone_is_swept_away_in_time(tmp_path: Path) -> None:
    gone, other = (
        stored(tmp_path, renamed(run_of(rows(number)), name)) for number, name in ((60, "gone"), (30, "other"))
    )
    fold(gone)
    old = names_of(gone)
    shutil.rmtree(summary_of(gone).folder)
    kept_sweep._swept.clear()
    fold(other)
    assert old < names_of(other)

    for path in files(other):
        os.utime(path, (0, 0))
    kept_sweep._swept.clear()
    (tmp_path / kept.FOLDER / "answers" / "other.parquet").unlink()
    fold(other)

    assert not old & names_of(other) and len(names_of(other)) == 3
    assert kept_of(other)


def test_two_processes_that_replace_runs_of_the_same_items_leave_all_whole(tmp_path: Path) -> None:
    first, second = (stored(tmp_path, renamed(run_of(rows(300)), name)) for name in ("first", "second"))
    by_row = fold_rows(first)

    with keeping(first, 40) as one, keeping(second, 40) as two:
        while one.poll() is None or two.poll() is None:
            kept_sweep.sweep(kept.home(summary_of(first).folder), kept_sweep.referred(tmp_path / kept.FOLDER, "first"))
            assert fold(first).columns.keys() == by_row.columns.keys()
            time.sleep(0.01)

    assert (one.returncode, two.returncode) == (0, 0)
    kept._items.clear()
    kept._prompts.clear()
    for name, own in kept_of(first).items():
        assert_same_columns(own, by_row.columns[name])
    assert kept_of(second)


def test_two_processes_that_keep_one_run_leave_it_whole(tmp_path: Path) -> None:
    run = stored(tmp_path, run_of(rows(600)))
    by_row = fold_rows(run)

    with keeping(run, 60) as one, keeping(run, 60) as two:
        while one.poll() is None or two.poll() is None:
            assert_same(fold(run), by_row)
            time.sleep(0.01)

    assert (one.returncode, two.returncode) == (0, 0)
    assert not [path for path in files(run) if path.suffix == TEMPORARY]
    for name, own in kept_of(run).items():
        assert_same_columns(own, by_row.columns[name])


def test_of_items_only_what_statistics_need_is_kept(tmp_path: Path) -> None:
    run = stored(tmp_path, run_of(rows(60)))
    fold(run)

    columns = {path.parent.name: pq.read_schema(path).names for path in files(run)}

    said = ["native_id", "domain", "category", "cluster", "k", "chance", "golds"]
    assert columns["items"] == ["item", "task", "item_id", *said]
    assert columns["answers"] == ["task", "scorer", "item", "draw", "answer"]


def test_others_can_join_answers_and_items(tmp_path: Path) -> None:
    run = stored(tmp_path, run_of(rows(60, draws=2)))
    folded = fold(run)
    told = {path.parent.name: pq.read_table(path).to_pylist() for path in files(run)}

    items = {row["item"]: (row["task"], row["item_id"]) for row in told["items"]}
    right = {(*items[row["item"]], row["scorer"], row["draw"]) for row in told["answers"] if row["answer"] in (-2, -3)}

    assert right == {
        (task, own.item_id(row), scorer, draw)
        for (task, scorer), own in folded.columns.items()
        for row, draw in zip(*np.nonzero(own.state == RIGHT), strict=True)
    }


def test_a_run_without_answers_is_kept_as_such(tmp_path: Path) -> None:
    kept.keep(tmp_path / kept.FOLDER, "nothing", "seal", Gathered({}, {}))

    assert kept.load(tmp_path / kept.FOLDER, "nothing", "seal") == Gathered({}, {})


def test_kept_columns_are_read_without_pandas(tmp_path: Path) -> None:
    """Arrow imports it wherever it is installed, half a second and 40 MB, unless its arrays are put together with care."""
    for seed, name in enumerate("ab"):
        stored(tmp_path, renamed(run_of(rows(60, seed=seed)), name))
    program = (
        "import sys; from forgetmap import compare\n"
        f"for _ in range(2): compare('a', 'b', study={str(tmp_path)!r})\n"
        "assert 'pandas' not in sys.modules"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
