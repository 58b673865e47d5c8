"""Folders of lm-eval logs: several models, several times, results that are missing or broken."""

import gzip
from pathlib import Path

import pytest

from forgetmap.errors import FormatError
from forgetmap.formats.opening import open_run, open_runs
from tests.formats.lm_eval_told import LATER, TIME, log, picked, results, run, runs, said, sums

OTHER = "2026-03-03T00-00-00"


def test_a_task_s_name_may_hold_what_separates_the_parts_of_a_file_s_name(tmp_path: Path) -> None:
    log(tmp_path, "mmlu_pro_2024-x_samples_law", [picked(0, 1, 1)])

    assert [row.item.task for row in run(tmp_path).rows()] == ["mmlu_pro_2024-x_samples_law"]


def test_two_models_in_one_folder_are_two_runs(tmp_path: Path) -> None:
    for model in ("org/one", "org/two"):
        folder = tmp_path / model.replace("/", "__")
        log(folder, "t", [picked(0, 1, 1)])
        sums(folder, model)

    assert [found.info.run_id for found in runs(tmp_path)] == ["org__one", "org__two"]
    assert open_run(f"{tmp_path}::org__two").info.checkpoint == "org/two"
    assert open_run(f"{tmp_path}::org/two").info.run_id == "org__two"
    with pytest.raises(FormatError, match=r"one run is wanted.*holds 2: org__one, org__two.*::org__one"):
        open_run(tmp_path)


def test_two_models_written_beside_each_other_are_told_apart_by_their_times(tmp_path: Path) -> None:
    for model, time in (("one", TIME), ("two", LATER)):
        log(tmp_path, "t", [picked(0, 1, 1)], time)
        sums(tmp_path, model, time, stem="out")

    assert [found.info.run_id for found in runs(tmp_path)] == ["one", "two"]


def test_revisions_of_a_model_are_checkpoints_of_their_own(tmp_path: Path) -> None:
    for step, time in ((1000, TIME), (143000, LATER)):
        log(tmp_path, "t", [picked(0, 1, 1)], time)
        arguments = f"pretrained=lab/model,revision=step{step},dtype=float32"
        sums(tmp_path, "", time, config={"model": "hf", "model_args": arguments})

    found = runs(tmp_path)

    assert [each.info.checkpoint for each in found] == ["lab/model@step1000", "lab/model@step143000"]
    assert [each.info.step for each in found] == [1000, 143000]
    assert [each.info.dtype for each in found] == ["float32", "float32"]


def test_an_adapter_names_the_checkpoint_and_what_it_is_laid_upon_the_parent(tmp_path: Path) -> None:
    log(tmp_path, "t", [picked(0, 1, 1)])
    sums(tmp_path, "", config={"model": "hf", "model_args": {"pretrained": "lab/model", "peft": "./runs/lora-7/"}})

    info = run(tmp_path).info

    assert (info.run_id, info.checkpoint, info.parents) == ("lora-7", "./runs/lora-7/", ("lab/model",))


def test_runs_of_one_name_in_two_folders_are_named_with_their_folders(tmp_path: Path) -> None:
    for folder in ("before", "after"):
        log(tmp_path / folder / "model", "t", [picked(0, 1, 1)])
        sums(tmp_path / folder / "model", "model")

    assert [found.info.run_id for found in runs(tmp_path)] == ["after-model-model", "before-model-model"]


def several_times(folder: Path) -> None:
    """Two tasks at one time, one of them again later and better."""
    log(folder, "t", [picked(0, 1, 0)])
    log(folder, "u", [picked(0, 1, 1)])
    log(folder, "t", [picked(0, 1, 1)], LATER)
    sums(folder, "model", **{"n-shot": {"t": 0, "u": 3}})
    sums(folder, "model", LATER, **{"n-shot": {"t": 5}})


def test_of_several_times_the_latest_log_of_each_task_is_taken_and_it_is_said(tmp_path: Path) -> None:
    several_times(tmp_path)
    found = run(tmp_path)

    values = {row.item.task: row.scores[0].value for row in found.rows()}

    assert values == {"t": 1.0, "u": 1.0}
    assert found.info.shots == {"t": 5, "u": 3}
    assert [note for note in found.notes if "several times for t" in note and LATER in note and TIME in note]


