"""The whole way on an embedded default: read, compare, look at items. Offline, on a laptop."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from forgetmap.formats.bring_in import read
from forgetmap.measure.compare import compare
from forgetmap.measure.lost import LostItem
from forgetmap.measure.map import Map
from forgetmap.records.run import Run
from forgetmap.records.store import write
from forgetmap.theory.know_or_guess import KnowOrGuess

OUTCOMES = Path(__file__).with_name("demo_outcomes.parquet")
"""Outcomes of Mistral-7B-v0.2 and its Instruct on MMLU-Pro, as its authors published them under Apache-2.0; see NOTICE."""
REAL = ("mistral-7b-v0.2", "mistral-7b-instruct-v0.2")
SIMULATED = ("simulated-before", "simulated-after")
LAW = KnowOrGuess(
    known=0.67, forgotten=0.12, gained=0.05, options=4, repeated_luck=0.5, unanswered_before=0.01, unanswered_after=0.06
)
"""A made-up world with texts, since the real outcomes carry none: here the truth is known."""
ITEMS = 500


class Demo(NamedTuple):
    """What the demo made."""

    study: Path
    real: Map
    simulated: Map
    truth: KnowOrGuess
    lost: list[LostItem]


def demo(study: Path, *, progress: Callable[[str, int], None] | None = None) -> Demo:
    """Read the real outcomes and a simulated pair into `study`, map both, and show some lost items of the simulated pair."""
    read([OUTCOMES], study=study, progress=progress)
    for name, run in zip(SIMULATED, LAW.runs(items=ITEMS, seed=1), strict=True):
        write(study, Run(replace(run.info, run_id=name, checkpoint=name), run.read), progress=progress)
    real = compare(*REAL, study=study, progress=progress)
    simulated = compare(*SIMULATED, study=study, progress=progress)
    return Demo(study, real, simulated, LAW, simulated.lost(limit=3))
