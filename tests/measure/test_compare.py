"""From runs to a map."""

import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from forgetmap import Hints, Map, compare
from forgetmap.errors import FormatError, PairingError, SettingError

REFERENCE = Path("reference") / "shared-raw-transitions.csv"
CELL_KEYS = (
    "before after level name parent task scorer metric n dropped accuracy_before accuracy_after known_before known_after "
    "n11 n10 n01 n00 unanswered_before unanswered_after forgetting gain net unanswered_loss unanswered_gain noise_floor excess "
    "p_luck p q p_net q_net detectable causes alternatives notes"
)


def item(number: int, **more: Any) -> dict[str, Any]:
    choices = ("right", "b", "c", "d")
    return {"native_id": str(number), "question": f"{number}?", "choices": choices, "golds": ("right",), "k": 4} | more


def answer(number: int, choice: int | None, **more: Any) -> dict[str, Any]:
    """Choice 0 is right; null is unparsed."""
    said = {"outcome": "unparsed"} if choice is None else {"value": float(choice == 0), "choice": choice}
    return item(number, **said, **more)


def test_a_map_counts_transitions_and_takes_off_luck_by_other_wrong_answers(make_run: Any) -> None:
    before = [answer(n, choice) for n, choice in enumerate([0, 0, 0, 0, 1, 1, 1, 2, None, 0])]
    after = [answer(n, choice) for n, choice in enumerate([0, 0, 1, 2, 1, 2, 0, 0, 0, None])]

    cell = compare(make_run("a", before), make_run("b", after)).cell()

    assert (cell.n, cell.n11, cell.n10, cell.n01, cell.n00) == (10, 2, 3, 3, 2)
    assert (cell.unanswered_before, cell.unanswered_after) == (1, 1)
    assert cell.forgetting is not None and cell.gain is not None
    assert cell.forgetting.value == pytest.approx((2 - 1 / 2) / 0.75 / 10 + 1 / 10)
    assert cell.gain.value == pytest.approx((2 - 1 / 2) / 0.75 / 10 + 1 / 10)
    assert cell.causes == {
        "truncated": 0, "refused": 0, "unparsed": 1, "looping": 0, "other_option": 2, "wrong_answer": 0,
    }  # fmt: skip


def test_gain_less_forgetting_is_the_change_of_what_is_known(make_run: Any) -> None:
    before = [answer(n, [0, 1, 2, None][n % 4]) for n in range(40)]
    after = [answer(n, [0, 1, 2, None][n * 7 % 5 % 4]) for n in range(40)]

    for cell in compare(make_run("a", before), make_run("b", after)).cells:
        assert cell.gain and cell.forgetting and cell.known_before is not None and cell.known_after is not None
        assert cell.gain.value is not None and cell.forgetting.value is not None
        assert cell.gain.value - cell.forgetting.value == pytest.approx(cell.known_after - cell.known_before)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"outcome": "unparsed", "value": None, "choice": None},
        {"choices": None, "k": None, "chance": 0.0, "choice": None},
        {"value": 0.5},
        {"k": 4, "choices": None, "choice": None},
        {"choices": ("right", "wrong"), "k": 2, "choice": 1},
    ],
    ids=["options", "unanswered", "open", "graded", "no chosen options", "yes/no"],
)
def test_a_run_against_itself_is_exactly_zero(make_run: Any, changes: dict[str, Any]) -> None:
    rows = [answer(n, n % 3) for n in range(12)] + [answer(n + 12, 1) | changes for n in range(30)]
    run = make_run("a", rows)

    for cell in compare(run, run).cells:
        assert cell.net is not None and cell.net.value == 0
        for found in (cell.forgetting, cell.gain, cell.unanswered_loss, cell.unanswered_gain):
            assert found is None or found.value in (0, None)
        if cell.forgetting is not None and cell.forgetting.value is None:
            assert "from 0.0000 to 0.0000" in cell.notes["forgetting"]


def test_a_sampled_run_against_itself_has_exactly_no_excess(make_run: Any) -> None:
    rows = [answer(n, (n * 5 + draw * 3) % 4, draw=draw) for n in range(50) for draw in range(3)]
    run = make_run("a", rows)

    cell = compare(run, run).cell()

    assert cell.excess is not None and cell.excess.value == 0
    assert cell.noise_floor is not None and cell.noise_floor.value is not None and cell.noise_floor.value > 0.1


def test_a_null_run_gives_the_noise_floor_and_a_test_of_the_excess(make_run: Any) -> None:
    before = make_run("a", [answer(n, n % 4) for n in range(200)])
    again = make_run("again", [answer(n, (n + (n % 10 == 0)) % 4) for n in range(200)], checkpoint="a")
    after = make_run("b", [answer(n, (n + (n % 3 == 0)) % 4) for n in range(200)])

    found = compare(before, after, null=again)
    cell = found.cell()

    assert cell.noise_floor is not None and cell.excess is not None and cell.p is not None
    assert cell.excess.value is not None and cell.excess.value > 0 and cell.p < 0.02
    assert "stands for both" in cell.notes["noise_floor"]
    assert found.comparisons[0].notes == ["again was taken as a second run of a"]


