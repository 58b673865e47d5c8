"""Logs of lm-evaluation-harness 0.4.0 to 0.4.5: kept examples that 0.4.2 and 0.4.5 wrote, and pairs told in both layouts."""

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import forgetmap
from forgetmap.formats.lm_eval import FORMAT, from_results
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.records.run import Run
from tests.formats.lm_eval_older_told import listing, older, older_log, older_sums, published
from tests.formats.lm_eval_told import Entry, filtered, log, picked, results, run, said, sums

GOLDEN = Path(__file__).parents[1] / "golden" / "lm_eval_older"
LATEST = GOLDEN.parent / "lm_eval"
SIDES = ("before", "after")
FILTERS = {
    "hm_gen": ["first-number", "last-number"],
    "hm_sum": ["strict-match", "flexible-extract", "maj@3"],
}


def kept(side: str) -> Run:
    return open_run(GOLDEN / side)


def told(found: Run) -> list[list[Any]]:
    """Every score of every row."""
    return [
        [row.item.task, row.item.native_id, row.item_id, score.scorer, score.outcome, score.value, score.choice]
        for row in found.rows()
        for score in row.scores
    ]


@pytest.mark.parametrize("side", SIDES)
def test_the_kept_logs_have_the_rows_noted_beside_them(side: str) -> None:
    found = kept(side)

    assert told(found) == json.loads((GOLDEN / f"{side}.json").read_text(encoding="utf-8"))
    assert (found.problems, found.duplicates, found.notes) == ([], 0, [])


@pytest.mark.parametrize("side", SIDES)
def test_accuracies_of_the_kept_logs_are_those_the_harness_summed(side: str) -> None:
    (path,) = (GOLDEN / side).glob("results*.json")
    summed = json.loads(path.read_text(encoding="utf-8"))["results"]
    values = defaultdict(list)
    for row in kept(side).rows():
        for score in row.scores:
            values[row.item.task, score.scorer].append(score.value or 0.0)

    assert len(values) == 9
    for (task, scorer), all_ in values.items():
        assert sum(all_) / len(all_) == pytest.approx(summed[task][scorer])


def test_items_have_the_names_they_have_in_logs_of_the_latest_version() -> None:
    latest = {(row.item.task, row.item_id) for row in open_run(LATEST / "after").rows()}
    shared = {"hm_cloze", "hm_mc", "hm_gen"}

    for side in SIDES:
        ours = {(row.item.task, row.item_id) for row in kept(side).rows() if row.item.task in shared}
        assert len(ours) == 9
        assert ours <= latest


def test_a_run_before_by_0_4_2_compares_with_one_after_by_0_4_5() -> None:
    found = forgetmap.compare(GOLDEN / "before", GOLDEN / "after").to_dict()
    cells = {cell["name"]: cell for cell in found["cells"] if cell["level"] == "task"}

    assert found["comparisons"][0]["paired"] == 12
    assert (cells["hm_cloze"]["n11"], cells["hm_cloze"]["n10"], cells["hm_cloze"]["n01"]) == (1, 2, 0)
    assert (cells["hm_mc"]["n11"], cells["hm_mc"]["n10"]) == (2, 1)
    assert cells["hm_sum"]["scorer"] == "exact_match,strict-match"


def test_a_run_tells_its_checkpoint_and_settings_as_far_as_its_version_stored_them() -> None:
    before, after = kept("before").info, kept("after").info

    assert (before.run_id, before.checkpoint, before.engine, before.dtype) == (
        "tiny-before",
        "tiny-before",
        "hf",
        "float32",
    )
    assert before.shots == after.shots == dict.fromkeys(("hm_cloze", "hm_gen", "hm_mc", "hm_sum"), 0)
    assert (before.harness_version, before.seeds, before.hashes) == (None, (), {})
    assert (after.checkpoint, after.seeds, after.dtype) == ("tiny-after", (0, 1234, 1234, 1234), "float32")
    assert set(after.hashes) == set(after.shots)
    assert before.source[0] == "pretrained__tiny-before,dtype__float32_hm_cloze.jsonl"
    assert before.source[-1] == "results.json"


@pytest.mark.parametrize("side", SIDES)
def test_filters_without_names_are_those_of_the_settings(side: str) -> None:
    for row in kept(side).rows():
        if (names := FILTERS.get(row.item.task)) is not None:
            assert [score.scorer for score in row.scores] == [f"exact_match,{name}" for name in names]


def quiz(right: Iterable[int], strict: Iterable[int]) -> dict[str, list[Entry]]:
    """A ranked task, and a generated one under two filters of which the second finds more."""
    right, strict = set(right), set(strict)
    ranked = [picked(n, n % 4, n % 4 if n in right else (n + n % 3 + 1) % 4) for n in range(12)]
    made = [
        said(n, {"question": f"{n}+1?"}, str(n + 1), f"It is {n + 1}.", "[invalid]", exact_match=0.0) for n in range(8)
    ]
    first = [
        filtered(one, "strict", *([str(n + 1)] if n in strict else []), exact_match=float(n in strict))
        for n, one in enumerate(made)
    ]
    second = [filtered(one, "loose", str(n + 1), exact_match=1.0) for n, one in enumerate(made)]
    return {"letters": ranked, "sums": first + second}


