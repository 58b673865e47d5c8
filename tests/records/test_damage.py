"""Files that are not as they were written: one sentence each, and nothing is touched."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from forgetmap.errors import StudyError
from forgetmap.records.batches import Sizes
from forgetmap.records.schema import SCHEMA
from forgetmap.records.store import write
from forgetmap.records.study import Study
from tests.records.made_up import files, rows, run_of

SIZES = Sizes(batch=50, shard=200)
RUN = run_of(rows(300))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with one run that is as it should be."""
    folder = tmp_path_factory.mktemp("sound")
    write(folder, RUN, sizes=SIZES)
    return folder


@pytest.fixture
def study(tmp_path: Path, sound: Path) -> Path:
    """The same study, to be damaged."""
    shutil.copytree(sound, tmp_path / "study")
    return tmp_path / "study"


def run_folder(study: Path) -> Path:
    return study / "runs" / "made-up"


def assert_refused(study: Path, sentence: str) -> None:
    """Reading and writing are both refused, and not a byte changes."""
    before = files(study)
    with pytest.raises(StudyError, match=sentence):
        list(Study.open(study).run("made-up").rows())
    with pytest.raises(StudyError, match=sentence):
        write(study, RUN, sizes=SIZES)
    assert files(study) == before


def changed_page(study: Path, **entries: Any) -> None:
    path = run_folder(study) / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


def test_a_newer_schema_is_refused(study: Path) -> None:
    changed_page(study, schema=SCHEMA + 1)

    assert_refused(
        study, rf"run.json holds records of schema {SCHEMA + 1}, .* reads schema {SCHEMA}: install a newer forgetmap"
    )


@pytest.mark.parametrize("schema", [0, "1", None, [1]])
def test_an_older_or_strange_schema_is_refused(study: Path, schema: object) -> None:
    changed_page(study, schema=schema)

    assert_refused(study, r"run.json holds records of schema .*: read the log again into a new study")


def test_a_run_json_of_another_program_is_refused(study: Path) -> None:
    write(study, run_of(rows(10), "other"))
    (run_folder(study) / "run.json").write_text('{"id": "another tracker"}')

    assert_refused(study, r"run.json is no run of forgetmap: another program wrote it")


@pytest.mark.parametrize("content", [b"", b"{", b"\0\0\0\0", b"\xff\xfe", b'{"schema": 1, "forge'])
def test_a_run_json_that_is_no_json_is_refused(study: Path, content: bytes) -> None:
    (run_folder(study) / "run.json").write_bytes(content)

    assert_refused(study, r"run.json is damaged: it is not whole JSON. Put a copy back, or remove the folder .*made-up")


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        *(
            (entry, None)
            for entry in ("run_id", "checkpoint", "shards", "rows", "problems", "hashes", "tasks", "source")
        ),
        *((entry, 7) for entry in ("run_id", "checkpoint", "shards", "problems", "hashes", "tasks", "seeds")),
        *((entry, "x") for entry in ("shards", "rows", "duplicates", "problems", "hashes", "tasks")),
    ],
)
def test_a_run_json_with_an_entry_of_another_kind_is_refused(study: Path, entry: str, value: object) -> None:
    changed_page(study, **{entry: value})

    assert_refused(study, r"run.json is damaged: it lacks what a run has")


@pytest.mark.parametrize("table", ["items", "prompts", "samples", "scores"])
def test_a_table_that_is_missing_is_refused(study: Path, table: str) -> None:
    (run_folder(study) / f"{table}-0001.parquet").unlink()

    assert_refused(study, rf"{table}-0001.parquet is damaged: it is missing")


@pytest.mark.parametrize("kept", [0, 3, 100, -1])
def test_a_table_that_is_cut_is_refused(study: Path, kept: int) -> None:
    path = run_folder(study) / "samples-0000.parquet"
    path.write_bytes(path.read_bytes()[:kept])

    assert_refused(study, r"samples-0000.parquet is damaged: it has \d+ bytes instead of \d+")