def test_mostly_yes_no_items_show_a_band_and_mostly_others_a_value(make_run: Any) -> None:
    def yes_no(number: int, choice: int) -> dict[str, Any]:
        return item(number, choices=("right", "wrong"), k=2, chance=0.5, value=float(choice == 0), choice=choice)

    def pair(few: int) -> tuple[Any, Any]:
        before = [yes_no(n, n % 2) for n in range(few)] + [answer(n, n % 2) for n in range(few, 100)]
        after = [yes_no(n, n % 3 % 2) for n in range(few)] + [answer(n, n % 3) for n in range(few, 100)]
        return make_run("a", before), make_run("b", after)

    band, value = compare(*pair(60)).cell(), compare(*pair(30)).cell()

    assert band.forgetting is not None and band.forgetting.value is None and band.forgetting.n == 100
    assert band.forgetting.low is not None and band.forgetting.high is not None
    assert band.forgetting.low < band.forgetting.high
    assert value.forgetting is not None and value.forgetting.value is not None and value.forgetting.n == 70
    assert value.dropped == {"band_only": 30} and band.dropped == {}


def test_unknown_chance_is_counted_and_never_guessed(make_run: Any) -> None:
    rows = [answer(n, n % 3, choices=None) | {"k": None, "chance": None} for n in range(30)]

    cell = compare(make_run("a", rows), make_run("b", rows)).cell()

    assert cell.forgetting is None and cell.dropped == {"chance_unknown": 30} and "--k" in cell.notes["forgetting"]


def test_a_number_of_options_for_no_task_is_said_to_do_nothing(make_run: Any) -> None:
    run = make_run("a", [answer(1, 0)])

    assert compare(run, run, hints=Hints(k=(("nope", "4"), ("t", "4")))).comparisons[0].notes == [
        "--k nope=4 fits no task of these runs"
    ]


def test_failed_samples_are_dropped_and_counted(make_run: Any) -> None:
    before = [answer(n, 0) for n in range(10)]
    after = [answer(n, 0) if n else item(0, outcome="failed") for n in range(10)]

    cell = compare(make_run("a", before), make_run("b", after)).cell()

    assert (cell.n, cell.n10, cell.dropped) == (9, 0, {"failed": 1})


def test_graded_and_right_wrong_scores_never_share_a_cell(make_run: Any) -> None:
    before = [answer(n, 0) for n in range(10)] + [item(n, task="g", value=n / 10, chance=None) for n in range(10)]
    after = [answer(n, 0) for n in range(10)] + [item(n, task="g", value=0.2, chance=None) for n in range(10)]

    found = compare(make_run("a", before), make_run("b", after))

    assert [(cell.metric, cell.n) for cell in found.select(level="all")] == [("accuracy", 10), ("graded", 10)]
    graded = next(cell for cell in found.select("g", level="task"))
    assert graded.forgetting is not None and graded.forgetting.value == pytest.approx(0.28)
    assert graded.known_before is None and graded.n10 is None


def test_zero_or_one_on_one_side_and_graded_on_the_other_is_said(make_run: Any) -> None:
    whole, part = [item(n, value=1.0) for n in range(5)], [item(n, value=0.5) for n in range(5)]

    found = compare(make_run("a", whole), make_run("b", part))

    assert any("0 or 1 before, graded after" in line for line in found.comparisons[0].differs)


def test_json_has_the_promised_fields_and_no_nan(make_run: Any) -> None:
    run = make_run("a", [answer(n, n % 4, domain="d") for n in range(8)])

    told = json.loads(compare(run, run, estimators=["table", "score", "published", "raw"]).to_json())

    assert list(told) == ["schema", "forgetmap", "confidence", "taxonomy", "estimator", "runs", "comparisons", "cells"]
    assert {cell["level"] for cell in told["cells"]} == {"all", "category", "task", "domain"}
    assert all(list(cell) == CELL_KEYS.split() for cell in told["cells"])
    assert set(told["cells"][0]["alternatives"]) == {"table", "score", "published", "raw"}
    assert list(told["cells"][0]["forgetting"]) == ["value", "low", "high", "n", "method"]


def test_several_afters_make_one_map(make_run: Any) -> None:
    rows = [answer(n, n % 2) for n in range(20)]

    found = compare(make_run("a", rows), make_run("b", rows), make_run("c", rows[::-1]))

    assert [(c.before, c.after) for c in found.comparisons] == [("a", "b"), ("a", "c")]
    assert set(found.runs) == {"a", "b", "c"}


def test_two_runs_of_one_name_are_told_apart(make_run: Any) -> None:
    found = compare(make_run("a", [answer(1, 0)]), make_run("a", [answer(1, 1)]))

    assert [(c.before, c.after) for c in found.comparisons] == [("a", "a-2")]


