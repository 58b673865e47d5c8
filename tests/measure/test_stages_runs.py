"""Stages of runs that differ: in scorers, in tasks, in draws, and in what failed."""

from collections.abc import Sequence
from typing import Any

import pytest

from forgetmap import compare, stages
from forgetmap.errors import PairingError
from tests.measure.test_stages import random_words, seeded, told


def test_the_map_of_a_step_is_the_comparison_of_its_two_runs(make_run: Any) -> None:
    def scored(task: str, scorers: Sequence[str], seed: int) -> list[dict[str, Any]]:
        rng = range(seed, seed + len(scorers))
        return [
            {**row, "task": task, "scorer": scorer}
            for scorer, one in zip(scorers, rng, strict=True)
            for row in told(random_words(30, seed=one))
        ]

    other = [scored("x", ["acc"], seed) for seed in range(4)]
    runs = [
        make_run("lacks", other[0]),
        make_run("two", [*other[1], *scored("hendrycksTest-anatomy", ["acc", "acc_norm"], 5)]),
        make_run("norm", [*other[2], *scored("mmlu_anatomy", ["acc_norm"], 7)]),
        make_run("both", [*other[3], *scored("mmlu_anatomy", ["acc", "acc_norm"], 8)]),
    ]
    found = stages(*runs).map

    for one, two in ((0, 1), (1, 2), (2, 3), (0, 3)):
        pair = compare(runs[one], runs[two])
        ids = runs[one].info.run_id, runs[two].info.run_id
        assert [c for c in found.comparisons if (c.before, c.after) == ids] == pair.comparisons
        assert [cell for cell in found.cells if (cell.before, cell.after) == ids] == pair.cells


def test_a_step_that_is_scored_otherwise_than_the_paths_is_said(make_run: Any) -> None:
    both = [{**row, "scorer": name} for name in ("exact_match,strict", "acc,none") for row in told(["R", "a"])]
    only = [{**row, "scorer": "exact_match,strict"} for row in told(["R", "a"])]
    found = stages(make_run("a", both), make_run("b", both), make_run("c", only))

    assert [note for note in found.notes if "scored by" in note] == [
        "t: a → b is scored by acc,none, the paths by exact_match,strict"
    ]


def test_a_rule_for_a_task_that_only_some_runs_have_holds_for_those(make_run: Any) -> None:
    more = [{**row, "task": "more", "scorer": name} for name in ("acc", "em") for row in told(["R", "a"])]
    runs = [make_run(name, [*told(["R", "a"]), *rows]) for name, rows in (("a", []), ("b", more), ("c", more))]
    found = stages(*runs, scorers=["more=em"])

    assert found.map.comparisons[1].scorers == {"t": "acc", "more": "em"}
    with pytest.raises(PairingError, match="no scorer called 'f1'"):
        stages(*runs, scorers=["more=f1"])


def test_one_scorer_is_taken_for_all_stages(make_run: Any) -> None:
    both = [{**row, "scorer": name} for name in ("exact_match,strict", "acc,none") for row in told(["R", "a"])]
    only = [{**row, "scorer": "exact_match,strict"} for row in told(["R", "a"])]
    found = stages(make_run("a", both), make_run("b", both), make_run("c", only))

    assert found.path().scorer == "exact_match,strict"
    assert not any("scorer" in line for pair in found.map.comparisons for line in pair.differs)


def test_an_item_with_few_answers_among_many_draws_has_its_path(make_run: Any) -> None:
    words = [
        random_words(20, seed=seed, draws=8) + ["x" * place + letter + "x" * (7 - place) for place in range(8)]
        for seed, letter in enumerate("RaR")
    ]
    found = stages(*(make_run(name, seeded(words[n], n)) for n, name in enumerate("abc")))

    assert sum(share.items for share in found.path().paths.values()) == pytest.approx(28)
    assert found.path().paths["KUK"].items >= 8
    assert "NaN" not in found.to_json()


def test_accuracy_rests_on_all_draws_however_many_there_are(make_run: Any) -> None:
    letters = "RRa?x"
    words = [["R" + word for word in random_words(20, seed=n, letters=letters, draws=7)] for n in range(3)]
    found = stages(*(make_run(name, seeded(words[n], n)) for n, name in enumerate("abc"))).path()
    few = stages(*(make_run(name, seeded(words[n][:5], n)) for n, name in enumerate("ab"))).path()

    shares = [[word.count("R") / (len(word) - word.count("x")) for word in own] for own in words]
    assert found.accuracy == pytest.approx([sum(own) / 20 for own in shares])
    assert few.accuracy == pytest.approx([sum(own[:5]) / 5 for own in shares[:2]])
    assert "draws" not in few.notes


def test_many_draws_are_sampled_and_still_sum_to_all_items(make_run: Any) -> None:
    runs = [make_run(name, seeded(random_words(20, seed=n, draws=8), n)) for n, name in enumerate("abc")]
    found = stages(*runs).path()

    assert sum(share.items for share in found.paths.values()) == pytest.approx(20)
    assert sum(found.known) > 0  # type: ignore[arg-type]
    assert "256 of more tuples" in found.notes["draws"]


def test_a_task_that_one_run_failed_throughout_takes_no_other_task_with_it(make_run: Any) -> None:
    fine = [told(words) for words in (["R", "R", "a"], ["a", "R", "R"], ["R", "a", "R"])]
    broken = [told(words, task="broken") for words in (["R", "a"], ["x", "x"], ["R", "R"])]
    alone = stages(*(make_run(name, rows) for name, rows in zip("abc", fine, strict=True)))
    found = stages(*(make_run(name, [*one, *two]) for name, one, two in zip("abc", fine, broken, strict=True)))

    assert (found.path().n, found.path().dropped) == (3, {"failed": 2})
    assert found.path().paths == alone.path().paths
    assert (found.path("broken").n, found.path("broken").dropped) == (0, {"failed": 2})
    assert len(found.items("KUK")) == 1


def test_where_nothing_was_answered_at_every_stage_all_is_null_with_the_reason(make_run: Any) -> None:
    found = stages(*(make_run(name, told(words)) for name, words in zip("abc", (["R"], ["x"], ["R"]), strict=True)))
    cell = found.path()

    assert (cell.n, cell.dropped, cell.accuracy, cell.known) == (0, {"failed": 1}, [None] * 3, [None] * 3)
    assert all(share.items == 0 and share.estimate is None for share in cell.paths.values())
    assert cell.notes == {"paths": "no item was answered at every stage"}
    assert "NaN" not in found.to_json()
