"""A process that keeps the columns of a run over and over, for tests that end it by force or run two: `keeping.py STUDY RUN TIMES`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from forgetmap.measure import kept
from forgetmap.measure.fold_tables import fold_tables
from forgetmap.records.study import Study

if __name__ == "__main__":
    study, name, times = sys.argv[1:]
    summary = Study.open(study).runs()[name]
    columns = fold_tables(summary)
    print("ready", flush=True)
    for _ in range(int(times)):
        kept.keep(kept.home(summary.folder), summary.folder.name, kept.seal(summary), columns)
