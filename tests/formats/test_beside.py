"""What lies in a folder besides the logs that are read is told: damaged logs, logs of other formats, tasks without samples."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from forgetmap.formats import beside
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.records.run import Run
from tests.formats import lighteval_told, test_bbh_outputs, test_llmdrift, test_zero_eval
from tests.formats.helm_told import adapter, state
from tests.formats.lm_eval_told import log, picked, sums


def lm_eval(folder: Path, name: str) -> Path:
    return log(folder, name, [picked(number, 1, 1) for number in range(3)])


def lm_eval_older(folder: Path, name: str) -> Path:
    path = folder / f"pretrained__lab__m,dtype__float32_{name}.jsonl"
    path.write_text(json.dumps([picked(number, 1, 1) for number in range(3)], indent=2))
    return path


def helm(folder: Path, name: str) -> Path:
    path = folder / f"{name}.json.gz"
    content = {"adapter_spec": adapter(), "request_states": [state(f"id{number}") for number in range(3)]}
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    return path


def zero_eval(folder: Path, name: str) -> Path:
    entries = [test_zero_eval.entry(number, ["x"], generator=name) for number in range(3)]
    return test_zero_eval.written(folder, entries, f"{name}.json")


def bbh_outputs(folder: Path, name: str) -> Path:
    return test_bbh_outputs.written(folder, [test_bbh_outputs.output("Why?", "a", "a")] * 3, f"{name}.json")


def llmdrift(folder: Path, name: str) -> Path:
    return test_llmdrift.written(folder, [test_llmdrift.row(1, "[yes]", "[yes]")], f"{name}.csv")


def table(folder: Path, name: str) -> Path:
    path = folder / f"{name}.csv"
    path.write_text("item_id,correct\n1,1\n2,0\n")
    return path


WRITERS = (lm_eval, lm_eval_older, helm, zero_eval, bbh_outputs, llmdrift, table)
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "nothing left": lambda content: b"",
    "zeros": lambda content: bytes(len(content)),
    "UTF-16": lambda content: content.decode("latin-1").encode("utf-16"),
    "cut within its first entry": lambda content: content[:12],
    "damaged gzip": lambda content: gzip.compress(content)[:30],
}


def told(runs: list[Run]) -> list[str]:
    return [f"{problem.where} {problem.why}" for run in runs if list(run.rows()) for problem in run.problems]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("write", WRITERS)
def test_a_damaged_log_of_a_folder_is_a_problem(
    write: Callable[[Path, str], Path], damage: str, tmp_path: Path
) -> None:
    write(tmp_path, "whole")
    hurt = write(tmp_path, "hurt")
    assert told(open_runs(tmp_path)) == []
    hurt.write_bytes(DAMAGES[damage](hurt.read_bytes()))

    problems = told(open_runs(tmp_path))

    assert problems and all(problem.startswith(hurt.name) for problem in problems)


def test_a_run_chosen_of_several_tells_of_the_damaged_log_too(tmp_path: Path) -> None:
    zero_eval(tmp_path, "One-7B")
    zero_eval(tmp_path, "Two-7B")
    zero_eval(tmp_path, "Three-7B").write_bytes(b"")

    run = open_run(f"{tmp_path}::Two-7B")

    assert list(run.rows()) and [problem.where for problem in run.problems] == ["Three-7B.json"]


def test_a_damaged_log_is_a_problem_of_the_runs_of_its_folder_only(tmp_path: Path) -> None:
    for model in ("one", "two"):
        lm_eval(tmp_path / model, f"quiz_{model}")
    lm_eval(tmp_path / "two", "hurt").write_bytes(b"")

    one, two = open_runs(tmp_path)

    assert list(one.rows()) and list(two.rows())
    assert (len(one.problems), [problem.where.split("/")[0] for problem in two.problems]) == (0, ["two"])


def test_files_of_the_same_names_in_two_folders_do_not_confuse_whose_log_is_damaged(tmp_path: Path) -> None:
    for model in ("one-direct", "two-direct"):
        for task in ("quiz", "law"):
            bbh_outputs(tmp_path / model, task)
    (tmp_path / "two-direct" / "law.json").write_bytes(b"")

    one, two = open_runs(tmp_path)

    assert (told([one]), told([two])) == ([], ["two-direct/law.json is empty: was it written to its end?"])


def test_whole_files_of_another_kind_and_hidden_ones_are_no_problem(tmp_path: Path) -> None:
    lm_eval(tmp_path, "quiz")
    (tmp_path / "settings.jsonl").write_text('{"a": 1}\n{"b": 2}\n')
    (tmp_path / ".hidden.jsonl").write_bytes(b"")
    (tmp_path / "notes.txt").write_bytes(b"")
    (tmp_path / "nothing.jsonl").write_text("[]")

    run = open_run(tmp_path)

    assert told([run]) == [] and run.notes == open_run(next(tmp_path.glob("samples_*"))).notes


def test_logs_of_another_format_are_named_on_every_run(tmp_path: Path) -> None:
    lighteval_told.written(tmp_path / "a", [lighteval_told.picked(0, 1, 1)])
    lm_eval(tmp_path, "quiz")

    for run in open_runs(tmp_path):
        (said,) = [note for note in run.notes if "also holds logs" in note]
        assert "of the format lm_eval, which are left aside: samples_quiz_" in said
        assert said.endswith("--format lm_eval reads them.")
    assert not [note for run in open_runs(tmp_path, format="lm_eval") for note in run.notes if "also holds" in note]


def test_sums_beside_logs_are_no_table_of_items(tmp_path: Path) -> None:
    bbh_outputs(tmp_path, "quiz_few_shot")
    (tmp_path / "quiz_few_shot_eval_metrics.jsonl").write_text('{"accuracy": 100.0, "count": 3}')

    assert open_run(tmp_path).notes == []


def test_of_very_many_files_some_are_looked_at_and_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "_LOOKED_AT", 2)
    for number in range(3):
        lm_eval(tmp_path, f"quiz{number}")

    assert any("only 2 were looked at" in note for note in open_run(tmp_path).notes)


def test_tasks_that_the_results_list_without_samples_are_named(tmp_path: Path) -> None:
    path = lm_eval(tmp_path, "quiz")
    configs = {"quiz": {}, "law": {}, "art": {}}
    results = sums(tmp_path, "model", configs=configs)
    said = f"{results.name} lists art, law, of which no samples can be read here."

    assert said in open_run(tmp_path).notes and said in open_run(results).notes
    assert said not in open_run(path).notes
