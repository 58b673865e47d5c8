"""Answers to CapTrack's tasks."""

import json
from pathlib import Path
from typing import Any

import pytest

from forgetmap.errors import FormatError
from forgetmap.formats import FORMATS
from forgetmap.formats.bring_in import read
from forgetmap.formats.captrack import FORMAT
from forgetmap.formats.captrack.tasks import TASKS, known, named
from forgetmap.formats.contract import Hints
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.records.batches import Sizes
from forgetmap.records.run import Run
from forgetmap.records.store import write
from forgetmap.tables import load
from tests.formats.captrack_told import GOLDEN, KINDS, lettered, row, run, told, written
from tests.records.made_up import files

FOLDER = GOLDEN / "model_responses"


def plain(found: Run) -> list[dict[str, Any]]:
    """Rows as JSON holds them."""
    rows = [
        {
            "item_id": row.item_id,
            **{name: value for name, value in row.item._asdict().items() if value not in (None, ())},
            **{name: value for name, value in row.sample._asdict().items() if value is not None},
            "scores": [
                {name: value for name, value in one._asdict().items() if value is not None} for one in row.scores
            ],
        }
        for row in found.rows()
    ]
    return json.loads(json.dumps(rows))  # type: ignore[no-any-return]


def test_the_kept_example_gives_the_expected_rows() -> None:
    runs = {found.info.run_id: found for found in open_runs(FOLDER)}
    expected = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))

    assert {name: plain(found) for name, found in runs.items()} == expected
    assert {
        name: (found.info.checkpoint, found.info.harness, found.problems, found.notes) for name, found in runs.items()
    } == {name: (name, "CapTrack", [], []) for name in ("base", "tuned")}


def test_every_entry_of_the_digest_is_a_task_that_is_known() -> None:
    assert len(TASKS) == len(set(TASKS)) == 37
    for task in TASKS:
        for name in (task.replace(".", "_"), task):
            assert all(
                found is not None and found.task == task for found in (named(f"{name}.{kind}") for kind in KINDS)
            )


@pytest.mark.parametrize("name", ["results.csv", "gsm8k.txt", "gsm8k_more.jsonl", "subset.json", "popqa", ".jsonl", ""])
def test_other_files_are_of_no_task(name: str) -> None:
    assert named(name) is None


def test_core_is_another_name_of_subset() -> None:
    assert (known("gsm8k.core"), known("gsm8k_core"), known("oasst1.core")) == ("gsm8k.subset", "gsm8k.subset", None)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_tells_the_same(tmp_path: Path, kind: str) -> None:
    def rows(ending: str) -> list[Any]:
        folder = tmp_path / ending
        written(folder, f"mmlu_pro_subset.{ending}", [lettered(f"m{n}", "ABC"[n % 3], "(B)") for n in range(4)])
        aliases = [row("001", ["Rome", "Roma"], "Rome"), row("010", ["Bern"], None)]
        written(folder, f"popqa_subset.{ending}", aliases)
        whole = [row(f"q{n}", {"answer": f"yes {n}", "sent_id": [n]}, "yes", ctx="A text.") for n in range(2)]
        written(folder, f"hotpotqa_subset.{ending}", whole)
        return [found._replace(item=found.item._replace(meta=None)) for found in told(folder)]

    assert rows(kind) == rows("jsonl")


def test_rows_come_in_the_order_of_their_ids_whatever_that_of_the_lines(tmp_path: Path) -> None:
    lines = [row(number, "x", "x") for number in (10, 9, 2)] + [row("b", "x", "x"), row("a", "x", "x")]

    there = told(written(tmp_path / "there", "gsm8k_subset.jsonl", lines))
    back = told(written(tmp_path / "back", "gsm8k_subset.jsonl", lines[::-1]))

    assert [found.item.native_id for found in there] == ["2", "9", "10", "a", "b"]
    assert there == back


