"""`forgetmap read` and `forgetmap ls`: logs into a study, and what is there."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.logs import quiz, table
from tests.formats.captrack_told import GOLDEN


def test_logs_are_read_into_a_study_and_compared_by_name(run: Run, tmp_path: Path) -> None:
    logs, study = (quiz(tmp_path, "first"), quiz(tmp_path, "second", forget=(1, 2))), tmp_path / "my study"

    read = run("read", *logs, "--study", study)

    assert read.code == 0
    assert [line.split()[:3] for line in read.out.splitlines()[2:4]] == [["first", "40", "40"], ["second", "40", "40"]]
    assert read.out.rstrip().endswith(f"forgetmap compare BEFORE AFTER --study '{study}'")
    assert run("compare", "first", "second", "--study", study).out.startswith("second since first · 40 items")
    assert run("lost", "first", "second", "--study", study).out.count("right: beta") == 2


def test_reading_again_changes_nothing_and_says_so(run: Run, tmp_path: Path) -> None:
    log, study = quiz(tmp_path, "first"), tmp_path / "study"

    first, again = (json.loads(run("read", log, "--study", study, "--json").out)["runs"][0] for _ in range(2))

    assert (first["how"], again["how"]) == ("written", "already there")
    assert first["content_hash"] == again["content_hash"]


def test_unreadable_rows_are_counted(run: Run, tmp_path: Path) -> None:
    log = table(
        tmp_path / "log.csv",
        [{"item_id": 1, "correct": 1}, {"item_id": 2, "correct": "perhaps"}, {"item_id": 3, "correct": 0}],
    )

    row = run("read", log, "--study", tmp_path / "study", "--as", "a-name").out.splitlines()[2].split()

    assert row[:5] == ["a-name", "2", "2", "0", "1"]


def test_read_asks_for_a_study_where_there_is_none(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    ran = run("read", quiz(tmp_path, "log"))

    assert ran.code == 2
    assert (
        ran.err
        == "forgetmap: read wants a study to write into: name its folder with --study DIR (it is made if it is not there).\n"
    )


def test_this_folder_is_the_study_where_it_holds_runs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("read", quiz(tmp_path / "logs", "first"), "--study", tmp_path)
    monkeypatch.chdir(tmp_path)

    assert run("read", quiz(tmp_path / "logs", "second", forget=(3,))).out.rstrip().endswith("forgetmap ls")
    assert run("compare", "first", "second").code == 0
    assert [line.split()[0] for line in run("ls").out.splitlines()[2:]] == ["first", "second"]


def test_a_folder_runs_of_another_program_is_no_study(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiz(tmp_path / "runs", "before")
    quiz(tmp_path / "runs", "after", forget=(3,))
    monkeypatch.chdir(tmp_path)

    assert run("compare", "runs/before.csv", "runs/after.csv").code == 0
    assert run("lost", "runs/before.csv", "runs/after.csv").code == 0
    assert run("read", "runs/before.csv").err.startswith("forgetmap: read wants a study")


def test_ls_lists_runs_for_people_and_for_programs(run: Run, tmp_path: Path) -> None:
    run("read", quiz(tmp_path, "first"), "--study", tmp_path / "study")

    shown, page = run("ls", tmp_path / "study").out, json.loads(run("ls", tmp_path / "study", "--json").out)

    assert "quiz_0 and quiz_1" in shown
    assert set(page) == {"schema", "runs", "unfinished", "damaged"}
    assert page["runs"]["first"]["items"] == 40
    assert page["runs"]["first"]["draws"] == 1


def test_ls_tells_a_damaged_run_and_goes_on(run: Run, tmp_path: Path) -> None:
    run("read", quiz(tmp_path, "first"), quiz(tmp_path, "second"), "--study", tmp_path)
    (tmp_path / "runs" / "first" / "run.json").write_text("{", encoding="utf-8")

    ran = run("ls", tmp_path)

    assert ran.code == 0
    assert "\nsecond " in ran.out
    assert "· " in ran.out
    assert "first" in ran.out


def test_a_folder_that_is_no_study_gets_a_sentence(run: Run, tmp_path: Path) -> None:
    ran = run("ls", tmp_path)

    assert ran.code == 2
    assert "is no study" in ran.err


def test_an_empty_study_says_how_to_begin(run: Run, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()

    assert "No run yet" in run("ls", tmp_path).out


def test_the_number_of_options_is_said_for_stored_runs_too(run: Run, tmp_path: Path) -> None:
    lines = [{"item_id": item, "correct": item % 2} for item in range(30)]
    run("read", table(tmp_path / "a.csv", lines), "--study", tmp_path / "s")

    compared = run("compare", "a", "a", "--study", tmp_path / "s", "--k", "items=4", "--json")

    assert json.loads(compared.out)["cells"][0]["dropped"] == {}


def test_a_run_that_the_study_does_not_have_is_told_which_it_has(run: Run, tmp_path: Path) -> None:
    run("read", quiz(tmp_path, "here"), "--study", tmp_path / "s")

    ended = run("compare", "here", "there", "--study", tmp_path / "s")

    assert ended.code == 2 and "there is neither a run of the study" in ended.err and "here" in ended.err


def test_duplicates_of_a_stored_run_are_still_counted(run: Run, tmp_path: Path) -> None:
    log = quiz(tmp_path, "log")
    log.write_text(log.read_text() + log.read_text().splitlines()[1] + "\n")
    run("read", log, "--study", tmp_path / "s")

    compared = run("compare", "log", quiz(tmp_path, "after"), "--study", tmp_path / "s", "--json")

    assert json.loads(compared.out)["comparisons"][0]["duplicate"] == 1


def test_answers_without_a_score_are_kept_listed_and_left_out_of_a_comparison(run: Run, tmp_path: Path) -> None:
    folder, study = GOLDEN / "model_responses", tmp_path / "study"

    assert run("read", folder, "--study", study).code == 0
    listed, found = run("ls", study).out, run("compare", "base", "tuned", "--study", study)

    assert "base holds answers without a score: 4 tasks (gsm8k.subset, hotpotqa.subset" in listed
    assert "They are kept, and not compared." in " ".join(listed.split())
    assert json.loads(run("ls", study, "--json").out)["runs"]["base"]["tasks"]["gsm8k.subset"]["scorers"] == []
    assert found.out.startswith("tuned since base · 5 items in 1 task")
    for name in ("base", "tuned"):
        assert f"9 answers of {name} have no score yet, so they are not compared" in " ".join(found.out.split())
    assert run("lost", "base", "tuned", "--study", study).out.count("other option") == 2


@pytest.mark.parametrize("verb", [["compare"], ["compare", "--dry-run"], ["lost"], ["gate", "--max-forgetting", "0.1"]])
def test_a_comparison_of_answers_without_any_score_is_refused_in_one_sentence(
    run: Run, tmp_path: Path, verb: list[str]
) -> None:
    logs = [GOLDEN / "model_responses" / side / "gsm8k_subset.json" for side in ("base", "tuned")]
    study = tmp_path / "study"
    for name, log in zip(("one", "two"), logs, strict=True):
        assert run("read", log, "--study", study, "--as", name).code == 0

    for sides in (logs, ["one", "two", "--study", study]):
        ran = run(verb[0], *sides, *verb[1:])
        assert (ran.code, ran.out) == (2, "")
        assert "holds 4 answers, and none of them has a score yet" in " ".join(ran.err.split())
