"""The very items that were lost, with both answers."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.measure.causes import causes
from forgetmap.measure.cell import CAUSES
from forgetmap.measure.fold import answers
from forgetmap.measure.pair import TaskPairs
from forgetmap.measure.reading import Source, pairings, reading
from forgetmap.measure.transitions import answered, graded
from forgetmap.measure.words import listed
from forgetmap.records.options import letter
from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Row, Score
from forgetmap.taxonomy.place import Taxonomy, read_taxonomy

SAID = 20
"""Names that an error lists at most."""
LOWER = "lower_score"
"""The cause of all losses of graded scores."""


Key = tuple[str, str]
"""A task and an item id, as a run names them."""


class Said(NamedTuple):
    """One side's answer: of several draws the one that shows the change best. `right` is the share of draws that are right."""

    outcome: str
    choice: str | None
    response: str | None
    found: str | None
    draws: int
    right: float
    score: float | None = None
    """Mean score over the draws that have one."""


class LostItem(NamedTuple):
    """An item right before and not right after; `share` is the share of pairs of draws in which it was lost."""

    task: str
    domain: str | None
    item_id: str
    native_id: str | None
    question: str | None
    choices: tuple[str, ...] | None
    golds: tuple[str, ...]
    cause: str
    share: float
    before: Said
    after: Said
    graded: bool = False
    """Whether the scores lie between 0 and 1, so that lost means scored lower."""


class Lost(NamedTuple):
    """What was lost between two runs."""

    before: str
    after: str
    items: list[LostItem]


class _Found(NamedTuple):
    """A lost item before its texts are read."""

    share: float
    cause: str
    ids: tuple[tuple[str, str], tuple[str, str]]
    scorers: tuple[str, str]
    graded: bool


def lost(
    before: Source,
    after: Source,
    *,
    name: str | None = None,
    limit: int = 20,
    taxonomy: Taxonomy | str | Path | None = None,
    **how: Any,
) -> Lost:
    """Items lost between two runs, most certainly lost first; `name` is a task, domain, category or cause.

    Further keywords say how sources are read, as in `compare`.
    """
    found_how = reading(**how)
    joined = pairings(before, [after], None, found_how)
    pairing, sources = joined.pairings[0], joined.runs
    placed = taxonomy if isinstance(taxonomy, Taxonomy) else read_taxonomy(taxonomy or found_how.settings.taxonomy)
    names = {place for task in pairing.tasks for place in _places(task, placed)}
    if name not in names:
        name = {task.after.task: task.task for task in pairing.tasks}.get(name or "", name)
    if name is not None and name not in names | {*CAUSES, LOWER}:
        raise SettingError(
            f"nothing here is called {name!r}; there are: {listed(sorted(names), SAID)}; and the causes {', '.join(CAUSES)}."
        )
    found = [one for task in pairing.tasks for one in _lost_of(task, name, placed)]
    chosen = sorted(found, key=lambda one: -one.share)[:limit]
    names_of = pairing.before.info.run_id, pairing.after.info.run_id
    wanted_before = {one.ids[0]: one.scorers[0] for one in chosen}
    said_before = said_by(sources[names_of[0]], wanted_before, right=wanted_before)
    said_after = said_by(sources[names_of[1]], {one.ids[1]: one.scorers[1] for one in chosen}, right=())
    return Lost(*names_of, [_item(one, said_before[one.ids[0]], said_after[one.ids[1]]) for one in chosen])


def _places(task: TaskPairs, taxonomy: Taxonomy) -> set[str]:
    return {name for place in set(places_of(task, taxonomy)) for name in place}


def places_of(task: TaskPairs, taxonomy: Taxonomy) -> list[tuple[str, str, str]]:
    """Task, domain and category of each paired item."""
    said = zip(task.said("domains"), task.said("categories"), strict=True)
    placed: dict[tuple[str | None, str | None], tuple[str, str, str]] = {}
    return [
        placed.setdefault(one, (task.task, one[0] or task.task, taxonomy.place(task.task, one[0], said=one[1])))
        for one in said
    ]


def _lost_of(task: TaskPairs, name: str | None, taxonomy: Taxonomy) -> list[_Found]:
    usable = answered(task, scored=task.graded)
    task = task.only(usable)
    places, found = places_of(task, taxonomy), []
    for row, (share, cause) in _shares(task).items():
        if name is None or name in (*places[row], cause):
            here, there = task.rows_before[row], task.rows_after[row]
            ids = (task.before.task, task.before.item_id(here)), (task.after.task, task.after.item_id(there))
            found.append(_Found(share, cause, ids, (task.before.scorer, task.after.scorer), task.graded))
    return found


def _shares(task: TaskPairs) -> dict[int, tuple[float, str]]:
    """The rows of lost items, how much of each was lost, and why."""
    if task.graded:
        nothing = np.zeros(len(task.rows_before), np.int64)
        loss = graded(task, nothing, nothing - 1).loss
        return {int(row): (float(loss[row]), LOWER) for row in np.flatnonzero(loss > 0)}
    by_cause = causes(task)
    share = by_cause.sum(axis=1)
    return {int(row): (float(share[row]), CAUSES[int(by_cause[row].argmax())]) for row in np.flatnonzero(share > 0)}


def said_by(run: Run, wanted: Mapping[Key, str], *, right: Collection[Key]) -> dict[Key, tuple[Item, Said]]:
    """What a run said to these items by these scorers; of several draws a right one for the items of `right`, else one that is not."""
    rows: dict[Key, list[tuple[Row, Score]]] = {}
    for row in answers(run, set(wanted)):
        key = row.item.task, row.item_id
        rows.setdefault(key, []).extend((row, score) for score in row.scores if score.scorer == wanted[key])
    return {key: _best(draws, prefer_right=key in right) for key, draws in rows.items()}


def _best(draws: list[tuple[Row, Score]], *, prefer_right: bool) -> tuple[Item, Said]:
    right = [score.outcome == "scored" and (score.value or 0.0) >= 1.0 for _, score in draws]
    values = [score.value for _, score in draws if score.value is not None]
    row, score = draws[right.index(prefer_right) if prefer_right in right else 0]
    said = Said(
        outcome=score.outcome,
        choice=_option(row.item, score),
        response=row.sample.response,
        found=score.found,
        draws=len(draws),
        right=sum(right) / len(right),
        score=sum(values) / len(values) if values else None,
    )
    return row.item, said


def _option(item: Item, score: Score) -> str | None:
    if score.choice is None:
        return None
    return item.choices[score.choice] if item.choices is not None else letter(score.choice)


def _item(found: _Found, before: tuple[Item, Said], after: tuple[Item, Said]) -> LostItem:
    item = before[0]
    return LostItem(
        task=item.task,
        domain=item.domain,
        item_id=found.ids[0][1],
        native_id=item.native_id,
        question=item.question,
        choices=item.choices,
        golds=item.golds,
        cause=found.cause,
        share=found.share,
        before=before[1],
        after=after[1],
        graded=found.graded,
    )
