"""Two folds held against each other, and stored runs of every kind to fold."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from forgetmap import KnowOrGuess
from forgetmap.measure.columns import Columns, Folded
from forgetmap.records.batches import Sizes
from forgetmap.records.run import Run
from forgetmap.records.schema import Row, Score
from forgetmap.records.store import write
from forgetmap.records.study import Study
from tests.records.made_up import renamed, rows, run_of

LOOP = "and so it goes, " * 40
SMALL = Sizes(batch=10, shard=30)
"""Many shards, so that items and prompts are borrowed from older ones."""


def assert_same(one: Folded, two: Folded) -> None:
    """Equal in all that statistics see, types and order included."""
    assert (one.info, one.problems, one.duplicates, one.notes) == (two.info, two.problems, two.duplicates, two.notes)
    assert list(one.columns) == list(two.columns) and one.unscored == two.unscored
    for key in one.columns:
        assert_same_columns(one.columns[key], two.columns[key])


def assert_same_columns(one: Columns, two: Columns) -> None:
    assert one.items.same(two.items)
    assert one.seeds == two.seeds
    for name in ("prompts", "state", "choice", "marks", "loops"):
        here, there = getattr(one, name), getattr(two, name)
        assert (here is None) == (there is None), name
        if here is not None:
            assert here.dtype == there.dtype and np.array_equal(here, there, equal_nan=here.dtype == float), name


def stored(folder: Path, run: Run, sizes: Sizes = SMALL) -> Run:
    """The run as a study gives it back."""
    write(folder, run, sizes=sizes)
    return Study.open(folder).run(run.info.run_id)


def runs_of_every_kind() -> Iterator[Run]:
    """One draw and several; draws together, apart, and in any order; options turned; scorers missing; texts of any kind; laws."""
    for draws in (1, 3):
        plain = rows(60, draws=draws, seed=draws)
        orders = {
            "together": plain,
            "apart": sorted(plain, key=lambda row: row.sample.draw),
            "shuffled": random.Random(draws).sample(plain, len(plain)),
            "twice": plain * 2,
        }
        for name, ordered in orders.items():
            yield renamed(run_of(varied(ordered)), f"{name}-{draws}")
    laws = {
        "plain": KnowOrGuess(known=0.6),
        "drawn": KnowOrGuess(known=0.6, draws=3, options={2: 0.5, 4: 0.5}, passages=(3, 1)),
        "open": KnowOrGuess(known=0.6, options=None, unanswered_after=0.3),
    }
    for name, law in laws.items():
        for texts in (True, False):
            yield renamed(law.runs(items=80, seed=1, texts=texts)[1], f"{name}-{texts}")


def varied(told: list[Row]) -> list[Row]:
    """The rows with everything that logs do now and then."""
    rng, found = random.Random(5), []
    for row in told:
        item, sample, scores = row.item, row.sample, row.scores
        if rng.random() < 0.2:
            item = item._replace(choices=tuple(reversed(item.choices or ())))
        if rng.random() < 0.1:
            said = {"category": rng.choice(["a", 3, None]), "note": "\ufffd{d83d}"}
            item = item._replace(domain="half \ud83d", cluster=rng.choice(["p", None]), meta=said)
        if rng.random() < 0.2:
            item = item._replace(k=None, chance=None, golds=item.golds * rng.choice([1, 2]) + ("another",))
        if rng.random() < 0.2:
            item = item._replace(choices=tuple(f" {option}\u00a0 x" for option in item.choices or ()))
        if rng.random() < 0.3:
            sample = sample._replace(response=LOOP)
        if rng.random() < 0.2:
            scores = scores[:1]
        if rng.random() < 0.1:
            scores = (scores[0]._replace(value=0.5), *scores[1:])
        if rng.random() < 0.1:
            scores = (*scores, Score("third", outcome="failed"))
        found.append(Row(item, sample, scores))
    return found
