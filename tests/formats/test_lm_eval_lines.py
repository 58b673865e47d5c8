"""Traps in samples files of lm-eval: order, filters, wrong ids, repeats, cuts, line ends, what is no sample."""

import gzip
import json
import random
import tracemalloc
from pathlib import Path

import pytest

from forgetmap.errors import FormatError
from forgetmap.records.run import Run
from forgetmap.records.schema import Row
from tests.formats.lm_eval_told import Entry, filtered, log, picked, rows, run, said, text_of


def many(count: int = 12) -> list[Entry]:
    """Two filters over some questions: all of one filter first, as the harness writes them."""
    told = [
        said(n, {"question": f"{n}+1?"}, n + 1, f"I say {n + n % 2}.", str(n + n % 2), exact_match=float(n % 2))
        for n in range(count)
    ]
    return [filtered(one, name) for name in ("strict", "flexible") for one in told]


def by_native(found: list[Row]) -> list[str | None]:
    return [row.item.native_id for row in found]


def test_lines_interleaved_by_rank_give_the_rows_of_ordered_ones(tmp_path: Path) -> None:
    told = many()
    shuffled = random.Random(7).sample(told, len(told))

    ordered = rows(log(tmp_path / "one", "t", told))

    assert rows(log(tmp_path / "two", "t", shuffled)) == ordered
    assert by_native(ordered) == [str(n) for n in range(12)]
    assert all(len(row.scores) == 2 for row in ordered)


def test_wrong_doc_ids_do_not_move_answers_to_other_items(tmp_path: Path) -> None:
    """`--samples [5,2,9]` labels what stands at 2 as 5 and the other way round; items are named by what they say."""
    right = rows(log(tmp_path / "all", "t", [picked(n, 1, n % 4) for n in (2, 5, 9)]))
    swapped = [picked(2, 1, 2) | {"doc_id": 5}, picked(5, 1, 1) | {"doc_id": 2}, picked(9, 1, 1)]

    found = rows(log(tmp_path / "some", "t", swapped))

    assert {row.item_id: row.scores for row in found} == {row.item_id: row.scores for row in right}
    assert {row.item_id: row.item.native_id for row in found} != {row.item_id: row.item.native_id for row in right}


def test_two_items_under_one_doc_id_stay_two(tmp_path: Path) -> None:
    told = [picked(0, 1, 1), picked(1, 2, 2) | {"doc_id": 0}]

    assert len({row.item_id for row in rows(log(tmp_path, "t", told))}) == 2


def test_one_question_under_two_doc_ids_is_two_occurrences(tmp_path: Path) -> None:
    told = [picked(0, 1, 1), picked(0, 1, 3) | {"doc_id": 8}]
    found = rows(log(tmp_path, "t", told))

    assert [row.item_id.partition("-")[2] for row in found] == ["", "1"]
    assert by_native(found) == ["0", "8"]


def test_a_line_that_comes_twice_is_a_duplicate_and_the_first_counts(tmp_path: Path) -> None:
    told = many(4)
    found = run(log(tmp_path, "t", [*told, told[1], told[1], filtered(told[2], "strict", exact_match=1.0)]))

    kept = list(found.rows())

    assert kept == rows(log(tmp_path / "once", "t", told))
    assert (found.duplicates, found.problems) == (3, [])


def test_a_log_cut_in_the_middle_is_read_up_to_the_cut(tmp_path: Path) -> None:
    path = log(tmp_path, "t", [picked(n, 1, 1) for n in range(5)])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - len(whole) // 9])
    found = run(path)

    assert by_native(list(found.rows())) == ["0", "1", "2", "3"]
    assert [(problem.where, problem.why) for problem in found.problems] == [
        (f"{path.name} line 5", "is cut off: it is the last line and has no end")
    ]


def test_windows_line_ends_blank_lines_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    told = many(5)
    plain = log(tmp_path / "plain", "t", told)
    path = tmp_path / "windows" / plain.name
    path.parent.mkdir()
    path.write_bytes(b"\xef\xbb\xbf" + plain.read_bytes().replace(b"\n", b"\r\n\r\n  \r\n"))

    assert rows(path) == rows(plain)


@pytest.mark.parametrize(
    "name", ["samples_t_2026-01-01T00-00-00.jsonl.gz", "samples_t_2026-01-01T00-00-00.json", "t.jsonl"]
)
def test_compressed_files_and_other_endings_are_read_alike(name: str, tmp_path: Path) -> None:
    text = text_of(many(5)).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)

    assert rows(path) == rows(log(tmp_path / "plain", "t", many(5)))


