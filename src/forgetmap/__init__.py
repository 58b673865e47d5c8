"""forgetmap: what did it forget? Item by item, with chance, noise and unanswered questions told apart from loss.

The names below are everything a user needs; each is imported when first asked for, so that `import forgetmap` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from forgetmap.errors import ForgetmapError, InputError
    from forgetmap.formats.bring_in import read
    from forgetmap.formats.contract import Hints
    from forgetmap.formats.opening import open_run, open_runs
    from forgetmap.measure.cell import Cell, Estimate
    from forgetmap.measure.compare import compare, coverage
    from forgetmap.measure.gate import Verdict, gate
    from forgetmap.measure.lost import Lost, LostItem, Said, lost
    from forgetmap.measure.map import Comparison, Map
    from forgetmap.measure.published_tables import published
    from forgetmap.measure.stages import Stages, stages
    from forgetmap.records.run import Run
    from forgetmap.records.schema import Item, Problem, Row, RunInfo, Sample, Score
    from forgetmap.records.study import Study
    from forgetmap.theory.know_or_guess import KnowOrGuess

_HOME = {
    "ForgetmapError": "errors",
    "InputError": "errors",
    "read": "formats.bring_in",
    "Hints": "formats.contract",
    "open_run": "formats.opening",
    "open_runs": "formats.opening",
    "compare": "measure.compare",
    "coverage": "measure.compare",
    "Verdict": "measure.gate",
    "gate": "measure.gate",
    "Lost": "measure.lost",
    "LostItem": "measure.lost",
    "Said": "measure.lost",
    "lost": "measure.lost",
    "Cell": "measure.cell",
    "Comparison": "measure.map",
    "Estimate": "measure.cell",
    "Map": "measure.map",
    "published": "measure.published_tables",
    "Stages": "measure.stages",
    "stages": "measure.stages",
    "Run": "records.run",
    "Item": "records.schema",
    "Problem": "records.schema",
    "Row": "records.schema",
    "RunInfo": "records.schema",
    "Sample": "records.schema",
    "Score": "records.schema",
    "Study": "records.study",
    "KnowOrGuess": "theory.know_or_guess",
}

__all__ = [
    "Cell",
    "Comparison",
    "Estimate",
    "ForgetmapError",
    "Hints",
    "InputError",
    "Item",
    "KnowOrGuess",
    "Lost",
    "LostItem",
    "Map",
    "Problem",
    "Row",
    "Run",
    "RunInfo",
    "Said",
    "Sample",
    "Score",
    "Stages",
    "Study",
    "Verdict",
    "compare",
    "coverage",
    "gate",
    "lost",
    "open_run",
    "open_runs",
    "published",
    "read",
    "stages",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"forgetmap has no {name!r}")
    return getattr(import_module(f"forgetmap.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
