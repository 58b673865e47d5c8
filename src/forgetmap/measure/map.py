"""The Map: capabilities × comparisons of estimates, as a value that others draw, print or send."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import orjson

from forgetmap.errors import SettingError
from forgetmap.measure.cell import Cell, Level
from forgetmap.measure.recipes import RecipeCell
from forgetmap.records.schema import RunInfo
from forgetmap.records.settings import Settings
from forgetmap.taxonomy.place import Taxonomy

if TYPE_CHECKING:
    import pyarrow as pa

    from forgetmap.measure.lost import LostItem
    from forgetmap.records.run import Run


@dataclass(slots=True, kw_only=True)
class Comparison:
    """How two runs were joined: what paired, what did not, what differs besides the weights."""

    before: str
    after: str
    paired: int
    only_before: int
    only_after: int
    duplicate: int
    content_differs: int
    tasks_only_before: list[str]
    tasks_only_after: list[str]
    tasks_after: dict[str, str] = field(default_factory=dict)
    """What the log after calls a task, where that is another name."""
    differs: list[str]
    scorers: dict[str, str]
    """Scorer taken, per task."""
    scorers_after: dict[str, str] = field(default_factory=dict)
    """The same on the other side; another name where no scorer is common."""
    problems: int
    """Rows of both logs that could not be read."""
    notes: list[str]

    def to_dict(self) -> dict[str, Any]:
        return {column.name: getattr(self, column.name) for column in fields(self)}


@dataclass(slots=True, kw_only=True, repr=False)
class Map:
    """Cells of one or more comparisons; `forgetmap.compare` makes it. Its JSON is described in docs/reference/map.md."""

    version: str
    confidence: float
    taxonomy: str
    estimator: str
    estimators: tuple[str, ...]
    """Further estimators asked for; they stand in each cell's `alternatives`."""
    runs: dict[str, RunInfo]
    draws: dict[str, int]
    comparisons: list[Comparison]
    cells: list[Cell]
    recipes: list[RecipeCell] = field(default_factory=list)
    """For seeds of one recipe, what they forgot and gained on the whole, with the error between seeds."""
    placed: Taxonomy = field(repr=False)
    sources: "dict[str, Run]" = field(default_factory=dict, repr=False)
    settings: Settings = field(default_factory=Settings, repr=False)
    macro: bool = False
    """Whether every domain counts the same in the cells above it, not every item."""

    def cell(
        self,
        name: str | None = None,
        *,
        level: Level | None = None,
        after: str | None = None,
        before: str | None = None,
    ) -> Cell:
        """The first cell of that name, level, AFTER and BEFORE; without a name the overall one."""
        level = level or ("all" if name is None else None)
        for cell in self.select(name, level=level, after=after):
            if before in (None, cell.before):
                return cell
        raise SettingError(f"the map has no cell called {name!r}{f' of {after}' if after else ''}; look at map.cells.")

    def select(
        self, name: str | None = None, *, level: Level | None = None, after: str | None = None
    ) -> Iterator[Cell]:
        """Cells by name, level and AFTER; null takes all."""
        for cell in self.cells:
            if name in (None, cell.name) and level in (None, cell.level) and after in (None, cell.after):
                yield cell

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": 1,
            "forgetmap": self.version,
            "confidence": self.confidence,
            "taxonomy": self.taxonomy,
            "estimator": self.estimator,
            "runs": {name: _run(info, self.draws[name]) for name, info in self.runs.items()},
            "comparisons": [comparison.to_dict() for comparison in self.comparisons],
            "cells": [cell.to_dict() for cell in self.cells],
            **({"recipes": [cell.to_dict() for cell in self.recipes]} if self.recipes else {}),
        }

    def to_json(self) -> str:
        return orjson.dumps(self.to_dict(), option=orjson.OPT_INDENT_2).decode()

    def to_arrow(self) -> "pa.Table":
        """One row a cell, then one a cell of `recipes`; estimates become `<name>`, `<name>_low`, `<name>_high`, `<name>_n` columns."""
        from forgetmap.measure.flat import arrow

        return arrow(self.cells, self.recipes)

    def lost(
        self, after: str | None = None, *, before: str | None = None, name: str | None = None, limit: int = 20
    ) -> "list[LostItem]":
        """The very items that were lost, with both answers; `name` is a task, domain, category or cause."""
        from forgetmap.measure.lost import lost

        pair = next((c for c in self.comparisons if after in (None, c.after) and before in (None, c.before)), None)
        if pair is None:
            raise SettingError(
                f"nothing was compared with {after!r}; there are: {', '.join(c.after for c in self.comparisons)}."
            )
        runs = self.sources[pair.before], self.sources[pair.after]
        scorers = {task: (scorer, pair.scorers_after.get(task, scorer)) for task, scorer in pair.scorers.items()}
        return lost(*runs, name=name, limit=limit, taxonomy=self.placed, scorers=scorers, settings=self.settings).items

    def __repr__(self) -> str:
        pairs = ", ".join(f"{c.before} → {c.after}" for c in self.comparisons)
        return f"<Map of {pairs}: {len(self.cells)} cells>"

    def _repr_html_(self) -> str:
        from forgetmap.measure.flat import html

        return html(self)


def _run(info: RunInfo, draws: int) -> dict[str, Any]:
    return {
        "checkpoint": info.checkpoint,
        "stage": info.stage,
        "step": info.step,
        "parents": list(info.parents),
        "prompt": info.prompt,
        "template": info.template,
        "dtype": info.dtype,
        "decoding": dict(info.decoding),
        "draws": draws,
        "seeds": list(info.seeds),
        "harness": " ".join(part for part in (info.harness, info.harness_version) if part) or None,
    }
