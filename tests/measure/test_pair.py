"""Two runs are joined by what items say."""

from typing import Any

import pytest

from forgetmap.errors import PairingError, SettingError
from forgetmap.measure.fold import fold
from forgetmap.measure.pair import Pairing, demand_coverage, pair
from forgetmap.records.run import Run


def question(number: int, **more: Any) -> dict[str, Any]:
    return {
        "native_id": str(number),
        "question": f"What is {number} and {number}?",
        "choices": (str(2 * number), "none", "many"),
        "golds": (str(2 * number),),
        "k": 3,
        "value": 1.0,
        "choice": 0,
        **more,
    }


def joined(before: Run, after: Run, **how: Any) -> Pairing:
    return pair(fold(before), fold(after), **how)


def test_the_order_of_rows_does_not_matter(make_run: Any) -> None:
    rows = [question(number, value=float(number % 2)) for number in range(20)]

    pairing = joined(make_run("a", rows), make_run("b", rows[::-1]))
    task = pairing.tasks[0]

    assert pairing.paired == 20
    assert [task.before.item_ids[row] for row in task.rows_before] == [
        task.after.item_ids[row] for row in task.rows_after
    ]


def test_options_in_another_order_are_the_same_item_and_the_same_choice(make_run: Any) -> None:
    turned = question(3, choices=("many", "6", "none"), choice=0)

    pairing = joined(make_run("a", [question(3, choice=2, value=0.0)]), make_run("b", [turned | {"value": 0.0}]))
    task = pairing.tasks[0]

    assert task.before.choice[task.rows_before[0], 0] == task.after.choice[task.rows_after[0], 0]


def test_what_has_no_partner_is_returned_and_other_content_under_one_native_id_is_counted(make_run: Any) -> None:
    before = [question(number) for number in range(10)]
    after = [question(number) for number in range(9)] + [question(9, question="What is nine and nine?")]

    pairing = joined(make_run("a", before), make_run("b", after))

    assert (pairing.paired, pairing.only_before, pairing.only_after, pairing.content_differs) == (9, 1, 1, 1)
    with pytest.raises(PairingError, match=r"18\.2% of the items .* --allow-unpaired"):
        demand_coverage(pairing)


def test_repeated_content_pairs_by_occurrence_in_the_order_of_native_ids(make_run: Any) -> None:
    same = {"question": "Again?", "choices": ("yes", "no", "maybe"), "golds": ("yes",)}
    before = [question(number, **same, value=float(number)) for number in range(2)]

    pairing = joined(make_run("a", before), make_run("b", before))
    task = pairing.tasks[0]

    assert pairing.paired == 2
    assert [task.before.natives[row] for row in task.rows_before] == [
        task.after.natives[row] for row in task.rows_after
    ]


def test_native_ids_pair_where_one_log_has_no_content(make_run: Any) -> None:
    bare = [{"native_id": str(number), "value": 1.0} for number in range(5)]

    pairing = joined(make_run("a", [question(number) for number in range(5)]), make_run("b", bare))

    assert pairing.paired == 5


def test_a_row_that_repeats_item_draw_and_scorer_is_a_duplicate(make_run: Any) -> None:
    pairing = joined(make_run("a", [question(1), question(1), question(2)]), make_run("b", [question(1), question(2)]))

    assert (pairing.duplicates, pairing.paired) == (1, 2)


def test_one_sided_tasks_are_listed(make_run: Any) -> None:
    pairing = joined(
        make_run("a", [question(1), question(1, task="old")]), make_run("b", [question(1), question(1, task="new")])
    )

    assert (pairing.tasks_only_before, pairing.tasks_only_after) == (["old"], ["new"])


def test_no_common_task_and_no_common_item_are_told_apart(make_run: Any) -> None:
    here = make_run("a", [question(1)])
    with pytest.raises(PairingError, match=r"no task is in both runs: a has t, b has u\. .*aliases"):
        joined(here, make_run("b", [question(1, task="u")]))
    with pytest.raises(PairingError, match=r"no item is in both runs, though both have t.*language"):
        joined(here, make_run("b", [question(1, question="Was ist 1 und 1?")]))


