"""Answers published with MMLU-Pro."""

import csv
import gzip
import json
import zipfile
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetmap.errors import FormatError, InputError
from forgetmap.formats.contract import Hints
from forgetmap.formats.mmlu_pro import FORMAT
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.records.run import Run
from forgetmap.records.schema import Row, Score

NAME = "model_outputs_Some-Model-v1_5shots"
Entry = dict[str, Any]


def entry(number: Any, pred: Any, answer: str = "B", **more: Any) -> Entry:
    return {
        "question_id": number,
        "question": f"What is {number}?",
        "options": ["this", "that", "those"],
        "answer": answer,
        "answer_index": ord(answer) - ord("A"),
        "category": "law",
        "src": "made",
        "pred": pred,
        "generated_text": f"The answer is ({pred}).",
        **more,
    }


def written(folder: Path, entries: Any, name: str = f"{NAME}.zip") -> Path:
    content = json.dumps(entries).encode()
    path = folder / name
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"{NAME}.json", content)
    else:
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path


def run(path: Path) -> Run:
    (found,) = FORMAT.read(path, Hints())
    return found


def rows(path: Path) -> list[Row]:
    found = run(path)
    told = list(found.rows())
    assert (found.problems, found.duplicates) == ([], 0)
    return told


@pytest.mark.parametrize("ending", [".zip", ".json", ".json.gz"])
def test_a_list_is_read_from_a_zip_plain_or_compressed(ending: str, tmp_path: Path) -> None:
    path = written(tmp_path, [entry(1, "B"), entry(2, "C"), entry(3, None)], NAME + ending)
    found = open_run(path)

    told = list(found.rows())

    assert [row.scores[0][1:4] for row in told] == [("scored", 1.0, 1), ("scored", 0.0, 2), ("unparsed", None, None)]
    assert (found.info.checkpoint, found.info.prompt, found.info.shots) == ("Some-Model-v1", "5-shot", {"mmlu_pro": 5})
    item = told[0].item
    assert (item.task, item.native_id, item.domain, item.source) == ("mmlu_pro", "1", "law", "made")
    assert (item.choices, item.golds, item.k, item.chance) == (("this", "that", "those"), ("that",), 3, 1 / 3)
    assert told[0].sample.response == "The answer is (B)."


def test_a_letter_beyond_the_options_is_wrong_and_names_none(tmp_path: Path) -> None:
    (row,) = rows(written(tmp_path, [entry(1, "J")]))

    assert row.scores[0][:4] == ("pred", "scored", 0.0, None)


@pytest.mark.parametrize("pred", [None, "", "no letter", 3, "b", ["B"]])
def test_what_is_no_letter_is_unparsed(pred: Any, tmp_path: Path) -> None:
    (row,) = rows(written(tmp_path, [entry(1, pred)]))

    assert row.scores == (Score("pred", "unparsed"),)


def test_options_that_say_the_same_are_one_and_right_is_what_says_the_gold(tmp_path: Path) -> None:
    options = ["four", "five", " four", "six"]
    told = rows(written(tmp_path, [entry(1, "C", "A", options=options), entry(2, "D", "A", options=options)]))

    assert [row.item.k for row in told] == [3, 3]
    assert told[0].item.chance == pytest.approx(1 / 3)
    assert [(row.scores[0].value, row.scores[0].choice) for row in told] == [(1.0, 0), (0.0, 2)]


def test_where_letter_and_index_disagree_the_letter_counts_and_it_is_said(tmp_path: Path) -> None:
    found = run(written(tmp_path, [entry(3983, "B", answer_index=2), entry(1, "B")]))

    assert [row.scores[0].value for row in found.rows()] == [1.0, 1.0]
    assert [note for note in found.notes if "3983" in note and "letter counts" in note]
    list(found.rows())
    assert len(found.notes) == 1


def test_rows_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    told = rows(written(tmp_path, [entry(number, "B") for number in (10, "9", 2, "x", 11)]))

    assert [row.item.native_id for row in told] == ["2", "9", "10", "11", "x"]


def test_an_entry_that_comes_twice_is_a_duplicate(tmp_path: Path) -> None:
    found = run(written(tmp_path, [entry(1, "B"), entry(1, "C")]))

    assert [row.scores[0].value for row in found.rows()] == [1.0]
    assert found.duplicates == 1


WRONG = [
    ("text", "no JSON object"),
    (entry(5, "B", options=[]), "no list of options"),
    (entry(5, "B", options="A or B"), "no list of options"),
    (entry(5, "B", question=None), "no question"),
    (entry(5, "B", "F"), "'F', which is not the letter of an option"),
    ({name: value for name, value in entry(5, "B").items() if name != "pred"}, "no pred"),
]


