"""`forgetmap published`: the study's tables from logs as its own code leaves them, held against its formulas written out plainly."""

import csv
import json
from io import StringIO
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import pytest

import forgetmap
from tests.cli.conftest import Run
from tests.cli.paper_logs import ITEMS, SEEDS, TASKS, Paper, Picked, logged, picked

SHOWN = ["Common Sense", "Culture", "Logic", "Liberal Arts", "Safety", "Science/Tech"]


class Told:
    """Three checkpoints: their answers and their logs."""

    def __init__(self, folder: Path) -> None:
        rng = np.random.default_rng(7)
        self.answers = {name: picked(rng, right) for name, right in (("one", 0.6), ("two", 0.45), ("three", 0.75))}
        self.paths = {name: logged(folder / name, name, answers) for name, answers in self.answers.items()}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(tmp_path_factory.mktemp("logs"))


def by_hand(
    before: Picked, after: Picked, *, code: bool, seeds: tuple[int, ...] = SEEDS
) -> dict[str, list[dict[str, float]]]:
    """Per category and seed the study's means over tasks, straight from its formulas."""
    found: dict[str, list[dict[str, float]]] = {}
    for category in dict.fromkeys(task.category for task in TASKS):
        tasks = [task for task in TASKS if task.category == category]
        found[category] = [
            {
                name: mean(rates(task, before, after, seed, code)[name] for task in tasks)
                for name in ("F", "G", "FC", "GC")
            }
            for seed in seeds
        ]
    return found


def rates(task: Paper, before: Picked, after: Picked, seed: int, code: bool) -> dict[str, float]:
    one, two = (side[task.code, seed] == 0 for side in (before, after))
    k = task.k_in_code if code else task.options
    a, b = sum(one) / ITEMS, sum(two) / ITEMS
    luck = (1 - a) * (1 - b) / (k - 1)
    lost, gained = sum(one & ~two) / ITEMS, sum(~one & two) / ITEMS
    return {
        "F": max(lost - luck, 0.0), "G": max(gained - luck, 0.0),
        "FC": max((k * a - 1) / (k - 1), 0.0), "GC": max((k * b - 1) / (k - 1), 0.0),
    }  # fmt: skip


def total(found: dict[str, list[dict[str, float]]], categories: list[str]) -> list[dict[str, float]]:
    seeds = range(len(found[categories[0]]))
    return [{name: mean(found[c][seed][name] for c in categories) for name in ("F", "G", "FC", "GC")} for seed in seeds]


@pytest.mark.parametrize("code", [False, True])
def test_every_number_is_what_the_formulas_say_in_the_papers_order(run: Run, logs: Told, code: bool) -> None:
    page = json.loads(
        run("published", logs.paths["one"], logs.paths["two"], "--json", *(["--k", "code"] if code else [])).out
    )
    hand = by_hand(logs.answers["one"], logs.answers["two"], code=code)
    expected = {name: hand[name] for name in SHOWN} | {"Total": total(hand, list(hand))}

    assert (page["k"], page["categories"]) == ("code" if code else "true", SHOWN)
    assert set(page["totals_over"]) == {*SHOWN, "Missing"}
    for side, value, ceiling in (("forgetting", "F", "FC"), ("gain", "G", "GC")):
        trace = page["pairs"][0][side]
        for point in [*trace["points"], trace["total"]]:
            seeds = expected[point["category"]]
            assert point["value"] == pytest.approx(mean(seed[value] for seed in seeds))
            assert point["sd"] == pytest.approx(stdev(seed[value] for seed in seeds))
            assert point["ceiling"] == pytest.approx(mean(seed[ceiling] for seed in seeds))
            assert point["seeds"] == 3


def test_a_radar_is_closed_and_goes_by_the_order_of_print(run: Run, logs: Told) -> None:
    page = json.loads(run("published", *logs.paths.values(), "--json").out)

    assert [pair["after"] for pair in page["pairs"]] == ["org__two", "org__three"]
    for pair in page["pairs"]:
        for side in ("forgetting", "gain"):
            trace = pair[side]
            assert trace["theta"] == [*SHOWN, SHOWN[0]]
            assert trace["r"] == [point["value"] for point in [*trace["points"], trace["points"][0]]]
            assert set(trace["points"][0]["option"]) == {"value", "low", "high", "n", "method"}
            assert [point["items"] for point in trace["points"]] == [48, 24, 24, 48, 24, 24]


