"""Items counted at once are the same evidence as items looked at one by one."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from forgetmap import KnowOrGuess
from forgetmap.measure import METRICS
from forgetmap.measure.causes import causes
from forgetmap.measure.cell import Wanted
from forgetmap.measure.cells import cells, cells_of
from forgetmap.measure.counting import Known, countable, counted, plan, strata
from forgetmap.measure.estimates import Groups
from forgetmap.measure.evidence import gather
from forgetmap.measure.fold import fold
from forgetmap.measure.pair import Pairing, TaskPairs, pair
from forgetmap.measure.transitions import Pairs, answered, transitions
from forgetmap.records.run import Run
from forgetmap.records.schema import Row
from forgetmap.tables import load
from forgetmap.taxonomy.place import read_taxonomy
from tests.measure.folds import varied
from tests.records.made_up import renamed, rows, run_of

WORLDS = {
    "mixed k": KnowOrGuess(
        known=0.6, forgotten=0.2, options={None: 0.2, 2: 0.2, 4: 0.4, 10: 0.2}, unanswered_after=0.2
    ),
    "options not told": KnowOrGuess(known=0.6, forgotten=0.2, options_told=False, unanswered_before=0.1),
}


def pairings() -> Iterator[Pairing]:
    for world in WORLDS.values():
        for texts in (True, False):
            before, after = (fold(run) for run in world.runs(items=300, seed=2, texts=texts))
            yield pair(before, after)
    yield pair(fold(made("a", 1)), fold(made("b", 2)))


def made(name: str, seed: int, items: int = 120) -> Run:
    told = [row for row in varied(rows(items, seed=seed)) if row.scores[0].value in (None, 0.0, 1.0)]
    return renamed(run_of([one._replace(item=one.item._replace(cluster=None)) for one in told]), name)


@pytest.mark.parametrize("pairing", list(pairings()))
@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_of_counted_items_is_that_of_single_ones(pairing: Pairing, metric: str) -> None:
    for task in pairing.tasks:
        assert countable(task)
        asked = strata(task, Known.nothing())
        few = counted([task], plan([(asked, np.arange(len(asked.k)))]), len(asked.k))
        usable = answered(task)
        some = task._replace(rows_before=task.rows_before[usable], rows_after=task.rows_after[usable])
        leaf = asked.of[usable].astype(np.int64)
        single = transitions(some, leaf, np.full(len(leaf), -1))

        one, two = (estimates(metric, pairs, len(asked.k)) for pairs in (single, few.pairs))
        for here, there in zip(one, two, strict=True):
            assert there == pytest.approx(here, abs=1e-12, nan_ok=True)
        assert few.causes == pytest.approx(lost_to(some, leaf, len(asked.k)))
        assert few.failed.tolist() == np.bincount(asked.of[~usable], minlength=len(asked.k)).tolist()


def estimates(metric: str, pairs: Pairs, size: int) -> list[np.ndarray]:
    found = load(METRICS, metric, group="metrics")(pairs, Groups(pairs.leaf, size))
    return [found.value, found.low, found.high, found.n]


def lost_to(task: TaskPairs, leaf: np.ndarray, size: int) -> np.ndarray:
    found = causes(task)
    return np.stack([np.bincount(leaf, column, size) for column in found.T], axis=1)


def test_items_of_many_strata_are_counted_by_sorting_to_the_same_numbers() -> None:
    told = [row._replace(item=row.item._replace(domain=f"d{n}")) for n, row in enumerate(rows(9_000))]
    run = run_of([Row(row.item, row.sample._replace(response=None), row.scores[:1]) for row in told])
    folded = fold(run)

    found = gather(pair(folded, folded), read_taxonomy(None))

    assert found.pairs is not None and found.pairs.items.sum() == sum(len(own.items) for own in folded.columns.values())


def test_what_is_known_of_shared_items_changes_nothing() -> None:
    taxonomy, known = read_taxonomy(None), Known.nothing()
    runs = [fold(made(name, seed)) for seed, name in enumerate("abc")]
    joined = [pair(runs[0], other) for other in runs[1:]]

    for one in (*joined, *joined):
        again, fresh = gather(one, taxonomy, known), gather(one, taxonomy)
        assert again.leaves == fresh.leaves
        assert cells(again, wanted(one)) == cells(fresh, wanted(one))


def wanted(pairing: Pairing) -> Wanted:
    return Wanted(pairing.before.info.run_id, pairing.after.info.run_id, 0.95, ("raw", "table"))


def test_cells_of_several_comparisons_are_those_of_each_alone() -> None:
    taxonomy = read_taxonomy(None)
    passages = KnowOrGuess(known=0.6, forgotten=0.2, passages=(3, 1)).runs(items=90, seed=1)
    drawn = KnowOrGuess(known=0.6, forgotten=0.2, draws=2, slip=0.1).runs(items=60, seed=1)
    every = [*pairings(), pair(*map(fold, passages)), pair(*map(fold, drawn)), next(pairings())]
    found = [(gather(one, taxonomy), wanted(one)) for one in every]

    together = list(cells_of(found))

    assert len(together) == len(found)
    for own, (evidence, want) in zip(together, found, strict=True):
        alone = cells(evidence, want)
        assert [flat(cell.to_dict()) for cell in own] == [
            pytest.approx(flat(cell.to_dict()), abs=1e-12) for cell in alone
        ]


def flat(told: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """All that a cell tells, one level deep."""
    found = {}
    for name, value in told.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return found
