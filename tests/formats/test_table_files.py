"""Files of tables as they are met: line ends, separators, marks, cut ends, damage; and which files are tables at all."""

import gzip
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forgetmap.errors import FormatError
from forgetmap.formats.contract import Hints
from forgetmap.formats.table import FORMAT
from tests.formats.table_told import KINDS, reasons, rows_of, run, runs, told

ROWS = [{"item_id": number, "question": f"«Вопрос» {number}, 問題?", "correct": number % 2} for number in range(3)]
ENGLISH = [{"item_id": 1, "question": "Big?", "correct": 1}, {"item_id": 2, "question": "Small?", "correct": 0}]


def file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def ids(path: Path) -> list[str | None]:
    return [row.item.native_id for row in run(path).rows()]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("last", [True, False])
def test_csv_of_every_dialect_says_the_same(
    tmp_path: Path, separator: str, line_end: str, mark: bytes, last: bool
) -> None:
    lines = [["item_id", "question", "correct"], ["1", '"A ""b"", c; d\te"', "1"], ["", "", ""], ["2", "é 語", "0"]]
    text = line_end.join(separator.join(fields) if any(fields) else "" for fields in lines) + (line_end if last else "")
    rows = rows_of(file(tmp_path / "quiz.csv", mark + text.encode()))

    assert [(row.item.question, row.scores[0].value) for row in rows] == [('A "b", c; d\te', 1.0), ("é 語", 0.0)]


def test_a_line_end_within_quotes_is_kept(tmp_path: Path) -> None:
    path = file(tmp_path / "quiz.csv", b'item_id,response,correct\r\n1,"a\r\n\r\nb\nc",1\r\n2,d,x\r\n')
    found = run(path)

    assert [row.sample.response for row in found.rows()] == ["a\r\n\r\nb\nc"]
    assert found.problems[0].where == "quiz.csv line 6"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"2", "has 1 field where the header has 3"),
        (b"2,Why?,1,1", "has 4 fields where the header has 3"),
        (b"\0\0\0\0", "has 1 field where the header has 3"),
        (b'2,"Why"?,1', "is not CSV: ',' expected after '\"'"),
        (b"2,Gr\xf6\xdfe?,1", "is not UTF-8 text: save the file as UTF-8"),
    ],
)
def test_a_csv_line_that_is_no_row_is_listed_and_the_next_is_read(tmp_path: Path, line: bytes, why: str) -> None:
    path = file(tmp_path / "quiz.csv", b"item_id,question,correct\n1,What?,1\n" + line + b"\n3,Who?,0\n")

    assert reasons(path) == [("quiz.csv line 3", why)]
    assert ids(path) == ["1", "3"]


def test_a_quote_that_is_never_closed_is_told_where_it_opens(tmp_path: Path) -> None:
    path = file(tmp_path / "quiz.csv", b'item_id,question,correct\n1,What?,1\n2,"Why?,1\n3,Who?,0\n')

    assert reasons(path) == [
        ("quiz.csv line 3", "a quoted field begins here and is never closed; nothing below it can be read")
    ]
    assert ids(path) == ["1"]


def test_nul_characters_in_a_field_are_text(tmp_path: Path) -> None:
    path = file(tmp_path / "quiz.csv", b"item_id,response,correct\n1,a\0b,1\n")

    assert [row.sample.response for row in rows_of(path)] == ["a\0b"]


def test_fields_longer_than_the_csv_library_likes_are_read(tmp_path: Path) -> None:
    path = told(tmp_path / "quiz.csv", [{"item_id": 1, "response": "long " * 100_000, "correct": 1}])

    assert FORMAT.sniff(path)
    assert len(rows_of(path)[0].sample.response or "") == 500_000


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"item_id": 2, "corr', "is not whole JSON"),
        (b"[1, 2]", "is JSON but no object with named values"),
        (b"null", "is JSON but no object with named values"),
        (b'{"item_id": 2, "question": "Gr\xf6\xdfe", "correct": 1}', "is not UTF-8 text"),
        (b'{"item_id": 2, "question": "\\ud83d", "correct": 1}', "holds half a character (a lone surrogate)"),
        (b"\0\0\0\0", "is not whole JSON"),
    ],
)
def test_a_json_line_that_is_no_row_is_listed_and_the_next_is_read(tmp_path: Path, line: bytes, why: str) -> None:
    path = file(
        tmp_path / "quiz.jsonl", b'{"item_id": 1, "correct": 1}\r\n\n' + line + b'\n{"item_id": 3, "correct": 0}'
    )

    assert reasons(path) == [("quiz.jsonl line 3", why)]
    assert ids(path) == ["1", "3"]


