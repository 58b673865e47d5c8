"""Any number of runs in an order, from base to the last training: which items took which path. The verb `stages`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from forgetmap import __version__
from forgetmap.errors import SettingError
from forgetmap.measure.align import Aligned, Chosen, align, choose_scorers, left_out, scored_otherwise
from forgetmap.measure.compare import Asked, mapped
from forgetmap.measure.lineage import order
from forgetmap.measure.map import Map
from forgetmap.measure.pair import Pairing, demand_coverage
from forgetmap.measure.path_cells import PathCell, path_cells
from forgetmap.measure.path_scores import gather_paths
from forgetmap.measure.paths import MOST_STAGES
from forgetmap.measure.reading import Joined, Reading, Source, read_all, reading
from forgetmap.measure.recipes import Recipe, demand_each_once, recipe_cells
from forgetmap.records.run import Run
from forgetmap.taxonomy.place import read_taxonomy

if TYPE_CHECKING:
    import pyarrow as pa

    from forgetmap.measure.path_items import PathItem

StageSource = Source | Sequence[Source]
"""One run, or the seeds of one recipe."""


class Stage(NamedTuple):
    """One stage: its name and its runs, several where they are seeds of one recipe."""

    name: str
    runs: tuple[str, ...]


@dataclass(slots=True, kw_only=True, repr=False)
class Stages:
    """What became of the items from stage to stage; `forgetmap.stages` makes it. Its JSON is described in docs/reference/stages.md."""

    version: str
    confidence: float
    stages: list[Stage]
    map: Map
    """Every step, and first → last."""
    paths: list[PathCell]
    """Over the items answered at all stages, widest level first."""
    notes: list[str] = field(default_factory=list)
    chains: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    """For each seed its run at every stage, by its place among the aligned runs."""
    aligned: list[Aligned] = field(default_factory=list, repr=False)
    runs: list[Run] = field(default_factory=list, repr=False)
    """The aligned runs, to be read again for their texts."""

    def path(self, name: str = "all", *, level: str | None = None) -> PathCell:
        """The first cell of that name."""
        for cell in self.paths:
            if cell.name == name and level in (None, cell.level):
                return cell
        raise SettingError(f"no capability here is called {name!r}; look at .paths.")

    def items(self, path: str, *, name: str | None = None, limit: int = 20) -> "list[PathItem]":
        """The very items whose right answers follow a path ("KUK", or a name such as "lost, regained"), with all answers."""
        from forgetmap.measure.path_items import items_of

        return items_of(self, path, name=name, limit=limit)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": 1,
            "forgetmap": self.version,
            "confidence": self.confidence,
            "stages": [{"name": stage.name, "runs": list(stage.runs)} for stage in self.stages],
            "cells": [cell.to_dict() for cell in self.paths],
            "notes": self.notes,
            "map": self.map.to_dict(),
        }

    def to_json(self) -> str:
        return orjson.dumps(self.to_dict(), option=orjson.OPT_INDENT_2).decode()

    def to_arrow(self) -> "pa.Table":
        """One row for each cell and path, then each cell and name of paths."""
        from forgetmap.measure.flat_paths import arrow

        return arrow(self.paths)

    def _repr_html_(self) -> str:
        from forgetmap.measure.flat_paths import html

        return html(self.paths, " → ".join(stage.name for stage in self.stages)) + self.map._repr_html_()

    def __repr__(self) -> str:
        return f"<Stages {' → '.join(stage.name for stage in self.stages)}: {len(self.paths)} cells>"


class _Declared(NamedTuple):
    """A stage before its runs are read."""

    name: str | None
    sources: list[Source]


def stages(
    *sources: StageSource,
    allow_unpaired: bool = False,
    taxonomy: str | Path | None = None,
    confidence: float = 0.95,
    **how: Any,
) -> Stages:
    """The paths of items through these runs, in the order given; a list of runs is one stage of several seeds.

    Without sources the order is that of `[[stages]]` in the study's `study.toml`, or else of the lineage of its runs. Further keywords
    say how sources are read, as in `compare`.
    """
    if not 0.5 <= confidence < 1:
        raise SettingError(f"confidence must lie between 0.5 and 1, got {confidence}; 0.95 is usual.")
    found = reading(**how)
    placed = read_taxonomy(taxonomy or found.settings.taxonomy)
    declared = _declared(sources, found)
    told = read_all([source for stage in declared for source in stage.sources], found)
    chosen = choose_scorers(told.folded, _rules(found), found.settings.aliases)
    chains = _chains(declared)
    steps = _steps(chains)
    pairings = [chosen.pairing(*step) for step in steps]
    if not allow_unpaired:
        for pairing in pairings:
            demand_coverage(pairing)
    aligned = align(chosen)
    ids = [run.info.run_id for run in told.folded]
    named = _named(declared, ids)
    joined = Joined(pairings, None, told.runs)
    steps_map = mapped(joined, found, placed, Asked(confidence), hints=how.get("hints"))
    steps_map.recipes = [
        cell
        for recipe in _recipes(named, chains, ids)
        for cell in recipe_cells(*_by_itself(chosen, recipe), placed, confidence)
    ]
    evidence = gather_paths(aligned, chains, placed) if len(named) <= MOST_STAGES else None
    return Stages(
        version=__version__,
        confidence=confidence,
        stages=named,
        map=steps_map,
        paths=path_cells(evidence, len(named), confidence) if evidence else [],
        notes=[*_aside(sources, found, ids), *_beside(chosen, aligned, pairings), *_lacking(aligned, len(named))],
        chains=chains,
        aligned=aligned,
        runs=[told.runs[run_id] for run_id in ids],
    )


def _rules(found: Reading) -> Sequence[str]:
    return () if isinstance(found.scorers, Mapping) else found.scorers


def _beside(chosen: Chosen, aligned: Sequence[Aligned], pairings: Sequence[Pairing]) -> list[str]:
    """What of the runs is not part of the paths, or is otherwise in the steps."""
    return [*left_out(chosen, aligned), *scored_otherwise(chosen, pairings)]


def _declared(sources: Sequence[StageSource], found: Reading) -> list[_Declared]:
    """The stages as given, else as the study says, else as the lineage of its runs says."""
    if sources:
        given = [_Declared(None, list(one) if isinstance(one, list | tuple) else [one]) for one in sources]  # type: ignore[list-item]
    elif found.study is None:
        raise SettingError("stages wants at least two runs in their order, or --study DIR with the runs of a study.")
    elif found.settings.stages:
        given = [_Declared(stage.name, list(stage.runs)) for stage in found.settings.stages]
    else:
        summaries = found.study.runs()
        given = [_Declared(None, [run]) for run in order({name: one.info for name, one in summaries.items()})]
    if len(given) < 2:
        raise SettingError(f"stages wants at least two stages, and got {len(given)}.")
    return given


def _aside(sources: Sequence[StageSource], found: Reading, ids: list[str]) -> list[str]:
    """Runs of the study that the lineage does not place."""
    if sources or found.study is None or found.settings.stages:
        return []
    others = [run for run in found.study.runs() if run not in ids]
    return [f"not in the chain, for nothing says where: {', '.join(others)}"] if others else []


def _chains(declared: Sequence[_Declared]) -> tuple[tuple[int, ...], ...]:
    """One chain a seed: the first run of every stage, the second of every stage that has several, and so on."""
    sizes = [len(stage.sources) for stage in declared]
    seeds = max(sizes)
    if min(sizes) < 1 or any(size not in (1, seeds) for size in sizes):
        raise SettingError(
            f"stages have one run, or all the same number of seeds, the first of one stage going on from the first of the stage before; "
            f"these have {', '.join(map(str, sizes))}."
        )
    starts = [sum(sizes[:place]) for place in range(len(sizes))]
    return tuple(
        tuple(start + (seed if size > 1 else 0) for start, size in zip(starts, sizes, strict=True))
        for seed in range(seeds)
    )


def _steps(chains: Sequence[tuple[int, ...]]) -> list[tuple[int, int]]:
    """Every step of every chain, then first → last."""
    steps = [step for place in range(len(chains[0]) - 1) for step in (chain[place : place + 2] for chain in chains)]
    return list(dict.fromkeys([*((one, two) for one, two in steps), *((chain[0], chain[-1]) for chain in chains)]))


def _named(declared: Sequence[_Declared], ids: list[str]) -> list[Stage]:
    names = iter(ids)
    found = []
    for stage in declared:
        runs = tuple(next(names) for _ in stage.sources)
        demand_each_once(runs)
        found.append(Stage(stage.name or _common(runs), runs))
    return found


def _common(runs: tuple[str, ...]) -> str:
    """A name for the seeds of one recipe: what all their names begin with.

    >>> _common(("sft-seed0", "sft-seed1")), _common(("sft",)), _common(("a", "b"))
    ('sft-seed', 'sft', 'a, b')
    """
    if len(runs) == 1:
        return runs[0]
    length = next((place for place, signs in enumerate(zip(*runs, strict=False)) if len(set(signs)) > 1), 0)
    return runs[0][:length].rstrip("-_. 0123456789") or ", ".join(runs)


def _recipes(named: Sequence[Stage], chains: Sequence[tuple[int, ...]], ids: list[str]) -> list[Recipe]:
    """Every step, and first → last, that several seeds took."""
    places = [*pairwise(range(len(named))), *([(0, len(named) - 1)] if len(named) > 2 else [])]
    found = []
    for one, two in places:
        steps = tuple(dict.fromkeys((chain[one], chain[two]) for chain in chains))
        if len(steps) > 1:
            name = f"{named[one].name} → {named[two].name}"
            found.append(Recipe(name, tuple(ids[a] for a, _ in steps), tuple(ids[b] for _, b in steps), steps))
    return found


def _by_itself(chosen: Chosen, recipe: Recipe) -> tuple[list[Aligned], list[Recipe]]:
    """The runs of a recipe without those of other stages, so that it rests on all items that its own runs share."""
    runs = list(dict.fromkeys(place for step in recipe.steps for place in step))
    steps = tuple((runs.index(one), runs.index(two)) for one, two in recipe.steps)
    return align(chosen.of(runs)), [recipe._replace(steps=steps)]


def _lacking(aligned: Sequence[Aligned], stages: int) -> list[str]:
    graded = [task.task for task in aligned if task.graded]
    notes = [f"{', '.join(graded)}: graded scores have no right and wrong, so no paths"] if graded else []
    if stages > MOST_STAGES:
        notes.append(f"paths are worked out for up to {MOST_STAGES} stages, and these are {stages}: name some of them")
    return notes
