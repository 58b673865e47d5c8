"""Seeds of one recipe: means of what the map says of each, with the error between them."""

import json
from statistics import mean, stdev
from typing import Any

import pytest

from forgetmap import compare, stages
from forgetmap.errors import SettingError
from tests.measure.test_stages import random_words, told


def family(make_run: Any, seeds: int = 3, **also: Any) -> list[Any]:
    return [
        make_run(name, told(random_words(60, seed=n), **also))
        for n, name in enumerate(["base", *(f"sft-{s}" for s in range(seeds))])
    ]


def test_the_mean_over_seeds_is_the_mean_of_the_map_s_values(make_run: Any) -> None:
    found = compare(*family(make_run), seeds=True)
    recipe = found.recipes[0]

    for name in ("forgetting", "gain", "net"):
        values = [getattr(cell, name).value for cell in found.select(level="all")]
        over = getattr(recipe, name)
        assert over.by_seed == pytest.approx(values)
        assert (over.value, over.sd) == pytest.approx((mean(values), stdev(values)))
        assert over.both[0] <= min(over.within[0], over.between[0])
        assert over.both[1] >= max(over.within[1], over.between[1])
    assert {cell.level for cell in found.recipes} == {"all", "category", "task", "domain"}


def test_with_macro_the_mean_over_seeds_is_that_of_the_macro_values(make_run: Any) -> None:
    runs = []
    for n, run in enumerate(["base", "sft-0", "sft-1"]):
        words = random_words(60, seed=n)
        runs.append(make_run(run, [*told(words[:50], domain="large"), *told(words[50:], task="u", domain="small")]))
    found = compare(*runs, seeds=True, macro=True)

    for name in ("forgetting", "gain", "net"):
        values = [getattr(cell, name).value for cell in found.select(level="all")]
        assert getattr(found.recipes[0], name).by_seed == pytest.approx(values)
    assert found.recipes[0].net != compare(*runs, seeds=True).recipes[0].net


def test_a_recipe_of_a_step_rests_on_the_items_of_its_own_runs(make_run: Any) -> None:
    base, *sft = family(make_run, seeds=2)
    failed = random_words(60, seed=9)[:30] + ["x"] * 30
    rl = [make_run(f"rl-{seed}", told(failed)) for seed in range(2)]
    found = stages(base, sft, rl)
    over = {cell.recipe: cell for cell in found.map.recipes if cell.level == "all"}

    assert [cell.n for cell in over.values()] == [60, 30, 30]
    (step, *_), apart = over.values(), compare(base, *sft, seeds=True).recipes[0]
    for name in ("forgetting", "gain", "net"):
        assert getattr(step, name) == getattr(apart, name)


def test_identical_seeds_differ_by_nothing(make_run: Any) -> None:
    base, sft = family(make_run, seeds=1)
    again = make_run("sft-1", told(random_words(60, seed=1)))
    over = compare(base, sft, again, seeds=True).recipes[0].forgetting

    assert over is not None
    assert over.sd == 0
    assert over.both == pytest.approx(over.within)


def test_one_run_is_not_two_seeds(make_run: Any) -> None:
    base, sft = family(make_run, seeds=1)

    for ask in (lambda: compare(base, sft, sft, seeds=True), lambda: stages(base, [sft, sft])):
        with pytest.raises(SettingError, match="each run once, and sft-0 is given 2 times"):
            ask()
    assert len(compare(base, sft, sft).comparisons) == 2


def test_one_seed_has_no_error_between_seeds_and_says_why(make_run: Any) -> None:
    recipe = compare(*family(make_run, seeds=1), seeds=True).recipes[0]

    assert recipe.forgetting is not None
    assert recipe.forgetting.sd is None and recipe.forgetting.both is None
    assert "at least two" in recipe.notes["between"]


def test_yes_no_questions_have_a_net_mean_and_a_reason_for_the_rest(make_run: Any) -> None:
    runs = [make_run(name, told(random_words(40, seed=n, letters="Ra"), k=2)) for n, name in enumerate("abc")]
    recipe = compare(*runs, seeds=True).recipes[0]

    assert recipe.forgetting is None and recipe.net is not None
    assert "band" in recipe.notes["forgetting"]