def test_json_lines_may_have_different_names(tmp_path: Path) -> None:
    path = file(
        tmp_path / "quiz.jsonl", b'{"item_id": 1, "correct": 1}\n{"outcome": "refused", "question": "?", "item_id": 2}'
    )

    assert [row.scores[0].outcome for row in rows_of(path)] == ["scored", "refused"]


def test_not_a_number_in_json_is_absent(tmp_path: Path) -> None:
    path = file(
        tmp_path / "quiz.jsonl", b'{"item_id": 1, "correct": NaN}\n{"item_id": NaN, "question": "?", "correct": 1}'
    )

    assert [(row.item.native_id, row.scores[0].outcome) for row in rows_of(path)] == [("1", "failed"), (None, "scored")]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "json"])
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_file_cut_in_the_middle_is_read_up_to_the_cut(tmp_path: Path, kind: str, kept: float) -> None:
    rows = [{"item_id": number, "response": 'He said "so",\nand so on. ' * 5, "correct": 1} for number in range(50)]
    whole = told(tmp_path / f"whole.{kind}", rows).read_bytes()
    path = file(tmp_path / f"quiz.{kind}", whole[: int(kept * len(whole))])
    read = ids(path)

    assert read == [str(number) for number in range(len(read))]
    assert 50 * kept - 3 <= len(read) <= 50 * kept
    assert len(reasons(path)) <= 1
    assert all(row.sample.response == rows[0]["response"] for row in run(path).rows())


@pytest.mark.parametrize("kind", ["csv", "jsonl", "json"])
def test_a_gzip_file_that_is_cut_is_read_up_to_the_cut(tmp_path: Path, kind: str) -> None:
    rows = [{"item_id": number, "response": str(number**7), "correct": number % 2} for number in range(20_000)]
    packed = told(tmp_path / f"whole.{kind}.gz", rows).read_bytes()
    path = file(tmp_path / f"quiz.{kind}.gz", packed[: len(packed) // 2])
    read = list(run(path).rows())

    assert 5_000 < len(read) < 15_000
    assert all(row.sample.response == str(int(row.item.native_id or "0") ** 7) for row in read)
    assert len(reasons(path)) == 1
    assert "the compressed data is damaged or cut off" in reasons(path)[0][1]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "json"])
def test_damage_within_a_gzip_file_is_said(tmp_path: Path, kind: str) -> None:
    rows = [{"item_id": number, "response": str(number**7), "correct": number % 2} for number in range(5_000)]
    packed = told(tmp_path / f"whole.{kind}.gz", rows).read_bytes()
    half = len(packed) // 2
    path = file(tmp_path / f"quiz.{kind}.gz", packed[:half] + b"\0" * half)

    assert [why for _, why in reasons(path) if "the compressed data is damaged or cut off" in why] != []
    assert ids(path)[:1000] == [str(number) for number in range(1000)]


