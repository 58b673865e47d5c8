"""Our own records read as a log."""

from pathlib import Path

import pytest

from forgetmap.errors import FormatError, SettingError, StudyError
from forgetmap.formats.contract import Hints
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.formats.records import FORMAT
from forgetmap.records.schema import Item, Row, Sample, Score
from forgetmap.records.store import write
from tests.records.made_up import rows, run_of


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study with two runs."""
    write(tmp_path / "study", run_of(rows(20), "before"))
    write(tmp_path / "study", run_of(rows(20, seed=1), "after"))
    return tmp_path / "study"


def test_a_study_and_the_folder_of_a_run_are_known_by_what_is_in_them(study: Path) -> None:
    assert FORMAT.sniff(study)
    assert FORMAT.sniff(study / "runs" / "before")
    assert not FORMAT.sniff(study / "runs")
    assert not FORMAT.sniff(study / "runs" / "before" / "run.json")
    assert not FORMAT.sniff(study / "missing")


def test_runs_of_another_program_are_not_taken_for_a_study(tmp_path: Path) -> None:
    (tmp_path / "runs" / "Nov19").mkdir(parents=True)
    (tmp_path / "runs" / "Nov19" / "run.json").write_text('{"id": 7}')

    assert not FORMAT.sniff(tmp_path)
    assert not FORMAT.sniff(tmp_path / "runs" / "Nov19")


def test_no_other_format_takes_a_study_or_the_folder_of_a_run_for_its_own(study: Path) -> None:
    (study / "study.toml").write_text('name = "mine"')

    assert [run.info.run_id for run in open_runs(study)] == ["after", "before"]
    assert [run.info.run_id for run in open_runs(study / "runs" / "before")] == ["before"]


def test_a_stored_run_read_as_a_log_has_the_rows_that_were_written(study: Path) -> None:
    run = open_run(study / "runs" / "before")

    assert list(run.rows()) == list(run_of(rows(20)).rows())
    assert list(run.rows()) == list(run_of(rows(20)).rows())


def test_a_run_of_a_study_is_named_behind_the_path(study: Path) -> None:
    assert list(open_run(f"{study}::after").rows()) == list(run_of(rows(20, seed=1)).rows())


def test_a_folder_of_a_run_that_was_copied_elsewhere_goes_by_the_name_of_its_folder(
    study: Path, tmp_path: Path
) -> None:
    (study / "runs" / "before").rename(tmp_path / "mistral 7b")

    assert open_run(tmp_path / "mistral 7b").info.run_id == "mistral 7b"


def test_one_run_may_be_given_a_name_and_several_may_not(study: Path) -> None:
    assert next(FORMAT.read(study / "runs" / "before", Hints(name="x"))).info.run_id == "x"
    with pytest.raises(SettingError, match="--as x names one run"):
        open_runs(study, Hints(name="x"))


def test_a_number_of_options_that_the_records_lack_is_taken_from_the_hints(tmp_path: Path) -> None:
    row = Row(Item("quiz", "0", question="?", golds=("a",)), Sample(), (Score("acc", value=1.0),))
    folder = write(tmp_path, run_of([row])).folder

    mended = next(open_run(folder, Hints(k=(("quiz", "4"),))).rows())

    assert (mended.item.k, mended.item.chance) == (4, 0.25)


def test_a_study_that_has_no_whole_run_says_so(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()

    with pytest.raises(StudyError, match="is a study without a whole run: bring one in with `forgetmap read"):
        list(FORMAT.read(tmp_path, Hints()))


def test_an_unfinished_run_says_so(study: Path) -> None:
    folder = study / "runs" / "half"
    folder.mkdir()
    header = '{"schema":1,"fingerprint":"","run":{"run_id":"half","checkpoint":"x"},"shards":[]}\n'
    info = '"parents":[],"stage":null,"step":null,"engine":null,"prompt":null,"shots":{},"template":null,"decoding":{},"seeds":[],'
    info += '"dtype":null,"harness":null,"harness_version":null,"created":null,"source":[],"hashes":{}'
    (folder / "journal.jsonl").write_text(header.replace('"checkpoint":"x"', f'"checkpoint":"x",{info}'))

    with pytest.raises(StudyError, match=r"the run in .*half is unfinished \(0 rows so far\)"):
        open_runs(folder)
    assert len(open_runs(study)) == 2


def test_a_damaged_run_is_refused_in_its_own_words(study: Path) -> None:
    (study / "runs" / "before" / "scores-0000.parquet").unlink()

    for path in (study, study / "runs" / "before"):
        with pytest.raises(StudyError, match=r"scores-0000.parquet is damaged: it is missing"):
            open_runs(path)


def test_the_format_named_for_a_folder_without_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises((FormatError, StudyError), match=r"is no study: it has neither a folder runs nor a study.toml"):
        open_runs(tmp_path, format="records")
