"""Every paired item of every comparison as one table, for those who ask in DuckDB, pandas or Polars."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from forgetmap.errors import SettingError
from forgetmap.measure.arrow import packed, texts
from forgetmap.measure.causes import causes
from forgetmap.measure.cell import CAUSES
from forgetmap.measure.columns import FAILED, RIGHT, UNPARSED, WRONG
from forgetmap.measure.lost import LOWER
from forgetmap.measure.pair import Pairing, TaskPairs
from forgetmap.measure.reading import Source, pairings, reading
from forgetmap.measure.transitions import OTHER, SAME, UNKNOWN, answered, graded, transitions
from forgetmap.records import disk
from forgetmap.records.surrogates import spell
from forgetmap.stats.arrays import Floats
from forgetmap.taxonomy.place import Taxonomy, read_taxonomy

WRITERS = (".parquet", ".csv")


class _Shares(NamedTuple):
    """What became of items, as shares of pairs of draws; NaN where there is no such thing."""

    kept: Floats
    lost: Floats
    gained: Floats
    never: Floats
    same_wrong: Floats
    """Wrong twice by the same option; NaN where either answer names none."""
    score_before: Floats
    score_after: Floats


def item_table(before: Source, *after: Source, taxonomy: str | Path | None = None, **how: Any) -> pa.Table:
    """One row an item and comparison; docs/how-to/query.md says what the columns mean.

    Further keywords say how sources are read, as in `compare`. Items that failed on a side have no row.
    """
    if not after:
        raise SettingError("an export needs a BEFORE and at least one AFTER; only one run was given.")
    found = reading(**how)
    placed = read_taxonomy(taxonomy or found.settings.taxonomy)
    joined = pairings(before, after, None, found)
    parts = [part for pairing in joined.pairings for part in _parts(pairing, placed)]
    return pa.concat_tables(parts)


def save(table: pa.Table, path: Path) -> None:
    """Write a table as Parquet or CSV, by the ending of the file's name; wholly or not at all."""
    check_ending(path)
    with disk.writing(path):
        if path.suffix == ".csv":
            from pyarrow.csv import write_csv

            write_csv(table, disk.temporary(path))
        else:
            from pyarrow.parquet import write_table

            write_table(table, disk.temporary(path), compression="zstd")
        disk.take_name(path)


def check_ending(path: Path) -> None:
    """Refuse a name that does not say how to write, before anything is read."""
    if path.suffix not in WRITERS:
        raise SettingError(
            f"a file that ends in {' or '.join(WRITERS)} is wanted, and {path} ends in neither: name another."
        )


def _parts(pairing: Pairing, taxonomy: Taxonomy) -> Iterator[pa.Table]:
    for task in pairing.tasks:
        yield _rows(pairing, task.only(answered(task, scored=task.graded)), taxonomy)


def _rows(pairing: Pairing, task: TaskPairs, taxonomy: Taxonomy) -> pa.Table:
    size, items = len(task.rows_before), task.before.items
    domains, categories = task.said("domains"), task.said("categories")
    shares = _graded(task) if task.graded else _plain(task)
    k, chance = items.k[task.rows_before], items.chance[task.rows_before]
    columns = {
        "before": _texts([pairing.before.info.run_id] * size),
        "after": _texts([pairing.after.info.run_id] * size),
        "task": _texts([task.task] * size),
        "domain": _texts(domains),
        "category": _texts(
            [taxonomy.place(task.task, domain, said=said) for domain, said in zip(domains, categories, strict=True)]
        ),
        "item_id": items.ids.take(task.rows_before).packed.cast(pa.string()),
        "native_id": items.natives.take(task.rows_before).packed.cast(pa.string()),
        "k": packed(k, k == 0),
        "chance": packed(chance, np.isnan(chance)),
        "scorer_before": _texts([task.before.scorer] * size),
        "scorer_after": _texts([task.after.scorer] * size),
        **_sides(task),
        **{name: packed(share, np.isnan(share)) for name, share in shares._asdict().items()},
        "cause": _texts(_causes(task, shares.lost)),
    }
    return pa.table(columns)


def _sides(task: TaskPairs) -> dict[str, pa.Array]:
    """How many draws of either side were right, wrong and unanswered."""
    found = {}
    for side, columns, rows in (("before", task.before, task.rows_before), ("after", task.after, task.rows_after)):
        state = columns.state[rows]
        found[f"right_{side}"] = packed((state == RIGHT).sum(axis=1).astype(np.int32))
        found[f"wrong_{side}"] = packed((state == WRONG).sum(axis=1).astype(np.int32))
        found[f"unanswered_{side}"] = packed(((state >= UNPARSED) & (state < FAILED)).sum(axis=1).astype(np.int32))
    return found


def _plain(task: TaskPairs) -> _Shares:
    nobody = np.zeros(len(task.rows_before), np.int64)
    pairs = transitions(task, nobody, nobody - 1)
    kept, before, after = pairs.share[:, 0], pairs.states("before")[:, RIGHT], pairs.states("after")[:, RIGHT]
    twice = pairs.share[:, SAME] + pairs.share[:, OTHER]
    known = (pairs.share[:, UNKNOWN] == 0) & (twice > 0)
    return _Shares(
        kept=kept,
        lost=before - kept,
        gained=after - kept,
        never=np.maximum(1 - before - after + kept, 0.0),
        same_wrong=np.where(known, pairs.share[:, SAME], np.nan),
        score_before=pairs.score_before,
        score_after=pairs.score_after,
    )


def _graded(task: TaskPairs) -> _Shares:
    nobody = np.zeros(len(task.rows_before), np.int64)
    found, nothing = graded(task, nobody, nobody - 1), np.full(len(nobody), np.nan)
    return _Shares(nothing, found.loss, found.gain, nothing, nothing, found.score_before, found.score_after)


def _causes(task: TaskPairs, lost: Floats) -> list[str | None]:
    """The cause of most of what was lost of an item; null where nothing was."""
    if task.graded:
        return [LOWER if share > 0 else None for share in lost]
    found = causes(task)
    return [CAUSES[row.argmax()] if row.any() else None for row in found]


def _texts(listed: Sequence[str | None]) -> pa.Array:
    """Texts as records spell them, so that half characters of a log are no obstacle."""
    return texts([None if text is None else spell(text) for text in listed])
