"""Logs of lighteval: kept examples, real runs, runs and times, and what a row must hold."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import forgetmap
from forgetmap.errors import FormatError
from forgetmap.formats.contract import Hints
from forgetmap.formats.lighteval import FORMAT
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.records.run import Run
from tests.formats.lighteval_told import (
    GOLDEN,
    LATER,
    TIME,
    flat,
    kept,
    picked,
    run,
    settings,
    structs,
    summed,
    told,
    written,
)

SIDES = ("before", "after")


def accuracies(found: Run) -> dict[tuple[str, str], float]:
    """Mean value by task and scorer, over all rows."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in found.rows():
        for score in row.scores:
            values[row.item.task, score.scorer].append(score.value or 0.0)
    return {key: sum(all_) / len(all_) for key, all_ in values.items()}


def stored(results: Any) -> dict[tuple[str, str], float]:
    """The same as the harness summed it."""
    return {
        (task.partition("|")[0], name): value
        for task, values in results["results"].items()
        for name, value in values.items()
        if task != "all" and not name.endswith("_stderr")
    }


@pytest.mark.parametrize("side", SIDES)
def test_accuracies_of_the_kept_logs_are_those_the_harness_summed(side: str, tmp_path: Path) -> None:
    sums = json.loads((GOLDEN / side / "results.json").read_text(encoding="utf-8"))

    assert accuracies(run(kept(tmp_path, side))) == pytest.approx(stored(sums))


