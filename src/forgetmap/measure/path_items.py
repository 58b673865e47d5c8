"""The very items that took a path, with what was answered at every stage."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.measure.align import Aligned
from forgetmap.measure.lost import SAID, Key, Said, places_of, said_by
from forgetmap.measure.path_scores import keys
from forgetmap.measure.paths import KNOWN, all_paths
from forgetmap.measure.patterns import answered, followed
from forgetmap.measure.words import listed
from forgetmap.records.schema import Item

if TYPE_CHECKING:
    from forgetmap.measure.stages import Stages


class PathItem(NamedTuple):
    """An item whose right answers follow a path; `share` is the share of the tuples of draws, and of the seeds, that do."""

    path: str
    task: str
    domain: str | None
    item_id: str
    native_id: str | None
    question: str | None
    choices: tuple[str, ...] | None
    golds: tuple[str, ...]
    share: float
    answers: dict[str, Said]
    """By run, in order; of several seeds the first whose answers follow the path."""


class _Found(NamedTuple):
    """An item before its texts are read."""

    share: float
    path: str
    chain: tuple[int, ...]
    ids: tuple[Key, ...]
    scorers: tuple[str, ...]


def items_of(stages: "Stages", path: str, *, name: str | None = None, limit: int = 20) -> list[PathItem]:
    """Items of a path or of the paths of a name, those that most draws tell first; `name` is a task, domain or category."""
    wanted = _wanted(path, len(stages.stages))
    tasks = [task.only(answered(task)) for task in stages.aligned if not task.graded]
    if name is not None:
        known = {place for task in tasks for told in places_of(task.pair(0, 1), stages.map.placed) for place in told}
        if name not in known:
            raise SettingError(f"nothing here is called {name!r}; there are: {listed(sorted(known), SAID)}.")
    found = [one for task in tasks for one in _of_task(task, stages, wanted, name)]
    chosen = sorted(found, key=lambda one: -one.share)[:limit]
    said = [_said_by(stages, chosen, run) for run in range(len(stages.runs))]
    return [_item(one, stages, said) for one in chosen]


def _wanted(path: str, stages: int) -> tuple[str, ...]:
    every = keys(stages)
    plain = path.strip().lower().replace("-", ", ").replace("_", " ").removeprefix("known, ")
    found = every.get(path.upper()) or every.get(plain)
    if found is None:
        names = [repr(key) for key in every if key not in all_paths(stages)]
        raise SettingError(
            f"a path is a word of {stages} letters, one a stage, such as {'K' + 'U' * (stages - 1)} "
            f"(K right, U not right), or one of {', '.join(names)}; got {path!r}."
        )
    return found


def _of_task(task: Aligned, stages: "Stages", wanted: tuple[str, ...], name: str | None) -> list[_Found]:
    """Items of one task with the share of each wanted path, the greatest where several are wanted."""
    paths = all_paths(len(stages.stages))
    places = [paths.index(path) for path in wanted]
    by_seed = np.stack([followed(task, chain)[:, places] for chain in stages.chains])
    shares = by_seed.mean(axis=0)
    told = places_of(task.pair(0, 1), stages.map.placed) if name is not None else []
    found = []
    for row in np.flatnonzero(shares.sum(axis=1) > 0):
        if name is None or name in told[row]:
            best = int(shares[row].argmax())
            chain = stages.chains[int(by_seed[:, row, best].argmax())]
            ids = tuple(
                (columns.task, columns.item_id(rows[row]))
                for columns, rows in zip(task.columns, task.rows, strict=True)
            )
            scorers = tuple(columns.scorer for columns in task.columns)
            found.append(_Found(float(shares[row].sum()), wanted[best], chain, ids, scorers))
    return found


def _said_by(stages: "Stages", chosen: list[_Found], run: int) -> dict[Key, tuple[Item, Said]]:
    """What one run said to the chosen items whose chain it is part of."""
    mine = [one for one in chosen if run in one.chain]
    right = {one.ids[run] for one in mine if one.path[one.chain.index(run)] == KNOWN}
    return said_by(stages.runs[run], {one.ids[run]: one.scorers[run] for one in mine}, right=right) if mine else {}


def _item(found: _Found, stages: "Stages", said: list[dict[Key, tuple[Item, Said]]]) -> PathItem:
    item = said[found.chain[0]][found.ids[found.chain[0]]][0]
    return PathItem(
        path=found.path,
        task=item.task,
        domain=item.domain,
        item_id=found.ids[found.chain[0]][1],
        native_id=item.native_id,
        question=item.question,
        choices=item.choices,
        golds=item.golds,
        share=found.share,
        answers={stages.runs[run].info.run_id: said[run][found.ids[run]][1] for run in found.chain},
    )
