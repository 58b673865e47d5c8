"""Who has only logs of lm-evaluation-harness comes from install to a gate by docs/start.md: every command is run as it stands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import code
from tests.formats.lm_eval_told import LATER, TIME, log, picked

GOLDS = [number % 4 for number in range(400)]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """`runs/before` and `runs/after` as `--output_path` leaves them: one item in forty is forgotten."""
    for name, time in (("before", TIME), ("after", LATER)):
        for task in ("anatomy", "prehistory"):
            entries = [
                picked(number, gold, (gold + 1) % 4 if name == "after" and number % 40 == 0 else gold)
                for number, gold in enumerate(GOLDS)
            ]
            log(tmp_path / "runs" / name / f"org__{name}", f"mmlu_{task}", entries, time)
    return tmp_path


def commands() -> list[str]:
    """Every line of the page that calls forgetmap, in order."""
    blocks = "\n".join(code("start.md", "")).splitlines()
    return [line.partition("  #")[0].strip() for line in blocks if line.startswith("forgetmap ")]


def test_every_command_of_the_start_page_works_in_its_order(logs: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ended = [
        subprocess.run(command, shell=True, cwd=logs, env={**os.environ, "PATH": path}, capture_output=True, text=True)
        for command in commands()
    ]

    said = {command: (one.returncode, one.stderr) for command, one in zip(commands(), ended, strict=True)}
    assert len(said) >= 10
    assert {command: end for command, end in said.items() if end != (0, "") and "gate" not in command} == {}
    # Twenty of 800 items are forgotten: 2.5 %, more than the budget, and not shown to be more.
    assert {end for command, end in said.items() if "gate" in command} == {(0, "")}
    assert "WARN" in (logs / "gate.md").read_text() and (logs / "gate.xml").is_file()


def test_the_python_of_the_start_page_works(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(logs)
    names: dict[str, object] = {}

    exec(code("start.md", "python")[0], names)

    assert "found" in names
