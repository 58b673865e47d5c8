"""Opening runs by address, and the one sentence that each wrong address gets."""

import gzip
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from forgetmap.errors import FormatError, SettingError
from forgetmap.formats import FORMATS
from forgetmap.formats.contract import Hints
from forgetmap.formats.opening import open_run, open_runs, slug
from tests.formats.lm_eval_told import log, picked, sums, text_of


def test_a_log_is_opened_by_its_folder_or_file_and_by_text_or_path(tmp_path: Path) -> None:
    path = log(tmp_path / "model", "t", [picked(0, 1, 1)])

    for address in (tmp_path, str(tmp_path), path, str(path), f"{tmp_path}::model"):
        assert [row.item.task for row in open_run(address).rows()] == ["t"]


def test_a_path_that_holds_two_colons_is_itself(tmp_path: Path) -> None:
    path = log(tmp_path / "a::b", "t", [picked(0, 1, 1)])

    assert len(list(open_run(path).rows())) == 1
    assert open_run(f"{tmp_path / 'a::b'}::a-b").info.checkpoint == "a::b"


def test_the_name_the_user_gives_is_the_run_s(tmp_path: Path) -> None:
    path = log(tmp_path, "t", [picked(0, 1, 1)])

    assert open_run(path, Hints(name="my run")).info.run_id == "my-run"
    assert open_runs(path, Hints(name="mine"))[0].info.run_id == "mine"


@pytest.mark.parametrize("address", ["", " ", "::model"])
def test_an_empty_path_is_not_the_current_folder(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log(tmp_path, "t", [picked(0, 1, 1)])
    monkeypatch.chdir(tmp_path)

    with pytest.raises(FormatError, match="a log is wanted, but"):
        open_run(address)
    assert list(open_run(".").rows())


def test_a_number_of_options_that_the_log_contradicts_is_noted(tmp_path: Path) -> None:
    path = log(tmp_path, "t", [picked(number, 1, 1) for number in range(2)])
    said = "t: --k says {}, but the log itself shows 4 options, and the log counts."

    for k, notes in {"5": [said.format(5)], "open": [said.format("open")], "4": [], "doc.choices": []}.items():
        run = open_run(path, Hints(k=(("t", k),)))
        assert {row.item.k for row in [*run.rows(), *run.rows()]} == {4}
        assert [note for note in run.notes if "--k" in note] == notes


def two_models(folder: Path) -> Path:
    for model in ("one", "two"):
        log(folder / model, "t", [picked(0, 1, 1)])
        sums(folder / model, model)
    return folder


def test_one_name_for_two_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"--as mine names one run, but .* holds 2: one, two"):
        open_runs(two_models(tmp_path), Hints(name="mine"))


def test_one_of_two_runs_can_be_named_and_called_otherwise(tmp_path: Path) -> None:
    found = open_run(f"{two_models(tmp_path)}::two", Hints(name="mine"))

    assert (found.info.run_id, found.info.checkpoint) == ("mine", "two")


def test_an_unknown_run_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no run called 'three'; it holds one, two"):
        open_run(f"{two_models(tmp_path)}::three")


def test_more_runs_than_fit_a_sentence_are_counted(tmp_path: Path) -> None:
    for number in range(15):
        log(tmp_path / f"model{number:02}", "t", [picked(0, 1, 1)])

    with pytest.raises(FormatError, match=r"holds 15: model00, .*model11 and 3 more"):
        open_run(tmp_path)


def test_a_format_that_does_not_exist_is_answered_with_those_that_do(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"no format called 'lmeval'; there are: .*lm_eval, mmlu_pro"):
        open_runs(log(tmp_path, "t", [picked(0, 1, 1)]), format="lmeval")


def file(name: str, content: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content)
        return path

    return write