def test_columns_of_parquet_may_be_of_any_type(tmp_path: Path) -> None:
    table = pa.table(
        {
            "item_id": pa.array([1, 2, 3], pa.uint8()),
            "task": pa.array(["a", "b", None]).dictionary_encode().fill_null("b"),
            "question": pa.array(["x", "y", "z"], pa.large_string()),
            "choices": pa.array([["u", "v"], ["u", None, "w"], None], pa.large_list(pa.string())),
            "gold": pa.array([1.0, 2.0, None], pa.float32()),
            "choice": pa.array([b"v", b"A", None], pa.binary()),
            "correct": pa.array([True, None, False]),
            "seed": pa.array([7, 7, None], pa.int64()),
            "domain": pa.nulls(3),
            "made": pa.array([0, 1, 2], pa.timestamp("s")),
        }
    )
    pq.write_table(table, tmp_path / "quiz.parquet")
    first, second, third = rows_of(tmp_path / "quiz.parquet")

    assert (first.item.golds, first.scores[0].choice, first.scores[0].value) == (("v",), 1, 1.0)
    assert (second.item.golds, second.item.choices, second.scores[0].outcome) == (("w",), ("u", "w"), "failed")
    assert (third.item.golds, third.item.choices, third.sample.seed) == ((), None, None)


def test_a_parquet_value_that_is_no_text_is_listed(tmp_path: Path) -> None:
    table = pa.table({"item_id": [1, 2], "question": pa.array([b"caf\xc3\xa9?", b"caf\xe9?"]), "correct": [1, 0]})
    pq.write_table(table, tmp_path / "quiz.parquet")

    assert reasons(tmp_path / "quiz.parquet") == [
        ("quiz.parquet row 2", "holds a value that is no text (not UTF-8, or out of the range of its type)")
    ]
    assert [row.item.question for row in run(tmp_path / "quiz.parquet").rows()] == ["café?"]


def test_a_parquet_file_damaged_in_the_middle_is_read_up_to_the_damage(tmp_path: Path) -> None:
    path = tmp_path / "quiz.parquet"
    table = pa.table({"item_id": range(40_000), "correct": [number % 2 for number in range(40_000)]})
    pq.write_table(table, path, row_group_size=20_000, compression="gzip", use_dictionary=False)
    at = pq.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset + 40
    content = path.read_bytes()
    path.write_bytes(content[:at] + b"\xff" * 200 + content[at + 200 :])
    read = list(run(path).rows())

    assert read[0].item.native_id == "0"
    assert 0 < len(read) <= 20_000
    assert [where for where, _ in reasons(path)] == [f"quiz.parquet rows {len(read) + 1} to 40000"]


@pytest.mark.parametrize("kind", [*KINDS, "csv.gz", "jsonl.gz", "json.gz"])
@pytest.mark.parametrize("suffix", [True, False])
@pytest.mark.parametrize("rows", [ROWS, ENGLISH, [{"frage": "Was?", "antwort": 1}, {"frage": "Wer?", "antwort": 0}]])
def test_a_table_is_found_by_its_content(
    tmp_path: Path, kind: str, suffix: bool, rows: Sequence[dict[str, Any]]
) -> None:
    path = told(tmp_path / f"quiz.{kind}", rows)
    path = path if suffix else path.rename(tmp_path / "quiz")

    assert FORMAT.sniff(path)
    assert FORMAT.sniff(tmp_path)


NO_TABLES: dict[str, bytes] = {
    "empty.csv": b"",
    "blank.csv": b" \n\n",
    "prose.txt": b"It was, he said, a day.\nNothing, then, happened at all, or so.\nWell.\nGood, night.\n",
    "one_column.csv": b"correct\n1\n0\n",
    "binary.parquet": b"\x00\x01\x02,\x03\n" * 20,
    "cut.parquet": b"PAR1" + b"\x15\x04" * 50,
    "plain.csv.gz": b"item_id,correct\n1,1\n",
    "nested.jsonl": b'{"eval": {"task": "t"}, "samples": [{"id": 1}]}\n',
    "pretty.json": b'{\n "item_id": 1,\n "correct": 1\n}\n',
    "number.json": b"7\n",
    "numbers.json": b"[1, 2, 3]\n",
    "lm_eval.jsonl": b'{"doc_id": 0, "resps": [["a"]], "filter": "none", "correct": 1, "question": "?", "target": "1"}\n',
    "mmlu_pro.json": b'[{"question_id": 1, "pred": "A", "options": ["a", "b"], "question": "?", "choice": 1}]',
    "half.jsonl": b'{"item_id": 1, "corr',
    "utf16.csv": "item_id,correct\n1,1\n".encode("utf-16"),
    "packed_twice.csv.gz": gzip.compress(gzip.compress(b"item_id,correct\n1,1\n")),
    "packed_prose.gz": gzip.compress(b"Dear all,\nsee you.\n"),
    "cut.gz": gzip.compress(b"item_id,correct\n1,1\n")[:12],
}


