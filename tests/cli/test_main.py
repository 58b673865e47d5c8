"""How a command line ends: help, wrong use, and what nobody foresaw."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from forgetmap import __version__, cli
from forgetmap.cli import main
from forgetmap.cli.drawn import terminal
from tests.cli.conftest import Run
from tests.cli.logs import quiz

VERBS = ("demo", "compare", "lost", "gate", "power", "published", "read", "ls")


def installed(*words: object, **how: object) -> subprocess.Popen[bytes]:
    code = "from forgetmap.cli import main; main()"
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)  # type: ignore[call-overload,no-any-return]


def test_help_names_every_verb_and_fits_eighty_columns(run: Run) -> None:
    ran = run("--help")

    assert ran.code == 0
    assert all(f"\n  {verb} " in ran.out for verb in VERBS)
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "..." not in ran.out.split("Commands:")[1]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_of_its_own(run: Run, verb: str) -> None:
    ran = run(verb, "--help")

    assert ran.code == 0
    assert f"Usage: forgetmap {verb} " in ran.out


def test_no_verb_at_all_shows_the_help(run: Run) -> None:
    assert "Commands:" in "".join(run()[1:])


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").out == f"forgetmap {__version__}\n"


def test_a_mistyped_verb_is_met_with_the_one_that_is_meant(run: Run) -> None:
    ran = run("comapre")

    assert ran.code == 2
    assert "compare" in ran.err


def test_an_interrupted_run_ends_with_130_and_without_a_word(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(terminal, "draw", interrupted)

    ran = run("compare", quiz(tmp_path, "before"), quiz(tmp_path, "after"))

    assert ran == (130, "", "")


def test_what_nobody_foresaw_propagates_with_the_request_to_report_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by a bug")

    monkeypatch.setattr(cli, "app", broken)

    with pytest.raises(ZeroDivisionError) as found:
        main([])

    assert any("bug in forgetmap" in note for note in found.value.__notes__)


def test_a_file_that_may_not_be_read_gets_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "secret.jsonl")

    monkeypatch.setattr(cli, "app", refused)

    ran = run("ls")

    assert (ran.code, ran.err) == (2, "forgetmap: secret.jsonl cannot be used: Permission denied.\n")


def test_a_sentence_about_a_hostile_path_is_harmless(run: Run) -> None:
    ran = run("compare", "a\x1b[2Jb", "c")

    assert ran.code == 2
    assert "a␛[2Jb" in ran.err


def test_nobody_reading_on_is_no_error(tmp_path: Path) -> None:
    before, after = quiz(tmp_path, "before", items=2000), quiz(tmp_path, "after", items=2000, forget=range(2000))
    with installed("lost", before, after, "-n", 2000) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()

    assert said == b""


def test_an_output_that_knows_no_arrows_shows_question_marks(tmp_path: Path) -> None:
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    with installed("compare", quiz(tmp_path, "before"), quiz(tmp_path, "after", forget=[1]), env=plain) as process:
        out, said = process.communicate()

    assert (process.returncode, said) == (0, b"")
    assert b"Accuracy 100.0 ? 97.5 %" in out
