"""What each cell says: a reason for every null, and nothing that depends on other cells."""

from typing import Any

import pytest

from forgetmap import Map, compare
from forgetmap.errors import PairingError, SettingError


def item(number: int, choice: int | None, **more: Any) -> dict[str, Any]:
    """Choice 0 is right; null is unparsed."""
    said = {"outcome": "unparsed"} if choice is None else {"value": float(choice == 0), "choice": choice}
    return {
        "native_id": str(number), "question": f"{number}?", "choices": ("right", "b", "c", "d"), "golds": ("right",), "k": 4,
    } | said | more  # fmt: skip


def maps(make_run: Any) -> dict[str, Map]:
    kinds: dict[str, dict[str, Any]] = {
        "options": {},
        "unknown chance": {"choices": None, "choice": None, "k": None, "chance": None},
        "yes/no": {"choices": ("right", "b"), "k": 2, "chance": 0.5},
        "graded": {"value": 0.5},
        "one passage": {"cluster": "same"},
        "failed": {"outcome": "failed", "value": None, "choice": None},
    }
    found = {}
    for kind, changes in kinds.items():
        before = make_run("a", [item(n, n % 2) | changes for n in range(30)] + [item(99, 0, task="u")])
        after = make_run("b", [item(n, n % 3 % 2) | changes for n in range(30)] + [item(99, 1, task="u")])
        found[kind] = compare(before, after, estimators=["table", "score", "published", "raw"])
    return found


def test_every_null_has_its_reason(make_run: Any) -> None:
    for kind, found in maps(make_run).items():
        for cell in found.to_dict()["cells"]:
            unsaid = {name for name, value in cell.items() if value is None} - set(cell["notes"])
            assert unsaid == set(), (kind, cell["level"], cell["name"])
            for both in cell["alternatives"].values():
                assert both["forgetting"] is not None or "alternatives" in cell["notes"]


