"""A process that writes a run into a study, for tests that end it by force: `killed_writer.py STUDY [PAUSE]`."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from forgetmap.records.batches import Sizes
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row
from forgetmap.records.store import write
from tests.records.made_up import rows, run_of

# Small shards, so that sealing is most of the time and most kills fall into it.
SIZES = Sizes(batch=50, shard=150)
ROWS = 1_200


def run(pause: float = 0.0) -> Run:
    """The run, its rows coming slowly if wanted."""
    told = run_of(rows(ROWS // 2, draws=2))

    def read(problems: list[Problem]) -> Iterator[Row]:
        for row in told.read(problems):
            time.sleep(pause)
            yield row

    return Run(told.info, read) if pause else told


if __name__ == "__main__":
    study, pause = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
    made = run(pause)
    print("ready", flush=True)
    start = time.perf_counter()
    written = write(study, made, sizes=SIZES)
    print(written.content_hash, written.how, time.perf_counter() - start, flush=True)