@pytest.mark.parametrize("name", NO_TABLES)
def test_what_is_no_table_is_not_taken_for_one(tmp_path: Path, name: str) -> None:
    path = file(tmp_path / name, NO_TABLES[name])

    assert not FORMAT.sniff(path)
    assert not FORMAT.sniff(tmp_path)


def test_a_zip_a_folder_without_tables_and_nothing_at_all_are_no_tables(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "quiz.csv", "w") as archive:
        archive.writestr("quiz.csv", "item_id,correct\n1,1\n")
    (tmp_path / ".hidden").mkdir()
    told(tmp_path / ".hidden" / "quiz.csv", ROWS)

    assert not FORMAT.sniff(tmp_path)
    assert not FORMAT.sniff(tmp_path / "absent.csv")


def test_our_own_records_are_no_table(tmp_path: Path) -> None:
    table = pa.table({"task": ["t"], "item_id": ["1"], "value": [1.0]}).replace_schema_metadata({"forgetmap": "1"})
    pq.write_table(table, tmp_path / "scores.parquet")

    assert not FORMAT.sniff(tmp_path / "scores.parquet")


def test_a_first_line_longer_than_the_first_look_is_seen_whole(tmp_path: Path) -> None:
    row = {"item_id": 1, "prompt": "Example. " * 40_000, "correct": 1}
    for kind in KINDS:
        path = told(tmp_path / f"long.{kind}", [row, row | {"item_id": 2}])
        assert FORMAT.sniff(path), kind
        assert len(rows_of(path)) == 2


def test_names_with_spaces_around_them_and_unnamed_columns_do_no_harm(tmp_path: Path) -> None:
    path = file(tmp_path / "quiz.csv", b",item_id , correct\n0,a,1\n1,b,0\n")

    assert [row.item.native_id for row in rows_of(path)] == ["a", "b"]


def test_what_is_said_on_reading_no_table_names_the_file_and_what_is_wanted(tmp_path: Path) -> None:
    for name, content in NO_TABLES.items():
        if name in ("lm_eval.jsonl", "mmlu_pro.json", "nested.jsonl", "prose.txt"):
            continue  # Read as a table on request, they lack columns instead.
        with pytest.raises(FormatError) as found:
            runs(file(tmp_path / name, content))
        assert name in str(found.value)
        assert "\n" not in str(found.value)


def test_json_numbers_of_any_size_and_nesting_of_any_depth_break_nothing(tmp_path: Path) -> None:
    deep = b"[" * 900 + b"]" * 900
    lines = [
        b'{"item_id": 1, "cluster": 123456789012345678901234567890, "correct": 1, "prompt": ' + deep + b"}",
        b'{"item_id": 1e999, "correct": 1}',
        b'{"item_id": 3, "correct": 1, "prompt": ' + b"[" * 100_000 + b"}",
        b'{"item_id": {"a": [1]}, "correct": 0}',
    ]
    found = run(file(tmp_path / "quiz.jsonl", b"\n".join(lines)))
    read = [row.item.native_id for row in found.rows()]

    assert read == ["1", "inf", json.dumps({"a": [1]}, separators=(",", ":"))]
    assert [problem.where for problem in found.problems] == ["quiz.jsonl line 3"]


def test_a_mapped_table_in_a_foreign_dialect_is_read(tmp_path: Path) -> None:
    path = file(tmp_path / "quiz.csv", "Nr;Prüfung;Lösung;Antwort\r\n1;Physik;B;b\r\n2;Physik;A;D\r\n".encode())
    hints = Hints(columns={"Nr": "item_id", "Prüfung": "task", "Lösung": "gold", "Antwort": "choice"})

    assert [(row.item.task, row.scores[0].value) for row in rows_of(path, hints)] == [("Physik", 1.0), ("Physik", 0.0)]
