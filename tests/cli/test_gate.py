"""`forgetmap gate` and `forgetmap power`: what is printed, and how they end."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from tests.cli.logs import quiz


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Forty of four hundred items are forgotten, all of them in task quiz_0."""
    return quiz(tmp_path, "before", items=400), quiz(tmp_path, "after", items=400, forget=range(0, 80, 2))


@pytest.mark.parametrize(
    ("budget", "decision", "code", "strict"),
    [("0.3", "PASS", 0, 0), ("0.12", "WARN", 0, 1), ("0.15", "INCONCLUSIVE", 0, 1), ("0.02", "BLOCK", 1, 1)],
)
def test_the_exit_code_is_the_answer(
    run: Run, pair: tuple[Path, Path], budget: str, decision: str, code: int, strict: int
) -> None:
    ran = run("gate", *pair, "--max-forgetting", budget)

    assert ran.out.startswith(f"{decision} · after since before\n")
    assert (ran.code, run("gate", *pair, "--max-forgetting", budget, "--strict").code) == (code, strict)


def test_every_budget_has_its_row_and_the_worst_decides(run: Run, pair: tuple[Path, Path]) -> None:
    ran = run("gate", *pair, "--max-forgetting", 0.3, "--budget", "quiz_0=0.05", "--budget", "quiz_1=0.05", "--json")
    page = json.loads(ran.out)

    assert ran.code == 1
    assert page["decision"] == "BLOCK"
    assert [(v["name"], v["decision"]) for v in page["verdicts"]] == [
        ("all", "PASS"), ("quiz_0", "BLOCK"), ("quiz_1", "PASS"),
    ]  # fmt: skip
    assert set(page["verdicts"][0]["forgetting"]) == {"value", "low", "high", "n", "method"}


def test_markdown_is_a_comment_for_a_pull_request(run: Run, pair: tuple[Path, Path]) -> None:
    out = run("gate", *pair, "--budget", "quiz_0=0.05", "--markdown").out

    assert out.startswith("### BLOCK · after since before\n\nMore was forgotten than the budget allows.\n\n|")
    assert "| quiz\\_0 (task) | 5.0 | BLOCK | 26.7 [" in out


@pytest.mark.parametrize(("strict", "failures", "skipped"), [((), 1, 1), (("--strict",), 2, 0)])
def test_junit_fails_what_the_gate_fails(
    run: Run, pair: tuple[Path, Path], tmp_path: Path, strict: tuple[str, ...], failures: int, skipped: int
) -> None:
    file, budgets = tmp_path / "gate.xml", ("--max-forgetting", 0.12, "--budget", "quiz_0=0.05", "--budget", "quiz_1=1")

    run("gate", *pair, *budgets, "--junit", file, *strict)
    suites = ElementTree.parse(file).getroot()

    assert {name: int(suites.get(name, "")) for name in ("tests", "failures", "skipped")} == {
        "tests": 3, "failures": failures, "skipped": skipped,
    }  # fmt: skip
    assert len(suites.findall(".//failure")) == failures
    assert len(suites.findall(".//testcase")) == 3
    assert "BLOCK: forgetting 26.7 %" in str([one.get("message") for one in suites.iter("failure")])


def test_names_that_xml_cannot_hold_are_made_visible(run: Run, tmp_path: Path) -> None:
    logs = [quiz(tmp_path, name, task="od\x1bd <&>") for name in ("before", "after")]

    run("gate", *logs, "--budget", "od\x1bd <&>=0.5", "--junit", tmp_path / "gate.xml")

    case = ElementTree.parse(tmp_path / "gate.xml").getroot().find(".//testcase")
    assert case is not None and case.get("name") == "od␛d <&> (task): forgetting of at most 50.0 %"


def test_budgets_of_the_study_are_used(run: Run, pair: tuple[Path, Path], tmp_path: Path) -> None:
    study = tmp_path / "study"
    run("read", *pair, "--study", study)
    (study / "study.toml").write_text("[gate]\nmax_forgetting = 0.3\n[gate.budgets]\nquiz_0 = 0.05\n", "utf-8")

    ran = run("gate", "before", "after", "--study", study, "--json")

    assert [(v["name"], v["budget"]) for v in json.loads(ran.out)["verdicts"]] == [("all", 0.3), ("quiz_0", 0.05)]
    assert run("gate", "before", "after", "--study", study, "--budget", "quiz_0=0.5").code == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "a gate needs a budget"),
        (("--budget", "quiz_0"), "--budget wants NAME=SHARE, such as physics=0.02, and got 'quiz_0'."),
        (("--budget", "quiz_0=2%"), "--budget wants NAME=SHARE"),
        (("--budget", "quiz=0.1"), "no category, task or domain is called that. Is quiz_"),
        (("--max-forgetting", "2"), "the budget of all items is a share between 0 and 1, such as 0.02 for 2 %; got 2."),
        (("--max-forgetting", "0.1", "--json", "--markdown"), "--json and --markdown exclude each other"),
        (("--max-forgetting", "0.1", "--junit", "no/such/folder.xml"), "no/such/folder.xml cannot be used"),
    ],
)
def test_wrong_use_ends_with_2_and_one_sentence(
    run: Run, pair: tuple[Path, Path], words: tuple[str, ...], sentence: str
) -> None:
    ran = run("gate", *pair, *words)

    assert ran.code == 2
    assert sentence in ran.err


def test_power_says_the_items_and_what_is_assumed(run: Run) -> None:
    ran = run("power", "--forgetting", "0.02", "--noise", "0.04", "--draws", 2)
    page = json.loads(run("power", "--forgetting", "0.02", "--noise", "0.04", "--draws", 2, "--json").out)

    assert ran.code == 0
    assert f"To show a forgetting of 2.0 %: {page['items_to_show']:,} items." in ran.out
    assert f"To exclude one of 4.0 % where 2.0 % is true: {page['items_to_exclude']:,} items." in ran.out
    assert "Assumed\n· 4 options, one of them right; 60.0 % known before" in ran.out
    assert page["plan"]["draws"] == 2


def test_power_the_other_way_round_says_what_so_many_items_show(run: Run) -> None:
    needed = json.loads(run("power", "--k", "open", "--forgetting", "0.02", "--json").out)["items_to_show"]

    page = json.loads(run("power", "--k", "open", "--items", needed, "--json").out)

    assert page["smallest_shown"] == pytest.approx(0.02, rel=0.01)
    said = run("power", "--k", "open", "--items", needed).out
    assert f"The smallest forgetting that {needed:,} items show: {100 * page['smallest_shown']:.2f} %." in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "power wants --forgetting SHARE, such as 0.02, or --items N"),
        (("--k", "four", "--forgetting", "0.02"), "--k wants a number of options, such as 4, or open; got 'four'."),
        (("--k", "2", "--forgetting", "0.02"), "with one wrong option forgetting is a band"),
        (("--items", "100", "--exclude", "0.1"), "--exclude goes with --forgetting"),
        (("--items", "0"), "items count from 1"),
        (("--forgetting", "0"), "say with --exclude SHARE, such as 0.02, what is to be excluded"),
    ],
)
def test_power_refuses_what_it_cannot_answer(run: Run, words: tuple[str, ...], sentence: str) -> None:
    ran = run("power", *words)

    assert ran.code == 2
    assert sentence in ran.err