def test_graded_scores_have_means_over_seeds_too(make_run: Any) -> None:
    def graded(values: list[float]) -> list[dict[str, Any]]:
        return [{"native_id": str(n), "question": f"q{n}", "value": v, "chance": 0.0} for n, v in enumerate(values)]

    runs = [make_run("a", graded([0.5, 1.0])), make_run("b", graded([0.25, 1.0])), make_run("c", graded([0.5, 0.5]))]
    found = compare(*runs, seeds=True)

    (recipe,) = [cell for cell in found.recipes if cell.level == "all"]
    assert recipe.metric == "graded"
    assert recipe.forgetting is not None
    assert recipe.forgetting.by_seed == pytest.approx((0.125, 0.25))


def test_json_names_recipes_only_where_there_are_some(make_run: Any) -> None:
    runs = family(make_run)

    assert "recipes" not in json.loads(compare(*runs).to_json())
    page = json.loads(compare(*runs, seeds=True).to_json())["recipes"][0]
    assert (page["before"], page["after"], page["seeds"]) == (["base"] * 3, ["sft-0", "sft-1", "sft-2"], 3)
    assert list(page["forgetting"]) == ["value", "sd", "within", "between", "both", "by_seed", "n", "seeds"]


def test_stages_of_seeds_have_means_over_chains_and_a_recipe_a_step(make_run: Any) -> None:
    base, *rest = family(make_run, seeds=4)
    found = stages(base, rest[:2], rest[2:])

    assert [stage.runs for stage in found.stages] == [("base",), ("sft-0", "sft-1"), ("sft-2", "sft-3")]
    chains = [stages(base, rest[0], rest[2]).path(), stages(base, rest[1], rest[3]).path()]
    for path, share in found.path().paths.items():
        values = [chain.paths[path].estimate.value for chain in chains]  # type: ignore[union-attr]
        assert share.seeds is not None
        assert share.seeds.by_seed == pytest.approx(values)
        assert share.estimate is not None and share.estimate.value == pytest.approx(mean(values))  # type: ignore[type-var]
    overall = [cell for cell in found.map.recipes if cell.level == "all"]
    assert [cell.recipe for cell in overall] == ["base → sft", "sft → sft", "base → sft"]
    assert [cell.after for cell in overall] == [["sft-0", "sft-1"], ["sft-2", "sft-3"], ["sft-2", "sft-3"]]


def test_stages_of_unequal_numbers_of_seeds_are_refused(make_run: Any) -> None:
    base, *rest = family(make_run, seeds=5)

    with pytest.raises(SettingError, match="these have 1, 2, 3"):
        stages(base, rest[:2], rest[2:])


def test_a_table_of_the_map_has_the_means_over_seeds_below_its_cells(make_run: Any) -> None:
    base, *sft = family(make_run)
    found, plain = compare(base, *sft, seeds=True), compare(base, *sft)
    rows = found.to_arrow().to_pylist()
    below = [row for row in rows if row["recipe"] is not None]

    assert len(below) == len(found.recipes) and len(rows) == len(found.cells) + len(below)
    assert "recipe" not in plain.to_arrow().column_names
    for row, cell in zip(below, found.recipes, strict=True):
        assert (row["level"], row["name"], row["n"], row["seeds"]) == (cell.level, cell.name, cell.n, 3)
        assert (row["before"], row["after"]) == ("base", "sft-0 sft-1 sft-2")
        for name in ("forgetting", "gain", "net"):
            over = getattr(cell, name)
            assert (row[name], row[f"{name}_low"], row[f"{name}_high"]) == (over.value, *over.both)
            assert (row[f"{name}_sd"], row[f"{name}_n"]) == (over.sd, over.n)
        assert row["forgetting_method"] == "mean over 3 seeds"
    assert [row for row in rows if row["recipe"] is None] == [
        {**row, "recipe": None, "seeds": None, "forgetting_sd": None, "gain_sd": None, "net_sd": None}
        for row in plain.to_arrow().to_pylist()
    ]
