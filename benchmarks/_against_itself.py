"""A run compared with itself: every default must say exactly 0."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from _settings import MIXED, UNANSWERED

from forgetmap import KnowOrGuess, compare
from forgetmap.measure.band import band, band_gain
from forgetmap.measure.estimates import Groups
from forgetmap.measure.evidence import gather
from forgetmap.measure.fold import fold
from forgetmap.measure.pair import pair
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row
from forgetmap.taxonomy.place import read_taxonomy

ONE_DRAW = ("forgetting", "gain", "net", "unanswered_loss", "unanswered_gain")
SEVERAL_DRAWS = ("net", "excess")
WORLDS = {
    "k=2": KnowOrGuess(known=0.6, options=2),
    "mixed k": KnowOrGuess(known=0.6, options=MIXED),
    "open": KnowOrGuess(known=0.6, options=None),
    "open and k=4": KnowOrGuess(known=0.6, options={None: 0.5, 4: 0.5}),
    "options not told": KnowOrGuess(known=0.6, options=4, options_told=False),
    "unanswered": KnowOrGuess(known=0.6, options=MIXED, **UNANSWERED),
    "passages": KnowOrGuess(known=0.6, options=4, passages=(3, 1, 7), intraclass=0.1),
    "three draws": KnowOrGuess(known=0.6, options=MIXED, draws=3, slip=0.2, **UNANSWERED),
    "five draws": KnowOrGuess(known=0.6, options=4, draws=5, slip=0.2),
}


def against_itself(items: int = 400) -> Iterator[tuple[str, float]]:
    """For every kind of run the largest |value| of any default against itself; for a band, before widening."""
    for name, law in WORLDS.items():
        run = law.runs(items=items, seed=5)[1]
        yield name, max(_largest(run, several=law.draws > 1), _largest_band(run) if law.draws == 1 else 0.0)
        yield f"{name}, graded", _largest(_graded(run), several=law.draws > 1)


def _largest(run: Run, *, several: bool) -> float:
    """Over all cells of the map."""
    cells = compare(run, run).cells
    found = [getattr(cell, name) for cell in cells for name in (SEVERAL_DRAWS if several else ONE_DRAW)]
    values = [abs(estimate.value) for estimate in found if estimate is not None and estimate.value is not None]
    return max(values)


def _largest_band(run: Run) -> float:
    folded = fold(run)
    pairs = gather(pair(folded, folded), read_taxonomy(None)).pairs
    assert pairs is not None
    everything = Groups(np.zeros(len(pairs.leaf), np.int64), 1)
    bands = band(pairs, everything), band_gain(pairs, everything)
    return float(max(np.abs([found.least, found.greatest]).max() for found in bands))


def _graded(run: Run) -> Run:
    """The same run with scores between 0 and 1 in place of right and wrong."""
    return Run(replace(run.info, run_id=f"{run.info.run_id}-graded"), partial(_graded_rows, run))


def _graded_rows(run: Run, problems: list[Problem]) -> Iterator[Row]:
    for row in run.read(problems):
        mark = (int(row.item.native_id or 0) * 7 + row.sample.draw * 3) % 11 / 10
        scores = tuple(
            score if score.value is None else score._replace(value=mark, choice=None) for score in row.scores
        )
        yield row._replace(scores=scores)
