"""The published estimate in the paper's order, on answers told one by one."""

from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest

from forgetmap import Cell, Map, compare, published
from forgetmap.taxonomy.paper import NOWHERE, paper_tasks
from tests.measure.conftest import MakeRun

Answers = dict[int | None, str]
"""By seed a word with a letter an item: R right, w wrong, ? unanswered, x failed."""


def rows(task: str, answers: Answers, *, k: Any = 4, domain: str | None = None) -> list[dict[str, Any]]:
    """`k` is one number of options, a list with one an item, or null where the log does not tell."""
    return [
        {
            "task": task, "domain": domain, "native_id": f"{task} {domain} {item}", "question": f"{task} {domain} {item}?",
            "k": k[item] if isinstance(k, list) else k, "draw": draw, "seed": seed,
            "outcome": {"?": "unparsed", "x": "failed"}.get(letter, "scored"),
            "value": {"R": 1.0, "w": 0.0}.get(letter),
        }
        for draw, (seed, word) in enumerate(answers.items())
        for item, letter in enumerate(word)
    ]  # fmt: skip


def clip(before: str, after: str, luck: float = 1 / 3) -> float:
    """The formula for one task and seed."""
    n = len(before)
    a, b = before.count("R") / n, after.count("R") / n
    lost = sum(one == "R" and two != "R" for one, two in zip(before, after, strict=True)) / n
    return max(lost - (1 - a) * (1 - b) * luck, 0.0)


def value(cell: Cell, side: str = "forgetting") -> float | None:
    found = cell.alternatives["published"][side]
    return None if found is None else found.value


def told(make_run: MakeRun, before: list[dict[str, Any]], after: list[dict[str, Any]], **more: Any) -> Map:
    return compare(make_run("before", before), make_run("after", after), estimators="published", **more)


def test_seeds_meet_their_own_and_tasks_are_clipped_before_any_mean(make_run: MakeRun) -> None:
    one = {"anatomy": {0: "RRRRwwww", 1: "RRRwwwww"}, "virology": {0: "wwwwwwww", 1: "RRwwwwww"}}
    two = {"anatomy": {1: "wwRRwwww", 0: "RRwwwwww"}, "virology": {1: "wwwwwwww", 0: "wwwwwwRR"}}
    found = told(
        make_run,
        [row for task, answers in one.items() for row in rows(f"mmlu_{task}", answers)],
        [row for task, answers in two.items() for row in rows(f"mmlu_{task}", answers)],
    )
    seeds = [mean(clip(one[task][seed], two[task][seed]) for task in one) for seed in (0, 1)]

    assert value(found.cell("mmlu_anatomy", level="task")) == pytest.approx(
        mean(clip(one["anatomy"][seed], two["anatomy"][seed]) for seed in (0, 1))
    )
    assert value(found.cell("science_technology_engineering")) == pytest.approx(mean(seeds))
    assert value(found.cell()) == pytest.approx(mean(seeds))
    assert f"sd over 2 seeds {stdev(seeds):.4f}" in found.cell().notes["published"]


def test_all_is_the_mean_over_categories_however_many_tasks_they_have(make_run: MakeRun) -> None:
    tasks = {"mmlu_anatomy": "RRRRwwww", "mmlu_virology": "RRwwwwww", "mmlu_philosophy": "RRRRRRRR"}
    found = told(
        make_run,
        [row for task, word in tasks.items() for row in rows(task, {None: word})],
        [row for task in tasks for row in rows(task, {None: "RwwwRwww"})],
    )
    by_task = {task: clip(word, "RwwwRwww") for task, word in tasks.items()}

    assert value(found.cell()) == pytest.approx(
        ((by_task["mmlu_anatomy"] + by_task["mmlu_virology"]) / 2 + by_task["mmlu_philosophy"]) / 2
    )
    alternatives = found.cell().alternatives["published"]["forgetting"]
    assert alternatives is not None
    assert (alternatives.n, alternatives.method) == (24, "published: macro, clipped, mean over 1 seed")


