"""`forgetmap report`: what it writes, and what it refuses."""

import json
from pathlib import Path

import pytest

from forgetmap import read
from tests.cli.conftest import Run
from tests.cli.logs import quiz


@pytest.fixture
def study(tmp_path: Path) -> Path:
    for name, lost in (("base", ()), ("sft", (1, 5, 9)), ("rl", (2,))):
        read(quiz(tmp_path / "logs", name, forget=lost), study=tmp_path / "study")
    return tmp_path / "study"


def test_the_page_and_the_full_numbers_are_written_and_named(run: Run, study: Path, tmp_path: Path) -> None:
    page = tmp_path / "out" / "report.html"

    ran = run("report", study, "--before", "base", "-o", page)

    assert (ran.code, ran.err) == (0, "")
    assert f"The report is in {page} (0.0 MB, 4 lost items in it)." in ran.out.replace("0.1 MB", "0.0 MB")
    found = json.loads(page.with_suffix(".json").read_text())
    assert [pair["after"] for pair in found["comparisons"]] == ["rl", "sft"]
    assert f"forgetmap report {study} --before base --after rl --after sft -o {page}" in page.read_text("utf-8")


def test_the_order_is_that_of_declared_stages(run: Run, study: Path, tmp_path: Path) -> None:
    (study / "study.toml").write_text(
        '[[stages]]\nname = "base"\nruns = ["base"]\n[[stages]]\nname = "sft"\nruns = ["sft"]\n'
    )

    ran = run("report", study, "--json", "-o", tmp_path / "report.html")

    assert [(pair["before"], pair["after"], pair["lost"]) for pair in json.loads(ran.out)["items"]] == [
        ("base", "sft", 3)
    ]


def test_items_can_be_left_out_and_the_rest_stays(run: Run, study: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"

    run("report", study, "--before", "base", "--items", "0", "-o", page)

    assert "items-0" not in page.read_text("utf-8")
    assert "What to do next" in page.read_text("utf-8")


def test_a_small_budget_keeps_some_items_and_says_how_many_were_left_out(run: Run, study: Path, tmp_path: Path) -> None:
    ran = run(
        "report", study, "--before", "base", "--after", "sft", "--items", "0.0004", "-o", tmp_path / "report.html"
    )

    assert ran.code == 0
    assert "were left out to keep it small (--items MB)" in ran.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-o", "report.txt"], "a report is an HTML file, and report.txt does not end in .html"),
        (
            [],
            "name the run that came before with --before RUN (there are: base, rl, sft), for no run of the study names another",
        ),
        (["--after", "sft"], "give --before RUN"),
        (["--before", "bass"], "bass is neither a run of the study"),
    ],
)
def test_wrong_use_ends_with_2_and_one_sentence(run: Run, study: Path, words: list[str], sentence: str) -> None:
    ran = run("report", study, *words)

    assert ran.code == 2
    assert sentence in ran.err.replace("\n", " ")
    assert "Traceback" not in ran.err
