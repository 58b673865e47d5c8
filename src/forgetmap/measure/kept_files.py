"""The files of folded columns: what is written of a run and of items, and read again."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from forgetmap.measure.arrow import numbers, packed, texts, true, valid, whole
from forgetmap.measure.columns import (
    ABSENT,
    FAILED,
    NO_CHOICE,
    REFUSED,
    RIGHT,
    TRUNCATED,
    UNPARSED,
    WRONG,
    Choices,
    Columns,
    Items,
    Prompts,
    States,
    small,
)
from forgetmap.measure.names import NOTHING, Coded, Names
from forgetmap.records.disk import TEMPORARY
from forgetmap.records.parquet import KEY
from forgetmap.records.plain_json import dump, load
from forgetmap.records.surrogates import unspell
from forgetmap.stats.arrays import Bools, Floats

ANSWERS, ITEMS, PROMPTS = "answers", "items", "prompts"
"""Folders of the files."""
DAMAGE = (pa.ArrowException, OSError, LookupError, ValueError, TypeError, AttributeError)
"""What reading a file that is missing, cut or foreign may raise."""

_WRONG_BARE, _RIGHT, _RIGHT_BARE = -1, -2, -3
_OTHERS = {UNPARSED: -4, REFUSED: -5, TRUNCATED: -6, FAILED: -7, ABSENT: -8}
"""What stands in the column `answer`: the rank of a wrong option, or one of these."""
_LEAST = min(_OTHERS.values())
_STATES = {_WRONG_BARE: WRONG, _RIGHT: RIGHT, _RIGHT_BARE: RIGHT} | {code: state for state, code in _OTHERS.items()}

_GROUP = 1 << 20
_LEVEL = 9


class Answers(NamedTuple):
    """The answers of a run, table by table, draw by draw."""

    state: States
    choice: Choices
    value: Floats | None
    loops: Bools | None

    def rows(self, start: int, end: int) -> "Answers":
        return Answers(*(None if column is None else column[start:end] for column in self))  # type: ignore[arg-type]


def columns(told: Mapping[str, Any], items: Items, prompts: Prompts, said: Answers) -> Columns:
    """One table; marks and loops only where it has some, as a fold leaves them."""
    shape = len(told["seeds"]), len(items)
    loops = None if said.loops is None or not said.loops.any() else said.loops.reshape(shape).T
    marks = None if said.value is None or np.isnan(said.value).all() else said.value.reshape(shape).T
    return Columns(
        task=told["task"],
        scorer=told["scorer"],
        items=items,
        prompts=prompts,
        seeds=list(told["seeds"]),
        state=said.state.reshape(shape).T,
        choice=small(said.choice).reshape(shape).T,
        marks=marks,
        loops=loops,
    )


def write_run(folder: Path, name: str, told: Mapping[str, Any], tables: Mapping[tuple[str, str], Columns]) -> None:
    """One row an item and draw of each table."""
    starts, size = {}, 0
    for table in told["tables"]:
        if table["side"] not in starts:
            starts[table["side"]], size = size, size + table["items"]
    found = list(tables.values())
    counts = [own.state.size for own in found]
    draws = [np.repeat(np.arange(own.state.shape[1]), len(own.items)) for own in found]
    places = [np.tile(np.arange(len(own.items)), own.state.shape[1]) for own in found]
    places = [place + starts[table["side"]] for place, table in zip(places, told["tables"], strict=True)]
    rows = {
        "task": _repeated([own.task for own in found], counts),
        "scorer": _repeated([own.scorer for own in found], counts),
        "item": packed(_flat(places, np.int32)),
        "draw": packed(_flat(draws, np.int32)),
        "answer": packed(_flat([_packed(own).T.ravel() for own in found], np.int32)),
    }
    if any(own.marks is not None for own in found):
        marks = [own.marks.T.ravel() if own.marks is not None else np.full(own.state.size, np.nan) for own in found]
        rows["value"] = _nullable(_flat(marks, np.float64))
    if any(own.loops is not None for own in found):
        rows["loops"] = packed(_flat([own.looping.T.ravel() for own in found], np.bool_))
    _write(folder / ANSWERS / f"{name}.parquet", pa.table(rows), told)


def read_run(folder: Path, name: str) -> tuple[dict[str, Any], Answers]:
    """What is said of a run, and its answers."""
    with _opened(folder / ANSWERS / f"{name}.parquet") as file:
        wanted = [column for column in ("answer", "value", "loops") if column in file.schema_arrow.names]
        told, found = _told(file), file.read(wanted, use_threads=False)
    answer = whole(_one(found.column("answer")))
    if len(answer) and answer.min() < _LEAST:
        raise LookupError("an answer that no fold knows")
    ranks = int(answer.max(initial=0)) + 1
    state = np.full(ranks - _LEAST, WRONG, np.uint8)
    choice = small(np.maximum(np.arange(_LEAST, ranks), NO_CHOICE))
    for code, one in _STATES.items():
        state[code - _LEAST] = one
    choice[_RIGHT - _LEAST] = 0
    answer -= _LEAST
    value = numbers(_one(found.column("value"))) if "value" in wanted else None
    loops = true(_one(found.column("loops"))) if "loops" in wanted else None
    return told, Answers(state[answer], choice[answer], value, loops)


def told_of(folder: Path, name: str) -> dict[str, Any]:
    """What is said of a run, without its answers."""
    with _opened(folder / ANSWERS / f"{name}.parquet") as file:
        return _told(file)


def write_items(folder: Path, name: str, sides: Mapping[str, tuple[str, Items]]) -> None:
    """One row an item of each side, numbered from 0; not again where they stand already."""
    if _stands(read_items, folder, name, sides):
        return
    every = [items for _, items in sides.values()]
    counts = [len(items) for items in every]
    rows = {
        "item": packed(np.arange(sum(counts), dtype=np.int32)),
        "task": _repeated([task for task, _ in sides.values()], counts),
        "item_id": Names.joined([items.ids for items in every]).packed,
        "native_id": Names.joined([items.natives for items in every]).packed,
        "domain": _texts([items.domains for items in every]),
        "category": _texts([items.categories for items in every]),
        "cluster": _texts([items.clusters for items in every]),
        "k": packed(_flat([items.k for items in every], np.int32)),
        "chance": _nullable(_flat([items.chance for items in every], np.float64)),
        "golds": packed(_flat([items.golds for items in every], np.int32)),
    }
    _write(folder / ITEMS / f"{name}.parquet", pa.table(rows), {"sides": dict(zip(sides, counts, strict=True))})


def read_items(folder: Path, name: str) -> dict[str, Items]:
    """The items of each side. Columns are read one after the other, so that no more than one is there twice."""
    with _opened(folder / ITEMS / f"{name}.parquet", read_dictionary=_CODED) as file:
        sizes: dict[str, int] = _told(file)["sides"]
        if sum(sizes.values()) != file.metadata.num_rows:
            raise LookupError("another number of items than is said")
        columns = [_parts(file, column, list(sizes.values())) for column in (*_NAMED, *_CODED, "k", "chance", "golds")]
    return {side: _items(*parts) for side, *parts in zip(sizes, *columns, strict=True)}


_NAMED = ("item_id", "native_id")
_CODED = ("domain", "category", "cluster")


def _items(ids: Names, natives: Names, *others: Any) -> Items:
    domains, categories, clusters, k, chance, golds = others
    return Items(ids, natives, domains, categories, clusters, k=k, chance=chance, golds=golds)


def _parts(file: pq.ParquetFile, name: str, sizes: Sequence[int]) -> list[Any]:
    """One column of items, one part a side."""
    column = _one(file.read([name], use_threads=False).column(name))
    starts = np.cumsum(sizes, dtype=np.int64) - sizes
    slices = (column.slice(int(start), size) for start, size in zip(starts, sizes, strict=True))
    if name in _NAMED:
        return [Names(pa.concat_arrays([one]).cast(pa.large_string())) for one in slices]
    if name in _CODED:
        return [_coded(one) for one in slices]
    if name == "chance":
        return [numbers(one) for one in slices]
    return [whole(one).astype(np.int32) for one in slices]


def write_prompts(folder: Path, name: str, asked: Mapping[str, Prompts]) -> None:
    """Hashes of prompts, one set after the other; null where there was none."""
    if _stands(read_prompts, folder, name, asked):
        return
    every = _flat(list(asked.values()), np.uint64)
    rows = {"prompt": packed(every, every == 0)}
    _write(
        folder / PROMPTS / f"{name}.parquet", pa.table(rows), {"asked": {one: len(own) for one, own in asked.items()}}
    )


def read_prompts(folder: Path, name: str) -> dict[str, Prompts]:
    """Each set of prompts."""
    with _opened(folder / PROMPTS / f"{name}.parquet") as file:
        told, column = _told(file), file.read(use_threads=False).column("prompt")
    column = _one(column)
    every = np.frombuffer(column.buffers()[1], np.uint64, len(column), 8 * column.offset)
    every = np.where(valid(column), every, 0).astype(np.uint64)
    ends = np.cumsum(list(told["asked"].values()), dtype=np.int64)
    return dict(zip(told["asked"], np.split(every, ends[:-1]), strict=True))


def _packed(own: Columns) -> NDArray[np.int32]:
    """State and option as one number."""
    named = own.choice != NO_CHOICE
    found = np.where(named, own.choice, _WRONG_BARE).astype(np.int32)
    right = own.state == RIGHT
    found[right] = np.where(named[right], _RIGHT, _RIGHT_BARE)
    for state, code in _OTHERS.items():
        found[own.state == state] = code
    return found


def _write(path: Path, table: pa.Table, told: Mapping[str, Any]) -> None:
    """Under a name of its own until it is whole, so that two processes and a killed one do no harm."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}{TEMPORARY}")
    plain = {"item": "DELTA_BINARY_PACKED", "item_id": "DELTA_LENGTH_BYTE_ARRAY", "native_id": "DELTA_BYTE_ARRAY"}
    packing: dict[str, Any] = {
        "compression": "zstd",
        "compression_level": _LEVEL,
        "use_dictionary": [name for name in table.column_names if name not in (*plain, "prompt", "value")],
        "column_encoding": {name: how for name, how in plain.items() if name in table.column_names},
        "write_statistics": False,
        "write_page_checksum": True,
        "store_schema": False,
    }
    try:
        with pq.ParquetWriter(temporary, table.schema, **packing) as file:
            file.write_table(table, row_group_size=_GROUP)
            file.add_key_value_metadata({KEY: dump(told).decode()})
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _opened(path: Path, **how: Any) -> pq.ParquetFile:
    return pq.ParquetFile(path, page_checksum_verification=True, **how)