def folder_of(*names: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
        return folder

    return write


def zipped(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "x.zip", "w") as archive:
        archive.writestr("page.txt", "no log")
    return folder / "x.zip"


def zipped_logs(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "x.zip", "w") as archive:
        archive.writestr(
            "one.json", '[{"question_id": 1, "question": "?", "options": ["a"], "answer": "A", "pred": "A"}]'
        )
        archive.writestr("two.json", "[]")
    return folder / "x.zip"


def cut_zip(folder: Path) -> Path:
    path = zipped(folder)
    path.write_bytes(path.read_bytes()[:-30])
    return path


def damaged_zip(folder: Path) -> Path:
    path = zipped(folder)
    path.write_bytes(path.read_bytes().replace(b"no log", b"no dog"))
    return path


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


LOG = text_of([picked(0, 1, 1)]).encode()
RESULTS = json.dumps({"results": {"t": {}}, "n-shot": {"t": 0}}).encode()
WRONG: dict[str, tuple[Callable[[Path], Path], str]] = {
    "nothing there": (lambda folder: folder / "absent.jsonl", "no file or folder .*absent.jsonl: check the path"),
    "nothing there, with a run": (lambda folder: folder / "absent::run", "no file or folder .*absent: check the path"),
    "empty file": (file("x.jsonl", b""), "x.jsonl is empty"),
    "a pipe": (pipe, "pipe is neither a file nor a folder"),
    "white space": (file("x.jsonl", b" \n\n"), "nothing but white space"),
    "empty folder": (lambda folder: folder, "holds no files"),
    "folder of pictures": (
        folder_of("a.png", "b.png", "deep/c.gif"),
        r"no log of a known format.*2 × \.png, 1 × \.gif",
    ),
    "sums in a folder": (file("results_x.json", RESULTS), "--log_samples"),
    "sums as a file": (file("sums.json", RESULTS), "--log_samples"),
    "no gzip": (file("x.jsonl.gz", LOG), r"ends in \.gz but is not gzip-compressed"),
    "gzip of a picture": (file("x.jsonl.gz", gzip.compress(b"\x89PNG\0\0")), "binary file"),
    "gzip of nothing": (file("x.jsonl.gz", gzip.compress(b"")), "nothing but white space"),
    "gzip cut in its header": (file("x.jsonl.gz", gzip.compress(LOG)[:7]), "damaged or cut gzip"),
    "gzip cut in its data": (file("x.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\0\xff\xff\xff"), "damaged or cut gzip"),
    "zip of a page": (zipped, "zip file that no format knows"),
    "zip of two logs": (zipped_logs, "zip file that holds 2 files.*unpack it and name one of them"),
    "zip cut in its directory": (cut_zip, "zip file that is cut off or damaged: fetch it again"),
    "zip with a wrong byte": (damaged_zip, "zip file that is cut off or damaged: fetch it again"),
    "UTF-16": (file("x.jsonl", LOG.decode().encode("utf-16")), "UTF-16.*save it as UTF-8"),
    "picture": (file("x.jsonl", b"\x89PNG\r\n\x1a\n\0\0\0"), "binary file"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_path_gets_one_clear_sentence(case: str, tmp_path: Path) -> None:
    write, sentence = WRONG[case]
    path = write(tmp_path)
    address = path.parent if case == "sums in a folder" else path

    with pytest.raises(FormatError, match=sentence) as error:
        open_runs(address)

    assert str(address).split("::")[0] in str(error.value)
    assert "\n" not in str(error.value)


def test_names_of_columns_given_for_what_is_no_table_are_said_to_have_no_effect(tmp_path: Path) -> None:
    hints = Hints(columns={"answer": "gold"})
    (tmp_path / "table.csv").write_text("item_id,choice,answer\n1,A,B\n", encoding="utf-8")
    logged, table = open_run(log(tmp_path, "t", [picked(0, 1, 1)]), hints), open_run(tmp_path / "table.csv", hints)

    assert len(list(logged.rows())) == len(list(table.rows())) == 1
    assert [note for note in logged.notes if note.startswith("--map answer=gold has no effect")]
    assert table.notes == []


def test_text_that_is_no_log_is_shown_and_the_way_to_read_tables_is_said(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text("# A page about logs\n", encoding="utf-8")

    with pytest.raises(FormatError, match=r"begins with '# A page about logs.*--map"):
        open_runs(path)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_leaves_what_is_not_its_own_alone(format: str, tmp_path: Path) -> None:
    from forgetmap.tables import load

    reader = load(FORMATS, format, group="formats")
    picture = file("x.png", b"\x89PNG\r\n\x1a\n\0\0\0")(tmp_path)

    assert not reader.sniff(picture)
    assert not reader.sniff(tmp_path)
    assert not reader.sniff(tmp_path / "absent")
    assert not reader.sniff(file("empty.jsonl", b"")(tmp_path))


@pytest.mark.parametrize("name", ["../x", "", "..", "a/b", "日本", "x" * 500, "con trol\n", "-rf"])
def test_a_slug_can_stand_as_the_name_of_a_folder(name: str) -> None:
    found = slug(name)

    assert found not in ("", ".", "..")
    assert not set(found) & set("/\\ \n:")
    assert len(found) <= 120
    assert not found.startswith(("-", "."))
