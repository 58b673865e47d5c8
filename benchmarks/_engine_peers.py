"""DuckDB and Polars on the same answers: the counts and option terms of the same cells, on long and on folded Parquet."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TERMS = ("n", "n11", "n10", "n01", "n00", "to_wrong", "other", "to_silence", "wrong_to_silence")
PARTNER = """
    with pairs as (
        select number, 'before_' || lpad(number::varchar, 2, '0') as before, 'after_' || lpad(number::varchar, 2, '0') as after
        from range(30) of_pairs(number)
    )
"""
LONG = f"""
    {PARTNER}
    select number, b.domain, count(*) as n,
        count(*) filter (b.correct and a.correct) as n11,
        count(*) filter (b.correct and not a.correct) as n10,
        count(*) filter (not b.correct and a.correct) as n01,
        count(*) filter (not b.correct and not a.correct) as n00,
        count(*) filter (b.correct and a.outcome = 'scored' and not a.correct) as to_wrong,
        count(*) filter (b.outcome = 'scored' and a.outcome = 'scored'
            and not b.correct and not a.correct and b.choice <> a.choice) as other,
        count(*) filter (b.correct and a.outcome <> 'scored') as to_silence,
        count(*) filter (b.outcome = 'scored' and not b.correct and a.outcome <> 'scored') as wrong_to_silence
    from pairs
    join 'long.parquet' b on b.run = pairs.before
    join 'long.parquet' a on a.run = pairs.after and a.task = b.task and a.item_id = b.item_id and a.draw = b.draw
    group by number, b.task, b.domain
"""
FOLDED = """
    select b.run // 2 as number, i.domain, count(*) as n,
        count(*) filter (b.state = 0 and a.state = 0) as n11,
        count(*) filter (b.state = 0 and a.state <> 0) as n10,
        count(*) filter (b.state <> 0 and a.state = 0) as n01,
        count(*) filter (b.state <> 0 and a.state <> 0) as n00,
        count(*) filter (b.state = 0 and a.state = 1) as to_wrong,
        count(*) filter (b.state = 1 and a.state = 1 and b.choice <> a.choice) as other,
        count(*) filter (b.state = 0 and a.state > 1) as to_silence,
        count(*) filter (b.state = 1 and a.state > 1) as wrong_to_silence
    from (select * from 'counts.parquet' where run % 2 = 0) b
    join (select * from 'counts.parquet' where run % 2 = 1) a on a.run = b.run + 1 and a.item = b.item
    join 'items.parquet' i on i.item = b.item
    group by number, i.domain
"""


def duckdb_long(folder: Path, repetitions: int) -> dict[str, Any]:
    return _duckdb(LONG, folder, repetitions)


def duckdb_folded(folder: Path, repetitions: int) -> dict[str, Any]:
    return _duckdb(FOLDED, folder, repetitions)


def _duckdb(query: str, folder: Path, repetitions: int) -> dict[str, Any]:
    import duckdb

    for name in ("long", "counts", "items"):
        query = query.replace(f"'{name}.parquet'", f"'{folder / name}.parquet'")
    with duckdb.connect() as connection:
        connection.execute(f"set temp_directory = '{folder / 'duckdb'}'")
        return _best(lambda: connection.execute(query).fetchall(), repetitions)


def polars_long(folder: Path, repetitions: int) -> dict[str, Any]:
    """One lazy query, run by the streaming engine."""
    import polars as pl

    def work() -> list[tuple[Any, ...]]:
        table = pl.scan_parquet(folder / "long.parquet")
        table = table.with_columns(pair=pl.col("run").str.split("_").list.last())
        before, after = (table.filter(pl.col("run").str.starts_with(side)) for side in ("before", "after"))
        both = before.join(after, on=["pair", "task", "item_id", "draw"], suffix="_after")
        right, right_after = pl.col("correct"), pl.col("correct_after")
        said, said_after = pl.col("outcome") == "scored", pl.col("outcome_after") == "scored"
        other = said & said_after & ~right & ~right_after & (pl.col("choice") != pl.col("choice_after"))
        counts = {
            "n11": right & right_after,
            "n10": right & ~right_after,
            "n01": ~right & right_after,
            "n00": ~right & ~right_after,
            "to_wrong": right & said_after & ~right_after,
            "other": other,
            "to_silence": right & ~said_after,
            "wrong_to_silence": said & ~right & ~said_after,
        }
        cells = both.group_by("pair", "task", "domain").agg(n=pl.len(), **{name: x.sum() for name, x in counts.items()})
        wanted = cells.select(pl.col("pair").cast(pl.Int64), "domain", *TERMS)
        return wanted.collect(engine="streaming").rows()

    return _best(work, repetitions)


def _best(work: Callable[[], list[tuple[Any, ...]]], repetitions: int) -> dict[str, Any]:
    """Best seconds of some repetitions, and the cells."""
    times = []
    found: list[tuple[Any, ...]] = []
    for _ in range(repetitions):
        start = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - start)
    return {"seconds": min(times), "cells": [list(row) for row in sorted(found)]}