def test_a_table_with_rubbish_at_its_end_is_refused(study: Path) -> None:
    path = run_folder(study) / "scores-0000.parquet"
    path.write_bytes(path.read_bytes()[:-200] + b"\x07" * 200)

    assert_refused(study, r"scores-0000.parquet is damaged: ")


def test_a_single_byte_that_changed_among_the_texts_is_found_on_reading(study: Path) -> None:
    path = run_folder(study) / "items-0000.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)

    with pytest.raises(StudyError, match=r"items-0000.parquet is damaged: .*crc|CRC"):
        list(Study.open(study).run("made-up").rows())


def rewritten(path: Path, change: Callable[[Any], Any], metadata: dict[str, str]) -> None:
    """Write a table again with other content or another label, and count its size in run.json."""
    table = change(pq.read_table(path)).replace_schema_metadata(None)
    with pq.ParquetWriter(path, table.schema) as file:
        file.write_table(table)
        file.add_key_value_metadata(metadata)
    page = json.loads(path.with_name("run.json").read_text())
    page["shards"][0]["files"][path.name.split("-")[0]]["bytes"] = path.stat().st_size
    path.with_name("run.json").write_text(json.dumps(page))


LABEL = {"forgetmap": json.dumps({"schema": SCHEMA, "table": "items"})}


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ({}, "items-0000.parquet is damaged: it is no table of forgetmap"),
        ({"forgetmap": "rubbish"}, "it is no table of forgetmap"),
        ({"forgetmap": json.dumps({"schema": SCHEMA, "table": "scores"})}, "it holds scores instead of items"),
        ({"forgetmap": json.dumps({"schema": SCHEMA + 1, "table": "items"})}, f"holds records of schema {SCHEMA + 1}"),
    ],
)
def test_a_table_of_another_kind_or_version_is_refused(study: Path, label: dict[str, str], sentence: str) -> None:
    rewritten(run_folder(study) / "items-0000.parquet", lambda table: table, label)

    assert_refused(study, sentence)


def test_a_table_with_fewer_rows_than_were_written_is_refused(study: Path) -> None:
    rewritten(run_folder(study) / "items-0000.parquet", lambda table: table.slice(0, 7), LABEL)

    assert_refused(study, r"items-0000.parquet is damaged: it has 7 rows instead of \d+")


def test_a_table_with_other_columns_is_refused(study: Path) -> None:
    rewritten(run_folder(study) / "items-0000.parquet", lambda table: table.drop(["golds"]), LABEL)

    with pytest.raises(StudyError, match=r"its columns are not those of items"):
        list(Study.open(study).run("made-up").rows())


def test_tables_that_do_not_belong_together_are_refused(study: Path) -> None:
    def other_names(table: Any) -> Any:
        return table.set_column(2, "item_id", [["0"] * table.num_rows])

    rewritten(run_folder(study) / "items-0000.parquet", other_names, LABEL)

    with pytest.raises(StudyError, match=r"the tables of its shard 0 do not belong together"):
        list(Study.open(study).run("made-up").rows())


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (b'{"schema":%d,"run":{}}\n' % (SCHEMA + 1), "holds records of schema"),
        (b'{"event":"start"}\n', "journal.jsonl is damaged: it does not begin as a journal of forgetmap"),
        (b"\0\0\0", "it does not begin as a journal of forgetmap"),
        (b"", "it does not begin as a journal of forgetmap"),
    ],
)
def test_a_journal_of_another_version_or_program_is_refused(tmp_path: Path, header: bytes, sentence: str) -> None:
    run_folder(tmp_path).mkdir(parents=True)
    (run_folder(tmp_path) / "journal.jsonl").write_bytes(header)
    before = files(tmp_path)

    with pytest.raises(StudyError, match=sentence):
        write(tmp_path, RUN)

    assert files(tmp_path) == before
    assert sentence in str(Study.open(tmp_path).damaged()["made-up"])


def test_one_damaged_run_hides_no_other(study: Path) -> None:
    write(study, run_of(rows(10), "other"))
    (run_folder(study) / "run.json").write_bytes(b"{")

    opened = Study.open(study)

    assert set(opened.runs()) == {"other"}
    assert set(opened.damaged()) == {"made-up"}
    assert len(list(opened.run("other").rows())) == 10
