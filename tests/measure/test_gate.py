"""The gate's exam: logs of which the truth, and so the verdict, is known."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from forgetmap import KnowOrGuess, Map, Verdict, compare, gate
from forgetmap.errors import SettingError
from forgetmap.formats.contract import Hints
from forgetmap.measure.gate import worst
from forgetmap.stats.interval import tail
from tests.formats.helm_told import state, written
from tests.formats.lm_eval_told import filtered, log, said, sums


def mapped(items: int, seed: int = 1, null: bool = False, **law: Any) -> Map:
    before, after = KnowOrGuess(**law).runs(items=items, seed=seed, texts=False)
    return compare(before, after)


def overall(map: Map, budget: float = 0.02) -> Verdict:
    (verdict,) = gate(map, max_forgetting=budget)
    return verdict


def test_nothing_but_luck_passes() -> None:
    for seed in range(5):
        verdict = overall(mapped(6000, seed, known=0.6, options=4, repeated_luck=0.5))

        assert (verdict.decision, verdict.reasons, verdict.items_needed) == ("PASS", (), None)


def test_real_loss_blocks() -> None:
    for seed in range(5):
        verdict = overall(mapped(2000, seed, known=0.7, forgotten=0.1, options=4, repeated_luck=0.5))

        assert verdict.decision == "BLOCK"
        assert verdict.p is not None and verdict.p < 0.025


def test_few_items_are_inconclusive_and_so_many_more_would_decide() -> None:
    verdict = overall(mapped(100, 2, known=0.6, options=4, repeated_luck=0.9))

    assert verdict.decision == "INCONCLUSIVE"
    assert verdict.items_needed is not None and verdict.items_needed > 100
    assert f"about {verdict.items_needed:,} items would decide" in " ".join(verdict.reasons)


def test_luck_read_as_loss_does_not_block() -> None:
    for seed in range(5):
        found = mapped(3000, seed, known=0.2, options=4, repeated_luck=0.0)
        cell = found.cell()

        assert cell.n10 is not None and cell.n10 / cell.n > 0.12
        assert cell.accuracy_before is not None
        assert overall(found, 0.03).decision != "BLOCK"


@pytest.mark.parametrize(
    ("forgotten", "budget", "decision"),
    [(0.0, 0.4, "PASS"), (0.3, 0.02, "BLOCK"), (0.05, 0.1, "INCONCLUSIVE")],
)
def test_a_yes_no_task_is_judged_by_the_ends_of_its_band(forgotten: float, budget: float, decision: str) -> None:
    verdict = overall(mapped(4000, known=0.6, forgotten=forgotten, options=2, repeated_luck=0.5), budget)

    assert verdict.forgetting is not None and verdict.forgetting.value is None
    assert verdict.decision == decision
    if decision == "INCONCLUSIVE":
        assert verdict.items_needed is None
        assert verdict.reasons == (
            "only a band is known (one wrong option, or no chosen options in the log), and the budget lies in it",
            "more items would not decide",
        )


def test_a_filter_written_twice_does_not_make_more_items(tmp_path: Path) -> None:
    def logged(folder: Path, *, twice: bool, lost: int) -> Path:
        strict = [
            said(n, {"question": f"How many are {n}?", "answer": f"#### {n}"}, f"{n}", f"#### {n}", f"{n}",
                 exact_match=float(n >= lost)) for n in range(300)
        ]  # fmt: skip
        named = [filtered(one, "strict-match") for one in strict]
        again = [filtered(one, "flexible-extract") for one in strict]
        sums(folder, "org/model")
        log(folder, "gsm8k", [*named, *(again + named if twice else [])])
        return folder

    verdicts = [
        overall(compare(*(logged(tmp_path / f"{twice}{lost}", twice=twice, lost=lost) for lost in (0, 9)), hints=OPEN))
        for twice in (False, True)
    ]

    assert [verdict.forgetting.n for verdict in verdicts if verdict.forgetting] == [300, 300]
    assert verdicts[0].p == verdicts[1].p
    assert [verdict.decision for verdict in verdicts] == ["WARN", "WARN"]


OPEN = Hints(k=(("gsm8k", "open"),))


def test_a_request_that_succeeded_is_no_right_answer(tmp_path: Path) -> None:
    def suite(name: str, said: str, *, broken: int = 0) -> Path:
        states = [state(f"id{n}", said if n % 10 == 0 else " B") for n in range(600)]
        for one in states[:broken]:
            one["result"] = {"success": False, "completions": [], "embedding": []}
        return written(tmp_path / name, states)

    before = suite("before", " B")
    wrong, failing = (
        overall(compare(before, one)) for one in (suite("wrong", " C"), suite("failing", " B", broken=60))
    )

    assert wrong.decision == "BLOCK"
    assert failing.decision == "INCONCLUSIVE" and "60 items are left out" in failing.reasons[0]


def test_sampling_noise_is_said_and_the_verdict_stays_by_forgetting() -> None:
    found = mapped(3000, known=0.7, options=4, slip=0.15, draws=3, repeated_luck=0.5)

    verdict = overall(found)

    assert verdict.decision == "BLOCK"
    assert "no more than sampling noise explains" in verdict.reasons[-1]


def test_unknown_chance_is_inconclusive_and_says_how_to_mend_it(make_run: Any) -> None:
    rows = [{"native_id": str(n), "question": f"{n}?", "golds": ("x",), "value": 1.0} for n in range(50)]

    verdict = overall(compare(make_run("a", rows), make_run("b", rows)))

    assert (verdict.decision, verdict.forgetting, verdict.p, verdict.items_needed) == ("INCONCLUSIVE", None, None, None)
    assert "--k 't=4'" in verdict.reasons[0]


def test_items_that_failed_keep_a_gate_from_passing(make_run: Any) -> None:
    rows = [
        {"native_id": str(n), "question": f"{n}?", "golds": ("x",), "chance": 0.0, "value": 1.0} for n in range(3000)
    ]
    dead = [row | ({"outcome": "failed", "value": None} if n < 600 else {}) for n, row in enumerate(rows)]

    healthy, broken = (overall(compare(make_run("a", rows), make_run("b", after))) for after in (rows, dead))

    assert healthy.decision == "PASS"
    assert broken.decision == "INCONCLUSIVE"
    assert broken.reasons == (
        "600 items are left out (without an answer on one side), and what became of them is not known",
    )


def test_a_task_that_was_asked_only_before_keeps_a_gate_from_passing(make_run: Any) -> None:
    rows = [
        {"task": f"t{n % 2}", "native_id": str(n), "question": f"{n}?", "golds": ("x",), "chance": 0.0, "value": 1.0}
        for n in range(2000)
    ]

    found = compare(make_run("a", rows), make_run("b", [row for row in rows if row["task"] == "t0"]))

    assert [verdict.decision for verdict in gate(found, max_forgetting=0.02, budgets={"t0": 0.02})] == [
        "INCONCLUSIVE",
        "PASS",
    ]
    assert "1 of the tasks before were not asked after (t1)" in overall(found).reasons[-1]


def test_lost_yes_no_items_among_others_keep_a_gate_from_passing(make_run: Any) -> None:
    def rows(yes_no_right: float) -> list[dict[str, Any]]:
        four = {"choices": ("a", "b", "c", "d"), "golds": ("a",), "k": 4, "chance": 0.25, "value": 1.0, "choice": 0}
        two = {
            "choices": ("yes", "no"),
            "golds": ("yes",),
            "k": 2,
            "chance": 0.5,
            "value": yes_no_right,
            "choice": 0 if yes_no_right else 1,
        }
        return [{"native_id": str(n), "question": f"{n}?", **(four if n < 600 else two)} for n in range(1100)]

    verdict = overall(compare(make_run("a", rows(1.0)), make_run("b", rows(0.0))))

    assert verdict.decision == "INCONCLUSIVE"
    assert verdict.reasons == (
        "500 items (with one wrong option, or without chosen options) are not part of it: give their tasks budgets of their own",
    )


@pytest.fixture
def by_domain(make_run: Any) -> Map:
    """Forty open items in each of five domains, in two tasks; the first two domains forget six and four of them."""

    def rows(lost: dict[int, int]) -> list[dict[str, Any]]:
        return [
            {"task": f"t{n // 120}", "domain": f"d{n // 40}", "native_id": str(n), "question": f"{n}?", "golds": ("x",),
             "chance": 0.0, "value": float(n % 40 >= lost.get(n // 40, 0))} for n in range(200)
        ]  # fmt: skip

    return compare(make_run("a", rows({})), make_run("b", rows({0: 6, 1: 4})))


def test_what_one_budget_would_block_many_may_not(by_domain: Map) -> None:
    alone = gate(by_domain, budgets={"d0": 0.05})
    among = gate(by_domain, budgets=dict.fromkeys(["d0", "d1", "d2", "d3", "d4"], 0.05))

    assert [verdict.decision for verdict in alone] == ["BLOCK"]
    assert [verdict.p for verdict in among[:1]] == [pytest.approx(5 * (alone[0].p or 0))]
    assert [verdict.decision for verdict in among[:2]] == ["WARN", "WARN"]
    assert among[0].items_needed is not None and among[0].items_needed > 40


def test_the_test_at_the_budget_is_the_interval_turned_round(by_domain: Map) -> None:
    cell = by_domain.cell("d0")
    assert cell.rests_on is not None and cell.forgetting is not None and cell.forgetting.low is not None

    assert tail(cell.rests_on.lower, at=cell.forgetting.low)[0] == pytest.approx(0.025)
    assert np.array_equal(cell.rests_on.lower.n, cell.rests_on.upper.n)


def test_a_name_means_the_widest_level_and_a_domain_may_name_its_task(by_domain: Map) -> None:
    verdicts = gate(by_domain, max_forgetting=0.2, budgets={"t0": 0.2, "t0/d1": 0.3})

    assert [(v.level, v.name, v.budget) for v in verdicts] == [
        ("all", "all", 0.2),
        ("task", "t0", 0.2),
        ("domain", "d1", 0.3),
    ]
    assert [worst(verdicts), worst(verdicts[:1])] == ["PASS", "PASS"]


def test_budgets_come_from_the_study_where_none_are_given(by_domain: Map) -> None:
    by_domain.settings = replace(by_domain.settings, max_forgetting=0.2, budgets={"d0": 0.5, "d1": 0.4})

    kept, changed = gate(by_domain), gate(by_domain, max_forgetting=0.1, budgets={"d0": 0.3})

    assert [verdict.budget for verdict in kept] == [0.2, 0.5, 0.4]
    assert [verdict.budget for verdict in changed] == [0.1, 0.3, 0.4]


def test_wrong_budgets_are_refused_with_a_sentence(by_domain: Map) -> None:
    with pytest.raises(SettingError, match="a gate needs a budget: give --max-forgetting"):
        gate(by_domain)
    with pytest.raises(SettingError, match=r"'t00', and no category, task or domain is called that\. Is t0 meant"):
        gate(by_domain, budgets={"t00": 0.1})
    for budget in (2.0, -0.1, float("nan")):
        with pytest.raises(SettingError, match="the budget of d0 is a share between 0 and 1"):
            gate(by_domain, budgets={"d0": budget})
