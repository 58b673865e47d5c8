"""Logs of lm-evaluation-harness: kept examples, real runs, and what the dict of `simple_evaluate` gives."""

import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from forgetmap.errors import FormatError
from forgetmap.formats.lm_eval import FORMAT, from_results
from forgetmap.records.run import Run
from forgetmap.records.schema import Row
from tests.formats.lm_eval_told import TIME, Entry, filtered, log, picked, results, run, runs, said, sums

GOLDEN = Path(__file__).parents[1] / "golden" / "lm_eval"
SIDES = ("before", "after")


def accuracies(run: Run) -> dict[tuple[str, str], float]:
    """Mean value by task and scorer, over all rows."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in run.rows():
        for score in row.scores:
            values[row.item.task, score.scorer].append(score.value or 0.0)
    return {key: sum(told) / len(told) for key, told in values.items()}


def stored(folder: Path) -> dict[tuple[str, str], float]:
    """The same as the harness summed it."""
    (path,) = folder.glob("results_*.json")
    found = json.loads(path.read_text(encoding="utf-8"))
    tasks = {task: found["results"][task] for task in found["n-samples"]}
    return {
        (task, name): value
        for task, told in tasks.items()
        for name, value in told.items()
        if "," in name and "stderr" not in name
    }


def entries(folder: Path, task: str) -> list[dict[str, Any]]:
    (path,) = folder.glob(f"samples_{task}_*.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("side", SIDES)
def test_accuracies_of_the_kept_logs_are_those_the_harness_summed(side: str) -> None:
    assert accuracies(run(GOLDEN / side)) == pytest.approx(stored(GOLDEN / side))


@pytest.mark.parametrize("side", SIDES)
def test_accuracies_of_whole_logs_are_those_the_harness_summed(side: str, shared_data: Path) -> None:
    folder = shared_data.parent / "reference" / "harness-samples" / "lm-eval" / side
    if not folder.is_dir():
        pytest.skip(f"the logs made with the harness are not at {folder}")

    assert accuracies(run(folder)) == pytest.approx(stored(folder))


@pytest.mark.parametrize("task", ["hm_mc", "hm_cloze"])
@pytest.mark.parametrize("side", SIDES)
def test_options_golds_and_choices_of_the_kept_logs_are_those_of_their_lines(side: str, task: str) -> None:
    told = {row.item.native_id: row for row in run(GOLDEN / side).rows() if row.item.task == task}

    for entry in entries(GOLDEN / side, task):
        row, content = told[str(entry["doc_id"])], entry["doc"]
        values = [float(pair[0]) for pair in entry["filtered_resps"]]
        assert row.item.choices == tuple(content["choices"])
        assert row.item.golds == (content["choices"][content["answer"]],)
        assert (row.item.k, row.item.chance) == (4, 0.25)
        assert (row.item.question, row.item.domain) == (content["question"], content["subject"])
        assert row.scores[0].choice == values.index(max(values))
        assert row.scores[0].logprobs == tuple(values)
        assert row.scores[0].margin == pytest.approx(sorted(values)[-1] - sorted(values)[-2])
        assert row.sample.prompt == entry["arguments"]["gen_args_0"]["arg_0"]


@pytest.mark.parametrize("side", SIDES)
def test_generated_answers_of_the_kept_logs_are_open_and_have_one_score_a_filter(side: str) -> None:
    told = {row.item.native_id: row for row in run(GOLDEN / side).rows() if row.item.task == "hm_gen"}

    for entry in entries(GOLDEN / side, "hm_gen"):
        row = told[str(entry["doc_id"])]
        assert [score.scorer for score in row.scores] == ["exact_match,first-number", "exact_match,last-number"]
        assert (row.item.k, row.item.chance, row.item.golds) == (None, 0.0, (entry["target"],))
        assert row.sample.response == entry["resps"][0][0]
        score = row.scores[0 if entry["filter"] == "first-number" else 1]
        found = entry["filtered_resps"][0]
        assert score.outcome == ("unparsed" if found == "[invalid]" else "scored")
        assert score.value == (None if found == "[invalid]" else entry["exact_match"])


def test_item_ids_of_the_kept_logs_are_the_same_on_both_sides_and_as_they_ever_were() -> None:
    before, after = ([(row.item.task, row.item_id) for row in run(GOLDEN / side).rows()] for side in SIDES)
    known = json.loads((GOLDEN / "item_ids.json").read_text(encoding="utf-8"))

    assert before == after
    assert before == [tuple(pair) for pair in known]


def test_a_run_tells_its_checkpoint_and_settings() -> None:
    info = run(GOLDEN / "before").info

    assert (info.run_id, info.checkpoint, info.engine, info.dtype) == ("smollm2-hf", "smollm2-hf", "hf", "bfloat16")
    assert info.shots == {"hm_mc": 2, "hm_cloze": 2, "hm_gen": 2}
    assert (info.prompt, info.template) == ("2-shot, chat template", "872be49dbb63")
    assert info.decoding == {"hm_gen": {"until": ["\n\n", "Question:"], "max_gen_toks": 48, "do_sample": False}}
    assert info.seeds == (0, 1234, 1234, 1234)
    assert (info.harness, info.harness_version) == ("lm-evaluation-harness", "0.4.13")
    assert info.created == "2026-11-18T22:21:39.512659+00:00"
    assert len(info.source) == 4
    assert set(info.hashes) == {"hm_mc", "hm_cloze", "hm_gen"}


def in_memory(folder: Path) -> dict[str, Any]:
    """What `simple_evaluate` returned before the tracker wrote these files: tuples, numbers, typed targets."""
    (path,) = folder.glob("results_*.json")
    found = json.loads(path.read_text(encoding="utf-8"))
    return {
        **found,
        "samples": {task: [typed(entry) for entry in entries(folder, task)] for task in found["n-samples"]},
    }


def typed(entry: dict[str, Any]) -> dict[str, Any]:
    ranked = isinstance(entry["filtered_resps"][0], list)
    pairs = [(float(value), greedy == "True") for value, greedy in entry["filtered_resps"]] if ranked else None
    return entry | {
        "arguments": [(one["arg_0"], one["arg_1"]) for one in entry["arguments"].values()],
        "target": int(entry["target"]) if ranked else entry["target"],
        "resps": [[pair] for pair in pairs] if pairs else entry["resps"],
        "filtered_resps": pairs or entry["filtered_resps"],
    }


@pytest.mark.parametrize("side", SIDES)
def test_the_dict_of_simple_evaluate_gives_the_rows_of_the_files(side: str) -> None:
    found = from_results(in_memory(GOLDEN / side), name="mine")

    assert list(found.rows()) == list(run(GOLDEN / side).rows())
    assert found.info.run_id == "mine"
    assert found.info.checkpoint == run(GOLDEN / side).info.checkpoint


def test_the_dict_of_simple_evaluate_without_samples_says_what_to_do() -> None:
    with pytest.raises(FormatError, match="log_samples=True"):
        from_results({"results": {"gsm8k": {}}, "config": {}})


def test_samples_in_memory_that_cannot_be_read_are_problems() -> None:
    half = picked(2, 0, 0) | {"resps": [["\ud83d"]]}
    found = from_results(results("m", samples={"t": [picked(0, 1, 1), "no sample", {"doc": {}}, half]}))

    assert [row.item.native_id for row in found.rows()] == ["0"]
    assert [problem.where for problem in found.problems] == [f"samples of t, number {number}" for number in (2, 3, 4)]


def test_numbers_of_other_libraries_are_read_as_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    entry = picked(0, 1, 1) | {"acc": numpy.float32(1), "target": numpy.int64(1)}

    (row,) = from_results(results("m", samples={"t": [entry]})).rows()

    assert (row.scores[0].value, row.item.golds) == (1.0, ("word 0-1",))


def test_lists_and_numbers_outside_zero_to_one_are_no_scores_of_items_and_said_so(tmp_path: Path) -> None:
    told = [picked(n, 0, 0, acc=1.0, f1=[0, 0], bleu=float(20 * n), loglik=-3.5) for n in range(3)]
    found = run(log(tmp_path, "mixed", told))

    assert {score.scorer for row in found.rows() for score in row.scores} == {"acc,none"}
    assert [note for note in found.notes if "bleu" in note and "such as 20" in note]
    assert [note for note in found.notes if "f1" in note and "lists" in note]
    assert [note for note in found.notes if "loglik" in note and "-3.5" in note]
    assert len(found.notes) == len({*found.notes})


def test_a_task_whose_values_are_lists_says_what_is_wanted(tmp_path: Path) -> None:
    found = run(log(tmp_path, "pages", [picked(n, 1, 1, word_perplexity=[-30.1, 2]) for n in range(3)]))

    assert list(found.rows()) == []
    assert "word_perplexity: it holds lists, and a number from 0 to 1 is wanted for each item" in found.problems[0].why


def test_a_task_of_sums_alone_is_one_problem(tmp_path: Path) -> None:
    told = [said(n, {"page": f"text {n}"}, "", "", "", word_perplexity=[-12.5, 40]) for n in range(5)]
    found = run(log(tmp_path, "wikitext", told))

    assert list(found.rows()) == []
    assert len(found.problems) == 1
    assert "wikitext: none of its 5 samples has a score" in found.problems[0].why
    assert "word_perplexity" in found.problems[0].why


@pytest.mark.parametrize("value", [math.nan, None, "tensor(1.)"])
def test_a_score_without_a_number_has_failed_and_is_not_wrong(value: Any, tmp_path: Path) -> None:
    told = [picked(0, 1, 1), picked(1, 1, 1, acc=value)]

    rows = list(run(log(tmp_path, "t", told)).rows())

    assert [(row.scores[0].outcome, row.scores[0].value) for row in rows] == [("scored", 1.0), ("failed", None)]


def test_true_and_false_are_one_and_zero(tmp_path: Path) -> None:
    strict = said(0, {"prompt": "Write in capitals."}, 0, "SO BE IT", "SO BE IT", prompt_level=True, by_rule=[True])
    loose = said(1, {"prompt": "Write a poem."}, 0, "no", "no", prompt_level=False, by_rule=[False])

    rows = list(run(log(tmp_path, "ifeval", [strict, loose])).rows())

    assert [[(score.scorer, score.value) for score in row.scores] for row in rows] == [
        [("prompt_level,none", 1.0)],
        [("prompt_level,none", 0.0)],
    ]


def test_what_is_no_log_of_the_harness_is_not_taken_for_one(tmp_path: Path) -> None:
    table = tmp_path / "table.jsonl"
    table.write_text('{"question": "1+1", "correct": 1}\n' * 4, encoding="utf-8")
    (tmp_path / "page.txt").write_text("doc_id", encoding="utf-8")

    assert not FORMAT.sniff(table)
    assert not FORMAT.sniff(tmp_path)
    assert FORMAT.sniff(log(tmp_path / "here", "t", [picked(0, 0, 0)]))
    assert FORMAT.sniff(tmp_path)


@pytest.mark.parametrize("metrics", [{"acc": 0.25}, {"acc": 1, "acc_norm": 0.5}])
def test_graded_scores_keep_their_value_and_name_no_choice(metrics: dict[str, float], tmp_path: Path) -> None:
    (row,) = run(log(tmp_path, "t", [picked(0, 0, 0, **metrics)])).rows()

    assert row.scores[-1].value == list(metrics.values())[-1]
    assert row.scores[-1].choice is None


def test_reading_twice_gives_the_same_rows_and_says_nothing_twice(tmp_path: Path) -> None:
    path = log(tmp_path, "t", [picked(0, 1, 1, acc=1.0, bleu=7.0), picked(0, 1, 1, acc=1.0, bleu=7.0)])
    with path.open("a", encoding="utf-8") as file:
        file.write('{"doc_id": 3, "doc"')
    found = run(path)

    first = list(found.rows()), found.problems.copy(), found.notes.copy(), found.duplicates
    second = list(found.rows()), found.problems.copy(), found.notes.copy(), found.duplicates

    assert first == second
    assert first[3] == 1


def test_several_filters_are_scores_of_one_row_in_the_order_of_their_names(tmp_path: Path) -> None:
    strict = said(0, {"question": "6*7?"}, "42", "It is 42, I think.", "42", exact_match=1.0)
    told = [filtered(strict, "strict"), filtered(strict, "flexible", "[invalid]", exact_match=0.0)]

    (row,) = run(log(tmp_path, "t", told)).rows()

    assert [(score.scorer, score.outcome) for score in row.scores] == [
        ("exact_match,flexible", "unparsed"),
        ("exact_match,strict", "scored"),
    ]


def rows_by_task(found: Run) -> dict[str, list[Row]]:
    together: dict[str, list[Row]] = defaultdict(list)
    for row in found.rows():
        together[row.item.task].append(row)
    return together


def test_tasks_with_other_columns_are_read_side_by_side(tmp_path: Path) -> None:
    log(tmp_path, "letters", [picked(0, 1, 1)])
    log(tmp_path, "sums", [said(0, {"problem": "1+1", "solution": "two"}, "2", "2", "2", exact_match=1.0)])
    log(tmp_path, "unknown", [said(0, {"sentence_good": "a b", "sentence_bad": "b a"}, "x y", "x y", "x y", em=1.0)])

    together = rows_by_task(run(tmp_path))

    assert list(together) == ["letters", "sums", "unknown"]
    assert together["sums"][0].item.question == "1+1"
    assert together["unknown"][0].item.question == '{"sentence_bad": "b a", "sentence_good": "a b"}'


def test_the_results_file_stands_for_its_time(tmp_path: Path) -> None:
    log(tmp_path, "t", [picked(0, 1, 1)])
    log(tmp_path, "u", [picked(0, 1, 1)], "2026-05-05T05-05-05")
    path = sums(tmp_path, "org/model")

    (found,) = runs(path)

    assert [row.item.task for row in found.rows()] == ["t"]
    assert found.info.checkpoint == "org/model"
    assert all(TIME in name for name in found.info.source)


def test_a_model_given_as_an_object_is_named_and_its_dtype_read() -> None:
    class BFloat:
        def __str__(self) -> str:
            return "torch.bfloat16"

    config = {"model": "./out/checkpoint-300", "model_args": None, "model_dtype": BFloat()}
    info = from_results({"config": config, "samples": {"t": [picked(0, 1, 1)]}}).info

    assert (info.run_id, info.checkpoint, info.step) == ("checkpoint-300", "./out/checkpoint-300", 300)
    assert (info.dtype, info.engine) == ("bfloat16", None)


def gsm(*names: str) -> list[Entry]:
    told = [
        said(n, {"question": f"{n}+1?"}, str(n + 1), f"It is {n + 1}.", f"{n + 1}", exact_match=1.0) for n in range(3)
    ]
    return [filtered(one, name) for name in names for one in told]


@pytest.mark.parametrize(
    ("listed", "order"),
    [
        ([], ["strict-match", "flexible-extract", "a-third"]),
        (["flexible-extract", "strict-match"], ["flexible-extract", "strict-match", "a-third"]),
        (["a-third"], ["a-third", "strict-match", "flexible-extract"]),
    ],
)
def test_scorers_come_as_the_task_lists_its_filters_whatever_the_order_of_lines(
    listed: list[str], order: list[str], tmp_path: Path
) -> None:
    told = gsm("a-third", "flexible-extract", "strict-match")
    sums(tmp_path, "model", configs={"gsm8k": {"filter_list": [{"name": name} for name in listed]}})
    for entries in (told, told[::-1], told[4:] + told[:4]):
        rows = list(run(log(tmp_path, "gsm8k", entries)).rows())

        assert [[score.scorer for score in row.scores] for row in rows] == [
            [f"exact_match,{name}" for name in order]
        ] * 3