def test_several_generations_are_draws_in_one_row_or_in_several(tmp_path: Path) -> None:
    one = written(tmp_path / "one", "gsm8k_subset.jsonl", [row(1, "x", ["a", "b", None]), row(2, "x", ["c"])])
    more = written(
        tmp_path / "more",
        "gsm8k_subset.jsonl",
        [row(n, "x", said) for n, said in ((1, "a"), (2, "c"), (1, "b"), (1, None))],
    )

    said = [(found.item.native_id, found.sample.draw, found.sample.response) for found in told(one)]
    assert said == [("1", 0, "a"), ("1", 1, "b"), ("1", 2, None), ("2", 0, "c")]
    again = run(more)
    assert [(found.item.native_id, found.sample.draw, found.sample.response) for found in again.rows()] == said
    assert again.notes == ["gsm8k_subset.jsonl: 2 rows ask an item again, and count as further draws of it."]


@pytest.mark.parametrize(
    ("gold", "text"),
    [("B", "blue"), ("b", "blue"), (" C ", "green"), ("blue", "blue"), (["B"], "blue")],
)
def test_a_letter_or_the_text_of_an_option_is_the_gold_by_its_text(tmp_path: Path, gold: Any, text: str) -> None:
    (found,) = told(written(tmp_path, "hellaswag_subset.json", [lettered(1, gold, "I say: the answer is (B).")]))

    assert (found.item.golds, found.item.k, found.item.chance) == ((text,), 3, 1 / 3)
    (score,) = found.scores
    assert (score.scorer, score.value, score.choice, score.version is None) == (
        "choice",
        float(text == "blue"),
        1,
        False,
    )


def test_options_of_equal_text_are_one_and_letters_stand_as_they_were_shown(tmp_path: Path) -> None:
    shown = ["red", "blue", "red ", "green"]
    rows = [lettered(n, "D", said, choices=shown) for n, said in enumerate(("D", "C", "A"))]

    right, third, first = told(written(tmp_path, "truthfulqa.json", rows))

    assert right.item.choices == ("red", "blue", "green")
    assert (right.item.golds, right.item.k, right.item.chance) == (("green",), 3, 1 / 3)
    assert [found.scores[0].choice for found in (right, third, first)] == [2, 0, 0]
    assert [found.scores[0].value for found in (right, third, first)] == [1.0, 0.0, 0.0]


def test_options_that_are_letters_only_have_a_number_and_no_text(tmp_path: Path) -> None:
    rows = [
        lettered(n, "c", said, choices=["A", "B", "C", "D"]) for n, said in enumerate(("C", "so (A)", "Z", "no idea"))
    ]

    found = told(written(tmp_path, "supergpqa_subset.jsonl", rows))

    assert {(one.item.choices, one.item.golds, one.item.k, one.item.chance) for one in found} == {
        (None, ("C",), 4, 0.25)
    }
    assert [(one.scores[0].outcome, one.scores[0].value, one.scores[0].choice) for one in found] == [
        ("scored", 1.0, 2),
        ("scored", 0.0, 0),
        ("scored", 0.0, None),
        ("unparsed", None, None),
    ]


@pytest.mark.parametrize("answer", [None, "", "  "])
def test_an_empty_answer_to_a_lettered_task_is_unparsed(tmp_path: Path, answer: str | None) -> None:
    (found,) = told(written(tmp_path, "winogrande_subset.jsonl", [lettered(1, "A", answer)]))

    assert found.scores[0].outcome == "unparsed"


def test_a_gold_that_is_no_option_is_kept_and_not_scored(tmp_path: Path) -> None:
    rows = [lettered(1, "2", "B"), lettered(2, "B", "B"), lettered(3, "B", "B", choices=None), lettered(4, None, "B")]

    found = run(written(tmp_path, "winogrande_subset.jsonl", rows))
    told_rows = list(found.rows())

    assert [len(one.scores) for one in told_rows] == [0, 1, 0, 0]
    assert [one.item.golds for one in told_rows] == [("2",), ("blue",), ("B",), ()]
    assert [one.item.chance for one in told_rows] == [1 / 3, 1 / 3, None, 1 / 3]
    assert found.notes == [
        "winogrande_subset.jsonl: 3 rows have no options, or a gold that is none of them, so their answers have no score."
    ]
    mended = list(run(tmp_path / "winogrande_subset.jsonl", Hints(k=(("winogrande*", "4"),))).rows())
    assert (mended[2].item.chance, mended[2].scores[0].value) == (0.25, 1.0)


