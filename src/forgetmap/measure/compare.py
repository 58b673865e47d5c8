"""From two logs, runs or results to a map: the verb `compare`."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from forgetmap import __version__
from forgetmap.errors import SettingError
from forgetmap.formats.contract import Hints
from forgetmap.measure import ESTIMATORS
from forgetmap.measure.align import align, choose_scorers
from forgetmap.measure.cell import Wanted
from forgetmap.measure.cells import cells_of
from forgetmap.measure.columns import Folded
from forgetmap.measure.counting import Known
from forgetmap.measure.evidence import Evidence, gather
from forgetmap.measure.map import Comparison, Map
from forgetmap.measure.pair import Pairing, demand_coverage
from forgetmap.measure.reading import Joined, Reading, Source, pairings, reading
from forgetmap.measure.recipes import Recipe, RecipeCell, demand_each_once, recipe_cells
from forgetmap.tables import names
from forgetmap.taxonomy.place import Taxonomy, read_taxonomy

DEFAULT = "option"
"""The estimator behind forgetting and gain."""
FEW_ITEMS = 50
"""Items below which two runs may well give the same answers."""
SEEDS = "seeds of one recipe"
"""What AFTERs are together that the command line calls seeds."""


def compare(
    before: Source,
    *after: Source,
    estimators: str | Sequence[str] = (),
    null: Source | None = None,
    seeds: bool = False,
    allow_unpaired: bool = False,
    taxonomy: str | Path | None = None,
    confidence: float = 0.95,
    macro: bool = False,
    **how: Any,
) -> Map:
    """The map of what each AFTER forgot and gained since BEFORE.

    `estimators` names further estimators to show beside the default; `null` is a second run of one of the checkpoints and gives the
    noise floor; with `seeds` all AFTERs are seeds of one recipe, as are those that a stage of the study's `study.toml` names together;
    with `macro` every domain counts the same in the cells above it, else every item; further keywords say how sources are read:
    `study`, `hints`, `format`, `scorers` (names, or "TASK=NAME"), `progress`.
    More than 1 % of items without a partner stops, unless `allow_unpaired`.
    """
    wanted = tuple(name for name in _listed(estimators) if name != DEFAULT)
    _check(after, wanted, confidence)
    found = reading(**how)
    placed = read_taxonomy(taxonomy or found.settings.taxonomy)
    joined = pairings(before, after, null, found)
    if not allow_unpaired:
        for pairing in joined.pairings + ([joined.null] if joined.null else []):
            demand_coverage(pairing)
    asked = Asked(confidence, wanted, macro)
    found_map = mapped(joined, found, placed, asked, hints=how.get("hints"))
    found_map.recipes = _recipe_cells(joined.pairings, found, placed, asked, seeds=seeds)
    return found_map


class Asked(NamedTuple):
    """What the user asked of every cell."""

    confidence: float
    estimators: tuple[str, ...] = ()
    macro: bool = False


def mapped(joined: Joined, found: Reading, placed: Taxonomy, asked: Asked, *, hints: Hints | None = None) -> Map:
    """The map of what was read and joined."""
    every = joined.pairings
    told = [run for p in every for run in (p.before, p.after)] + ([joined.null.after] if joined.null else [])
    wanted = [Wanted(p.before.info.run_id, p.after.info.run_id, *asked) for p in every]
    return Map(
        version=__version__,
        confidence=asked.confidence,
        taxonomy=placed.name,
        estimator=DEFAULT,
        estimators=asked.estimators,
        runs={run.info.run_id: run.info for run in told},
        draws={run.info.run_id: _draws(run) for run in told},
        comparisons=[_comparison(pairing, _idle(hints, pairing)) for pairing in every],
        cells=[cell for own in cells_of(_evidence(every, wanted, placed)) for cell in own],
        placed=placed,
        sources=joined.runs,
        settings=found.settings,
        macro=asked.macro,
    )


def _recipe_cells(
    pairings: Sequence[Pairing], found: Reading, placed: Taxonomy, asked: Asked, *, seeds: bool
) -> list[RecipeCell]:
    """AFTERs that are seeds of one recipe, because the user says so or the study does."""
    ids = [pairing.after.info.run_id for pairing in pairings]
    if seeds:
        demand_each_once(ids)
    ids = list(dict.fromkeys(ids))
    declared = (
        {SEEDS: ids} if seeds else {stage.name: [i for i in ids if i in stage.runs] for stage in found.settings.stages}
    )
    cells: list[RecipeCell] = []
    for name, members in declared.items():
        if len(members) < (1 if seeds else 2):
            continue
        after = {pairing.after.info.run_id: pairing.after for pairing in pairings}
        runs = [pairings[0].before, *(after[run_id] for run_id in members)]
        rules = () if isinstance(found.scorers, Mapping) else found.scorers
        aligned = align(choose_scorers(runs, rules, found.settings.aliases))
        first, *others = (run.info.run_id for run in runs)
        steps = tuple((0, place) for place in range(1, len(runs)))
        recipe = Recipe(name, (first,) * len(others), tuple(others), steps)
        cells += recipe_cells(aligned, [recipe], placed, asked.confidence, macro=asked.macro)
    return cells


def coverage(before: Source, *after: Source, null: Source | None = None, **how: Any) -> list[Pairing]:
    """What pairs and what does not, without estimating anything: one pairing for each AFTER."""
    _check(after, (), 0.95)
    return pairings(before, after, null, reading(**how)).pairings


def _evidence(
    joined: Sequence[Pairing], wanted: Sequence[Wanted], placed: Taxonomy
) -> Iterator[tuple[Evidence, Wanted]]:
    """What each comparison rests on, one after the other, so that no more than a few are in memory."""
    known = Known.nothing()
    for pairing, want in zip(joined, wanted, strict=True):
        yield gather(pairing, placed, known), want


def _listed(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


def _check(after: Sequence[Source], estimators: Sequence[str], confidence: float) -> None:
    if not after:
        raise SettingError("a comparison needs a BEFORE and at least one AFTER; only one run was given.")
    if not 0.5 <= confidence < 1:
        raise SettingError(f"confidence must lie between 0.5 and 1, got {confidence}; 0.95 is usual.")
    known = sorted(names(ESTIMATORS, group="estimators"))
    for name in estimators:
        if name not in known:
            raise SettingError(
                f"there is no estimator called {name!r}; besides the default (option) there are: {', '.join(known)}."
            )


def _draws(run: Folded) -> int:
    return max(len(columns.seeds) for columns in run.columns.values())


def _comparison(pairing: Pairing, notes: list[str]) -> Comparison:
    before, after = pairing.before, pairing.after
    return Comparison(
        before=before.info.run_id,
        after=after.info.run_id,
        paired=pairing.paired,
        only_before=pairing.only_before,
        only_after=pairing.only_after,
        duplicate=pairing.duplicates,
        content_differs=pairing.content_differs,
        tasks_only_before=pairing.tasks_only_before,
        tasks_only_after=pairing.tasks_only_after,
        tasks_after={task.task: task.after.task for task in pairing.tasks if task.after.task != task.task},
        differs=pairing.differs,
        scorers={task.task: task.before.scorer for task in pairing.tasks},
        scorers_after={task.task: task.after.scorer for task in pairing.tasks},
        problems=len(before.problems) + len(after.problems),
        notes=list(dict.fromkeys([*before.notes, *after.notes, *pairing.apart, *_same_log(pairing), *notes])),
    )


def _same_log(pairing: Pairing) -> Iterator[str]:
    """A word where no answer differs, which two runs of a checkpoint that was trained hardly ever show."""
    if pairing.paired >= FEW_ITEMS and _agree(pairing):
        yield "both sides give the same answer to every item: check that they are not one log twice"


def _agree(pairing: Pairing) -> bool:
    """Whether every paired item has the same answers on both sides, draw by draw."""
    return all(
        np.array_equal(task.before.state[task.rows_before], task.after.state[task.rows_after])
        and np.array_equal(task.before.choice[task.rows_before], task.after.choice[task.rows_after])
        for task in pairing.tasks
    )


def _idle(hints: Hints | None, pairing: Pairing) -> list[str]:
    """What the user said of options that no task of either run is called by."""
    tasks = {*pairing.before.tasks(), *pairing.after.tasks()}
    said = hints.k if hints else ()
    return [
        f"--k {p}={k} fits no task of these runs" for p, k in said if not any(fnmatchcase(task, p) for task in tasks)
    ]