def test_a_compressed_log_that_was_cut_is_read_up_to_the_cut(tmp_path: Path) -> None:
    path = tmp_path / "samples_t.jsonl.gz"
    noise = random.Random(3)
    told = [picked(n, 1, 1) | {"note": noise.randbytes(4000).hex()} for n in range(40)]
    packed = gzip.compress(text_of(told).encode())
    path.write_bytes(packed[: len(packed) // 2])
    found = run(path)

    count = len(list(found.rows()))

    assert 5 <= count < 40
    assert [problem for problem in found.problems if "cut off" in problem.why and problem.where == path.name]


WRONG = [
    ("[1, 2]", "is no JSON object but a list"),
    ("5", "is no JSON object but a int"),
    ('{"id": 1, "text": "no sample"}', "has no doc_id"),
    ('{"doc_id": true, "acc": 1.0}', "has no doc_id"),
    ('{"doc_id": 1.5, "acc": 1.0}', "has no doc_id"),
    ('{"doc_id": 1, "doc": {', "is not whole JSON"),
    ('{"doc_id": 77, "doc": {}, "resps": []}', "has no score"),
    ("[" * 100_000, "is nested too deeply"),
    ("no JSON", "is not whole JSON"),
    (json.dumps(picked(70, 1, 1)).replace("word 70-1", "\\ud83d"), "half a character"),
]


@pytest.mark.parametrize(("line", "why"), WRONG)
def test_a_line_that_is_no_sample_is_a_problem_and_the_others_are_read(line: str, why: str, tmp_path: Path) -> None:
    path = log(tmp_path, "t", [picked(0, 1, 1), picked(2, 1, 1)])
    first, second = path.read_text(encoding="utf-8").splitlines()
    path.write_text(f"{first}\n{line}\n{second}\n", encoding="utf-8")
    found = run(path)

    assert by_native(list(found.rows())) == ["0", "2"]
    assert [problem.where for problem in found.problems] == [f"{path.name} line 2"]
    assert why in found.problems[0].why


def test_bytes_that_are_no_text_are_a_problem_of_their_line(tmp_path: Path) -> None:
    path = log(tmp_path, "t", [picked(n, 1, 1) for n in range(3)])
    path.write_bytes(path.read_bytes().replace(b"number 1?", b"number \xff?"))
    found = run(path)

    assert by_native(list(found.rows())) == ["0", "2"]
    assert found.problems[0].why == "is not UTF-8 text"


def test_other_languages_are_read_as_they_are(tmp_path: Path) -> None:
    told = picked(0, 1, 1)
    told["doc"]["question"] = "どれが正しいですか？ 😀 Ünïcode \u2028 \x85"

    (found,) = rows(log(tmp_path, "t", [told]))

    assert found.item.question == "どれが正しいですか？ 😀 Ünïcode \u2028 \x85"


def test_an_empty_log_has_no_rows_and_no_problems(tmp_path: Path) -> None:
    found = run(log(tmp_path, "t", []))

    assert (list(found.rows()), found.problems) == ([], [])


def test_doc_ids_of_text_or_near_64_bits_keep_an_order_of_their_own(tmp_path: Path) -> None:
    natives = ["b", 10, "a", -1, 2**63, 9]
    found = rows(log(tmp_path, "t", [picked(n, 1, 1) | {"doc_id": native} for n, native in enumerate(natives)]))

    assert by_native(found) == ["-1", "9", "10", str(2**63), "a", "b"]


def test_lines_with_their_keys_in_another_order_are_read_alike(tmp_path: Path) -> None:
    told = many(4)
    turned = [dict(sorted(entry.items())) for entry in told]

    assert rows(log(tmp_path / "turned", "t", turned)) == rows(log(tmp_path / "plain", "t", told))


def test_metrics_that_stand_before_the_hashes_are_read_alike(tmp_path: Path) -> None:
    entry = picked(0, 1, 1)
    hashes = {name: entry[name] for name in ("doc_hash", "prompt_hash", "target_hash")}
    moved = {name: value for name, value in entry.items() if name not in hashes} | hashes

    assert rows(log(tmp_path / "a", "t", [moved])) == rows(log(tmp_path / "b", "t", [entry]))


def test_a_file_that_went_away_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = log(tmp_path, "t", [picked(0, 1, 1)])
    found = run(path)
    path.unlink()

    with pytest.raises(FormatError, match="cannot be opened"):
        list(found.rows())


def peak(found: Run) -> int:
    tracemalloc.start()
    for _ in found.read([]):
        pass
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def test_memory_is_bounded_by_a_few_lines_not_by_the_file(tmp_path: Path) -> None:
    told = [picked(n, 1, 1) | {"padding": "x" * 100_000} for n in range(200)]
    path = log(tmp_path, "t", told)

    assert path.stat().st_size > 20_000_000
    assert peak(run(path)) < 2_000_000
