"""Several times of one task in a folder of lighteval: seeds are draws, settings are not."""

from pathlib import Path
from typing import Any

from forgetmap.formats.opening import open_run
from tests.formats.lighteval_told import LATER, TIME, picked, run, settings, summed, told, written

THIRD = "2026-03-02T03-04-05.678901"


def logged(folder: Path, time: str, seed: int | None, chosen: int, full: str = "quiz|5", **more: Any) -> None:
    """Two items of one task at one time."""
    written(folder, [picked(1, 0, chosen), picked(2, 0, 0)], full=full, time=time)
    content = settings(seed=seed)
    content["config_general"]["model_config"] |= more
    summed(folder, content, time=time)


def test_seeds_are_draws_of_the_same_items_in_the_order_of_seeds_whatever_the_order_of_times(tmp_path: Path) -> None:
    for time, seed, chosen in ((TIME, 2, 0), (LATER, 0, 1), (THIRD, 1, 0)):
        logged(tmp_path, time, seed, chosen)
    found = run(tmp_path)

    rows = list(found.rows())

    assert [(row.sample.draw, row.sample.seed, row.scores[0].value) for row in rows if row.item.native_id == "1"] == [
        (0, 0, 0.0), (1, 1, 1.0), (2, 2, 1.0),
    ]  # fmt: skip
    assert len({row.item_id for row in rows}) == 2
    assert (found.info.seeds, found.notes, found.duplicates) == ((0, 1, 2), [], 0)


def test_of_two_times_with_one_seed_the_latest_counts_beside_the_other_seeds(tmp_path: Path) -> None:
    for time, seed, chosen in ((TIME, 0, 0), (LATER, 0, 1), (THIRD, 1, 0)):
        logged(tmp_path, time, seed, chosen)
    found = run(tmp_path)

    assert [(r.sample.seed, r.scores[0].value) for r in found.rows() if r.item.native_id == "1"] == [(0, 0.0), (1, 1.0)]
    assert [note for note in found.notes if TIME in note and "PATH::TIME" in note]
    assert [row.sample.draw for row in open_run(f"{tmp_path}::{TIME}").rows()] == [0, 0]


def test_logs_of_other_settings_or_without_a_seed_are_no_draws(tmp_path: Path) -> None:
    for number, (first, later) in enumerate(
        [((0, "float16"), (1, "bfloat16")), ((None, "a"), (1, "a")), ((1, "a"), (None, "a"))]
    ):
        for time, (seed, dtype) in ((TIME, first), (LATER, later)):
            logged(tmp_path / str(number), time, seed, 0, dtype=dtype)
        found = run(tmp_path / str(number))

        assert [row.sample.draw for row in found.rows()] == [0, 0]
        assert [note for note in found.notes if "the latest is taken" in note]


def test_a_task_that_lacks_a_seed_keeps_the_numbers_of_the_others(tmp_path: Path) -> None:
    for time, seed, tasks in ((TIME, 5, ("a", "b")), (LATER, 7, ("a",)), (THIRD, 9, ("a", "b", "c"))):
        for task in tasks:
            logged(tmp_path, time, seed, 0, full=f"{task}|5")

    draws = {(row.item.task, row.sample.draw, row.sample.seed) for row in told(tmp_path)}

    assert draws == {("a", 0, 5), ("a", 1, 7), ("a", 2, 9), ("b", 0, 5), ("b", 2, 9), ("c", 0, 9)}