SAID = {"before": quiz(range(9), range(6)), "after": quiz(range(2, 11), range(1, 4))}
CONFIGS = {"letters": {"output_type": "multiple_choice"}, "sums": listing("strict", "loose")}


def as_latest(folder: Path, side: str) -> Path:
    for task, entries in SAID[side].items():
        log(folder / side, task, entries)
    sums(folder / side, side, configs=CONFIGS)
    return folder / side


def as_0_4_2(folder: Path, side: str) -> Path:
    arguments = f"pretrained={side},dtype=bfloat16"
    for task, entries in SAID[side].items():
        older_log(folder / side, arguments, task, entries)
    older_sums(folder / side, arguments, **CONFIGS)
    return folder / side


def as_published(folder: Path, side: str) -> Path:
    """Two folders deep, as a download from the Hub has it."""
    for task, entries in SAID[side].items():
        published(folder / side / f"lab__{side}", task, entries, as_list=task == "sums")
    sums(folder / side / f"lab__{side}", side, configs=CONFIGS)
    return folder / side


@pytest.mark.parametrize("written", [as_0_4_2, as_published])
def test_the_same_pair_told_in_an_older_layout_gives_the_same_map(written: Any, tmp_path: Path) -> None:
    old, new = (
        forgetmap.compare(tell(tmp_path / tell.__name__, "before"), tell(tmp_path / tell.__name__, "after")).to_dict()
        for tell in (written, as_latest)
    )

    assert len(new["cells"]) > 3
    assert old["cells"] == new["cells"]
    assert old["comparisons"][0]["paired"] == 20


def test_a_run_before_in_the_oldest_layout_pairs_with_one_after_in_the_latest(tmp_path: Path) -> None:
    mixed = forgetmap.compare(as_0_4_2(tmp_path / "old", "before"), as_latest(tmp_path / "new", "after")).to_dict()
    same = forgetmap.compare(as_latest(tmp_path / "new", "before"), as_latest(tmp_path / "new", "after")).to_dict()

    assert [cell["forgetting"] for cell in mixed["cells"]] == [cell["forgetting"] for cell in same["cells"]]
    assert mixed["comparisons"][0]["only_before"] == mixed["comparisons"][0]["only_after"] == 0


def test_the_dict_of_an_older_simple_evaluate_gives_the_rows_of_the_files(tmp_path: Path) -> None:
    samples = {task: [older(entry) for entry in entries] for task, entries in SAID["before"].items()}
    given = json.dumps(samples)

    found = from_results(results("before", configs=CONFIGS, samples=samples))

    assert told(found) == told(run(as_0_4_2(tmp_path, "before")))
    assert json.dumps(samples) == given


def test_a_number_as_target_and_lists_as_requests_are_read_as_their_texts_are(tmp_path: Path) -> None:
    entry = picked(3, 2, 2)
    old, new = run(older_log(tmp_path, "pretrained=m", "t", [entry])), run(log(tmp_path / "new", "t", [entry]))
    (ours,), (theirs,) = old.rows(), new.rows()

    assert (ours.item._replace(task=""), ours.scores, ours.sample) == (
        theirs.item._replace(task=""),
        theirs.scores,
        theirs.sample,
    )


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
@pytest.mark.parametrize("as_list", [True, False])
def test_published_files_are_found_whatever_they_are_called_and_hold(
    suffix: str, as_list: bool, tmp_path: Path
) -> None:
    folder = tmp_path / "details" / "lab__model"
    path = published(
        folder, "leaderboard_bbh_snarks", [picked(n, 1, 1) for n in range(3)], as_list=as_list, suffix=suffix
    )
    sums(folder, "lab/model")

    for address in (tmp_path, folder, path):
        (found,) = open_runs(address)
        assert FORMAT.sniff(address)
        assert [row.item.task for row in found.rows()] == ["leaderboard_bbh_snarks"] * 3
        assert (found.info.checkpoint, found.problems) == ("lab/model", [])


@pytest.mark.parametrize(
    ("order", "wanted"), [("strict lacks one", ["loose"]), ("loose lacks one", ["strict"]), ("turns", None)]
)
def test_a_missing_line_never_gets_the_score_of_another_filter(
    order: str, wanted: list[str] | None, tmp_path: Path
) -> None:
    lines = SAID["before"]["sums"]
    strict, loose = lines[:8], lines[8:]
    taken = {
        "strict lacks one": [*strict[:2], *strict[3:], *loose],
        "loose lacks one": [*strict, *loose[:2], *loose[3:]],
        "turns": [
            one for n, pair in enumerate(zip(strict, loose, strict=True)) for one in (pair if n != 2 else pair[1:])
        ],
    }[order]
    published(tmp_path / "lab__m", "sums", taken, as_list=False)
    sums(tmp_path / "lab__m", "m", configs=CONFIGS)
    found = run(tmp_path)
    told = {row.item.native_id: [score.scorer for score in row.scores] for row in found.rows()}

    assert told.get("2") == (None if wanted is None else [f"exact_match,{name}" for name in wanted])
    assert len(found.problems) == (wanted is None)
    assert all(len(scorers) == 2 for native, scorers in told.items() if native != "2")
