"""Seeds of one recipe: the mean of what each forgot and gained, with the error between seeds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.measure.align import Aligned
from forgetmap.measure.cell import Level
from forgetmap.measure.estimates import Groups
from forgetmap.measure.evidence import Leaf, cluster_codes, leaf_codes
from forgetmap.measure.forgetting import answered_part, option_ends, unanswered_part
from forgetmap.measure.grouping import LEVELS, Group, codes, group
from forgetmap.measure.patterns import answered
from forgetmap.measure.seed_estimate import METRICS, ONE_SEED, SeedEstimate, estimates_over_seeds
from forgetmap.measure.transitions import BAND, IDENTIFIED, Pairs, graded, swapped, transitions
from forgetmap.stats.arrays import Bools, Floats, Ints, totals
from forgetmap.taxonomy.place import Taxonomy

_BAND = "a band for every seed, and bands have no mean"
_NOTHING = "no item whose luck can be taken off; give the number of options with --k"


class Recipe(NamedTuple):
    """Comparisons that differ in nothing but the seed."""

    name: str
    before: tuple[str, ...]
    """Run ids, one a seed; the same one throughout where all seeds began with it."""
    after: tuple[str, ...]
    steps: tuple[tuple[int, int], ...]
    """The same comparisons as places among the aligned runs."""


@dataclass(slots=True, kw_only=True)
class RecipeCell:
    """One capability of one recipe, over the items that every seed answered."""

    recipe: str
    before: list[str]
    after: list[str]
    level: Level
    name: str
    parent: str | None
    task: str | None
    metric: Literal["accuracy", "graded"]
    n: int
    seeds: int
    forgetting: SeedEstimate | None = None
    gain: SeedEstimate | None = None
    net: SeedEstimate | None = None
    notes: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**plain, **{name: plain[name].to_dict() if plain[name] else None for name in METRICS}}


class _Scores(NamedTuple):
    """Items of one kind of score under every seed."""

    leaf: Ints
    items: Floats
    cluster: Ints
    used: Bools
    """Items that forgetting and gain rest on, under every seed."""
    band: Bools
    metrics: dict[str, list[Floats]]
    """For each metric the items' scores, one array a seed."""
    low: Floats
    high: Floats
    """Ends of forgetting and gain."""


def demand_each_once(seeds: Sequence[str]) -> None:
    """Stop where one run stands for several seeds: it would tell the error between seeds too small."""
    twice = [run for run, times in Counter(seeds).items() if times > 1]
    if twice:
        raise SettingError(
            f"seeds of one recipe are wanted, each run once, and {twice[0]} is given {Counter(seeds)[twice[0]]} times: "
            "name every seed's run once."
        )


def recipe_cells(
    tasks: Sequence[Aligned],
    recipes: Sequence[Recipe],
    taxonomy: Taxonomy,
    confidence: float,
    *,
    macro: bool = False,
) -> list[RecipeCell]:
    """All cells of all recipes, widest level first; with `macro` every domain counts the same."""
    return [cell for recipe in recipes for cell in _cells(tasks, recipe, taxonomy, (confidence, macro))]


def _cells(tasks: Sequence[Aligned], recipe: Recipe, taxonomy: Taxonomy, asked: tuple[float, bool]) -> list[RecipeCell]:
    leaves: dict[Leaf, int] = {}
    parts: dict[bool, list[_Scores]] = {False: [], True: []}
    clusters = 0
    for task in tasks:
        leaf, usable = leaf_codes(task.pair(*recipe.steps[0]), taxonomy, leaves), answered(task)
        scored = (
            np.logical_and.reduce([usable, *(_has_scores(task, step) for step in recipe.steps)])
            if task.graded
            else usable
        )
        task, leaf = task.only(scored), leaf[scored]
        cluster, clusters = cluster_codes(task.pair(*recipe.steps[0]), clusters)
        parts[task.graded].append((_graded if task.graded else _right_wrong)(task, recipe, leaf, cluster))
    found = []
    for level in LEVELS:
        for is_graded, scores in parts.items():
            groups = group(list(leaves), level, graded=is_graded)
            if groups:
                found += _level(_joined(scores), groups, (recipe, len(leaves)), asked, is_graded=is_graded)
    return found


def _has_scores(task: Aligned, step: tuple[int, int]) -> Bools:
    from forgetmap.measure.transitions import answered as both_answered

    return both_answered(task.pair(*step), scored=True)