def test_subjects_that_are_domains_of_one_task_count_like_subjects_that_are_tasks(make_run: MakeRun) -> None:
    words = {"anatomy": ("RRRRwwww", "RRwwwwww"), "virology": ("RwRwRwRw", "wRwRwRRR"), "philosophy": ("RRRw", "wwwR")}
    apart, joined = (
        told(
            make_run,
            *(
                [
                    row
                    for name, sides in words.items()
                    for row in rows(*((f"mmlu_{name}", {0: sides[side]}) if split else ("mmlu", {0: sides[side]})),
                                    domain=None if split else name)
                ]
                for side in (0, 1)
            ),
            taxonomy="paper",
        )
        for split in (True, False)
    )  # fmt: skip

    for name in ("Science/Tech", "Liberal Arts"):
        assert value(joined.cell(name)) == value(apart.cell(name))
    assert value(joined.cell(), "gain") == value(apart.cell(), "gain")
    pooled = ["".join(sides[side] for sides in words.values()) for side in (0, 1)]
    assert value(joined.cell("mmlu", level="task")) == pytest.approx(clip(*pooled))


def test_items_of_unlike_numbers_of_options_take_off_the_mean_of_their_terms(make_run: MakeRun) -> None:
    k = [2, 2, 3, 5, 5, 11]
    before, after = rows("quiz", {0: "RRRwww"}, k=k), rows("quiz", {0: "wwwwwR"}, k=k)

    found = told(make_run, before, after).cell("quiz", level="task")

    assert value(found) == pytest.approx(clip("RRRwww", "wwwwwR", mean(1 / (one - 1) for one in k)))


def test_a_task_of_unknown_chance_is_left_out_and_said_and_alone_it_gives_nothing(make_run: MakeRun) -> None:
    sides = [
        [*rows("mmlu_anatomy", {0: word}), *rows("mmlu_virology", {0: word}, k=[4, None, 4, 4])]
        for word in ("RRww", "wwww")
    ]
    found = told(make_run, *sides)

    assert value(found.cell("mmlu_virology", level="task")) is None
    assert value(found.cell("science_technology_engineering")) == value(found.cell("mmlu_anatomy", level="task"))
    assert "1 of 2 tasks left out: unknown chance" in found.cell().notes["published"]


def test_an_unanswered_item_is_not_right_and_a_failed_draw_does_not_count(make_run: MakeRun) -> None:
    found = told(make_run, rows("quiz", {0: "RRRRw", 1: "RRRRR"}), rows("quiz", {0: "R??ww", 1: "RRxRw"}))

    assert value(found.cell("quiz", level="task")) == pytest.approx(
        mean([clip("RRRRw", "R??ww"), clip("RRRR", "RRRw")])
    )


@pytest.mark.parametrize(
    ("before", "after", "met"),
    [
        ({0: "RRww", 1: "RRRR"}, {1: "wwww"}, [("RRRR", "wwww")]),
        ({5: "RRww"}, {7: "wwww"}, [("RRww", "wwww")]),
        ({None: "RRww"}, {3: "wwww", 4: "RRRR"}, [("RRww", "wwww")]),
        ({1: "RRww", 2: "RRRR"}, {3: "wwww", 4: "Rwww"}, [("RRww", "wwww"), ("RRRR", "Rwww")]),
    ],
)
def test_which_draws_belong_together(
    make_run: MakeRun, before: Answers, after: Answers, met: list[tuple[str, str]]
) -> None:
    found = told(make_run, rows("quiz", before), rows("quiz", after))

    assert value(found.cell()) == pytest.approx(mean(clip(*pair) for pair in met))
    assert (f"sd over {len(met)} seeds" in found.cell().notes["published"]) == (len(met) > 1)


def test_a_task_that_lacks_a_seed_counts_in_the_seeds_it_has(make_run: MakeRun) -> None:
    one = {"mmlu_anatomy": {0: "RRRR", 1: "RRRw"}, "mmlu_virology": {0: "RRww"}}
    two = {"mmlu_anatomy": {0: "RwRR", 1: "wwww"}, "mmlu_virology": {0: "wwww"}}
    found = told(
        make_run, *([row for task, answers in side.items() for row in rows(task, answers)] for side in (one, two))
    )
    first = mean([clip("RRRR", "RwRR"), clip("RRww", "wwww")])

    assert value(found.cell()) == pytest.approx(mean([first, clip("RRRw", "wwww")]))


