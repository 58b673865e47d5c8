"""Stages: paths by capability from runs, held against known truth and against the map."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from forgetmap import Hints, compare, stages
from forgetmap.errors import PairingError, SettingError
from forgetmap.measure.path_scores import keys
from tests.measure.stage_law import StageLaw, ends

PATHS = {"KKK": 0.45, "KUU": 0.08, "KKU": 0.04, "KUK": 0.03, "UKK": 0.06, "UUK": 0.02, "UKU": 0.02, "UUU": 0.30}
LETTERS = "abcdefghij"


def told(words: Sequence[str], **also: Any) -> list[dict[str, Any]]:
    """One row a letter of each word (an item; a letter a draw): R right, a to i a wrong option, ? unparsed, x failed."""
    return [
        row
        for item, word in enumerate(words)
        for draw, letter in enumerate(word)
        for row in [_row(item, draw, letter, also)]
    ]


def _row(item: int, draw: int, letter: str, also: dict[str, Any]) -> dict[str, Any]:
    k = also.get("k", 4)
    choices = (*LETTERS[: k - 1], "gold") if k else None
    row: dict[str, Any] = {
        "native_id": str(item),
        "question": f"q{item}",
        "choices": choices,
        "golds": ("gold",),
        "k": k,
        "draw": draw,
        "seed": None,
    }
    row |= {"chance": 1 / k if k else 0.0, **also}
    if letter in "?x":
        return {**row, "outcome": "unparsed" if letter == "?" else "failed"}
    right = letter == "R"
    return {**row, "value": float(right), "choice": None if not k else k - 1 if right else LETTERS.index(letter)}


def random_words(items: int, *, seed: int, letters: str = "RRRRabc?", draws: int = 1) -> list[str]:
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list(letters), draws)) for _ in range(items)]


def test_identical_runs_have_exactly_no_path_but_kept_and_never(make_run: Any) -> None:
    words = random_words(50, seed=1)
    found = stages(*(make_run(name, told(words)) for name in "abc")).path()

    for path, share in found.paths.items():
        assert share.estimate is not None and share.estimate.value is not None
        if path not in ("KKK", "UUU"):
            assert (share.items, share.estimate.value) == (0.0, 0.0)
    assert found.known[0] == found.known[2]


def test_two_stages_are_the_comparison(make_run: Any) -> None:
    before, after = (make_run(name, told(random_words(80, seed=seed))) for seed, name in enumerate("ab"))
    found, cell = stages(before, after).path(), compare(before, after).cell()

    for path, estimate in (("KU", cell.forgetting), ("UK", cell.gain)):
        ours = found.paths[path].estimate
        assert ours is not None and estimate is not None
        assert ours[:4] == pytest.approx(estimate[:4])
        assert ours.method == estimate.method
    assert found.known == pytest.approx([cell.known_before, cell.known_after])
    assert [found.paths[path].items for path in ("KK", "KU", "UK", "UU")] == [cell.n11, cell.n10, cell.n01, cell.n00]
    assert found.accuracy == pytest.approx([cell.accuracy_before, cell.accuracy_after])


@pytest.mark.parametrize("draws", [1, 2])
@pytest.mark.parametrize("k", [4, 5, None])
def test_paths_summed_over_the_other_stages_are_the_map_s_numbers(make_run: Any, k: int | None, draws: int) -> None:
    letters = "RRRRabc?" if k else "RRRRa?"
    # Draws are told apart by seeds of their own, so that no pair of draws is left out on either way.
    words = [random_words(60, seed=n, letters=letters, draws=draws) for n in range(3)]
    runs = [make_run(name, seeded(words[n], n, k=k)) for n, name in enumerate("abc")]
    found = stages(*runs)
    paths = found.path().paths

    def total(first: int, last: int, turn: str) -> float:
        return sum(
            s.estimate.value
            for p, s in paths.items()
            if p[first] + p[last] == turn and s.estimate and s.estimate.value is not None
        )

    for first, last in ((0, 1), (1, 2), (0, 2)):
        cell = compare(runs[first], runs[last]).cell()
        assert cell.forgetting is not None and cell.gain is not None
        assert total(first, last, "KU") == pytest.approx(cell.forgetting.value)
        assert total(first, last, "UK") == pytest.approx(cell.gain.value)


@pytest.mark.parametrize("unanswered", [0.0, 0.2])
@pytest.mark.parametrize(("options", "golds"), [(4, 1), (10, 1), (5, 2), (0, 1)])
def test_paths_are_found_again_without_bias_and_intervals_cover_them(
    options: int, golds: int, unanswered: float
) -> None:
    law = StageLaw(paths=PATHS, options=options, golds=golds, repeated_luck=0.5, unanswered=unanswered)
    truth, found = law.truth(), law.simulate(items=300, studies=400, seed=11)

    for key in keys(3):
        low, high = ends(found, key)
        spread = found.points[key].std() / 20
        assert abs(found.points[key].mean() - truth[key]) < 4 * spread + 1e-12, key
        assert ((low <= truth[key]) & (truth[key] <= high)).mean() >= 0.915, key


def test_where_wrong_options_are_fewer_than_stages_the_band_holds_the_truth() -> None:
    law = StageLaw(paths={"KKKK": 0.4, "KUUK": 0.1, "KKUU": 0.1, "UUUU": 0.4}, options=4, repeated_luck=0.0)
    truth, found = law.truth(), law.simulate(items=400, studies=200, seed=5)

    assert found.by_band.all()
    for key in truth:
        low, high = ends(found, key)
        assert ((low <= truth[key]) & (truth[key] <= high)).mean() >= 0.93, key
        assert found.shares[key][0] is not None and found.shares[key][0].value is None
    low, high = ends(found, "lost")
    assert (high - low).mean() < 0.2


def test_known_at_each_stage_has_a_value_even_where_paths_are_bands(make_run: Any) -> None:
    runs = [make_run(name, told(random_words(80, seed=n))) for n, name in enumerate("abcd")]
    found, cell = stages(*runs).path(), compare(runs[1], runs[3]).cell()

    assert found.paths["KKKK"].estimate is not None and found.paths["KKKK"].estimate.method == "band"
    assert "paths" in found.notes
    assert [found.known[1], found.known[3]] == pytest.approx([cell.known_before, cell.known_after])


def test_the_order_of_rows_is_irrelevant(make_run: Any) -> None:
    rows = [told(random_words(40, seed=n)) for n in range(3)]
    one = stages(*(make_run(name, own) for name, own in zip("abc", rows, strict=True)))
    two = stages(*(make_run(name, own[::-1]) for name, own in zip("abc", rows, strict=True)))

    for path, share in one.path().paths.items():
        other = two.path().paths[path]
        assert share.estimate is not None and other.estimate is not None
        assert (share.items, *share.estimate[:4]) == pytest.approx((other.items, *other.estimate[:4]))


def test_the_map_has_every_step_and_first_to_last(make_run: Any) -> None:
    found = stages(*(make_run(name, told(random_words(30, seed=n))) for n, name in enumerate("abcd")))

    assert [(c.before, c.after) for c in found.map.comparisons] == [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")]


def test_items_that_failed_at_a_stage_are_counted_and_left_out(make_run: Any) -> None:
    runs = [
        make_run(name, told(words))
        for name, words in zip("abc", (["R", "R", "a"], ["R", "x", "a"], ["R", "R", "R"]), strict=True)
    ]
    found = stages(*runs, allow_unpaired=True).path()

    assert found.n == 2
    assert found.dropped == {"failed": 1}


def test_without_the_number_of_options_only_right_answers_are_counted(make_run: Any) -> None:
    rows = told(["R", "a", "R"], k=None, chance=None)
    found = stages(*(make_run(name, rows) for name in "abc")).path()

    assert found.paths["KKK"].items == 2
    assert found.paths["KKK"].estimate is None
    assert found.dropped == {"chance_unknown": 3}
    assert "--k" in found.notes["paths"]


def test_items_without_a_chosen_option_count_in_no_share(make_run: Any) -> None:
    rows = told(["R", "a", "R"])
    blind = [{**row, "choice": None} if row["native_id"] == "1" else row for row in rows]
    found = stages(make_run("a", rows), make_run("b", blind), make_run("c", rows)).path()

    assert found.dropped == {"not_identified": 1}
    assert found.n == 3
    assert found.paths["KKK"].estimate is not None and found.paths["KKK"].estimate.n == 2


def test_graded_tasks_are_said_to_have_no_paths(make_run: Any) -> None:
    rows = [*told(["R", "a"]), {"task": "essay", "native_id": "0", "question": "why", "value": 0.5, "chance": 0.0}]
    found = stages(*(make_run(name, rows) for name in "abc"))

    assert found.path().n == 2
    assert any(note.startswith("essay: graded") for note in found.notes)


def test_a_task_that_a_stage_lacks_is_said_and_left_out(make_run: Any) -> None:
    both = told(["R", "a"]) + told(["R"], task="more")
    found = stages(make_run("a", both), make_run("b", told(["R", "a"])), make_run("c", both))

    assert found.path().n == 2
    assert "b lacks more: not part of the paths" in found.notes


def test_a_task_under_another_harness_s_name_is_the_same_task_at_every_stage(make_run: Any) -> None:
    words = random_words(40, seed=1)
    names = ("mmlu_anatomy", "hendrycksTest-anatomy", "harness|mmlu:anatomy|5")
    alike = stages(*(make_run(name, told(words, task="mmlu_anatomy")) for name in "abc")).path()
    found = stages(*(make_run(run, told(words, task=task)) for run, task in zip("abc", names, strict=True)))

    assert found.path("mmlu_anatomy", level="task").paths == alike.paths
    assert [(c.before, c.after, c.paired) for c in found.map.comparisons] == [
        ("a", "b", 40),
        ("b", "c", 40),
        ("a", "c", 40),
    ]
    assert len(found.items("KKK", limit=99)) == alike.paths["KKK"].items


def test_items_that_share_a_passage_widen_the_intervals(make_run: Any) -> None:
    words = [
        ["R"] * 40,
        ["R" if item < 20 else "a" for item in range(40)],
        ["R" if item < 20 else "a" for item in range(40)],
    ]
    apart = [told(own) for own in words]
    tied = [[{**row, "cluster": str(int(row["native_id"]) // 5)} for row in rows] for rows in apart]
    plain, clustered = (
        stages(*(make_run(name, rows) for name, rows in zip("abc", runs, strict=True))).path().paths["KUU"].estimate
        for runs in (apart, tied)
    )

    assert plain is not None and clustered is not None
    assert (plain.method, clustered.method) == ("padded", "padded, clustered")
    assert clustered.low < plain.low < plain.high < clustered.high  # type: ignore[operator]


def test_tuples_of_draws_leave_out_two_of_one_seed(make_run: Any) -> None:
    found = stages(*(make_run(name, told(["Ra", "RR"])) for name in "ab")).path()

    assert found.paths["KU"].items == 0.5
    assert found.paths["KK"].items == 1.0


def test_more_than_six_stages_have_their_steps_and_no_paths(make_run: Any) -> None:
    run = make_run("a", told(["R", "a"]))
    found = stages(*[run] * 7)

    assert found.paths == []
    assert any("6 stages" in note for note in found.notes)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [((["R"],), "at least two stages, and got 1"), ((), "at least two runs in their order")],
)
def test_one_run_or_none_is_not_a_chain(make_run: Any, words: Any, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        stages(*(make_run("a", told(word)) for word in words))


def test_runs_without_an_item_common_to_all_are_refused(make_run: Any) -> None:
    parts = [told(["R", "R", "R", "R"])[start : start + 2] for start in range(3)]
    runs = [make_run(name, part) for name, part in zip("abc", parts, strict=True)]

    with pytest.raises(PairingError, match="no item is in both runs"):
        stages(*runs, allow_unpaired=True)
    ring = [make_run(name, told(["R", "R", "R"])[start:end]) for name, start, end in (("a", 0, 2), ("b", 1, 3))]
    third = make_run("c", [told(["R", "R", "R"])[0], told(["R", "R", "R"])[2]])
    with pytest.raises(PairingError, match="no item is in all of a, b, c"):
        stages(*ring, third, allow_unpaired=True)


def test_items_of_a_path_come_with_every_answer(make_run: Any) -> None:
    runs = [
        make_run(name, told(words)) for name, words in zip("abc", (["R", "R"], ["b", "R"], ["R", "R"]), strict=True)
    ]
    found = stages(*runs)

    (item,) = found.items("KUK")
    assert (item.native_id, item.path, item.share) == ("0", "KUK", 1.0)
    assert [(run, said.choice, said.right) for run, said in item.answers.items()] == [
        ("a", "gold", 1),
        ("b", "b", 0),
        ("c", "gold", 1),
    ]
    for name in ("lost, regained", "lost-regained", "known-lost-regained", "kuk"):
        assert found.items(name) == [item]
    assert found.items("KUU") == []
    with pytest.raises(SettingError, match="a path is a word of 3 letters"):
        found.items("KU")
    with pytest.raises(SettingError, match="nothing here is called 'x'"):
        found.items("KUK", name="x")


def test_stages_show_themselves_in_a_notebook_with_names_escaped(make_run: Any) -> None:
    found = stages(*(make_run(name, told(["R", "a"])) for name in ("<b>", "two")))

    page = found._repr_html_()
    assert "<b>" not in page
    assert "<td>KU</td><td>0</td>" in page
    assert "two since" in page
    assert [item.native_id for item in found.map.lost("two", before="<b>")] == []


def test_json_has_the_promised_fields(make_run: Any) -> None:
    found = stages(*(make_run(name, told(["R", "a", "b", "c"], domain="d")) for name in "abc"))
    page = json.loads(found.to_json())

    assert list(page) == ["schema", "forgetmap", "confidence", "stages", "cells", "notes", "map"]
    assert list(page["cells"][0]) == [
        *("level", "name", "parent", "task", "scorer", "n", "dropped", "accuracy", "known", "paths", "names", "notes")
    ]
    assert list(page["cells"][0]["paths"]["KUK"]) == ["items", "value", "low", "high", "n", "method", "seeds"]
    assert [cell["level"] for cell in page["cells"]] == ["all", "category", "task", "domain"]
    table = found.to_arrow()
    assert table.num_rows == len(page["cells"]) * len(keys(3))
    assert "NaN" not in found.to_json()


def seeded(words: Sequence[str], run: int, k: int | None = 4) -> list[dict[str, Any]]:
    """The same with seeds that no other run has."""
    return [{**row, "seed": 10 * run + row["draw"]} for row in told(words, k=k)]


def test_a_real_chain_of_five_checkpoints_agrees_with_its_maps(shared_data: Path) -> None:
    folder = shared_data / "sample_results" / "openfedllm_mmlu"
    names = {
        "choice0,choice1,choice2,choice3": "choices",
        "answer": "gold",
        "prediction": "choice",
        "completion": "response",
    }
    logs = [folder / f"checkpoint-{step}" for step in (0, 50, 100, 150, 200)]
    found = stages(*logs, hints=Hints(columns=names))
    overall, first_to_last = found.path(), found.map.cell(before="checkpoint-0", after="checkpoint-200")

    assert overall.n == 728
    assert overall.known[0] == pytest.approx(first_to_last.known_before)
    assert overall.known[4] == pytest.approx(first_to_last.known_after)
    right = {
        turn: sum(s.items for p, s in overall.paths.items() if p[0] + p[4] == turn) for turn in ("KK", "KU", "UK", "UU")
    }
    assert list(right.values()) == [first_to_last.n11, first_to_last.n10, first_to_last.n01, first_to_last.n00]
    assert first_to_last.forgetting is not None
    lost = overall.names["lost"].estimate
    assert (
        lost is not None
        and lost.low is not None
        and lost.high is not None
        and first_to_last.forgetting.value is not None
    )
    assert lost.low < first_to_last.forgetting.value < lost.high