@pytest.mark.parametrize(("wrong", "why"), WRONG)
def test_an_entry_that_cannot_be_read_is_a_problem_and_the_others_are_read(
    wrong: Any, why: str, tmp_path: Path
) -> None:
    found = run(written(tmp_path, [entry(1, "B"), wrong, entry(2, "B")]))

    assert [row.item.native_id for row in found.rows()] == ["1", "2"]
    assert [problem.where for problem in found.problems] == [f"{NAME}.zip entry 2"]
    assert why in found.problems[0].why


def test_several_files_in_a_folder_are_several_runs(tmp_path: Path) -> None:
    for name in ("model_outputs_One_5shots.json", "model_outputs_Two_0shots.zip", "model_outputs_Three.json.gz"):
        written(tmp_path, [entry(1, "B")], name)
    (tmp_path / "LICENSE").write_text("free", encoding="utf-8")

    found = open_runs(tmp_path)

    assert [(each.info.run_id, each.info.prompt) for each in found] == [
        ("One", "5-shot"),
        ("Three", None),
        ("Two", "0-shot"),
    ]


def test_what_is_cut_or_holds_something_else_gets_one_sentence(tmp_path: Path) -> None:
    whole = written(tmp_path, [entry(n, "B") for n in range(999)], f"{NAME}.json").read_bytes()
    cut = tmp_path / "cut.json"
    cut.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match="should hold one JSON list, but is not whole JSON"):
        list(open_run(cut).rows())

    other = written(tmp_path, {"a": 1}, "other.json")
    with pytest.raises(FormatError, match="holds a JSON dict"):
        list(run(other).rows())

    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.json", "[]")
        archive.writestr("b.json", "[]")
    with pytest.raises(FormatError, match="holds 2"):
        list(run(tmp_path / "two.zip").rows())


def test_a_zip_with_a_wrong_checksum_gets_one_sentence(tmp_path: Path) -> None:
    path = written(tmp_path, [entry(n, "B") for n in range(50)])
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    path.write_bytes(raw)

    with pytest.raises(FormatError, match="damaged"):
        list(run(path).rows())


PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from("ABCJ")
JSON = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=6
)
ENTRIES = JSON | st.builds(
    lambda number, name, value: entry(number, "B") | {name: value},
    st.integers(0, 3),
    st.sampled_from(sorted(entry(1, "B"))),
    JSON,
)


@given(st.lists(ENTRIES, max_size=8))
@settings(max_examples=150)
def test_every_entry_is_a_row_a_duplicate_or_a_problem(entries: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        found = run(written(Path(folder), entries, "x.json"))
        told = list(found.rows())

        assert len(told) + found.duplicates + len(found.problems) == len(entries)
        assert all((row.scores[0].outcome == "scored") == (row.scores[0].value is not None) for row in told)


@given(
    st.binary(max_size=60) | st.lists(ENTRIES, max_size=3).map(lambda told: json.dumps(told).encode()),
    st.integers(0, 90),
)
@settings(max_examples=150)
def test_any_bytes_give_rows_or_one_sentence(content: bytes, cut: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.json"
        path.write_bytes(content[: max(len(content) - cut, 1)])
        FORMAT.sniff(path)
        try:
            list(run(path).rows())
        except InputError as error:
            assert "\n" not in str(error)


def reference(shared_data: Path) -> list[dict[str, str]]:
    path = shared_data.parent / "reference" / "shared-raw-transitions.csv"
    if not path.is_file():
        pytest.skip(f"the table of counts is not at {path}")
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["table"] == "shared:mmlu_pro"]


def test_real_runs_have_the_counts_of_the_reference_in_every_domain(shared_data: Path) -> None:
    told: dict[tuple[str, str], list[Score]] = defaultdict(list)
    for found in open_runs(shared_data / "sample_results" / "mmlu_pro"):
        for row in found.rows():
            for domain in ("ALL", str(row.item.domain).replace(" ", "_")):
                told[found.info.checkpoint, domain].append(row.scores[0])
        assert (found.problems, found.duplicates, found.notes) == ([], 0, [])

    for row in reference(shared_data):
        for side in ("before", "after"):
            scores = told[row[f"model_{side}"], row["domain"]]
            assert len(scores) == int(row["n"])
            assert sum(score.outcome == "unparsed" for score in scores) == int(row[f"unparsed_{side}"])
            assert round(sum(score.value or 0.0 for score in scores) / len(scores), 5) == float(row[f"acc_{side}"])
            assert sum(score.value == 1.0 for score in scores) == int(row["n11"]) + int(
                row["n10" if side == "before" else "n01"]
            )
