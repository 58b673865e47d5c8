"""The study of the engine's benchmark: 60 runs, 30 pairs, 100 domains in 40 tasks, one draw; told as people store it and as we fold it.

Items have 2, 4, 5 or 10 options, 3 to 10 within a task, or none. What a model does not know it guesses, half of the time as it did before.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from forgetmap.measure import kept
from forgetmap.measure.columns import NO_CHOICE, RIGHT, UNPARSED, WRONG, Columns, Gathered, Items, small
from forgetmap.measure.names import Coded, Names
from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Problem, Row, RunInfo, Sample, Score
from forgetmap.stats.arrays import Bools, Ints

PAIRS, DOMAINS, TASKS = 30, 100, 40
RUNS = 2 * PAIRS
SEAL = "made by the benchmark"
OF_TASK = (4, 4, 10, 4, 5, 0, 4, None, 4, 2)
"""Options of every tenth task; null = 3 to 10, item by item."""
KNOWN, FORGOTTEN, GAINED, SILENT, REPEATED = 0.6, 0.08, 0.06, 0.02, 0.5


IN_STEPS = {"item": "DELTA_BINARY_PACKED"}
"""How the numbers of items are packed for others: as well as we pack them."""


class World(NamedTuple):
    """The items of the study, sorted by domain."""

    size: int
    domain: Ints
    task: Ints
    k: Ints
    """Options; 0 = open."""
    gold: Ints
    habit: Ints
    """The wrong answer that is given again."""


class Told(NamedTuple):
    """What one run answered."""

    choice: Ints
    right: Bools
    answered: Bools


def world(rows: int) -> World:
    """The items that so many rows are about."""
    size = rows // RUNS
    rng = np.random.default_rng(1)
    domain = np.sort(rng.integers(0, DOMAINS, size))
    task = domain * TASKS // DOMAINS
    listed = np.array([-1 if k is None else k for k in OF_TASK])[task % len(OF_TASK)]
    k = np.where(listed < 0, rng.integers(3, 11, size), listed)
    gold = (rng.random(size) * np.maximum(k, 1)).astype(np.int64)
    return World(size, domain, task, k, gold, _other(gold, k, rng))


def answers(items: World) -> Iterator[Told]:
    """Every run: before and after of the first pair, then of the next."""
    able = np.random.default_rng(2).random(items.size) < KNOWN
    for pair in range(PAIRS):
        rng = np.random.default_rng([3, pair])
        before = able ^ (rng.random(items.size) < 0.1)
        change = rng.random(items.size)
        for known in (before, np.where(before, change > FORGOTTEN, change < GAINED)):
            yield _answered(items, known, rng)


def _answered(items: World, known: Bools, rng: np.random.Generator) -> Told:
    guess = (rng.random(items.size) * np.maximum(items.k, 1)).astype(np.int64)
    guess = np.where(rng.random(items.size) < REPEATED, items.habit, guess)
    choice = np.where(known, items.gold, guess)
    answered = rng.random(items.size) >= SILENT
    right = answered & np.where(items.k == 0, known, choice == items.gold)
    return Told(choice, right, answered)


def _other(gold: Ints, k: Ints, rng: np.random.Generator) -> Ints:
    return (gold + 1 + (rng.random(len(gold)) * np.maximum(k - 1, 1)).astype(np.int64)) % np.maximum(k, 1)


def run_name(number: int) -> str:
    return f"{'after' if number % 2 else 'before'}_{number // 2:02}"


def write(folder: Path, items: World) -> None:
    """Three times the same answers: `long.parquet` and `counts.parquet` with `items.parquet` for others, `folded` for us."""
    ids = [hashlib.blake2b(f"{number}".encode(), digest_size=10).hexdigest() for number in range(items.size)]
    tasks, domains = _words("task", TASKS, items.task), _words("domain", DOMAINS, items.domain)
    place = pa.array(np.arange(items.size, dtype=np.int32))
    pq.write_table(
        pa.table({"item": place, "task": tasks, "domain": domains, "k": pa.array(items.k.astype(np.int32))}),
        folder / "items.parquet",
        compression="zstd",
    )
    own = sides(items, ids)
    long = _Writer(folder / "long.parquet")
    counts = _Writer(folder / "counts.parquet", use_dictionary=["run", "state", "choice"], column_encoding=IN_STEPS)
    for number, told in enumerate(answers(items)):
        outcome = pa.array(["unparsed", "scored"]).take(pa.array(told.answered.astype(np.int8)))
        choice = pa.array(told.choice.astype(np.int8), mask=~told.answered | (items.k == 0))
        shared = {"task": tasks, "domain": domains, "item_id": pa.array(ids)}
        draw = pa.array(np.zeros(items.size, np.int32))
        said = {"draw": draw, "outcome": outcome, "correct": pa.array(told.right), "choice": choice}
        long.add({"run": pa.repeat(run_name(number), items.size), **shared, **said})
        state = np.where(told.right, RIGHT, np.where(told.answered, WRONG, UNPARSED)).astype(np.int8)
        run = pa.array(np.full(items.size, number, np.int16))
        counts.add({"run": run, "item": place, "state": pa.array(state), "choice": choice})
        folded = Gathered(columns(items, own, told), {})
        kept.keep(folder / kept.FOLDER, run_name(number), SEAL, folded)
    long.close()
    counts.close()


class _Writer:
    """A Parquet file that grows by a run at a time, packed with Zstandard, and else as pyarrow packs what it is not told about."""

    def __init__(self, path: Path, **packing: Any) -> None:
        self._path = path
        self._packing = packing
        self._file: pq.ParquetWriter | None = None

    def add(self, columns: dict[str, pa.Array]) -> None:
        table = pa.table(columns)
        if self._file is None:
            self._file = pq.ParquetWriter(self._path, table.schema, compression="zstd", **self._packing)
        self._file.write_table(table)

    def close(self) -> None:
        assert self._file is not None
        self._file.close()


def _words(kind: str, number: int, codes: Ints) -> pa.Array:
    return pa.array([f"{kind}_{code:03}" for code in range(number)]).take(pa.array(codes))


def sides(items: World, ids: list[str]) -> list[tuple[slice, Items]]:
    """Where the items of each task stand, and what is said of them."""
    ends = np.searchsorted(items.task, np.arange(TASKS + 1))
    found = []
    for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        k = items.k[start:end]
        nothing = Coded.nothing(end - start)
        side = Items(
            ids=Names.of(ids[start:end]),
            natives=Names.of(map(str, range(start, end))),
            domains=Coded.of(f"domain_{code:03}" for code in items.domain[start:end].tolist()),
            categories=nothing,
            clusters=nothing,
            k=k.astype(np.int32),
            chance=np.where(k > 0, 1 / np.maximum(k, 1), 0.0),
            golds=np.ones(end - start, np.int32),
        )
        found.append((slice(start, end), side))
    return found


def columns(items: World, own: list[tuple[slice, Items]], told: Told) -> dict[tuple[str, str], Columns]:
    """The run folded, as its records would be."""
    state = np.where(told.right, RIGHT, np.where(told.answered, WRONG, UNPARSED)).astype(np.uint8)
    named = told.answered & (items.k > 0)
    choice = np.where(named, np.where(told.right, 0, told.choice), NO_CHOICE)
    return {
        (f"task_{task:03}", "acc"): Columns(
            task=f"task_{task:03}",
            scorer="acc",
            items=side,
            prompts=np.zeros(len(side), np.uint64),
            seeds=[None],
            state=state[rows, None],
            choice=small(choice[rows, None]),
            marks=None,
            loops=None,
        )
        for task, (rows, side) in enumerate(own)
    }


def recorded(items: World, rows: int) -> Run:
    """The first run's rows, with questions and options in words, as a format would read them from a log."""
    told = next(answers(items))

    def read(problems: list[Problem]) -> Iterator[Row]:
        columns = (items.task, items.domain, items.k, items.gold, told.choice, told.right, told.answered)
        step = max(1, items.size // rows)
        for number, said in enumerate(zip(*(column[::step].tolist() for column in columns), strict=True)):
            yield _row(number, *said)

    return Run(RunInfo(run_id="recorded", checkpoint="recorded"), read)


def _row(number: int, *said: int) -> Row:
    task, domain, k, gold, choice, right, answered = said
    listed = tuple(f"{(number * 7 + option) % 97} {WORDS[(number + option) % len(WORDS)]}s" for option in range(k))
    item = Item(
        task=f"task_{task:03}",
        native_id=f"{number:08}",
        domain=f"domain_{domain:03}",
        question=f"How many {WORDS[number % len(WORDS)]}s are {number} {WORDS[number // 7 % len(WORDS)]}s?",
        choices=listed or None,
        golds=(listed[gold] if k else "42",),
        k=k or None,
        chance=1 / k if k else 0.0,
    )
    score = Score("acc", value=float(right), choice=choice if k else None) if answered else Score("acc", "unparsed")
    return Row(item, Sample(), (score,))


WORDS = ("river", "stone", "lantern", "market", "copper", "window", "orchard", "signal", "harbour", "thread", "candle")
