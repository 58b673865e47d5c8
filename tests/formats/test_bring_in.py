"""Bringing logs into a study."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from forgetmap.errors import FormatError, SettingError, StudyError
from forgetmap.fan_out import FAN_OUTS
from forgetmap.formats.bring_in import read
from forgetmap.formats.contract import Hints
from forgetmap.formats.opening import open_run
from forgetmap.records.study import Study
from tests.records.made_up import files

READ = """
import sys
from forgetmap.formats import lm_eval, mmlu_pro, records, table  # so that no kill is wasted on them
from forgetmap.formats.bring_in import read
print("ready", flush=True)
print([written.content_hash for written in read(sys.argv[1:-1], study=sys.argv[-1])], flush=True)
"""


def table(path: Path, items: int, *, seed: int = 0, options: bool = True) -> Path:
    """A plain table with made-up items."""
    rng = random.Random(seed)
    with path.open("w") as file:
        for number in range(items):
            row = {
                "item_id": str(number),
                "question": f"Which is number {number}?",
                "choices": [f"{number} {letter}" for letter in "abcd"],
                "gold": "ABCD"[number % 4],
                "choice": rng.choice("ABCD"),
            }
            if not options:
                row = {name: row[name] for name in ("item_id", "question")} | {"correct": rng.randrange(2)}
            file.write(json.dumps(row) + "\n")
    return path


def test_every_run_of_every_path_is_stored(tmp_path: Path) -> None:
    logs = [table(tmp_path / "before.jsonl", 30), table(tmp_path / "after.jsonl", 30, seed=1)]

    written = read(logs, study=tmp_path / "study")

    stored = Study.open(tmp_path / "study")
    assert [run.how for run in written] == ["written", "written"]
    assert list(stored.runs()) == sorted(run.run_id for run in written)
    for log, run in zip(logs, written, strict=True):
        assert list(stored.run(run.run_id).rows()) == list(open_run(log).rows())


def test_a_path_may_be_given_alone_and_the_study_as_a_study(tmp_path: Path) -> None:
    log = table(tmp_path / "before.jsonl", 5)

    read(log, study=tmp_path / "one")
    read(str(log), study=Study.at(tmp_path / "two"))

    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_the_same_command_again_finds_everything_there(tmp_path: Path) -> None:
    log = table(tmp_path / "before.jsonl", 30)
    read(log, study=tmp_path / "study")
    before = files(tmp_path / "study")

    assert [run.how for run in read(log, study=tmp_path / "study")] == ["already there"]
    assert files(tmp_path / "study") == before


def test_another_log_of_the_same_name_needs_a_name_of_its_own(tmp_path: Path) -> None:
    log = table(tmp_path / "model.jsonl", 30)
    first = read(log, study=tmp_path / "study")[0]
    table(log, 30, seed=1)

    with pytest.raises(
        StudyError, match=r"rows are not those of model.jsonl: give this one another name with `--as NAME`"
    ):
        read(log, study=tmp_path / "study")
    second = read(log, study=tmp_path / "study", hints=Hints(name="after"))[0]

    assert second.run_id == "after"
    assert set(Study.open(tmp_path / "study").runs()) == {first.run_id, "after"}


def test_one_name_for_several_runs_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    logs = [table(tmp_path / f"{name}.jsonl", 5) for name in ("before", "after")]

    with pytest.raises(SettingError, match=r"--as x names one run, but 2 are to be read: read them one at a time"):
        read(logs, study=tmp_path / "study", hints=Hints(name="x"))

    assert not (tmp_path / "study").exists()


def test_two_logs_that_would_have_one_name_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    logs = []
    for folder in ("before", "after"):
        (tmp_path / folder).mkdir()
        logs.append(table(tmp_path / folder / "samples.jsonl", 5))

    said = rf"2 of the runs to be read are called samples \(samples.jsonl in {tmp_path}/before and samples.jsonl in {tmp_path}/after\)"
    with pytest.raises(SettingError, match=f"{said}: .*each with a name of its own"):
        read(logs, study=tmp_path / "study")

    assert not (tmp_path / "study").exists()


def test_a_path_that_is_no_log_keeps_none_of_the_others_from_being_stored(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"")
    logs = [table(tmp_path / "a.jsonl", 5), bad, tmp_path / "absent", table(tmp_path / "b.jsonl", 5)]

    with pytest.raises(FormatError, match=r"bad.jsonl is empty.* Of 4 runs 2 are stored\.$"):
        read(logs, study=tmp_path / "study")

    assert list(Study.open(tmp_path / "study").runs()) == ["a", "b"]


def test_one_name_for_a_log_and_a_path_that_is_none_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    for hints in (Hints(name="x"), Hints(stage="sft")):
        with pytest.raises(SettingError, match="but 2 are to be read"):
            read([table(tmp_path / "a.jsonl", 5), tmp_path / "absent"], study=tmp_path / "study", hints=hints)

    assert not (tmp_path / "study").exists()


def test_a_path_that_is_given_twice_is_read_once(tmp_path: Path) -> None:
    log = table(tmp_path / "a.jsonl", 5)

    written = read([log, str(log), tmp_path / "." / "a.jsonl"], study=tmp_path / "study")

    assert [run.run_id for run in written] == ["a"]


def test_a_log_without_a_readable_row_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    log = tmp_path / "model.jsonl"
    log.write_text('{"item_id": "0", "correct": "perhaps"}\n')

    with pytest.raises(FormatError):
        read(log, study=tmp_path / "study")

    assert not (tmp_path / "study").exists()


def test_rows_that_cannot_be_read_are_counted_and_listed_in_the_study(tmp_path: Path) -> None:
    log = table(tmp_path / "model.jsonl", 30)
    with log.open("a") as file:
        file.write('{"item_id": "30", "question": "cut in the mid')

    written = read(log, study=tmp_path / "study")[0]

    problems = Study.open(tmp_path / "study").runs()[written.run_id].problems
    assert (written.rows, written.problems) == (30, 1)
    assert "31" in problems[0].where


def test_numbers_of_options_of_the_study_are_used_in_reading_and_those_of_the_call_come_first(tmp_path: Path) -> None:
    log = table(tmp_path / "quiz.jsonl", 12, options=False)
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "study.toml").write_text('[tasks."*"]\nk = 5\n')

    stated = read(log, study=tmp_path / "study")[0]
    called = read(log, study=tmp_path / "study", hints=Hints(k=(("*", "2"),), name="called"))[0]

    found = Study.open(tmp_path / "study")
    assert {row.item.chance for row in found.run(stated.run_id).rows()} == {0.2}
    assert {row.item.chance for row in found.run(called.run_id).rows()} == {0.5}


def test_a_study_toml_that_is_wrong_stops_reading_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "study.toml").write_text("[tasks.mmlu]\noptions = 4\n")

    with pytest.raises(SettingError, match=r"tasks.mmlu.options, which is unknown; known here are: k"):
        read(table(tmp_path / "model.jsonl", 5), study=tmp_path / "study")


def test_progress_names_each_run(tmp_path: Path) -> None:
    logs = [table(tmp_path / "before.jsonl", 700), table(tmp_path / "after.jsonl", 20)]
    told: list[tuple[str, int]] = []

    read(logs, study=tmp_path / "study", progress=lambda run_id, count: told.append((run_id, count)))

    assert [one for one in told if one[0] == "before"] == [("before", 500), ("before", 700)]
    assert [one for one in told if one[0] == "after"] == [("after", 20)]


def test_a_real_log_comes_back_from_the_study_row_for_row(tmp_path: Path, shared_data: Path) -> None:
    log = shared_data / "sample_results" / "mmlu_pro" / "model_outputs_Yi-6b-Chat_5shots.zip"

    written = read(log, study=tmp_path)[0]

    assert written.items == 12_032
    assert list(Study.open(tmp_path).run(written.run_id).rows()) == list(open_run(log).rows())


def test_a_read_that_is_killed_at_twenty_random_moments_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    logs = [
        table(tmp_path / f"{name}.jsonl", 2_200, seed=seed, options=False)
        for seed, name in enumerate(("before", "after"))
    ]
    undisturbed = started(logs, tmp_path / "undisturbed")
    start = time.perf_counter()
    hashes = undisturbed.communicate()[0]
    seconds = time.perf_counter() - start
    rng, kills, studies = random.Random(), 0, 0

    while kills < 20:
        study, studies = tmp_path / f"study {studies}", studies + 1
        for _ in range(7):
            process = started(logs, study)
            time.sleep(rng.random() * seconds)
            process.kill()
            process.communicate()
            if process.returncode == 0:
                seconds *= 0.7  # the machine was busier before
                break
            assert process.returncode == -signal.SIGKILL
            kills += 1
        assert started(logs, study).communicate()[0] == hashes
        assert files(study) == files(tmp_path / "undisturbed")


def started(logs: list[Path], study: Path) -> subprocess.Popen[str]:
    """A process that is about to read logs into a study."""
    command = [sys.executable, "-c", READ, *map(str, logs), str(study)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("fan_out", FAN_OUTS)
def test_a_study_is_the_same_whoever_did_the_work(tmp_path: Path, fan_out: str) -> None:
    if fan_out == "ray":
        pytest.importorskip("ray", reason="Ray is not installed: pip install 'forgetmap[ray]'")
    logs = [table(tmp_path / f"step-{number}.jsonl", 40, seed=number) for number in range(5)]

    side_by_side = read(logs, study=tmp_path / "side-by-side", fan_out=fan_out)
    one_by_one = [read(log, study=tmp_path / "one-by-one")[0] for log in logs]

    assert [run.run_id for run in side_by_side] == [run.run_id for run in one_by_one]
    assert files(tmp_path / "side-by-side") == files(tmp_path / "one-by-one")


def test_a_run_that_cannot_be_stored_keeps_no_other_from_being_stored(tmp_path: Path) -> None:
    logs = [table(tmp_path / f"{name}.jsonl", 20) for name in ("a", "b", "c")]
    logs[1].write_text('{"item_id": "0", "correct": "perhaps"}\n')

    with pytest.raises(FormatError, match=r"b\.jsonl.*Of 3 runs 2 are stored\.$"):
        read(logs, study=tmp_path / "study")

    assert list(Study.open(tmp_path / "study").runs()) == ["a", "c"]


def test_a_fan_out_that_does_not_exist_is_refused_with_those_that_do(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"no fan_out called 'cloud'; there are: local, ray"):
        read(table(tmp_path / "a.jsonl", 5), study=tmp_path / "study", fan_out="cloud")
