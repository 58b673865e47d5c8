"""`forgetmap stages`: pages, other forms, items, and what cannot be a chain."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.logs import quiz

LOSING = {"base": (), "sft": range(0, 40, 4), "rl": (*range(0, 40, 8), 1)}
PAGE = """\
base → sft → rl · 40 items answered at all stages
Of 40 items, 20.0 % [5.1, 37.3] were lost for good, 16.7 % [2.8, 33.4] were lost in sft and regained
in rl, 0.0 % [−6.3, 12.1] were gained and kept and 0.0 % [−17.5, 17.5] were gained in sft and lost
again in rl.
Accuracy 100.0 → 75.0 → 85.0 %; known, luck taken off, 100.0 → 66.7 → 80.0 %.
"""
PATHS = """\
path                         code  items  share %
────────────────────────────────────────────────────────────
kept                         KKK      29  63.3 [38.1, 77.5]
lost in rl                   KKU       1   3.3 [−4.9, 16.8]
lost in sft, regained in rl  KUK       5  16.7 [2.8, 33.4]
lost in sft                  KUU       5  16.7 [−6.3, 36.8]
"""
"""With four options a pattern of one wrong answer counts 4/3 for its own path and −1/3 for the one with that answer known."""


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    """A chain in which the first eighth of the items is lost in sft, of which half is regained, and one is lost in rl."""
    return [quiz(tmp_path, name, forget=tuple(lost)) for name, lost in LOSING.items()]


@pytest.fixture
def study(run: Run, logs: list[Path], tmp_path: Path) -> Path:
    """The same chain in a study, each run with its parent and stage."""
    folder = tmp_path / "study"
    for log, parent in zip(logs, (None, "base", "sft"), strict=True):
        lineage = ["--parent", parent, "--stage", log.stem] if parent else []
        assert run("read", log, "--study", folder, *lineage).code == 0
    return folder


def test_a_chain_is_told_in_words_in_paths_and_in_steps(run: Run, logs: list[Path]) -> None:
    page = run("stages", *logs)

    assert page.code == 0
    assert page.out.startswith(PAGE)
    assert PATHS in page.out
    assert re.search(r"base → rl +40 +100.0 → 85.0 +20.0 \[5.1, 37.3\] ", page.out)


def test_without_runs_the_lineage_of_the_study_gives_the_order(run: Run, study: Path, logs: list[Path]) -> None:
    assert run("stages", "--study", study).out == run("stages", *logs).out
    table = run("ls", study).out
    assert [line.split()[:2] for line in table.splitlines()[2:]] == [["base", "–"], ["rl", "sft"], ["sft", "base"]]
    assert json.loads(run("ls", study, "--json").out)["runs"]["rl"]["parents"] == ["sft"]


def test_stages_of_study_toml_come_before_the_lineage_and_may_have_seeds(run: Run, study: Path, tmp_path: Path) -> None:
    run("read", quiz(tmp_path, "sft-2", forget=(3, 5)), "--study", study)
    toml = '[[stages]]\nname = "start"\nruns = "base"\n[[stages]]\nname = "tuned"\nruns = ["sft", "sft-2"]\n'
    (study / "study.toml").write_text(toml)

    page = run("stages", "--study", study).out
    assert page.startswith("start → tuned · 40 items")
    assert "Seeds\n" in page and "other seeds" in page
    compared = run("compare", "base", "sft", "sft-2", "--study", study)
    assert "Mean over the seeds of one recipe" in compared.out


def test_compare_takes_its_afters_as_seeds_when_told_so(run: Run, logs: list[Path]) -> None:
    page = json.loads(run("compare", *logs, "--seeds", "--json").out)

    assert page["recipes"][0]["after"] == ["sft", "rl"]
    assert page["recipes"][0]["forgetting"]["sd"] > 0
    assert "Seeds\n" not in run("compare", *logs).out


def test_json_and_csv_and_markdown_have_every_path(run: Run, logs: list[Path]) -> None:
    page = json.loads(run("stages", *logs, "--json").out)
    rows = list(csv.DictReader(io.StringIO(run("stages", *logs, "--csv").out)))

    assert [stage["name"] for stage in page["stages"]] == ["base", "sft", "rl"]
    assert page["cells"][0]["paths"]["KUK"]["items"] == 5
    (row,) = [one for one in rows if (one["level"], one["path"]) == ("all", "lost, regained")]
    assert (float(row["items"]), float(row["share"])) == (
        5,
        pytest.approx(page["cells"][0]["names"]["lost, regained"]["value"]),
    )
    assert "| lost in sft, regained in rl | KUK | 5 |" in run("stages", *logs, "--markdown").out


def test_the_items_of_a_path_are_shown_with_every_answer(run: Run, logs: list[Path]) -> None:
    page = run("stages", *logs, "--show", "known-lost-regained", "-n", "1").out

    assert page.splitlines()[0].endswith(" · 4 · lost in sft, regained in rl")
    assert page.count("right: beta") == 2
    assert page.count("wrong: gamma") == 1
    items = json.loads(run("stages", *logs, "--show", "KUK", "--json").out)["items"]
    assert [list(item["answers"]) for item in items] == [["base", "sft", "rl"]] * 5
    assert run("stages", *logs, "--show", "UKU").out == "No item's right answers follow UKU in base → sft → rl.\n"


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_wider_than_the_terminal(
    run: Run, logs: list[Path], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for chain in (logs, [*logs, *logs]):
        assert max(map(len, run("stages", *chain, "--all").out.splitlines())) <= width


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["base"], "at least two stages, and got 1"),
        (["base", "nobody"], "nobody is neither a run of the study"),
        (["base", "sft", "--show", "KX"], "a path is a word of 2 letters"),
        (["base", "sft", "--show", "KU", "--csv"], "--show and --csv exclude each other"),
        (["base", "sft", "--confidence", "3"], "confidence must lie between"),
    ],
)
def test_what_cannot_be_used_ends_with_a_sentence(run: Run, study: Path, words: list[str], sentence: str) -> None:
    done = run("stages", *words, "--study", study)

    assert done.code == 2
    assert sentence in done.err


def test_a_fork_is_named_and_a_choice_asked_for(run: Run, study: Path, tmp_path: Path) -> None:
    run("read", quiz(tmp_path, "dpo"), "--study", study, "--parent", "sft")

    done = run("stages", "--study", study)
    assert done.code == 2
    assert "forks at sft: dpo and rl all come after it" in done.err
    assert run("stages", "base", "sft", "dpo", "--study", study).code == 0


def test_outside_a_study_runs_must_be_named(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert "at least two runs in their order, or --study DIR" in run("stages").err


def test_lineage_can_be_added_to_a_stored_run_and_stays_when_it_is_read_again(
    run: Run, study: Path, tmp_path: Path
) -> None:
    log = tmp_path / "rl.csv"
    added = json.loads(run("read", log, "--study", study, "--step", "7", "--json").out)["runs"][0]
    again = json.loads(run("read", log, "--study", study, "--json").out)["runs"][0]
    said = json.loads(run("ls", study, "--json").out)["runs"]["rl"]

    assert (added["how"], again["how"]) == ("lineage added", "already there")
    assert (said["parents"], said["stage"], said["step"]) == (["sft"], "rl", 7)


def test_lineage_is_said_of_one_run_and_never_of_itself(run: Run, logs: list[Path], tmp_path: Path) -> None:
    two = run("read", *logs[:2], "--study", tmp_path / "s", "--parent", "x")
    own = run("read", logs[0], "--study", tmp_path / "s", "--parent", "base")

    assert two.code == own.code == 2
    assert "2 are to be read" in two.err
    assert "cannot be its own parent" in own.err
    assert not (tmp_path / "s").exists()