def test_logs_of_one_name_are_called_by_where_their_paths_part(tmp_path: Path) -> None:
    for folder in ("step-0", "step-50"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "log.csv").write_text("item_id,correct,k\n1,1,4\n2,0,4\n")

    found = compare(tmp_path / "step-0" / "log.csv", tmp_path / "step-50" / "log.csv")

    assert [(c.before, c.after) for c in found.comparisons] == [("step-0", "step-50")]


def test_unusable_settings_and_empty_runs_get_one_sentence(make_run: Any, tmp_path: Path) -> None:
    run, empty = make_run("a", [answer(1, 0)]), make_run("empty", [])
    with pytest.raises(SettingError, match="a BEFORE and at least one AFTER"):
        compare(run)
    with pytest.raises(SettingError, match="no estimator called 'magic'"):
        compare(run, run, estimators=["magic"])
    with pytest.raises(SettingError, match="confidence must lie between"):
        compare(run, run, confidence=95)
    with pytest.raises(FormatError, match="empty holds no readable answer"):
        compare(run, empty)
    (tmp_path / "swapped.csv").write_text("item_id,correct,k\nq1,4,1\nq2,4,0\n")
    with pytest.raises(FormatError, match=r"is wanted\. Check that .*; of a table, .* with --map THEIRS=OURS\.$"):
        compare(tmp_path / "swapped.csv", run)
    with pytest.raises(PairingError, match="no item is in both runs"):
        compare(run, run, null=make_run("z", [answer(2, 0)]))


def test_lost_items_come_with_both_answers_and_their_cause(make_run: Any) -> None:
    loop = "and so on " * 40
    before = [answer(n, 0, response="It is right.", domain="d") for n in range(4)]
    after = [
        answer(0, 0, domain="d"),
        answer(1, 2, response="It is c.", domain="d"),
        answer(2, None, response="Hm.", domain="d"),
        answer(3, 1, response=loop, domain="d"),
    ]

    found = compare(make_run("a", before), make_run("b", after)).lost(name="d")

    assert [(one.native_id, one.cause) for one in found] == [("1", "other_option"), ("2", "unparsed"), ("3", "looping")]
    assert found[0].before.response == "It is right." and found[0].after.choice == "c"
    with pytest.raises(SettingError, match="nothing here is called 'x'"):
        compare(make_run("a", before), make_run("b", after)).lost(name="x")


def counted(found: Map) -> dict[str, tuple[float, ...]]:
    """n, n11, n10, n01, n00 and unanswered of each leaf and of all."""
    cells = [found.cell(), *found.select(level="domain")]
    return {
        "ALL" if c.level == "all" else c.name: (
            c.n,
            c.n11,
            c.n10,
            c.n01,
            c.n00,
            c.unanswered_before,
            c.unanswered_after,
        )
        for c in cells
    }  # type: ignore[misc]


def expected(shared: Path, table: str) -> dict[tuple[str, str], dict[str, tuple[float, ...]]]:
    found: dict[tuple[str, str], dict[str, tuple[float, ...]]] = defaultdict(dict)
    with (shared.parent / REFERENCE).open() as lines:
        for row in csv.DictReader(lines):
            if row["table"] == f"shared:{table}":
                names = ("n", "n11", "n10", "n01", "n00", "unparsed_before", "unparsed_after")
                found[row["model_before"], row["model_after"]][row["domain"]] = tuple(int(row[name]) for name in names)
    return found


def test_counts_on_mmlu_pro_result_files_equal_the_reference(shared_data: Path) -> None:
    folder = shared_data / "sample_results" / "mmlu_pro"
    for (before, after), cells in expected(shared_data, "mmlu_pro").items():
        logs = (folder / f"model_outputs_{name}_5shots.zip" for name in (before, after))
        assert counted(compare(*logs)) == cells


def test_counts_on_plain_tables_of_checkpoints_equal_the_reference(shared_data: Path) -> None:
    folder = shared_data / "sample_results" / "openfedllm_mmlu"
    columns = {
        "choice0,choice1,choice2,choice3": "choices",
        "answer": "gold",
        "prediction": "choice",
        "completion": "response",
    }
    for (before, after), cells in expected(shared_data, "openfedllm_mmlu").items():
        assert counted(compare(folder / before, folder / after, hints=Hints(columns=columns))) == cells


def test_two_sides_that_never_differ_are_asked_about(make_run: Any) -> None:
    rows = [{"native_id": str(n), "question": f"{n}?", "value": float(n % 2), "k": 4} for n in range(60)]
    other = [{**row, "value": 1.0} if row["native_id"] == "0" else row for row in rows]

    same, differing = (compare(make_run("a", rows), make_run("b", after)) for after in (rows, other))

    assert any("not one log twice" in note for note in same.comparisons[0].notes)
    assert not any("not one log twice" in note for note in differing.comparisons[0].notes)