@pytest.mark.parametrize(
    ("task", "gold", "golds"),
    [
        ("gsm8k.subset", "2 + 2 = 4\n#### 4", ("2 + 2 = 4\n#### 4",)),
        ("math.subset", "[0, 1]", ("[0, 1]",)),
        ("ruler.32k", "0012345", ("0012345",)),
        ("ruler.32k", 12345, ("12345",)),
        ("mgsm.subset", 7.0, ("7",)),
        ("boolq.subset", True, ("True",)),
        ("popqa.subset", ["Rome", "Roma", "Rome"], ("Rome", "Roma")),
        ("popqa.subset", "['Rome', 'Roma']", ("Rome", "Roma")),
        ("xtreme.subset", {"text": ["Rom"], "answer_start": [3]}, ("Rom",)),
        ("hotpotqa.subset", {"answer": "yes", "supporting_facts": {"title": ["A"]}}, ("yes",)),
        ("bfcl.subset", ["f(a=1)", "g(b=2)"], ("f(a=1)\ng(b=2)",)),
        ("mnms.full", [{"id": 0, "name": "crop", "args": {}}], ()),
        ("humaneval.full", {"test": "assert True", "entry_point": "f"}, ()),
        ("mtbench.turn1", None, ()),
        ("eli5.subset", float("nan"), ()),
    ],
)
def test_golds_of_every_kind_are_kept_as_texts_and_whole(
    tmp_path: Path, task: str, gold: Any, golds: tuple[str, ...]
) -> None:
    (found,) = told(written(tmp_path, f"{task}.jsonl", [row(1, gold, "x")]))

    assert found.item.golds == golds
    assert found.item.task == task
    assert (found.item.chance, found.item.k) == (None if task == "boolq.subset" else 0.0, None)
    assert found.scores == ()
    if isinstance(gold, dict) or (isinstance(gold, list) and not golds):
        assert found.item.meta is not None
        assert found.item.meta["gold"] == gold


def test_what_a_later_scorer_needs_is_kept_with_the_item(tmp_path: Path) -> None:
    schema = {"type": "object", "required": ["answer"]}
    line = row(
        1, "B", "{}", ctx=["a text"], schema=schema, tool_spec=None, meta={"source": "s", "category": "law", "n": 3}
    )

    (found,) = told(written(tmp_path, "gsm8k_schema.jsonl", [line]))

    assert found.item.meta == {
        "family": "single_turn_text",
        "ctx": ["a text"],
        "schema": schema,
        "category": "law",
        "n": 3,
    }
    assert found.item.source == "s"


def test_questions_on_one_text_share_a_passage(tmp_path: Path) -> None:
    rows = [row(n, "True", "yes", ctx=ctx) for n, ctx in enumerate(("a", "a", "b", None))]

    one, two, other, none = (found.item.cluster for found in told(written(tmp_path, "boolq.jsonl", rows)))

    assert one == two != other
    assert none is None


def test_two_turns_are_one_question_and_the_prompt_holds_the_first_answer(tmp_path: Path) -> None:
    turns = [{"user prompt": "One?"}, {"user prompt": "Two?"}]
    line = row(1, None, "second", prompt=turns, formatted_prompt=None, turn1_response="first")

    (found,) = told(written(tmp_path, "structflowbench_turn2.jsonl", [line]))

    assert found.item.question == "One?\n\nTwo?"
    assert (found.sample.prompt, found.sample.response) == ("One?\n\nfirst\n\nTwo?", "second")


def test_a_family_with_several_tasks_keeps_its_name_unless_a_column_says_the_task(tmp_path: Path) -> None:
    file = written(tmp_path / "m", "mtbench.jsonl", [row(1, None, "x"), row(2, None, "x", task="mtbench.turn2")])

    found = run(file)

    assert [one.item.task for one in found.rows()] == ["mtbench", "mtbench.turn2"]
    assert found.notes == [
        "mtbench.jsonl does not say which of mtbench.turn1, mtbench.turn2 it holds, so its task is called mtbench: "
        "name the file by its task, such as mtbench_turn1.jsonl."
    ]


