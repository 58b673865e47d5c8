"""`forgetmap compare`, from logs to what is printed."""

import csv
import io
import json
from pathlib import Path

import pytest

from forgetmap.measure.cell import told
from tests.cli.conftest import Run
from tests.cli.logs import quiz, table

ENVELOPE = {"schema", "forgetmap", "confidence", "taxonomy", "estimator", "runs", "comparisons", "cells"}
OF_RUNS = {
    "checkpoint",
    "stage",
    "step",
    "parents",
    "prompt",
    "template",
    "dtype",
    "decoding",
    "draws",
    "seeds",
    "harness",
}
OF_COMPARISONS = {"before", "after", "paired", "only_before", "only_after", "duplicate", "content_differs"}
OF_COMPARISONS |= {"tasks_only_before", "tasks_only_after", "differs"}
OF_CELLS = {"before", "after", "level", "name", "parent", "task", "scorer", "metric", "n", "dropped"}
OF_CELLS |= {"accuracy_before", "accuracy_after", "known_before", "known_after", "n11", "n10", "n01", "n00"}
OF_CELLS |= {"unanswered_before", "unanswered_after", "forgetting", "gain", "net", "unanswered_loss", "unanswered_gain"}
OF_CELLS |= {
    "noise_floor",
    "excess",
    "p_luck",
    "p",
    "q",
    "p_net",
    "q_net",
    "detectable",
    "causes",
    "alternatives",
    "notes",
}
ESTIMATE = {"value", "low", "high", "n", "method"}


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Eight of forty items are forgotten, the first six of them in task quiz_0."""
    return quiz(tmp_path, "before"), quiz(tmp_path, "after", forget=(0, 2, 4, 6, 8, 10, 11, 13))


def test_the_map_says_what_was_forgotten_and_ends_with_0(run: Run, pair: tuple[Path, Path]) -> None:
    ran = run("compare", *pair)

    assert ran.code == 0
    assert ran.err == ""
    assert ran.out.startswith("after since before · 40 items in 2 tasks\nafter forgot ")
    assert "Accuracy 100.0 → 80.0 % (net −20.0 points [" in ran.out
    assert "(8 of 40 items right, then not right)" in ran.out
    assert "These 8 items by cause: 8 answered with another option." in ran.out


def test_rows_are_tasks_where_no_category_is_known_and_what_by_says_otherwise(
    run: Run, pair: tuple[Path, Path]
) -> None:
    by_default, by_domain = run("compare", *pair).out, run("compare", *pair, "--by", "domain").out

    assert "\nquiz_0 " in by_default
    assert "\nquiz_0 · field 0 " in by_domain
    assert "\nquiz_0 " not in by_domain.replace("quiz_0 ·", "")


def test_what_to_type_next_works_and_keeps_the_options_of_reading(run: Run, tmp_path: Path) -> None:
    lines = [{"number": n, "said": "A", "right": "A" if n % 2 else "B", "options": 4} for n in range(20)]
    before = table(tmp_path / "first of all.csv", [{**line, "said": line["right"]} for line in lines])
    after = table(tmp_path / "after.csv", lines)
    named = ["--map", "said=choice", "--map", "right=gold", "--map", "options=k", "--map", "number=item_id"]

    said = run("compare", before, after, *named).out.splitlines()[-1].strip()

    assert said.startswith(f"forgetmap lost '{before}' {after} --map said=choice")
    import shlex

    again = run(*shlex.split(said)[1:])
    assert again.code == 0
    assert again.out.count("wrong: A") == 10


def test_json_has_exactly_the_keys_that_other_programs_rely_on(run: Run, pair: tuple[Path, Path]) -> None:
    ran = run("compare", *pair, "--json", "--estimator", "table")
    page = json.loads(ran.out)

    assert ran.err == ""
    assert set(page) == ENVELOPE
    assert all(set(one) == OF_RUNS for one in page["runs"].values())
    assert all(set(one) >= OF_COMPARISONS for one in page["comparisons"])
    assert all(set(cell) == OF_CELLS for cell in page["cells"])
    assert {cell["level"] for cell in page["cells"]} == {"all", "category", "task", "domain"}
    overall = page["cells"][0]
    assert all(set(overall[name]) == ESTIMATE for name in ("forgetting", "gain", "net", "unanswered_loss"))
    assert set(overall["alternatives"]) == {"table"}
    assert overall["n10"] == 8
    assert overall["excess"] is None
    assert "excess" in overall["notes"]


def test_csv_has_one_line_a_cell_and_nothing_else(run: Run, pair: tuple[Path, Path]) -> None:
    page = json.loads(run("compare", *pair, "--json").out)

    lines = list(csv.DictReader(io.StringIO(run("compare", *pair, "--csv").out)))

    assert [(line["level"], line["name"]) for line in lines] == [
        (cell["level"], cell["name"]) for cell in page["cells"]
    ]
    assert float(lines[0]["forgetting"]) == page["cells"][0]["forgetting"]["value"]
    assert float(lines[0]["forgetting_low"]) == page["cells"][0]["forgetting"]["low"]
    assert lines[0]["excess"] == ""


def test_markdown_is_tables_without_what_to_type_next(run: Run, pair: tuple[Path, Path]) -> None:
    out = run("compare", *pair, "--markdown").out

    assert out.startswith("### after since before")
    assert "| task | items | accuracy % | forgetting % | gain % |" in out
    assert "| quiz\\_0 | 20 | 100.0 → 70.0 |" in out
    assert "forgetmap lost" not in out


def test_several_afters_make_one_map(run: Run, pair: tuple[Path, Path], tmp_path: Path) -> None:
    third = quiz(tmp_path, "last", forget=range(20))

    out = run("compare", *pair, third).out

    assert out.startswith("2 comparisons since before\n")
    assert "Forgetting in % of the items, by task" in out
    assert "\nlast " in out


def test_other_estimators_stand_beside_the_default_with_what_they_assume(run: Run, pair: tuple[Path, Path]) -> None:
    out = " ".join(run("compare", *pair, "--estimator", "raw", "--estimator", "published").out.split())

    assert "forgetting % by option raw published" in out
    assert "· raw assumes: none" in out
    assert "[no interval]" in out


def test_a_second_run_of_a_checkpoint_gives_the_noise(run: Run, pair: tuple[Path, Path], tmp_path: Path) -> None:
    again = quiz(tmp_path, "again", forget=(1, 3))

    without, given = run("compare", *pair).out, run("compare", *pair, "--null", again).out

    assert "only sampling noise" in without
    assert "only sampling noise" not in given
    assert "Two draws of one and the same checkpoint already differ" in given
    assert "again was taken as a second run of before" in given


def test_a_dry_run_says_what_pairs_and_why_the_rest_does_not(run: Run, tmp_path: Path) -> None:
    before = quiz(tmp_path, "before")
    after = table(
        tmp_path / "after.csv",
        [{"task": "quiz_0", "item_id": n, "question": "Another text?" if n == 4 else f"Which letter is number {n}?",
          "choices": '["alpha", "beta", "gamma", "omega"]', "gold": "beta", "choice": "beta"} for n in range(0, 38, 2)],
    )  # fmt: skip

    ran = run("compare", before, after, "--dry-run")
    said = " ".join(ran.out.split())

    assert ran.code == 0
    assert "before → after" in said
    assert "18 items pair; 3 items of common tasks do not (14.3 %)." in said
    assert "quiz_0: 2 items only before (4 and 38)." in said
    assert "quiz_0: the id of 1 item of these stands for another question" in said
    assert "Only before: 1 task (quiz_1)." in said
    page = json.loads(run("compare", before, after, "--dry-run", "--json").out)
    assert page["comparisons"][0]["tasks"][0]["only_before"] == 2


def test_too_few_pairs_stop_with_2_unless_allowed(run: Run, tmp_path: Path) -> None:
    before, after = quiz(tmp_path, "before"), quiz(tmp_path, "after", items=30)

    stopped, allowed = run("compare", before, after), run("compare", before, after, "--allow-unpaired")

    assert (stopped.code, stopped.out) == (2, "")
    assert stopped.err.startswith("forgetmap: 25.0% of the items of common tasks have no partner")
    assert allowed.code == 0
    assert "Without a partner, so left out: 10 items only before, 0 items only after." in " ".join(allowed.out.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere"], "there is no file or folder nowhere"),
        (["--by", "colour"], "'colour' is not one of 'category', 'task', 'domain'"),
        (["--estimator", "crystal-ball"], "there is no estimator called 'crystal-ball'"),
        (["--scorer", "judge"], "no scorer called 'judge'"),
        (["--format", "papyrus"], "there is no format called 'papyrus'"),
        (["--json", "--csv"], "--json and --csv exclude each other"),
        (["--dry-run", "--csv"], "--dry-run and --csv exclude each other"),
        (["--map", "choice"], "--map wants THEIRS=OURS"),
        (["--k", "=4"], "--k wants TASK=K"),
        (["--confidence", "95"], "confidence must lie between 0.5 and 1"),
        (
            ["--taxonomy", "nowhere.toml"],
            "the taxonomy nowhere.toml is neither a file nor a built-in one (default, paper)",
        ),
        (["--study", "nowhere"], "there is no study at nowhere"),
    ],
)
def test_wrong_use_is_one_sentence_on_standard_error_and_exit_code_2(
    run: Run, pair: tuple[Path, Path], words: list[str], sentence: str
) -> None:
    ran = run("compare", *pair, *words)

    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert "Traceback" not in ran.err


def test_a_missing_argument_is_named(run: Run) -> None:
    ran = run("compare", "before")

    assert ran.code == 2
    assert "Missing argument 'AFTER" in ran.err


def test_columns_widen_the_page_where_there_is_no_terminal(
    run: Run, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "64")

    assert max(map(len, run("compare", *pair).out.splitlines()[:-1])) <= 64


def test_every_number_of_a_cell_is_in_the_json_contract() -> None:
    assert set(told()) == OF_CELLS