def test_a_run_against_itself_has_nothing_lost_and_swapped_sides_exchange_forgetting_and_gain(
    make_run: MakeRun,
) -> None:
    one, two = rows("quiz", {0: "RRwR", 1: "RRww"}), rows("quiz", {0: "wRRw", 1: "wwwR"})

    assert value(told(make_run, one, one).cell()) == 0
    assert value(told(make_run, one, two).cell()) == value(told(make_run, two, one).cell(), "gain")


def test_tasks_that_the_paper_ignores_count_nowhere(make_run: MakeRun) -> None:
    sides = [
        [*rows("mmlu_anatomy", {0: word}), *rows("bbh_word_sorting", {0: "RRRR" if word == "RRww" else "wwww"})]
        for word in ("RRww", "wRww")
    ]
    found = told(make_run, *sides, taxonomy="paper")

    assert value(found.cell()) == value(found.cell("mmlu_anatomy", level="task"))
    assert found.cell().n == 8


def by_hand(before: dict[str, list[str]], after: dict[str, list[str]], seeds: int) -> list[float]:
    """The total of each seed over tasks of one category, draw number i of a task in the i-th seed."""
    return [
        mean(
            clip(before[task][seed], after[task][seed])
            for task in before
            if seed < min(len(before[task]), len(after[task]))
        )
        for seed in range(seeds)
    ]


@pytest.mark.parametrize(
    ("before_seeds", "after_seeds"),
    [((42,), (1234,)), ((None, None), (None, None)), ((7, 8), (9, 10)), ((5, 5), (5, 5))],
)
def test_a_task_without_a_common_seed_adds_no_seed_to_those_there_are(
    make_run: MakeRun, before_seeds: tuple[int | None, ...], after_seeds: tuple[int | None, ...]
) -> None:
    rng = np.random.default_rng(3)

    def words(draws: int) -> list[str]:
        return ["".join(rng.choice(["R", "w"], 12)) for _ in range(draws)]

    draws = {"mmlu_anatomy": 3, "mmlu_virology": 3, "mmlu_astronomy": len(before_seeds)}
    sides = [{task: words(number) for task, number in draws.items()} for _ in range(2)]
    odd = [before_seeds, after_seeds]
    runs = [
        [
            row | {"seed": odd[side][row["draw"]] if task == "mmlu_astronomy" else row["seed"]}
            for task, said in told_words.items()
            for row in rows(task, dict(enumerate(said)))
        ]
        for side, told_words in enumerate(sides)
    ]
    found = told(make_run, *runs).cell()

    seeds = by_hand(*sides, seeds=3)
    assert value(found) == pytest.approx(mean(seeds))
    assert f"sd over 3 seeds {stdev(seeds):.4f}" in found.notes["published"]
    assert "draws of 1 task without a seed common to both sides go by number" in found.notes["published"]


def test_which_seeds_the_others_have_is_known_to_a_category_that_has_none(make_run: MakeRun) -> None:
    answers = {
        "mmlu_anatomy": (["RRww", "RRRR"], ["wwww", "RRww"]),
        "mmlu_philosophy": (["RRRR", "RRww"], ["RRww", "wwww"]),
    }
    runs = [
        [
            row | {"seed": None if task == "mmlu_philosophy" else 10 + row["draw"]}
            for task, both in answers.items()
            for row in rows(task, dict(enumerate(both[side])))
        ]
        for side in (0, 1)
    ]
    found = told(make_run, *runs)
    seeds = [mean(clip(both[0][seed], both[1][seed]) for both in answers.values()) for seed in (0, 1)]

    assert value(found.cell()) == pytest.approx(mean(seeds))
    assert f"sd over 2 seeds {stdev(seeds):.4f}" in found.cell().notes["published"]


def test_a_graded_task_is_left_out_as_graded_and_is_not_missing(make_run: MakeRun) -> None:
    graded = [row | {"value": 0.5, "k": None, "chance": 0.0} for row in rows("mmlu_virology", {0: "RRRR"})]
    sides = [make_run(name, [*rows("mmlu_anatomy", {0: "RRww"}), *rows("mine", {0: "RR"}), *graded]) for name in "ab"]
    (column,) = published(*sides).columns

    assert (column.graded, column.left_out) == (["mmlu_virology"], ["mine"])
    assert not [name for name in column.missing if "virology" in name or "anatomy" in name]
    assert len(column.missing) == len([task for task in paper_tasks() if task.category not in NOWHERE]) - 2