def test_the_tests_of_one_task_do_not_depend_on_another(make_run: Any) -> None:
    def pair(*, sampled: bool) -> Any:
        rows = [item(n, n % 4, task="one") for n in range(60)]
        other = [item(n, (n + draw) % 4, task="two", draw=draw) for n in range(30) for draw in range(3) if sampled]
        after = [item(n, (n * 3 + n // 7) % 4, task="one") for n in range(60)]
        return compare(make_run("a", rows + other), make_run("b", after + other)).cell("one", level="task")

    alone, beside = pair(sampled=False), pair(sampled=True)

    assert (alone.p_luck, alone.p_net) == (beside.p_luck, beside.p_net) and alone.p_luck is not None


def test_passages_and_domains_count_whichever_side_tells_them(make_run: Any) -> None:
    bare = [item(n, n % 3) for n in range(60)]
    told = [row | {"cluster": str(n // 6), "domain": "d"} for n, row in enumerate(bare)]
    other = [item(n, (n * 5 + n // 9) % 3) for n in range(60)]

    one = compare(make_run("a", told), make_run("b", other)).cell("d", level="domain")
    two = compare(make_run("b", other), make_run("a", told)).cell("d", level="domain")

    assert one.net is not None and two.net is not None and one.net.method == two.net.method == "padded, clustered"
    assert one.net.low is not None and one.net.low == pytest.approx(-(two.net.high or 0))


def test_only_cells_with_passages_have_the_interval_of_passages(make_run: Any) -> None:
    def rows(task: str, turn: int, **more: Any) -> list[dict[str, Any]]:
        return [item(n, (n * turn + n // 7) % 4, task=task) | more | {"draw": 0} for n in range(40)]

    def run(name: str, turn: int) -> Any:
        tied = [row | {"cluster": str(n // 5)} for n, row in enumerate(rows("tied", turn))]
        return make_run(name, [*tied, *rows("apart", turn)])

    found = compare(run("a", 1), run("b", 3), estimators=["table"])
    alone = compare(make_run("a", rows("apart", 1)), make_run("b", rows("apart", 3)), estimators=["table"])

    for name, method in (("tied", "padded, clustered"), ("apart", "padded"), ("all", "padded, clustered")):
        cell = found.cell(name)
        assert cell.net is not None and cell.forgetting is not None
        told = cell.alternatives["table"]["forgetting"]
        assert (cell.net.method, cell.forgetting.method, told and told.method) == (method,) * 3
    assert found.cell("apart").net == alone.cell("apart").net


def test_repeated_wrong_answers_are_only_counted_where_options_are_known(make_run: Any) -> None:
    found = maps(make_run)

    assert "repeated_wrong" in found["options"].cell("t", level="task").notes
    for kind in ("unknown chance", "yes/no"):
        assert "repeated_wrong" not in found[kind].cell("t", level="task").notes


def test_items_whose_option_is_not_known_are_left_out_one_by_one(make_run: Any) -> None:
    rows = [item(n, n % 4) for n in range(60)]
    after = [row | {"choice": None} if n % 10 == 1 else row for n, row in enumerate(rows)]

    cell = compare(make_run("a", rows), make_run("b", after)).cell()

    assert cell.dropped == {"band_only": 6} and cell.forgetting is not None and cell.forgetting.n == 54
    assert "6 items" in cell.notes["band_only"]


def test_a_log_without_any_option_is_a_band_however_much_is_right(make_run: Any) -> None:
    rows = [item(n, 0 if n % 10 else 1) | {"choice": None} for n in range(100)]

    cell = compare(make_run("a", rows), make_run("b", rows[1:] + rows[:1])).cell()

    assert cell.forgetting is not None and cell.forgetting.value is None


def test_the_null_run_must_be_another_run_and_cover_the_items(make_run: Any) -> None:
    before, after = make_run("a", [item(n, 0) for n in range(60)]), make_run("b", [item(n, 1) for n in range(60)])
    few = make_run("again", [item(n, 0, prompt="other") for n in range(5)], checkpoint="a")

    with pytest.raises(SettingError, match="cannot be its own second run"):
        compare(before, after, null=before)
    with pytest.raises(PairingError, match="only in a"):
        compare(before, after, null=few)
    assert "again" in compare(before, after, null=few, allow_unpaired=True).runs


def test_a_null_run_without_content_is_joined_by_native_id_as_any_run_is(make_run: Any) -> None:
    before, after = (make_run(name, [item(n, n % k) for n in range(30)]) for name, k in (("a", 2), ("b", 3)))
    bare = {"question": None, "choices": None, "golds": (), "choice": None}
    again = make_run("again", [item(n, n % 2) | bare for n in range(30)], checkpoint="a")

    excess = compare(before, after, null=again).cell().excess

    assert excess is not None and excess.n == 30


def test_lost_items_of_graded_scores_are_those_that_scored_lower(make_run: Any) -> None:
    before = make_run("a", [item(n, None, outcome="scored", value=0.9) for n in range(4)])
    after = make_run("b", [item(n, None, outcome="scored", value=0.9 - n / 10) for n in range(4)])

    found = compare(before, after).lost()

    assert [one.native_id for one in found] == ["3", "2", "1"] and found[0].graded
    assert found[0].cause == "lower_score" and found[0].after.score == pytest.approx(0.6)


def test_lost_items_are_found_where_the_sides_have_different_scorers(make_run: Any) -> None:
    found = compare(make_run("a", [item(1, 0, scorer="x")]), make_run("b", [item(1, 2, scorer="y")]))

    assert [one.native_id for one in found.lost()] == ["1"]
    assert (found.comparisons[0].scorers, found.comparisons[0].scorers_after) == ({"t": "x"}, {"t": "y"})


def test_wrong_names_at_the_door_get_a_sentence(make_run: Any) -> None:
    found = compare(make_run("a", [item(1, 0)]), make_run("b", [item(1, 1)]), estimators="table", scorers="acc")

    assert repr(found) == "<Map of a → b: 4 cells>" and "table" in found.cell().alternatives
    with pytest.raises(SettingError, match="no cell called 'nope'"):
        found.cell("nope")
    with pytest.raises(SettingError, match="nothing was compared with 'nope'"):
        found.lost("nope")
    with pytest.raises(SettingError, match="a source is a path"):
        compare(["a"], "b")  # type: ignore[arg-type]