def test_another_time_is_had_by_naming_it(tmp_path: Path) -> None:
    several_times(tmp_path)

    first, later = (open_run(f"{tmp_path}::{time}") for time in (TIME, LATER))

    assert {row.item.task: row.scores[0].value for row in first.rows()} == {"t": 0.0, "u": 1.0}
    assert {row.item.task: row.scores[0].value for row in later.rows()} == {"t": 1.0}
    assert first.notes == []
    with pytest.raises(FormatError, match=f"no run called '{OTHER}'; it holds model"):
        open_run(f"{tmp_path}::{OTHER}")


@pytest.mark.parametrize("content", ["", "{", "[]", '"text"', "\x00\x01", '{"results": 5, "config": [], "n-shot": 3}'])
def test_a_broken_results_file_costs_the_settings_but_not_the_samples(content: str, tmp_path: Path) -> None:
    log(tmp_path / "model", "t", [picked(0, 1, 1)])
    sums(tmp_path / "model", "").write_text(content, encoding="utf-8")

    found = run(tmp_path)

    assert len(list(found.rows())) == 1
    assert (found.info.checkpoint, found.info.shots) == ("model", {})
    assert content.startswith('{"r') or [note for note in found.notes if "results_" in note]


def test_results_may_be_compressed_and_hold_what_json_has_no_number_for(tmp_path: Path) -> None:
    log(tmp_path, "t", [picked(0, 1, 1)])
    path = sums(tmp_path, "org/model", results={"t": {"acc,none": float("nan")}})
    (tmp_path / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()

    assert run(tmp_path).info.checkpoint == "org/model"


def test_sums_without_samples_say_how_to_get_them(tmp_path: Path) -> None:
    path = sums(tmp_path / "model", "org/model")

    for address in (tmp_path, path):
        with pytest.raises(FormatError, match="--log_samples"):
            open_runs(address)


def test_one_samples_file_is_a_run_with_the_settings_beside_it(tmp_path: Path) -> None:
    path = log(tmp_path, "t", [picked(0, 1, 1)])
    log(tmp_path, "u", [picked(0, 1, 1)])
    sums(tmp_path, "org/model", **{"n-shot": {"t": 4, "u": 2}})

    found = run(path)

    assert (found.info.checkpoint, found.info.shots, found.info.prompt) == ("org/model", {"t": 4}, "4-shot")


def test_shots_that_differ_and_a_system_prompt_are_in_the_prompt_style(tmp_path: Path) -> None:
    log(tmp_path, "t", [picked(0, 1, 1)])
    log(tmp_path, "u", [picked(0, 1, 1)])
    sums(tmp_path, "m", **{"n-shot": {"t": 0, "u": 5}}, system_instruction="Be brief.", system_instruction_sha="abc")

    info = run(tmp_path).info

    assert info.prompt == "0 to 5-shot, system prompt"
    assert info.hashes == {"system_instruction": "abc"}


def test_generation_settings_of_user_and_task_are_the_decoding(tmp_path: Path) -> None:
    log(tmp_path, "t", [said(0, {"question": "?"}, "2", "2", "2", exact_match=1.0)])
    config = results("m")["config"] | {"gen_kwargs": "temperature=0.7,do_sample=True"}
    configs = {"t": {"output_type": "generate_until", "generation_kwargs": {"max_gen_toks": 9}}, "u": {}}
    sums(tmp_path, "m", config=config, configs=configs)

    assert run(tmp_path).info.decoding == {"t": {"max_gen_toks": 9}, "temperature": "0.7", "do_sample": "True"}


@pytest.mark.parametrize("date", [1e30, float("nan"), "yesterday", None])
def test_a_date_that_is_none_is_not_told(date: object, tmp_path: Path) -> None:
    log(tmp_path, "t", [picked(0, 1, 1)])
    sums(tmp_path, "m", date=date)

    assert run(tmp_path).info.created is None


def test_files_of_other_kinds_in_the_folder_are_passed_over(tmp_path: Path) -> None:
    log(tmp_path, "t", [picked(0, 1, 1)])
    (tmp_path / "notes.jsonl").write_text('{"hello": 1}\n', encoding="utf-8")
    (tmp_path / "samples_empty.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "samples_broken.jsonl.gz").write_bytes(b"no gzip")
    (tmp_path / "samples_folder.jsonl").mkdir()

    assert [row.item.task for row in run(tmp_path).rows()] == ["t"]
