"""The flat layout of lighteval: kept examples that 0.10 wrote, and tables as the first published logs of 2023 are described."""

import json
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import forgetmap
from forgetmap.formats.contract import Hints
from forgetmap.formats.lighteval import FORMAT
from forgetmap.formats.opening import open_run
from forgetmap.records.run import Run
from forgetmap.records.schema import Row
from tests.formats.lighteval_told import TIME, Cells, flat, lettered, run, settings, structs, summed, told, written

GOLDEN = Path(__file__).parents[1] / "golden" / "lighteval_flat"
SIDES = ("before", "after")
TASKS = ("hm_gen", "hm_mc", "hm_pick")
TIME_OF_2023 = "2023-07-19T14:12:23.123456"


def kept(folder: Path, side: str) -> Path:
    """The kept example of one side, laid out as the harness does."""
    place = folder / "details" / side / TIME
    place.mkdir(parents=True, exist_ok=True)
    for task in TASKS:
        shutil.copy(GOLDEN / side / f"{task}.parquet", place / f"details_community|{task}|0_{TIME}.parquet")
    summed(folder, json.loads((GOLDEN / side / "results.json").read_text(encoding="utf-8")), model=side)
    return folder


def scores_of(rows: list[Row]) -> list[list[Any]]:
    return [
        [row.item.task.partition("|")[2], row.item_id, score.scorer, score.outcome, score.value, score.choice]
        for row in rows
        for score in row.scores
    ]