def _right_wrong(task: Aligned, recipe: Recipe, leaf: Ints, cluster: Ints) -> _Scores:
    pairs = [transitions(task.pair(*step), leaf, cluster) for step in recipe.steps]
    ends = [option_ends(one) for one in pairs]
    return _Scores(
        leaf=leaf,
        items=np.ones(len(leaf)),
        cluster=cluster,
        used=np.logical_and.reduce([one.status == IDENTIFIED for one in pairs]),
        band=np.logical_or.reduce([one.status == BAND for one in pairs]),
        metrics={
            "forgetting": [_lost(one) for one in pairs],
            "gain": [_lost(swapped(one)) for one in pairs],
            "net": [one.score_after - one.score_before for one in pairs],
        },
        low=np.min([low for low, _ in ends], axis=0),
        high=np.max([high for _, high in ends], axis=0),
    )


def _lost(pairs: Pairs) -> Floats:
    found: Floats = np.where(pairs.status == IDENTIFIED, answered_part(pairs) + unanswered_part(pairs), 0.0)
    return found


def _graded(task: Aligned, recipe: Recipe, leaf: Ints, cluster: Ints) -> _Scores:
    pairs = [graded(task.pair(*step), leaf, cluster) for step in recipe.steps]
    every = np.ones(len(leaf), bool)
    return _Scores(
        leaf=leaf,
        items=np.ones(len(leaf)),
        cluster=cluster,
        used=every,
        band=~every,
        metrics={
            "forgetting": [one.loss for one in pairs],
            "gain": [one.gain for one in pairs],
            "net": [one.score_after - one.score_before for one in pairs],
        },
        low=np.zeros(len(leaf)),
        high=np.ones(len(leaf)),
    )


def _joined(parts: Sequence[_Scores]) -> _Scores:
    """Items of several tasks; seeds stay apart."""
    plain = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in _Scores._fields if name != "metrics"
    }
    metrics = {
        name: [np.concatenate(seeds) for seeds in zip(*(part.metrics[name] for part in parts), strict=True)]
        for name in METRICS
    }
    return _Scores(**plain, metrics=metrics)


def _level(
    scores: _Scores, groups: Sequence[Group], of: tuple[Recipe, int], asked: tuple[float, bool], *, is_graded: bool
) -> list[RecipeCell]:
    recipe, leaves = of
    confidence, macro = asked
    coded = codes(groups, leaves, scores.leaf, macro=macro and groups[0].level != "domain")
    inside = coded.code >= 0
    n, used, band = (
        totals(coded.code[inside], rows[inside].astype(float), coded.size)
        for rows in (np.ones(len(inside), bool), scores.used, scores.band)
    )
    found = _metrics(scores, coded, confidence)
    cells = []
    for place, one in enumerate(groups):
        cell = _cell(recipe, one, round(n[place]), is_graded=is_graded)
        by_band = bool(band[place] > used[place])
        for name in METRICS:
            hidden = by_band and name != "net"
            setattr(cell, name, None if hidden else found[name][place])
            if hidden or found[name][place] is None:
                cell.notes[name] = _BAND if hidden else _NOTHING
        cells.append(cell)
    return cells


def _metrics(scores: _Scores, groups: Groups, confidence: float) -> dict[str, list[SeedEstimate | None]]:
    one, every = np.ones(len(scores.leaf)), np.ones(len(scores.leaf), bool)
    rests_on = {"forgetting": scores.used, "gain": scores.used, "net": every}
    ends = {"forgetting": (scores.low, scores.high), "gain": (scores.low, scores.high), "net": (-one, one)}
    return {
        name: estimates_over_seeds(by_seed, scores, groups, rests_on[name], ends[name], confidence)
        for name, by_seed in scores.metrics.items()
    }


def _cell(recipe: Recipe, one: Group, n: int, *, is_graded: bool) -> RecipeCell:
    return RecipeCell(
        recipe=recipe.name,
        before=list(recipe.before),
        after=list(recipe.after),
        level=one.level,
        name=one.name,
        parent=one.parent,
        task=one.task,
        metric="graded" if is_graded else "accuracy",
        n=n,
        seeds=len(recipe.steps),
        notes={"between": ONE_SEED} if len(recipe.steps) < 2 else {},
    )
