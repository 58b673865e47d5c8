"""Large logs in processes of their own give the same columns as one after the other."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from forgetmap.errors import FormatError
from forgetmap.measure.fold import Folded, fold
from forgetmap.measure.side_by_side import LARGE, bytes_at, fold_all
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row, RunInfo

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


def rows(seed: int) -> list[dict[str, Any]]:
    return [{"native_id": str(n), "question": f"{n}?", "value": float((n * seed) % 3 > 0), "k": 4} for n in range(2500)]


def same(one: Folded, two: Folded) -> bool:
    return one.info == two.info and all(
        np.array_equal(one.columns[key].state, two.columns[key].state)
        and one.columns[key].item_ids == two.columns[key].item_ids
        for key in one.columns | two.columns
    )


def test_columns_come_in_the_order_asked_for_and_progress_is_told(make_run: Any) -> None:
    runs = [make_run(name, rows(seed)) for seed, name in enumerate("abc", start=1)]
    told: list[tuple[str, int]] = []

    found = fold_all(runs, [LARGE, 0, LARGE], lambda name, number: told.append((name, number)))

    assert all(same(one, fold(run)) for one, run in zip(found, runs, strict=True))
    assert {("a", 2000), ("b", 2000), ("c", 2000)} <= set(told)


def broken(kill: bool) -> Run:
    home = os.getpid()

    def read(problems: list[Problem]) -> Iterator[Row]:
        if not kill:
            raise FormatError("this log cannot be read: write it again.")
        if os.getpid() != home:
            os._exit(9)
        yield from ()

    return Run(RunInfo(run_id="broken", checkpoint="broken"), read)


def test_an_error_in_a_process_is_raised_here(make_run: Any) -> None:
    with pytest.raises(FormatError, match="write it again"):
        fold_all([make_run("a", rows(1)), broken(kill=False)], [LARGE, LARGE])


def test_what_a_killed_process_should_have_read_is_read_here(make_run: Any) -> None:
    first, second = fold_all([make_run("a", rows(1)), broken(kill=True)], [LARGE, LARGE])

    assert len(first.columns) == 1 and second.columns == {}


def test_sizes_are_of_files_below_an_address(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "x.csv").write_text("12345")

    assert (
        bytes_at(tmp_path) == 5 and bytes_at(f"{tmp_path}::run") == 5 and bytes_at("nowhere") == 0 and bytes_at({}) == 0
    )