def test_our_own_estimate_stands_beside_and_is_that_of_compare(run: Run, logs: Told) -> None:
    pair = json.loads(run("published", logs.paths["one"], logs.paths["two"], "--json").out)["pairs"][0]
    found = forgetmap.compare(logs.paths["one"], logs.paths["two"], taxonomy="paper")

    for point in pair["forgetting"]["points"]:
        ours = found.cell(point["category"], level="category").forgetting
        assert ours is not None and point["option"] == ours.to_dict()


def test_the_total_without_hidden_categories_is_the_mean_of_the_rows(run: Run, logs: Told) -> None:
    pair = (logs.paths["one"], logs.paths["two"])
    page = json.loads(run("published", *pair, "--json", "--no-hidden-category").out)
    trace = page["pairs"][0]["forgetting"]

    assert page["totals_over"] == SHOWN
    assert trace["total"]["value"] == pytest.approx(mean(point["value"] for point in trace["points"]))
    assert trace["total"]["items"] == sum(point["items"] for point in trace["points"])


def test_base_shows_no_safety_and_keeps_it_in_the_total_only_as_a_hidden_category(run: Run, logs: Told) -> None:
    pair = (logs.paths["one"], logs.paths["two"])
    full, base, bare = (
        json.loads(run("published", *pair, "--json", *more).out)
        for more in ([], ["--base"], ["--base", "--no-hidden-category"])
    )

    assert base["categories"] == [name for name in SHOWN if name != "Safety"]
    assert base["pairs"][0]["gain"]["total"] == full["pairs"][0]["gain"]["total"]
    assert bare["totals_over"] == base["categories"]


def test_seeds_on_one_side_only_do_not_count(run: Run, logs: Told, tmp_path: Path) -> None:
    fewer = {key: answers for key, answers in logs.answers["two"].items() if key[1] != 1}
    page = json.loads(run("published", logs.paths["one"], logged(tmp_path, "two", fewer), "--json").out)
    hand = by_hand(logs.answers["one"], logs.answers["two"], code=False, seeds=(0, 2))

    (point,) = [point for point in page["pairs"][0]["forgetting"]["points"] if point["category"] == "Culture"]
    assert point["seeds"] == 2
    assert point["value"] == pytest.approx(mean(seed["F"] for seed in hand["Culture"]))


def test_compare_says_the_same_beside_its_own_estimate(logs: Told) -> None:
    hand = by_hand(logs.answers["one"], logs.answers["two"], code=False)
    found_map = forgetmap.compare(logs.paths["one"], logs.paths["two"], taxonomy="paper", estimators="published")

    for name, level, seeds in (
        ("Liberal Arts", "category", hand["Liberal Arts"]),
        ("all", "all", total(hand, list(hand))),
    ):
        cell = found_map.cell(name, level=level)  # type: ignore[arg-type]
        found = cell.alternatives["published"]["gain"]
        assert found is not None
        assert found.value == pytest.approx(mean(seed["G"] for seed in seeds))
        assert (found.low, found.high, found.method) == (None, None, "published: macro, clipped, mean over 3 seeds")
        assert f"gain {stdev(seed['G'] for seed in seeds):.4f}" in cell.notes["published"]


def test_tables_have_the_papers_cells(run: Run, logs: Told) -> None:
    seeds = by_hand(logs.answers["one"], logs.answers["two"], code=False)["Safety"]
    printed = [100 * f(seed["F"] for seed in seeds) for f in (mean, stdev)] + [100 * mean(seed["FC"] for seed in seeds)]
    cell = "{:.1f} ± {:.1f} ({:.1f})".format(*printed)

    rows = list(csv.reader(StringIO(run("published", *logs.paths.values(), "--csv").out)))
    assert rows[0] == ["table", "category", "org__two", "org__three"]
    assert [row[0] for row in rows[1:]] == ["forgetting"] * 7 + ["gain"] * 7
    assert rows[5][:3] == ["forgetting", "Safety/Truth", cell]
    assert f"| Safety/Truth | {cell} |" in run("published", *logs.paths.values(), "--markdown").out
    page = run("published", *logs.paths.values()).out
    assert cell in page and "The same items, read rightly" in page and "Total counts Missing too" in page


