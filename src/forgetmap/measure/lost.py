"""The very items that were lost, with both answers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.measure.causes import causes
from forgetmap.measure.cell import CAUSES
from forgetmap.measure.fold import answers
from forgetmap.measure.pair import TaskPairs
from forgetmap.measure.reading import Source, pairings, reading
from forgetmap.measure.transitions import answered
from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Row, Score
from forgetmap.taxonomy.place import Taxonomy, read_taxonomy


class Said(NamedTuple):
    """One side's answer: of several draws the one that shows the change best. `right` is the share of draws that are right."""

    outcome: str
    choice: str | None
    response: str | None
    found: str | None
    draws: int
    right: float


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
    [pairing], sources = pairings(before, [after], None, found_how)
    placed = (
        taxonomy
        if isinstance(taxonomy, Taxonomy)
        else read_taxonomy(Path(taxonomy) if taxonomy else found_how.settings.taxonomy)
    )
    names = {place for task in pairing.tasks for place in _places(task, placed)}
    if name is not None and name not in names | set(CAUSES):
        raise SettingError(
            f"nothing here is called {name!r}; there are: {', '.join(sorted(names))}; and the causes {', '.join(CAUSES)}."
        )
    found = [one for task in pairing.tasks for one in _lost_of(task, name, placed)]
    chosen = sorted(found, key=lambda one: -one.share)[:limit]
    names_of = pairing.before.info.run_id, pairing.after.info.run_id
    said_before = _said(sources[names_of[0]], {one.ids[0]: one.scorers[0] for one in chosen}, prefer_right=True)
    said_after = _said(sources[names_of[1]], {one.ids[1]: one.scorers[1] for one in chosen}, prefer_right=False)
    return Lost(*names_of, [_item(one, said_before[one.ids[0]], said_after[one.ids[1]]) for one in chosen])


def _places(task: TaskPairs, taxonomy: Taxonomy) -> set[str]:
    said = {(task.before.domains[row], task.before.categories[row]) for row in task.rows_before}
    domains = {domain or task.task for domain, _ in said}
    return {task.task} | domains | {taxonomy.place(task.task, domain, said=category) for domain, category in said}


def _lost_of(task: TaskPairs, name: str | None, taxonomy: Taxonomy) -> list[_Found]:
    usable = answered(task)
    task = task._replace(rows_before=task.rows_before[usable], rows_after=task.rows_after[usable])
    by_cause = causes(task)
    share = by_cause.sum(axis=1)
    found = []
    for place in np.flatnonzero(share > 0):
        row, cause = task.rows_before[place], CAUSES[int(by_cause[place].argmax())]
        domain = task.before.domains[row]
        category = taxonomy.place(task.task, domain, said=task.before.categories[row])
        if name is None or name in (task.task, domain or task.task, category, cause):
            ids = (
                (task.before.task, task.before.item_ids[row]),
                (task.after.task, task.after.item_ids[task.rows_after[place]]),
            )
            found.append(_Found(float(share[place]), cause, ids, (task.before.scorer, task.after.scorer)))
    return found


def _said(
    run: Run, wanted: Mapping[tuple[str, str], str], *, prefer_right: bool
) -> dict[tuple[str, str], tuple[Item, Said]]:
    rows: dict[tuple[str, str], list[tuple[Row, Score]]] = {}
    for row in answers(run, set(wanted)):
        key = row.item.task, row.item_id
        rows.setdefault(key, []).extend((row, score) for score in row.scores if score.scorer == wanted[key])
    return {key: _best(draws, prefer_right=prefer_right) for key, draws in rows.items()}


def _best(draws: list[tuple[Row, Score]], *, prefer_right: bool) -> tuple[Item, Said]:
    right = [score.outcome == "scored" and (score.value or 0.0) >= 1.0 for _, score in draws]
    place = right.index(prefer_right) if prefer_right in right else 0
    row, score = draws[place]
    said = Said(
        score.outcome, _option(row.item, score), row.sample.response, score.found, len(draws), sum(right) / len(right)
    )
    return row.item, said


def _option(item: Item, score: Score) -> str | None:
    if score.choice is None:
        return None
    return item.choices[score.choice] if item.choices is not None else chr(ord("A") + score.choice)


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
    )
