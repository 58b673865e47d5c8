"""Our side of the engine's benchmark: folded columns from the disk to cells, and records to folded columns."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from _engine_data import DOMAINS, PAIRS, RUNS, SEAL, recorded, run_name, world

from forgetmap.measure import kept
from forgetmap.measure.cell import Cell, Wanted
from forgetmap.measure.cells import cells_of
from forgetmap.measure.columns import Columns, Folded
from forgetmap.measure.counting import Known
from forgetmap.measure.estimates import Estimates, Groups
from forgetmap.measure.evidence import gather
from forgetmap.measure.fold import fold_rows
from forgetmap.measure.fold_tables import SAMPLES, SCORES, fold_tables
from forgetmap.measure.forgetting import forgetting, gain
from forgetmap.measure.item_lines import COLUMNS
from forgetmap.measure.pair import pair
from forgetmap.measure.transitions import joined
from forgetmap.records.schema import RunInfo
from forgetmap.records.store import write
from forgetmap.records.study import Study
from forgetmap.taxonomy.place import read_taxonomy

DECODED = {"items": COLUMNS, "samples": SAMPLES, "scores": SCORES}


def load(folder: Path) -> list[Folded]:
    """Every run as it was kept."""
    info = (RunInfo(run_id=run_name(number), checkpoint=run_name(number)) for number in range(RUNS))
    return [Folded(one, kept.load(folder / kept.FOLDER, one.run_id, SEAL).columns, [], 0, []) for one in info]


def estimated(runs: list[Folded]) -> tuple[Estimates, Estimates]:
    """Forgetting and gain by the default estimator, with intervals, of the leaf cells of the 30 pairs."""
    taxonomy, known = read_taxonomy(None), Known.nothing()
    parts, leaves = [], 0
    for number in range(PAIRS):
        found = gather(pair(runs[2 * number], runs[2 * number + 1]), taxonomy, known)
        assert found.pairs is not None
        parts.append(found.pairs._replace(leaf=found.pairs.leaf + leaves))
        leaves += len(found.leaves)
    pairs = joined(parts)
    groups = Groups(pairs.leaf, leaves)
    return forgetting(pairs, groups), gain(pairs, groups)


def compared(runs: list[Folded]) -> list[list[Cell]]:
    """The whole map of the 30 pairs, four levels with all metrics, tests, causes and notes: what `compare` does with folded runs."""
    taxonomy, known = read_taxonomy(None), Known.nothing()
    found = []
    for number in range(PAIRS):
        one = pair(runs[2 * number], runs[2 * number + 1])
        wanted = Wanted(one.before.info.run_id, one.after.info.run_id, 0.95, ())
        found.append((one, wanted))
    return list(cells_of((gather(one, taxonomy, known), wanted) for one, wanted in found))


def timed(folder: Path, *, repetitions: int) -> dict[str, float]:
    """Best seconds from disk to estimates, from columns to estimates and to the whole map, and of one sum over the same bytes."""
    # Before any run is held: what runs share would else be in memory already.
    ours = min(seconds(lambda: estimated(load(folder))) for _ in range(repetitions))
    runs = load(folder)
    matrix = [np.concatenate([_flat(one, what) for run in runs for one in run.columns.values()]) for what in WHAT]
    works: dict[str, Callable[[], Any]] = {
        "from_columns": lambda: estimated(runs),
        "map": lambda: compared(runs),
        "sum": lambda: [column.sum() for column in matrix],
    }
    best = {name: min(seconds(work) for _ in range(repetitions)) for name, work in works.items()}
    return best | {"ours": ours, "matrix": sum(column.nbytes for column in matrix), "disk": on_disk(folder)}


WHAT = ("state", "choice")


def _flat(own: Columns, what: str) -> Any:
    return getattr(own, what).ravel()


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def on_disk(folder: Path) -> int:
    """Bytes of all folded columns, with what is said of the items."""
    return sum(path.stat().st_size for path in (folder / kept.FOLDER).rglob("*.parquet"))


def peak(folder: Path) -> dict[str, float]:
    """The greatest memory of a program that loads all runs and makes all cells, in bytes."""
    found = compared(load(folder))
    status = Path("/proc/self/status")
    if status.exists():
        # What a process inherits from the one that started it does not count here, as it does in getrusage.
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return {"peak": 1024 * int(line.split()[1]), "cells": sum(map(len, found))}
    import resource

    return {"peak": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, "cells": sum(map(len, found))}


def cells(folder: Path) -> list[dict[str, Any]]:
    """Counts and forgetting of every leaf cell, in the order of pairs and domains, to hold the other engines' against."""
    runs, found = load(folder), []
    options = _options(runs[0])
    for number, own in enumerate(compared(runs)):
        leaves = sorted((cell for cell in own if cell.level == "domain"), key=lambda cell: cell.name)
        assert len(leaves) == DOMAINS
        for cell in leaves:
            counts = [
                number,
                cell.name,
                cell.n,
                *(int(getattr(cell, name) or 0) for name in ("n11", "n10", "n01", "n00")),
            ]
            value = cell.forgetting.value if cell.forgetting else None
            found.append({"counts": counts, "forgetting": value, "k": options[cell.name]})
    return found


def _options(run: Folded) -> dict[str, int | None]:
    """How many options the items of each domain have; null where they differ."""
    found: dict[str, set[int]] = {}
    for own in run.columns.values():
        for domain, k in zip(own.domains, own.k.tolist(), strict=True):
            found.setdefault(str(domain), set()).add(k)
    return {domain: several.pop() if len(several) == 1 else None for domain, several in found.items()}


def folding(folder: Path, rows: int, *, repetitions: int) -> dict[str, float]:
    """Best seconds to fold a stored run by column, and to do no more than decode the same columns."""
    run = recorded(world(max(rows, RUNS) * RUNS), rows)
    write(Study.at(folder / "study"), run)
    summary = Study.open(folder / "study").runs()["recorded"]
    paths = {table: sorted(summary.folder.glob(f"{table}-*.parquet")) for table in DECODED}

    def decode() -> None:
        for table, wanted in DECODED.items():
            for path in paths[table]:
                with pq.ParquetFile(path) as file:
                    file.read(list(wanted), use_threads=False)

    folds, decodes = [], []
    for _ in range(repetitions):
        folds.append(seconds(lambda: fold_tables(summary)))
        decodes.append(seconds(decode))
    by_row = seconds(lambda: fold_rows(Study.open(folder / "study").run("recorded")))
    return {"fold": min(folds), "decode": min(decodes), "fold_rows": by_row, "rows": summary.rows}
