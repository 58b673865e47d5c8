"""Folded runs to a map of 30 pairs × 100 domains, against DuckDB and Polars counting the same cells.

    python benchmarks/engine.py [--quick]

Makes 60 runs of one draw in 40 tasks, 10^8 rows (10^7 with --quick), as long Parquet, as folded Parquet for the others, and as the
columns that we keep beside records. Each part runs in a fresh interpreter. Ours are counts and the default estimator with intervals of
the 3,000 leaf cells, forgetting and gain; theirs are the counts and option terms of the same cells, held against ours one by one. The
ratios and their goals:

duckdb_long         DuckDB on long Parquet over ours, both from the disk                       ≥ 50
duckdb_folded       DuckDB on folded Parquet over ours, both from the disk                     ≥ 1
polars_long         Polars on long Parquet over ours, both from the disk                       ≥ 50
over_numpy_sum      ours from columns in memory, over one numpy sum of the same bytes          ≤ 100
map_over_numpy_sum  the same for the whole map: four levels, every metric, test, cause, note   told only
fold_over_decode    folding a stored run over decoding the same columns with pyarrow           ≤ 3
disk                bytes of long Parquet over all that we keep                                ≥ 20
memory_over_matrix  (greatest memory of the whole map − 150 MB) over the bytes of the columns  ≤ 3
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROWS, QUICK_ROWS = 100_000_000, 10_000_000
RECORDED = 100_000
"""Rows of the run whose records are folded."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="10 million rows instead of 100 million")
    parser.add_argument("--rows", type=int, help="another number of rows")
    parser.add_argument("--part", nargs=3, metavar=("NAME", "FOLDER", "NUMBER"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.part:
        name, folder, number = asked.part
        Path(folder, f"{name}.json").write_text(json.dumps(part(name, Path(folder), int(number))))
        return
    rows = asked.rows or (QUICK_ROWS if asked.quick else ROWS)
    with tempfile.TemporaryDirectory() as folder:
        report(Path(folder), rows, repetitions=5 if asked.quick else 3)


def part(name: str, folder: Path, number: int) -> Any:
    """One part of the work, in a process of its own; `number` is of rows or repetitions."""
    import _engine_data
    import _engine_ours
    import _engine_peers

    parts = {
        "data": lambda: _engine_data.write(folder, _engine_data.world(number)),
        "folding": lambda: _engine_ours.folding(folder, number, repetitions=5),
        "ours": lambda: _engine_ours.timed(folder, repetitions=number),
        "peak": lambda: _engine_ours.peak(folder),
        "cells": lambda: _engine_ours.cells(folder),
    }
    return parts[name]() if name in parts else getattr(_engine_peers, name)(folder, number)


def run(name: str, folder: Path, number: int = 0) -> Any:
    command = [sys.executable, __file__, "--part", name, str(folder), str(number)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(f"{name} of the benchmark failed:\n{ended.stderr}")
    return json.loads((folder / f"{name}.json").read_text())


def report(folder: Path, rows: int, *, repetitions: int) -> None:
    """Run everything, print what was measured and the ratios."""
    run("data", folder, rows)
    size = (folder / "long.parquet").stat().st_size
    folding = run("folding", folder, RECORDED)
    ours, peak, cells = run("ours", folder, repetitions), run("peak", folder), run("cells", folder)
    peers = {name: run(name, folder, 2) for name in ("duckdb_folded", "polars_long", "duckdb_long")}
    again = run("ours", folder, repetitions)
    ours |= {name: min(ours[name], again[name]) for name in ("ours", "from_columns", "map", "sum")}
    for name, found in peers.items():
        hold(name, found["cells"], cells)
    print(f"{rows:,} rows; long {size / 1e6:.1f} MB, kept {ours['disk'] / 1e6:.2f} MB; {peak['cells']:,} cells")
    print(
        f"ours {ours['ours']:.3f} s, {ours['from_columns']:.3f} s from columns; the whole map {ours['map']:.3f} s",
        end="; ",
    )
    print(f"one sum {1e3 * ours['sum']:.1f} ms")
    print(f"matrix {ours['matrix'] / 1e6:.1f} MB, greatest memory {peak['peak'] / 1e6:.0f} MB")
    print(
        f"a run of {folding['rows']:,} rows: decode {folding['decode']:.3f} s, fold {folding['fold']:.3f} s, ", end=""
    )
    print(f"by row {folding['fold_rows']:.2f} s")
    for name, found in peers.items():
        print(f"{name:14}{found['seconds']:8.3f} s")
    ratios = {name: round(found["seconds"] / ours["ours"], 2) for name, found in peers.items()}
    ratios |= {
        "over_numpy_sum": round(ours["from_columns"] / ours["sum"], 1),
        "map_over_numpy_sum": round(ours["map"] / ours["sum"], 1),
        "fold_over_decode": round(folding["fold"] / folding["decode"], 2),
        "disk": round(size / ours["disk"], 1),
        "memory_over_matrix": round((peak["peak"] - 150e6) / ours["matrix"], 2),
    }
    print(json.dumps({"benchmark": "engine", "ratios": ratios}))


def hold(name: str, theirs: list[list[Any]], ours: list[dict[str, Any]]) -> None:
    """Stop where another engine counts otherwise, or where its terms give another forgetting (items of one k)."""
    if len(theirs) != len(ours):
        raise SystemExit(f"{name} found {len(theirs)} cells, and we {len(ours)}")
    for their, our in zip(theirs, ours, strict=True):
        if their[:7] != our["counts"]:
            raise SystemExit(f"{name} counts {their}, and we {our}")
        k = our["k"]
        if k is None or k == 2:
            continue
        items, (to_wrong, other, to_silence, wrong_to_silence) = their[2], their[7:]
        chance, luck, odds = (1 / k, 1 / (k - 2), 1 / (k - 1)) if k else (0.0, 0.0, 0.0)
        value = ((to_wrong - luck * other) / (1 - chance) + to_silence - odds * wrong_to_silence) / items
        if abs(value - our["forgetting"]) > 1e-9:
            raise SystemExit(f"{name} gives {value} for {their[:2]}, and we {our['forgetting']}")


if __name__ == "__main__":
    main()
