"""One task under two names: what pairs, what is kept apart, and what is said of it."""

from pathlib import Path
from typing import Any

import pytest

from forgetmap import published, stages
from forgetmap.errors import PairingError
from forgetmap.measure.compare import compare, coverage
from forgetmap.measure.fold import fold
from forgetmap.measure.gate import gate
from forgetmap.measure.lost import lost
from forgetmap.measure.pair import Pairing, pair
from forgetmap.records.run import Run
from forgetmap.records.settings import Settings
from tests.formats import lighteval_told, lm_eval_told
from tests.measure.test_pair import question

LIGHTEVAL, LM_EVAL = "leaderboard|mmlu:anatomy", "mmlu_anatomy"
NAMED = ("before", "after", "name", "parent", "task", "scorer")
"""Fields of a cell that say what it is called."""


def quiz(task: str, *numbers: int, **more: Any) -> list[dict[str, Any]]:
    return [question(number, task=task, **more) for number in numbers]


def joined(before: Run, after: Run, **how: Any) -> Pairing:
    return pair(fold(before), fold(after), **how)


def told_by_lighteval(folder: Path, chosen: list[int]) -> Path:
    rows = [lighteval_told.picked(number, number % 4, choice) for number, choice in enumerate(chosen)]
    lighteval_told.written(folder, rows, f"{LIGHTEVAL}|5")
    lighteval_told.summed(folder, lighteval_told.settings())
    return folder


def told_by_lm_eval(folder: Path, chosen: list[int]) -> Path:
    def entry(number: int, choice: int) -> dict[str, Any]:
        options = [f"word {number}-{place}" for place in range(4)]
        content = {"question": f"Which is right, number {number}?", "choices": options, "answer": number % 4}
        values = [-1.0 if place == choice else -2.0 - place for place in range(4)]
        return lm_eval_told.ranked(
            number, content, list("ABCD"), str(number % 4), values, acc=float(choice == number % 4)
        )

    lm_eval_told.log(folder, LM_EVAL, [entry(*one) for one in enumerate(chosen)])
    return folder


def numbers(found: Any) -> list[dict[str, Any]]:
    return [{key: value for key, value in cell.items() if key not in NAMED} for cell in found.to_dict()["cells"]]


