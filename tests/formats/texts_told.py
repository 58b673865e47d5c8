"""What the tests of formats that hold only text share: runs and rows at a path, and rows as plain data."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forgetmap.formats import FORMATS
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.opening import open_runs
from forgetmap.records.run import Run
from forgetmap.records.schema import Row
from forgetmap.tables import load

GOLDEN = Path(__file__).parents[1] / "golden"
NO_HINTS = Hints()
TEXTS = ("zero_eval", "bbh_outputs", "llmdrift", "cruxeval")


def reader(name: str) -> Format:
    found: Format = load(FORMATS, name, group="formats")
    return found


def runs_of(name: str, path: Path, hints: Hints = NO_HINTS) -> list[Run]:
    return list(reader(name).read(path, hints))


def one_run(path: Path, name: str | None = None, hints: Hints = NO_HINTS) -> Run:
    """The run of that name at a path, or the only one; its format is found by content."""
    runs = {run.info.run_id: run for run in open_runs(path, hints)}
    return runs[name] if name is not None else next(iter(runs.values()))


def rows_of(path: Path, name: str | None = None, hints: Hints = NO_HINTS) -> list[Row]:
    """The rows of one run, of which none may be a problem or a duplicate."""
    run = one_run(path, name, hints)
    rows = list(run.rows())
    assert (run.problems, run.duplicates) == ([], 0)
    return rows


def as_json(run: Run) -> dict[str, Any]:
    """A run as plain data, without what it does not say."""
    rows = [_row(row) for row in run.rows()]
    info = {name: getattr(run.info, name) for name in ("run_id", "checkpoint", "prompt", "shots", "decoding", "source")}
    problems = [f"{problem.where}: {problem.why}" for problem in run.problems]
    found = {**info, "notes": run.notes, "problems": problems, "duplicates": run.duplicates, "rows": rows}
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


def _row(row: Row) -> dict[str, Any]:
    return {
        "item_id": row.item_id,
        "item": _said(row.item._asdict()),
        "sample": _said(row.sample._asdict()),
        "scores": [_said(score._asdict()) for score in row.scores],
    }


def _said(cells: dict[str, Any]) -> dict[str, Any]:
    return {name: cell for name, cell in cells.items() if cell is not None}


def marks(rows: list[Row], scorer: int = 0) -> Iterator[tuple[str | None, str, float | None]]:
    """Native id, outcome and value of every row."""
    for row in rows:
        score = row.scores[scorer]
        yield row.item.native_id, score.outcome, score.value