def test_what_is_not_read_is_said(tmp_path: Path) -> None:
    written(tmp_path, "gsm8k_subset.jsonl", [row(1, "x", "first", latency=3)])
    written(tmp_path, "gsm8k_subset.csv", [row(1, "x", "second")])
    written(tmp_path, "notes.csv", [{"a": 1, "b": 2}])

    found = run(tmp_path)

    assert [one.sample.response for one in found.rows()] == ["first"]
    assert sorted(found.notes) == [
        "gsm8k_subset.jsonl and gsm8k_subset.csv are both gsm8k.subset: the first is read.",
        "gsm8k_subset.jsonl: columns that CapTrack's data set does not have are not read (latency).",
        "notes.csv beside these answers: of no task of CapTrack, so not read.",
    ]


def test_other_columns_of_answers_are_named_by_the_user(tmp_path: Path) -> None:
    line = row(1, "x", "said")
    line["completion"] = line.pop("outputs")
    file = written(tmp_path, "gsm8k_subset.jsonl", [line])

    with pytest.raises(FormatError, match=r"has no column outputs \(but choices, completion, .*--map THEIRS=outputs"):
        list(run(file).rows())
    hints = Hints(columns={"completion": "outputs"})
    assert [one.sample.response for one in told(file, hints)] == ["said"]
    assert open_run(file, hints, format="captrack").info.harness == "CapTrack"


def test_a_folder_of_models_is_a_run_each_and_one_of_them_can_be_named(tmp_path: Path) -> None:
    for model in ("org/base", "org/tuned"):
        written(tmp_path / model, "gsm8k_subset.jsonl", [row(1, "x", model)])

    assert [found.info.checkpoint for found in open_runs(tmp_path)] == ["org/base", "org/tuned"]
    one = open_run(f"{tmp_path}::org__tuned", Hints(name="mine"))
    assert (one.info.run_id, one.info.checkpoint) == ("mine", "org/tuned")


def test_these_answers_are_found_by_content_and_nothing_else_is_taken_for_them(tmp_path: Path) -> None:
    written(tmp_path / "own", "gsm8k.jsonl", [row(1, "x", "x")])
    written(tmp_path / "table", "gsm8k.csv", [{"item_id": 1, "gold": "x", "choice": "x"}])
    written(tmp_path / "bare", "gsm8k.jsonl", [{"outputs": "x", "gold": "y"}])
    written(tmp_path / "other", "answers.jsonl", [row(1, "x", "x")])

    assert open_run(tmp_path / "own").info.harness == "CapTrack"
    assert [FORMAT.sniff(tmp_path / name) for name in ("own", "table", "bare", "other")] == [True, False, False, False]
    for golden in sorted(GOLDEN.parent.iterdir()):
        assert FORMAT.sniff(golden) == (golden == GOLDEN)


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"captrack", "table"}))
def test_no_other_format_takes_these_answers_for_its_own(name: str) -> None:
    reader = load(FORMATS, name, group="formats")

    assert not any(reader.sniff(path) for path in (FOLDER, FOLDER / "base", *(FOLDER / "base").iterdir()))


def test_a_folder_without_answers_gets_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"holds no answers to a task of CapTrack: .* such as gsm8k_subset\.jsonl"):
        open_runs(tmp_path, format="captrack")


def test_after_a_kill_the_same_call_ends_with_the_same_files(tmp_path: Path) -> None:
    sizes = Sizes(batch=2, shard=4)
    (whole, _) = open_runs(FOLDER)
    write(tmp_path / "whole", whole, sizes=sizes)

    for stop in range(1, 14):
        (cut, _) = open_runs(FOLDER)
        read_on = cut.read

        def killed(problems: list[Any], stop: int = stop, read_on: Any = read_on) -> Any:
            for number, found in enumerate(read_on(problems)):
                if number == stop:
                    raise KeyboardInterrupt
                yield found

        cut.read = killed
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path / str(stop), cut, sizes=sizes)
        again = write(tmp_path / str(stop), whole, sizes=sizes)
        assert (again.how, again.rows) == ("resumed" if stop > 1 else "written", 14)
        assert files(tmp_path / str(stop)) == files(tmp_path / "whole")


def test_answers_without_a_score_come_back_from_a_study_as_they_went_in(tmp_path: Path) -> None:
    read(FOLDER, study=tmp_path / "study")

    for found in open_runs(FOLDER):
        stored = open_run(tmp_path / "study" / "runs" / found.info.run_id)
        assert list(stored.rows()) == list(found.rows())
