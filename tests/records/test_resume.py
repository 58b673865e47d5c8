"""Every moment at which writing can stop, one by one."""

import os
import resource
import shutil
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from forgetmap.errors import StudyError
from forgetmap.records import journal
from forgetmap.records.batches import Sizes
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row
from forgetmap.records.store import write
from forgetmap.records.study import Study
from tests.records.made_up import files, rows, run_of

SIZES = Sizes(batch=10, shard=30)
ROWS = rows(35, draws=2)
RUN = run_of(ROWS)
STEPS = ("fsync", "replace", "unlink", "truncate")
"""All that writing asks of the system after it has put bytes into a file."""


class PowerCut(BaseException):
    """The end of everything at one moment."""


class Power:
    """Goes off before or after a number of steps; after that nothing reaches the disk any more."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, steps: int, *, done: bool) -> None:
        self.left, self.done, self.off = steps, done, False
        for name in STEPS:
            monkeypatch.setattr(os, name, self.counted(getattr(os, name)))

    def counted(self, step: Callable[..., Any]) -> Callable[..., Any]:
        def take(*arguments: Any) -> Any:
            if self.off:
                return None
            self.left -= 1
            self.off = self.left < 0
            result = None if self.off and not self.done else step(*arguments)
            if self.off:
                raise PowerCut
            return result

        return take


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run that was written in one go."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert write(folder, RUN, sizes=SIZES).how == "written"
    return files(folder)


@pytest.mark.parametrize("done", [False, True], ids=["before the step", "after the step"])
def test_after_a_cut_at_any_step_the_same_call_ends_with_the_same_files(tmp_path: Path, done: bool) -> None:
    run, steps, whole = run_of(ROWS[:40]), 0, False
    write(tmp_path / "undisturbed", run, sizes=SIZES)
    while not whole:
        study = tmp_path / str(steps)
        whole = not cut_off(study, run, steps, done=done)
        assert_only_whole_runs_are_seen(study, run)
        write(study, run, sizes=SIZES)
        assert files(study) == files(tmp_path / "undisturbed"), f"cut at step {steps}"
        steps += 1

    assert steps > 35, "journal, two shards and run.json all have steps at which a cut can fall"


def cut_off(study: Path, run: Run, steps: int, *, done: bool) -> bool:
    """Write a run with power for so many steps, and say whether that was too little."""
    with pytest.MonkeyPatch.context() as patch:
        power = Power(patch, steps, done=done)
        try:
            write(study, run, sizes=SIZES)
        except PowerCut:
            return True
        return power.off


def assert_only_whole_runs_are_seen(folder: Path, run: Run) -> None:
    study = Study.at(folder)
    assert not study.damaged()
    for run_id in study.runs():
        assert list(study.run(run_id).rows()) == list(run.rows())


def test_cuts_while_resuming_do_no_harm_either(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    for steps in (7, 5, 11, 9, 3, 8, 1):
        assert cut_off(tmp_path, RUN, steps, done=steps % 2 == 0)

    assert write(tmp_path, RUN, sizes=SIZES).how == "resumed"
    assert files(tmp_path) == undisturbed


def stopped(study: Path, batches: int, run: Run = RUN) -> journal.Journal:
    """Write so many batches of a run and stop there."""

    def read(problems: list[Problem]) -> Iterator[Row]:
        yield from islice(run.read(problems), batches * SIZES.batch)
        raise PowerCut

    with pytest.raises(PowerCut):
        write(study, Run(run.info, read), sizes=SIZES)
    found = journal.find(study / "runs" / run.info.run_id)
    assert found is not None
    return found


def test_a_journal_cut_at_any_byte_of_its_last_line_resumes_from_the_line_before(
    tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    left = stopped(tmp_path / "origin", 2)
    whole = left.path.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    for length in (*range(start, start + 120), *range(start + 120, len(whole), 311), len(whole) - 1):
        study = tmp_path / str(length)
        shutil.copytree(tmp_path / "origin", study)
        (study / "runs" / "made-up" / "journal.jsonl").write_bytes(whole[:length])

        assert Study.at(study).unfinished()["made-up"].rows == 10
        if length % 20 == 0 or length == len(whole) - 1:
            assert write(study, RUN, sizes=SIZES).how == "resumed"
            assert files(study) == undisturbed
        shutil.rmtree(study)


@pytest.mark.parametrize("torn", [b"\0" * 400, b'{"rows":20,"digest":"00"}\n', b"[1, 2]\n", b"\xff\xfe\n"])
def test_a_last_line_of_rubbish_is_dropped(tmp_path: Path, undisturbed: dict[str, bytes], torn: bytes) -> None:
    left = stopped(tmp_path, 1)
    with left.path.open("ab") as file:
        file.write(torn)

    assert write(tmp_path, RUN, sizes=SIZES).how == "resumed"
    assert files(tmp_path) == undisturbed


def test_what_is_written_behind_a_torn_line_is_safe_too(tmp_path: Path) -> None:
    left = stopped(tmp_path, 1)
    with left.path.open("ab") as file:
        file.write(b'{"rows":20,"dig')

    again = stopped(tmp_path, 2)

    assert again.rows == 20
    assert list(journal.rows_in(again)) == list(RUN.rows())[:20]


def test_a_journal_never_holds_rows_of_two_logs(tmp_path: Path) -> None:
    other = run_of([*ROWS[:5], answered_otherwise(ROWS[5]), *ROWS[6:]])
    stopped(tmp_path, 2)

    again = stopped(tmp_path, 2, other)

    assert list(journal.rows_in(again)) == list(other.rows())[:20]


def test_the_rows_in_a_journal_are_those_that_were_written(tmp_path: Path) -> None:
    left = stopped(tmp_path, 5)

    assert (left.sealed, left.rows) == (30, 50)
    assert list(journal.rows_in(left)) == list(RUN.rows())[30:50]


def test_what_is_safe_is_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(tmp_path, 5)
    written: list[int] = []
    append = journal.append
    monkeypatch.setattr(journal, "append", lambda folder, batch: (written.append(batch.start), append(folder, batch)))
    shards = files(tmp_path / "runs" / "made-up")

    assert write(tmp_path, RUN, sizes=SIZES).how == "resumed"

    assert written == [50, 60]
    first = {name: content for name, content in shards.items() if name.endswith("-0000.parquet")}
    assert len(first) == 4
    assert first.items() <= files(tmp_path / "runs" / "made-up").items()


def answered_otherwise(row: Row) -> Row:
    return row._replace(sample=row.sample._replace(response="something else"))


OTHERS = {
    "a longer log": rows(35, draws=2) + [row._replace(item=row.item._replace(task="more")) for row in rows(40)],
    "a log that ends earlier": ROWS[:42],
    "a log that ends with a sealed shard": ROWS[:30],
    "a log with another first row": [answered_otherwise(ROWS[0]), *ROWS[1:]],
    "a log with another last row": [*ROWS[:-1], answered_otherwise(ROWS[-1])],
    "a log with another row in the journal": [*ROWS[:45], answered_otherwise(ROWS[45]), *ROWS[46:]],
    "a log of other rows": rows(35, draws=2, seed=9),
}


@pytest.mark.parametrize("batches", [1, 3, 5, 7])
@pytest.mark.parametrize("other", OTHERS)
def test_another_log_under_the_same_name_ends_as_if_nothing_had_been_there(
    tmp_path: Path, other: str, batches: int
) -> None:
    run = run_of(OTHERS[other])
    stopped(tmp_path / "disturbed", batches)

    write(tmp_path / "disturbed", run, sizes=SIZES)
    write(tmp_path / "undisturbed", run, sizes=SIZES)

    assert files(tmp_path / "disturbed") == files(tmp_path / "undisturbed")


def test_a_log_that_has_grown_since_its_last_shard_was_sealed_starts_again(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch, pytest.raises(PowerCut):
        patch.setattr(journal, "begin", cut_when_sealed(ROWS[:40]))
        write(tmp_path / "disturbed", run_of(ROWS[:40]), sizes=SIZES)
    left = journal.find(tmp_path / "disturbed" / "runs" / "made-up")
    assert left is not None
    assert left.sealed == 40, "a shard of 30 rows and one of 10 that was the last"

    assert write(tmp_path / "disturbed", RUN, sizes=SIZES).how == "written"
    write(tmp_path / "undisturbed", RUN, sizes=SIZES)
    assert files(tmp_path / "disturbed") == files(tmp_path / "undisturbed")


def cut_when_sealed(all_rows: list[Row]) -> Callable[..., journal.Journal]:
    begin = journal.begin

    def begun(*arguments: Any) -> journal.Journal:
        found = begin(*arguments)
        if found.sealed == len(all_rows):
            raise PowerCut
        return found

    return begun


def test_another_source_under_the_same_name_starts_again(tmp_path: Path) -> None:
    stopped(tmp_path, 5)
    other = run_of(ROWS)
    other.info.hashes["weights"] = "1e"

    assert write(tmp_path, other, sizes=SIZES).how == "written"


def test_a_sealed_shard_that_is_damaged_before_the_run_is_whole_is_written_again(
    tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    stopped(tmp_path, 5)
    (tmp_path / "runs" / "made-up" / "samples-0000.parquet").write_bytes(b"PAR1")

    assert write(tmp_path, RUN, sizes=SIZES).how == "written"
    assert files(tmp_path) == undisturbed


@pytest.mark.parametrize("room", [0, 1_000, 4_000, 9_000])
def test_a_disk_that_is_full_gives_a_sentence_and_what_was_written_is_kept(
    tmp_path: Path, undisturbed: dict[str, bytes], room: int
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        with pytest.raises(StudyError, match=r"made-up.* cannot be written: File too large.*the same command goes on"):
            write(tmp_path, RUN, sizes=SIZES)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert_only_whole_runs_are_seen(tmp_path, RUN)
    write(tmp_path, RUN, sizes=SIZES)
    assert files(tmp_path) == undisturbed


def test_a_place_that_cannot_be_written_to_gives_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file where a folder should be")

    with pytest.raises(StudyError, match=r"runs.made-up cannot be written: Not a directory"):
        write(tmp_path, RUN)