def _told(file: pq.ParquetFile) -> dict[str, Any]:
    told: dict[str, Any] = load(file.metadata.metadata[KEY.encode()], exact=False)
    return told


def _stands(read: Callable[[Path, str], Mapping[str, Any]], folder: Path, name: str, wanted: Mapping[str, Any]) -> bool:
    """Whether a file of this name is there and can be read to its end."""
    try:
        return set(wanted) <= set(read(folder, name))
    except DAMAGE:
        return False


def _repeated(words: Sequence[str], counts: Sequence[int]) -> pa.Array:
    """Each word so many times."""
    codes = np.repeat(np.arange(len(words)), counts)
    return Names.of(words).packed.cast(pa.string()).take(packed(codes))


def _texts(parts: Sequence[Coded]) -> pa.Array:
    codes = [packed(part.codes, part.codes < 0) for part in parts]
    found = [Names.of(part.words).packed.cast(pa.string()).take(code) for part, code in zip(parts, codes, strict=True)]
    return pa.concat_arrays(found) if found else texts([])


def _coded(column: pa.DictionaryArray) -> Coded:
    codes = whole(column.indices, NOTHING).astype(np.int32)
    return Coded(codes, [unspell(word) for word in column.dictionary.to_pylist()]).compact()


def _nullable(column: Floats) -> pa.Array:
    return packed(column, np.isnan(column))


def _empty(kind: pa.DataType) -> pa.Array:
    return pa.schema([("nothing", kind)]).empty_table().column(0).combine_chunks()


def _one(column: pa.ChunkedArray) -> pa.Array:
    if len(column.chunks) == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.unify_dictionaries().chunks) if column.chunks else _empty(column.type)


def _flat(parts: Sequence[np.ndarray], kind: Any) -> Any:
    return np.concatenate([np.zeros(0, kind), *parts]).astype(kind, copy=False)