def test_accuracies_of_real_logs_are_those_the_harness_summed(shared_data: Path) -> None:
    folder = shared_data.parent / "reference" / "harness-samples" / "lighteval"
    if not folder.is_dir():
        pytest.skip(f"the logs made with the harness are not at {folder}")

    runs = open_runs(folder)

    assert [found.info.run_id for found in runs] == ["smollm2-after", "smollm2-hf"]
    for found in runs:
        (path,) = (folder / "results" / found.info.checkpoint).glob("*.json")
        assert accuracies(found) == pytest.approx(stored(json.loads(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("side", SIDES)
def test_the_kept_logs_have_the_rows_noted_beside_them(side: str, tmp_path: Path) -> None:
    rows = [
        [row.item.task, row.item.native_id, row.item_id, score.scorer, score.outcome, score.value, score.choice]
        for row in told(kept(tmp_path, side))
        for score in row.scores
    ]

    assert rows == json.loads((GOLDEN / side / "rows.json").read_text(encoding="utf-8"))


def test_lettered_items_have_the_names_they_have_in_logs_of_lm_eval(shared_data: Path) -> None:
    samples = shared_data.parent / "reference" / "harness-samples"
    if not samples.is_dir():
        pytest.skip(f"the logs made with the harnesses are not at {samples}")
    theirs, ours = (
        {row.item.native_id: row for row in open_run(path).rows() if row.item.task == "hm_mc"}
        for path in (samples / "lm-eval" / "before", samples / "lighteval" / "details" / "smollm2-hf")
    )
    both = sorted(set(theirs) & set(ours))

    assert len(both) >= 5
    assert [ours[native].item_id for native in both] == [theirs[native].item_id for native in both]
    assert [ours[native].item.choices for native in both] == [theirs[native].item.choices for native in both]


def test_two_kept_logs_compare_from_end_to_end(tmp_path: Path) -> None:
    for side in SIDES:
        kept(tmp_path / side, side)

    found = forgetmap.compare(tmp_path / "before", tmp_path / "after")
    (cell,) = [cell for cell in found.to_dict()["cells"] if cell["level"] == "task" and cell["name"] == "hm_mc"]

    assert (cell["n"], cell["accuracy_before"]) == (12, 0.25)
    assert cell["accuracy_after"] == pytest.approx(1 / 3)
    assert cell["forgetting"]["value"] is not None


def test_settings_come_from_the_results(tmp_path: Path) -> None:
    written(tmp_path, [picked(1, 0, 0)])
    summed(tmp_path, settings("org/model"))
    found = run(tmp_path)

    info = found.info
    assert (info.run_id, info.checkpoint, info.harness) == ("org__model", "org/model", "lighteval")
    assert (info.shots, info.prompt) == ({"quiz": 5}, "5-shot")
    assert (info.seeds, info.dtype, info.decoding) == ((3,), "bfloat16", {"temperature": 0.7})
    assert [row.sample.seed for row in found.rows()] == [3]
    assert found.notes == []


def test_without_results_the_folder_names_the_run_and_a_note_says_what_is_unknown(tmp_path: Path) -> None:
    written(tmp_path, [picked(1, 0, 0)], model="step-200")
    found = run(tmp_path)

    assert (found.info.checkpoint, found.info.step, found.info.seeds) == ("step-200", 200, ())
    assert [note for note in found.notes if "has no results of its time" in note]


def test_results_lie_beside_the_folder_of_the_time_in_logs_of_2023(tmp_path: Path) -> None:
    time = "2023-07-19T14:12:23.123456"
    path = tmp_path / "details_org__m" / time / f"details_harness|quiz:law|10_{time}.parquet"
    old = {"config_general": {"model_name": "org/m", "model_sha": "0123456789abcdef", "model_dtype": "torch.float16"}}
    path.parent.mkdir(parents=True)
    written(tmp_path / "x", [flat("Who?", ["he", "she"], 0, [-1.0, -2.0], acc=1.0)]).rename(path)
    (path.parents[1] / f"results_{time}.json").write_text(json.dumps(old), encoding="utf-8")

    found = run(path.parents[1])

    assert (found.info.checkpoint, found.info.dtype) == ("org/m@0123456789ab", "float16")
    assert found.info.shots == {"harness|quiz:law": 10}
    assert [row.item.task for row in found.rows()] == ["harness|quiz:law"]


def test_of_several_times_the_latest_counts_and_the_others_can_be_asked_for(tmp_path: Path) -> None:
    written(tmp_path, [picked(1, 0, 0), picked(2, 0, 0)])
    written(tmp_path, [picked(1, 0, 1)], time=LATER)
    found = run(tmp_path)

    assert [row.scores[0].value for row in found.rows()] == [0.0]
    assert [note for note in found.notes if LATER in note and TIME in note and "PATH::TIME" in note]
    assert len(list(open_run(f"{tmp_path}::{TIME}").rows())) == 2


def test_models_in_one_folder_are_runs_of_their_own(tmp_path: Path) -> None:
    for model in ("one", "two"):
        written(tmp_path, [picked(1, 0, 0)], model=model)

    assert [found.info.run_id for found in open_runs(tmp_path)] == ["one", "two"]


@pytest.mark.parametrize("by", ["file", "results"])
def test_a_file_of_details_and_a_results_file_are_addresses_too(by: str, tmp_path: Path) -> None:
    path = written(tmp_path, [picked(1, 0, 0)])
    results = summed(tmp_path, settings())

    assert FORMAT.sniff(path)
    assert FORMAT.sniff(results)
    assert [row.item.task for row in told(path if by == "file" else results)] == ["quiz"]


def test_results_without_details_say_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="--save-details"):
        list(FORMAT.read(summed(tmp_path, settings()), Hints()))


def test_rows_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    written(tmp_path, [picked(number, 0, 0) for number in (10, 9, 2, 11)])

    assert [row.item.native_id for row in told(tmp_path)] == ["2", "9", "10", "11"]


WRONG: list[tuple[dict[str, Any], str]] = [
    (picked(5, 7, 0), "gold_index 7, but 4 choices"),
    (structs(5, "", ["A", "B"], 0, {"acc": 1}), "has no question"),
]


@pytest.mark.parametrize(("wrong", "why"), WRONG)
def test_a_row_that_cannot_be_read_is_a_problem_and_the_others_are_read(
    wrong: dict[str, Any], why: str, tmp_path: Path
) -> None:
    path = written(tmp_path, [picked(1, 0, 0), wrong, picked(2, 0, 0)])
    found = run(tmp_path)

    assert [row.item.native_id for row in found.rows()] == ["1", "2"]
    assert [problem.where for problem in found.problems] == [f"{path.name} row 2"]
    assert why in found.problems[0].why


def test_a_task_without_a_score_of_single_items_is_one_problem(tmp_path: Path) -> None:
    written(tmp_path, [structs(n, "Say it.", ["x"], 0, {"bleu": 37.5}, text=["y"]) for n in range(3)])
    found = run(tmp_path)

    assert list(found.rows()) == []
    assert [problem.why for problem in found.problems] == [
        "quiz: none of its 3 rows has a score between 0 and 1 (bleu: it holds numbers outside 0 to 1, such as 37.5)"
    ]


def test_a_metric_of_lists_is_left_out_and_said(tmp_path: Path) -> None:
    metric = {"prompt_strict": 1, "each_strict": [1, 0]}
    written(tmp_path, [structs(1, "Say it.", None, None, metric, text=["y"])])
    found = run(tmp_path)

    assert [[score.scorer for score in row.scores] for row in found.rows()] == [["prompt_strict"]]
    assert [note for note in found.notes if "each_strict is left out: it holds lists" in note]


def test_a_damaged_file_beside_a_whole_one_is_a_problem(tmp_path: Path) -> None:
    written(tmp_path, [picked(1, 0, 0)])
    written(tmp_path, [picked(1, 0, 0)], full="other|0").write_bytes(b"PAR1 and then nothing")
    found = run(tmp_path)

    assert [row.item.task for row in found.rows()] == ["quiz"]
    assert ["damaged or cut Parquet" in problem.why for problem in found.problems] == [True]


def test_a_damaged_file_alone_gets_one_sentence(tmp_path: Path) -> None:
    path = written(tmp_path, [picked(1, 0, 0)])
    path.write_bytes(path.read_bytes()[:-20])

    with pytest.raises(FormatError, match="damaged or cut"):
        list(run(path).rows())


def test_another_table_is_none_of_ours(tmp_path: Path) -> None:
    path = written(tmp_path, [{"question": "Who?", "choice": "A"}])

    assert not FORMAT.sniff(path)
    assert not FORMAT.sniff(tmp_path)
    with pytest.raises(FormatError, match="doc, metric and model_response are wanted"):
        list(run(path).rows())