def test_latex_stands_in_a_document_as_it_is(run: Run, logs: Told) -> None:
    out = run("published", *logs.paths.values(), "--latex").out

    assert out.count(r"\begin{tabular}{lrr}") == out.count(r"\end{tabular}") == 2
    assert r"org\_\_two & org\_\_three \\" in out
    assert r"$\pm$" in out and "±" not in out.replace("% Forgetting in per cent: mean ± sd", "").replace(
        "per cent: mean ± sd", ""
    )


def test_one_seed_has_no_spread_and_it_is_said(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    paths = [logged(tmp_path / name, name, picked(rng, 0.6, seeds=(0,))) for name in ("one", "two")]
    out = run("published", *paths).out

    assert "There is no ±: one seed has no spread." in out
    assert "±" not in out.split("What these numbers")[0].replace("mean ± sd", "")


def test_tasks_of_no_category_are_named_and_left_out_and_logs_of_no_task_of_the_paper_are_refused(
    run: Run, logs: Told, tmp_path: Path
) -> None:
    rng = np.random.default_rng(2)
    other = Paper("gsm8k_reasoning", "none", 4, 4)
    answers = [picked(rng, 0.6, tasks=[*TASKS, other]) for _ in range(2)]
    paths = [logged(tmp_path / name, name, one) for name, one in zip(("one", "two"), answers, strict=True)]
    alone = [
        logged(tmp_path / f"{name} alone", name, {key: one for key, one in each.items() if key[0] == other.code})
        for name, each in zip(("one", "two"), answers, strict=True)
    ]

    assert "so left out: 1 task (community|gsm8k_reasoning)" in " ".join(run("published", *paths).out.split())
    refused = run("published", *alone)
    assert refused.code == 2
    assert (
        "has a category that the table shows (taxonomy paper)" in refused.err
        and "community|gsm8k_reasoning" in refused.err
    )
    assert "unplaced" not in run("published", *alone, "--taxonomy", "default").out


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["--k", "code", "--k", "true"], "--k true and --k code exclude each other"),
        (["--csv", "--latex"], "--csv and --latex exclude each other"),
        (["--taxonomy", "papers"], "neither a file nor a built-in one (default, paper)"),
        (["--k", "four"], "--k wants TASK=K"),
    ],
)
def test_wrong_use_gets_one_sentence(run: Run, logs: Told, more: list[str], complaint: str) -> None:
    ran = run("published", logs.paths["one"], logs.paths["two"], *more)

    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert complaint in ran.err


def test_what_the_papers_code_loses_counts_in_no_table_and_no_total(run: Run, logs: Told, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    lost = Paper("ifeval_reasoning", "Instruction", 4, 4)
    paths = [
        logged(tmp_path / name, name, {**logs.answers[name], **picked(rng, 0.6, tasks=[lost])})
        for name in ("one", "two")
    ]
    with_it, without = (
        json.loads(run("published", *both, "--json").out) for both in (paths, [logs.paths["one"], logs.paths["two"]])
    )

    assert with_it["pairs"][0]["forgetting"] == without["pairs"][0]["forgetting"]
    assert with_it["pairs"][0]["left_out"] == ["community|ifeval_reasoning"]
    compared = forgetmap.compare(*paths, taxonomy="paper", estimators="published")
    all_of_it = compared.cell().alternatives["published"]["forgetting"]
    assert all_of_it is not None and all_of_it.value == pytest.approx(
        without["pairs"][0]["forgetting"]["total"]["value"]
    )
    assert compared.cell("Instruction").alternatives["published"]["forgetting"] is not None