@pytest.fixture
def told(tmp_path: Path) -> dict[str, Path]:
    """The same answers before and after, by two harnesses and under two names."""
    before = [number % 4 if number % 3 else (number + 1) % 4 for number in range(40)]
    after = [number % 4 if number % 5 else (number + number // 5) % 4 for number in range(40)]
    return {
        f"{name} {side}": tell(tmp_path / name / side, chosen)
        for name, tell in (("lighteval", told_by_lighteval), ("lm-eval", told_by_lm_eval))
        for side, chosen in (("before", before), ("after", after), ("before again", before))
    }


@pytest.mark.parametrize(("first", "second"), [("lighteval", "lm-eval"), ("lm-eval", "lighteval")])
def test_a_pair_of_two_harnesses_gives_the_map_of_the_pair_told_by_one(
    told: dict[str, Path], first: str, second: str
) -> None:
    mixed = compare(told[f"{first} before"], told[f"{second} after"])
    plain = compare(told["lm-eval before"], told["lm-eval after"])
    (how,) = mixed.comparisons

    assert numbers(mixed) == numbers(plain)
    assert mixed.cell().n10 > 0  # type: ignore[operator]
    own, other = (LIGHTEVAL, LM_EVAL) if first == "lighteval" else (LM_EVAL, LIGHTEVAL)
    assert (how.paired, how.tasks_only_before, how.tasks_only_after) == (40, [], [])
    assert how.tasks_after == {own: other}
    assert f"task: {own} before, {other} after, taken as one task" in how.differs
    assert any(line.startswith(f"scorer of {own}: acc") for line in how.differs)
    assert any(line.startswith("harness: ") for line in how.differs)


def test_lost_items_are_those_of_the_pair_told_by_one(told: dict[str, Path]) -> None:
    mixed, plain = (lost(told[before], told["lm-eval after"]) for before in ("lighteval before", "lm-eval before"))
    found = compare(told["lighteval before"], told["lm-eval after"]).lost()

    assert found == mixed.items
    assert [(item.item_id, item.cause) for item in found] == [(item.item_id, item.cause) for item in plain.items]
    assert found and all(item.before.choice != item.after.choice for item in found)
    for name in (LIGHTEVAL, LM_EVAL):
        assert lost(told["lighteval before"], told["lm-eval after"], name=name).items == found


def test_a_null_run_under_another_name_gives_further_draws(told: dict[str, Path]) -> None:
    mixed = compare(told["lm-eval before"], told["lm-eval after"], null=told["lighteval before again"])
    plain = compare(told["lm-eval before"], told["lm-eval after"], null=told["lm-eval before again"])

    assert mixed.cell().excess is not None
    assert mixed.cell().noise_floor.value == 0.0  # type: ignore[union-attr]
    assert numbers(mixed) == numbers(plain)


def test_coverage_says_under_which_names_a_task_was_found(told: dict[str, Path]) -> None:
    (pairing,) = coverage(told["lighteval before"], told["lm-eval after"])

    assert [(task.task, task.before.task, task.after.task) for task in pairing.tasks] == [
        (LIGHTEVAL, LIGHTEVAL, LM_EVAL)
    ]
    assert pairing.apart == []


def test_budgets_and_scorers_may_be_given_by_either_name(told: dict[str, Path]) -> None:
    sides = told["lighteval before"], told["lm-eval after"]

    for name in (LIGHTEVAL, LM_EVAL):
        (verdict,) = gate(compare(*sides, scorers=[f"{name}=acc"]), budgets={name: 0.5})
        assert verdict.name == LIGHTEVAL


def test_a_task_pairs_by_its_own_name_before_any_other(make_run: Any) -> None:
    both = make_run("a", [*quiz("gsm8k", 1, 2), *quiz("gsm8k_cot", 1, 2, value=0.0, choice=1)])

    pairing = joined(both, make_run("b", quiz("gsm8k", 1, 2)))

    assert [(task.before.task, task.after.task) for task in pairing.tasks] == [("gsm8k", "gsm8k")]
    assert (pairing.tasks_only_before, pairing.apart) == (["gsm8k_cot"], [])


def test_two_tasks_of_one_run_that_could_be_meant_are_kept_apart(make_run: Any) -> None:
    several = make_run("a", [*quiz("helm|piqa", 1), *quiz("original|piqa", 1), *quiz("t", 1)])

    for pairing in (
        joined(several, make_run("b", [*quiz("piqa", 1), *quiz("t", 1)])),
        joined(make_run("b", [*quiz("piqa", 1), *quiz("t", 1)]), several),
    ):
        assert [task.task for task in pairing.tasks] == ["t"]
        (said,) = pairing.apart
        assert "have names of one task (so 1 more), but are kept apart: more than one task could be meant" in said
        assert "[aliases]" in said


def test_of_two_names_the_one_with_the_same_items_is_taken(make_run: Any) -> None:
    several = make_run("a", [*quiz("helm|piqa", 7, 8, 9), *quiz("original|piqa", 1, 2)])

    pairing = joined(several, make_run("b", quiz("piqa", 1, 2)))

    assert [(task.task, task.after.task) for task in pairing.tasks] == [("original|piqa", "piqa")]
    assert (pairing.paired, pairing.tasks_only_before, pairing.apart) == (2, ["helm|piqa"], [])


def test_names_of_one_task_without_a_common_item_are_kept_apart_and_the_rest_pairs(make_run: Any) -> None:
    before = make_run("a", [*quiz("lighteval|piqa", 1, 2), *quiz("t", 1)])

    pairing = joined(before, make_run("b", [*quiz("piqa", 3, 4), *quiz("t", 1)]))

    assert (pairing.paired, pairing.only_before, pairing.tasks_only_before) == (1, 0, ["lighteval|piqa"])
    assert "no question with the same options and gold is in both" in pairing.apart[0]


def test_names_of_one_task_with_few_common_items_are_kept_apart_with_their_numbers(make_run: Any) -> None:
    before = make_run("a", [*quiz("lighteval|piqa", *range(40)), *quiz("t", *range(40))])
    after = make_run("b", [*quiz("piqa", 39, *range(100, 150)), *quiz("t", *range(40))])

    found = compare(before, after).comparisons[0]

    assert (found.paired, found.tasks_only_before, found.tasks_only_after) == (40, ["lighteval|piqa"], ["piqa"])
    assert any(
        "kept apart: only 1 of 40 items are the same in both; if they are one task" in note for note in found.notes
    )
    with pytest.raises(PairingError, match=r"most of them in piqa \(lighteval\|piqa with piqa\)"):
        compare(before, after, settings=Settings(aliases={"lighteval|piqa": "piqa"}))


def test_names_of_one_task_join_where_nearly_all_of_the_smaller_side_is_shared(make_run: Any) -> None:
    def paired(own: int, common: int) -> int:
        before = make_run("a", [*quiz("lighteval|piqa", *range(300)), *quiz("t", 1)])
        after = make_run("b", [*quiz("piqa", *range(common), *range(400, 400 + own - common)), *quiz("t", 1)])
        return joined(before, after).paired

    assert (paired(200, 198), paired(200, 197), paired(20, 20)) == (199, 1, 21)


def test_a_join_under_another_name_is_named_where_it_lacks_partners(make_run: Any) -> None:
    before, after = make_run("a", quiz("lighteval|piqa", *range(300))), make_run("b", quiz("piqa", *range(20)))

    for verb in (compare, stages, published):
        with pytest.raises(
            PairingError,
            match=r"in lighteval\|piqa, joined with piqa after as one task\).* `forgetmap compare BEFORE AFTER --dry-run`",
        ):
            verb(before, after)


def test_a_log_without_content_is_never_joined_under_another_name(make_run: Any) -> None:
    bare = [{"task": "piqa", "native_id": str(number), "value": 1.0} for number in range(3)]

    with pytest.raises(
        PairingError, match=r"no task is in both runs: lighteval\|piqa before and piqa after .* does not say"
    ):
        joined(make_run("a", quiz("lighteval|piqa", 0, 1, 2)), make_run("b", bare))

    said = joined(
        make_run("a", quiz("lighteval|piqa", 0, 1, 2)), make_run("b", bare), aliases={"lighteval|piqa": "piqa"}
    )
    assert said.paired == 3


def test_what_the_user_says_goes_before_what_is_known(make_run: Any) -> None:
    before, after = make_run("a", quiz("lighteval|piqa", 1)), make_run("b", [*quiz("piqa", 1), *quiz("mine", 1)])

    assert joined(before, after, aliases={"lighteval|piqa": "mine"}).tasks[0].after.task == "mine"
    with pytest.raises(PairingError, match="no task is in both"):
        joined(before, make_run("b", quiz("piqa", 1)), aliases={"lighteval|piqa": "another"})


def test_the_users_aliases_hold_for_a_null_run(make_run: Any) -> None:
    def run(name: str, task: str, **info: Any) -> Run:
        return make_run(name, quiz(task, *range(5)), **info)

    found = compare(
        run("a", "ours", checkpoint="x"),
        run("b", "ours"),
        null=run("c", "theirs", checkpoint="x"),
        settings=Settings(aliases={"theirs": "ours"}),
    )

    assert found.draws["a"] == 2


def test_scorers_that_ask_the_same_are_compared_and_the_difference_is_said_once(make_run: Any) -> None:
    def scored(*names: str) -> list[dict[str, Any]]:
        return [row for task in ("t", "u") for name in names for row in quiz(task, 1, scorer=name)]

    pairing = joined(make_run("a", scored("acc_norm", "em")), make_run("b", scored("exact_match,none", "f1")))

    assert {(task.before.scorer, task.after.scorer) for task in pairing.tasks} == {("em", "exact_match,none")}
    assert pairing.differs == ["scorer of t: em before, exact_match,none after; so 1 more of the tasks"]


def test_a_scorer_asked_for_is_found_under_the_name_of_another_harness_but_not_under_another_filter(
    make_run: Any,
) -> None:
    def scored(*names: str) -> Run:
        return make_run(names[0], [row for name in names for row in quiz("t", 1, scorer=name)])

    before, after = scored("f1", "exact_match,strict-match"), scored("f1", "em")

    (task,) = joined(before, after, scorers=["strict-match"]).tasks
    assert (task.before.scorer, task.after.scorer) == ("exact_match,strict-match", "em")
    (task,) = joined(after, before, scorers=["t=em"]).tasks
    assert (task.before.scorer, task.after.scorer) == ("em", "exact_match,strict-match")
    with pytest.raises(PairingError, match="no scorer called 'strict-match' scored any common task on both sides"):
        joined(before, scored("f1", "exact_match,flexible-extract"), scorers=["strict-match"])


def test_a_scorer_of_a_task_may_be_asked_for_by_the_one_name_of_the_task(make_run: Any) -> None:
    before, after = (
        make_run(name, [row for scorer in ("acc", "acc_norm") for row in quiz(task, 1, 2, scorer=scorer)])
        for name, task in (("a", "leaderboard|mmlu:anatomy|5"), ("b", "hendrycksTest-anatomy"))
    )

    for named in ("mmlu_anatomy", "mmlu_*", "hendrycksTest-anatomy"):
        assert joined(before, after, scorers=[f"{named}=acc_norm"]).tasks[0].after.scorer == "acc_norm"
    with pytest.raises(
        PairingError, match=r"no common task matches 'mmlu_law' of --scorer mmlu_law=acc; there are: leaderboard"
    ):
        joined(before, after, scorers=["mmlu_law=acc"])
    with pytest.raises(
        PairingError,
        match=r"scored a task matching 'mmlu_\*' on both sides; both have: acc, acc_norm",
    ):
        joined(before, after, scorers=["mmlu_*=f1"])


def test_a_scorer_asked_for_by_a_task_s_own_name_is_not_that_of_its_namesakes(make_run: Any) -> None:
    before, after = (
        make_run(
            name,
            [
                row
                for task in ("gsm8k", "gsm8k_cot")
                for scorer in ("acc", "em")
                for row in quiz(task, 1, scorer=scorer)
            ],
        )
        for name in "ab"
    )

    chosen = joined(before, after, scorers=["gsm8k=em"]).tasks
    assert [(task.task, task.before.scorer) for task in chosen] == [("gsm8k", "em"), ("gsm8k_cot", "acc")]


def test_shots_and_decoding_are_compared_under_the_names_of_either_side(make_run: Any) -> None:
    before = make_run(
        "a", quiz("lighteval|piqa", 1), shots={"lighteval|piqa": 5}, decoding={"lighteval|piqa": {"t": 0}}
    )

    same = joined(before, make_run("b", quiz("piqa", 1), shots={"piqa": 5}, decoding={"piqa": {"t": 0}}))
    other = joined(before, make_run("b", quiz("piqa", 1), shots={"piqa": 0}, decoding={"piqa": {"t": 0}}))

    assert same.differs == ["task: lighteval|piqa before, piqa after, taken as one task"]
    assert "shots of lighteval|piqa: 5 before, 0 after" in other.differs