@pytest.mark.parametrize("side", SIDES)
def test_the_kept_logs_have_the_rows_noted_beside_them(side: str, tmp_path: Path) -> None:
    rows = scores_of(told(kept(tmp_path, side)))

    assert rows == json.loads((GOLDEN / f"{side}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("side", SIDES)
def test_accuracies_of_the_kept_logs_are_those_the_harness_summed(side: str, tmp_path: Path) -> None:
    results = json.loads((GOLDEN / side / "results.json").read_text(encoding="utf-8"))["results"]
    values = defaultdict(list)
    for row in told(kept(tmp_path, side)):
        for score in row.scores:
            values[f"{row.item.task}|0", score.scorer].append(score.value or 0.0)

    assert len({task for task, _ in values}) == len(TASKS)
    assert {key: sum(all_) / len(all_) for key, all_ in values.items()} == {
        (task, name): value
        for task, said in results.items()
        for name, value in said.items()
        if not name.endswith("_stderr")
    }


def test_items_have_the_names_they_have_in_logs_of_lm_eval(tmp_path: Path) -> None:
    theirs = {row.item_id for row in open_run(GOLDEN.parent / "lm_eval" / "before").rows() if row.item.task == "hm_mc"}
    rows = [row for row in told(kept(tmp_path, "before")) if row.item.task != "community|hm_gen"]

    assert [row.item_id in theirs for row in rows] == [True] * 8


def test_two_kept_logs_compare_from_end_to_end(tmp_path: Path) -> None:
    for side in SIDES:
        kept(tmp_path / side, side)

    found = forgetmap.compare(tmp_path / "before", tmp_path / "after").to_dict()
    cells = {cell["name"]: cell for cell in found["cells"] if cell["level"] == "task"}

    assert found["comparisons"][0]["paired"] == 12
    assert (cells["community|hm_mc"]["n11"], cells["community|hm_mc"]["n10"]) == (2, 2)
    assert cells["community|hm_pick"]["forgetting"]["value"] is not None
    assert found["runs"]["tiny-before"]["dtype"] == "float32"


def test_a_letter_generated_is_a_choice_among_the_options_that_the_query_shows(tmp_path: Path) -> None:
    rows = [row for row in told(kept(tmp_path, "before")) if row.item.task == "community|hm_pick"]

    assert [(row.item.k, row.item.chance) for row in rows] == [(4, 0.25)] * 4
    assert [row.item.golds for row in rows] == [("Indian Ocean",), ("Tokyo",), ("Nile",), ("Paris",)]
    assert [(row.scores[0].outcome, row.scores[0].choice) for row in rows] == [
        ("unparsed", None),
        ("scored", 0),
        ("scored", 1),
        ("unparsed", None),
    ]
    assert not any("letter" in (row.item.question or "") for row in rows)


def generated(query: str, golds: list[str], answer: str, **metrics: float) -> Cells:
    """A generated answer as 0.10 writes it: no choices, and the golds as texts."""
    return flat(query, [], [], [answer], metrics=metrics) | {"gold": golds}


def one(folder: Path, row: Cells, hints: Hints | None = None) -> Row:
    written(folder, [row])
    (found,) = told(folder, hints or Hints())
    return found


def test_a_generated_item_has_the_name_it_has_in_the_later_layout(tmp_path: Path) -> None:
    query, options = lettered("Which?", ["x", "y", "z"]), ["A", "B", "C"]
    for number, (text, offered, gold) in enumerate([(query, options, 1), ("What is 1+1?", ["2", "two"], [0, 1])]):
        texts = [offered[place] for place in (gold if isinstance(gold, list) else [gold])]
        before = generated(text, texts, "so B", extractive_match=1.0)
        after = structs(1, text, offered, gold, {"extractive_match": 1.0}, text=["so B"])
        first, second = one(tmp_path / f"{number}-a", before), one(tmp_path / f"{number}-b", after)

        assert first.item_id == second.item_id
        assert (first.item.golds, first.item.k, first.item.chance) == (
            second.item.golds,
            second.item.k,
            second.item.chance,
        )


@pytest.mark.parametrize(
    ("query", "gold"),
    [
        ("Which?\nA. x\nAnswer:", ["A"]),
        (lettered("Which?", ["x", "y"]), ["C"]),
        (lettered("Which?", ["x", "y"]), ["x or y"]),
        ("A. Lincoln was born in which month?", ["B"]),
    ],
)
def test_options_are_never_guessed(query: str, gold: list[str], tmp_path: Path) -> None:
    item = one(tmp_path, generated(query, gold, "B", em=0.0)).item

    assert (item.choices, item.k, item.golds) == (None, None, tuple(gold))
    assert item.chance == (0.0 if len(gold[0]) > 1 else None)


def test_options_of_examples_are_not_those_of_the_question(tmp_path: Path) -> None:
    prompt = lettered("An example?", ["p", "q", "r", "s"]) + " D\n\n" + lettered("Which?", ["x", "y"])
    item = one(tmp_path, generated(prompt, ["A"], "A", em=1.0)).item

    assert (item.question, item.choices, item.golds) == ("Which?", ("x", "y"), ("x",))


def law(**more: Any) -> Cells:
    """A row as logs of July 2023 are described: one column a metric, an id as example, five examples before the question."""
    first = "The following are multiple choice questions (with answers) about  law.\n\n"
    shots = "".join(f"Example {n}?\nA. p\nB. q\nC. r\nD. s\nAnswer: {letter}\n\n" for n, letter in enumerate("ABCDA"))
    question = "May one keep a found coin?\n\nSay what the law holds.\nA. yes\nB. no\nC. at times\nD. never\nAnswer:"
    return {
        "example": "law_17",
        "full_prompt": first + shots + question,
        "choices": ["A", "B", "C", "D"],
        "cont_tokens": [[1], [2], [3], [4]],
        "gold": "B",
        "gold_index": 1,
        "predictions": [-2.0, -1.0, -3.0, -4.0],
        "acc": 1.0,
        "acc_norm": 1.0,
        "hashes": {"example": "0f", "full_prompt": "1e"},
        **more,
    }


def of_2023(folder: Path, rows: list[Cells] | pa.Table, full: str = "harness|hendrycksTest-law|5") -> Run:
    path = folder / "details_lab__m" / TIME_OF_2023 / f"details_{full}_{TIME_OF_2023}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows if isinstance(rows, pa.Table) else pa.Table.from_pylist(rows), path)
    assert FORMAT.sniff(folder)
    return run(folder)


def test_a_log_of_july_2023_is_read_with_its_id_and_its_question(tmp_path: Path) -> None:
    found = of_2023(tmp_path, [law(), law(example="law_18", acc=1, acc_norm=1)][:1])
    (row,) = found.rows()

    assert (row.item.task, row.item.native_id, found.info.shots) == (
        "harness|hendrycksTest-law",
        "law_17",
        {"harness|hendrycksTest-law": 5},
    )
    assert row.item.question == "May one keep a found coin?\n\nSay what the law holds."
    assert (row.item.choices, row.item.golds) == (("yes", "no", "at times", "never"), ("no",))
    assert [(score.scorer, score.value, score.choice) for score in row.scores] == [
        ("acc", 1.0, 1),
        ("acc_norm", 1.0, 1),
    ]
    assert found.info.checkpoint == "lab__m"


def test_the_same_item_pairs_whether_example_is_an_id_or_the_question(tmp_path: Path) -> None:
    prompt = law()["full_prompt"]
    question = prompt[prompt.index("May one") :]
    ids = {
        one_.item_id
        for number, example in enumerate(["law_17", question, prompt, 17])
        for one_ in of_2023(tmp_path / str(number), [law(example=example)]).rows()
    }

    assert len(ids) == 1


def test_an_id_of_zero_is_an_id(tmp_path: Path) -> None:
    found = of_2023(
        tmp_path, [law(example=0), law(example=1, full_prompt=law()["full_prompt"].replace("coin", "ring"))]
    )

    assert [(row.item.native_id, [score.scorer for score in row.scores]) for row in found.rows()] == [
        ("0", ["acc", "acc_norm"]),
        ("1", ["acc", "acc_norm"]),
    ]


def test_a_stored_score_that_contradicts_the_numbers_counts_and_is_said(tmp_path: Path) -> None:
    found = of_2023(tmp_path, [law(acc=0.0, acc_norm=0.0)])
    (row,) = found.rows()

    assert [(score.value, score.choice) for score in row.scores] == [(0.0, None)] * 2
    assert [note for note in found.notes if "in 1 of 1 rows the stored score contradicts" in note]


def test_a_gold_that_is_a_number_counts_the_choices_where_no_other_column_tells(tmp_path: Path) -> None:
    (row,) = of_2023(tmp_path, [law(gold=1, gold_index=None)]).rows()

    assert row.item.golds == ("no",)


def test_a_table_of_no_rows_has_no_rows_and_no_types(tmp_path: Path) -> None:
    nothing = pa.table({name: pa.nulls(0) for name in law()})
    found = of_2023(tmp_path, nothing)

    assert list(found.rows()) == []
    assert [note for note in found.notes if "holds no rows" in note]


def truth(**more: Any) -> Cells:
    first, second = ["Paris", "Lyon", "Nice"], ["Paris", "Paris, of course", "Lyon", "Nice", "Bonn"]
    values = [-1.0, -2.0, -3.0, -1.0, -1.5, -2.0, -3.0, -4.0]
    told_ = {"truthfulqa_mc1": True, "truthfulqa_mc2": 0.75}
    return flat("Q: What is the capital of France?\nA:", [*first, *second], [0, 3, 4], values, metrics=told_, **more)


def test_of_two_sets_of_choices_the_first_is_the_item(tmp_path: Path) -> None:
    row = one(tmp_path, truth(specifics={"len_mc1": 3}))

    assert (row.item.choices, row.item.golds, row.item.chance) == (
        ("Paris", "Lyon", "Nice"),
        ("Paris",),
        pytest.approx(1 / 3),
    )
    assert [(score.scorer, score.value, score.choice) for score in row.scores] == [
        ("truthfulqa_mc1", 1.0, 0),
        ("truthfulqa_mc2", 0.75, None),
    ]


def test_two_sets_of_choices_whose_border_is_not_told_leave_the_chance_unknown(tmp_path: Path) -> None:
    row = one(tmp_path, truth())

    assert (row.item.choices, row.item.k, row.item.chance) == (None, None, None)
    assert [score.value for score in row.scores] == [1.0, 0.75]


def quiz(side: str, *, is_flat: bool) -> list[Cells]:
    """Ranked letters; the run after has other ones right."""
    rows = []
    for number in range(12):
        gold, right = number % 4, number < 8 if side == "before" else number > 2
        values = [-1.0 if place == (gold if right else (gold + 1) % 4) else -3.0 for place in range(4)]
        query = lettered(
            f"Which is number {number}?", [f"{number} {word}" for word in ("red", "green", "blue", "grey")]
        )
        offered, metrics = [" A", " B", " C", " D"], {"acc": int(right)}
        pairs = [[value, 0.0] for value in values]
        rows.append(
            flat(query, offered, [gold], pairs, metrics=metrics)
            if is_flat
            else structs(number, query, offered, gold, metrics, logprobs=values)
        )
    return rows


def test_the_same_pair_told_in_both_layouts_gives_the_same_map(tmp_path: Path) -> None:
    for name, is_flat in (("flat", True), ("structs", False)):
        for side in SIDES:
            written(tmp_path / name / side, quiz(side, is_flat=is_flat), model=side)
    old, new, mixed = (
        forgetmap.compare(tmp_path / one_ / "before", tmp_path / other / "after").to_dict()
        for one_, other in (("flat", "flat"), ("structs", "structs"), ("flat", "structs"))
    )

    assert old["cells"] == new["cells"]
    assert [cell["forgetting"] for cell in mixed["cells"]] == [cell["forgetting"] for cell in new["cells"]]
    assert new["cells"][0]["n10"] == 3


def test_settings_of_0_10_come_from_the_general_part(tmp_path: Path) -> None:
    general = {"model_name": "lab/m", "model_dtype": "torch.bfloat16", "generation_parameters": {"seed": 7}}
    written(tmp_path, [generated("Who?", ["he"], "he", em=1.0)], full="community|t|0")
    summed(tmp_path, settings() | {"config_general": general})
    info = run(tmp_path).info

    assert (info.checkpoint, info.dtype, info.seeds) == ("lab/m", "bfloat16", (7,))
