"""`make` and the continuous run: they say what is missing, and start from nothing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed here")


def make(*words: str) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "PYTHON"}
    return subprocess.run(["make", *words], cwd=ROOT, env=plain, capture_output=True, text=True)


def an_interpreter(folder: Path, *, says: str, exits: int) -> str:
    """A Python that ends with `exits` where `says` occurs in what it is asked to run."""
    script = folder / "python"
    script.write_text(f'#!/bin/sh\ncase "$*" in *{says}*) exit {exits};; esac\nexec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    return f"PYTHON={script}"


def test_a_missing_venv_module_is_named_with_the_package_to_install(tmp_path: Path) -> None:
    made = make("test", f"VENV={tmp_path / 'venv'}", an_interpreter(tmp_path, says="ensurepip", exits=1))

    assert made.returncode != 0
    assert f"apt-get install python{sys.version_info.major}.{sys.version_info.minor}-venv" in made.stderr
    assert not (tmp_path / "venv").exists()


def test_an_interpreter_that_is_too_old_is_refused_with_a_sentence(tmp_path: Path) -> None:
    made = make("demo", f"VENV={tmp_path / 'venv'}", an_interpreter(tmp_path, says="version_info", exits=1))

    assert made.returncode != 0
    assert "Wanted Python 3.11 or newer" in made.stderr


def test_no_interpreter_at_all_is_said_so(tmp_path: Path) -> None:
    made = make("check", f"VENV={tmp_path / 'venv'}", "PYTHON=")

    assert made.returncode != 0
    assert "Wanted Python 3.11 or newer and found none" in made.stderr


@pytest.mark.parametrize(
    ("target", "does"),
    [
        ("demo", ["forgetmap demo"]),
        ("test", ["pytest -n 2"]),
        ("check", ["ruff check", "ruff format --check", "mypy", "lint-imports"]),
        ("bench", ["--quick"]),
    ],
)
def test_each_target_does_what_it_promises(target: str, does: list[str]) -> None:
    planned = make("--dry-run", target).stdout

    assert [step for step in does if step not in planned] == []


def test_the_continuous_run_is_a_sound_executable_script_that_ends_with_the_tests() -> None:
    script = ROOT / ".ci" / "run"
    text = script.read_text(encoding="utf-8")

    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
    assert "set -euo pipefail" in text
    assert text.index("make check") < text.index("make test")