def test_an_alias_pairs_one_task_under_two_names(make_run: Any) -> None:
    pairing = joined(make_run("a", [question(1)]), make_run("b", [question(1, task="u")]), aliases={"u": "t"})

    assert pairing.paired == 1


def test_the_scorer_is_one_that_both_sides_have_unless_the_user_names_one(make_run: Any) -> None:
    def scored(*names: str) -> list[dict[str, Any]]:
        return [question(1, scorer=name) for name in names]

    before, after = (
        make_run("a", scored("acc_norm,none", "acc,none")),
        make_run("b", scored("acc,none", "acc_norm,none")),
    )

    assert joined(before, after).tasks[0].before.scorer == "acc,none"
    assert joined(before, after, scorers=["acc_norm"]).tasks[0].after.scorer == "acc_norm,none"
    assert joined(before, after, scorers={"t": ("acc,none", "acc_norm,none")}).tasks[0].after.scorer == "acc_norm,none"
    with pytest.raises(PairingError, match=r"no scorer called .* both have: acc,none, acc_norm,none"):
        joined(before, after, scorers=["f1"])
    with pytest.raises(
        PairingError, match=r"no common task matches 'other\*' of --scorer other\*=acc_norm; there are: t\."
    ):
        joined(before, after, scorers=["other*=acc_norm"])


def test_a_scorer_that_some_tasks_lack_is_taken_where_it_is(make_run: Any) -> None:
    rows = [
        question(1, scorer="acc,none"),
        question(1, scorer="acc_norm,none"),
        question(2, task="u", scorer="em,strict"),
    ]
    run = make_run("a", rows)

    assert [task.before.scorer for task in joined(run, run, scorers=["acc_norm"]).tasks] == [
        "acc_norm,none",
        "em,strict",
    ]
    assert joined(run, run, scorers=["strict"]).tasks[1].before.scorer == "em,strict"


def test_two_tasks_cannot_get_one_name(make_run: Any) -> None:
    run = make_run("a", [question(1), question(1, task="u")])

    with pytest.raises(SettingError, match="the tasks t and u of a would both be called t"):
        joined(run, make_run("b", [question(1)]), aliases={"u": "t"})


def test_what_only_after_says_of_passages_and_domains_counts(make_run: Any) -> None:
    bare = [question(number) for number in range(4)]
    told = [row | {"cluster": str(number // 2), "domain": "d"} for number, row in enumerate(bare)]

    here, there = joined(make_run("a", bare), make_run("b", told)), joined(make_run("a", told), make_run("b", bare))

    for what in ("clusters", "domains"):
        assert here.tasks[0].said(what) == there.tasks[0].said(what) != [None] * 4  # type: ignore[arg-type]


def test_settings_that_differ_are_said(make_run: Any) -> None:
    before = make_run("a", [question(1, prompt="Q: 1", scorer="acc")], dtype="float32", shots={"t": 5}, template=None)
    after = make_run("b", [question(1, prompt="1?", scorer="em")], dtype="bfloat16", shots={"t": 0}, template="chatml")

    said = "\n".join(joined(before, after).differs)

    for word in (
        "1 of 1 items",
        "scorer of t: acc before, em after",
        "shots of t: 5 before, 0 after",
        "chatml",
        "bfloat16",
    ):
        assert word in said


def test_a_run_and_itself_differ_in_nothing(make_run: Any) -> None:
    run = make_run("a", [question(1, prompt="Q")], dtype="float32", decoding={"temperature": 0})

    assert joined(run, run).differs == []


def test_tables_are_aligned_only_where_all_items_pair_in_their_order(make_run: Any) -> None:
    rows = [question(number) for number in range(9)]
    same, turned = (
        joined(make_run("a", rows), make_run("b", rows)),
        joined(make_run("a", rows), make_run("b", rows[::-1])),
    )
    task = same.tasks[0]
    some = task.rows_before[:4]

    assert task.aligned and not turned.tasks[0].aligned
    assert not task._replace(rows_before=some, rows_after=some).aligned
    assert turned.paired == 9
