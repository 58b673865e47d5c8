"""Folded columns kept beside the records, so that a stored run is folded once.

`STUDY/folded/` holds one file a run, and one for what runs that asked the same items say of them. All is open Parquet, described in
docs/reference/records.md. Nothing needs it: what is missing, stale, cut or foreign is folded anew, and where it cannot be written
nothing is kept.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import pyarrow as pa

from forgetmap.measure import kept_files, kept_sweep
from forgetmap.measure.columns import Columns, Gathered, Items, Prompts
from forgetmap.records.plain_json import dump
from forgetmap.records.schema import SCHEMA
from forgetmap.records.study import RUNS
from forgetmap.records.summary import RunSummary, plain_shard

FOLDER = "folded"
VERSION = 1
"""Of what a fold keeps and how it is laid out; files of another version are folded anew."""

Table = tuple[str, str]

# Runs that say the same of their items share one object, as long as some run is in memory.
_items: WeakValueDictionary[str, Items] = WeakValueDictionary()
_prompts: WeakValueDictionary[str, Prompts] = WeakValueDictionary()


def kept_or(summary: RunSummary, fold: Callable[[], Gathered]) -> Gathered:
    """The columns of a stored run that an earlier call kept; else those that `fold` finds, which are kept."""
    folder = home(summary.folder)
    with suppress(*kept_files.DAMAGE):
        return load(folder, summary.folder.name, seal(summary))
    found = fold()
    with suppress(*kept_files.DAMAGE):
        return keep(folder, summary.folder.name, seal(summary), found)
    return found


def home(folder: Path) -> Path:
    """Where the columns of the run in this folder are kept: beside `runs` in its study, or within a run that stands alone."""
    return (folder.parent.parent if folder.parent.name == RUNS else folder) / FOLDER


def seal(summary: RunSummary) -> str:
    """A hash of all that a fold depends on: which records, and the version of the fold."""
    said = [VERSION, SCHEMA, summary.content_hash, summary.rows, [plain_shard(shard) for shard in summary.shards]]
    return blake2b(dump(said), digest_size=16).hexdigest()


def load(folder: Path, name: str, sealed: str) -> Gathered:
    """The columns kept of a run; a LookupError where they are of other records, whatever reading raises where they are damaged."""
    told, answers = kept_files.read_run(folder, name)
    if told["seal"] != sealed:
        raise LookupError(f"{name} is kept of other records")
    sides: dict[str, Items | None] = {one: _items.get(one) for one in told["sides"]}
    if any(one is None for one in sides.values()):
        sides |= _read_items(folder, told["items"], sides)
    asked: dict[str, Prompts | None] = {one: _prompts.get(one) for one in told["asked"]}
    if any(one is None for one in asked.values()):
        asked |= _read_prompts(folder, told["prompts"])
    found, start = {}, 0
    for table in told["tables"]:
        items, prompts = sides[table["side"]], asked[table["asked"]]
        if items is None or prompts is None or len(items) != table["items"] or len(prompts) != table["items"]:
            raise LookupError(f"what is kept of {name} does not belong together")
        end = start + len(items) * len(table["seeds"])
        found[table["task"], table["scorer"]] = kept_files.columns(table, items, prompts, answers.rows(start, end))
        start = end
    if start != len(answers.state):
        raise LookupError(f"{name} holds other answers than it says")
    return Gathered(found, told["unscored"])


def keep(folder: Path, name: str, sealed: str, found: Gathered) -> Gathered:
    """Keep the columns of a run; they come back with the items that other runs say the same of."""
    shared: dict[Table, Columns] = {}
    sides: dict[str, tuple[str, Items]] = {}
    asked: dict[str, Prompts] = {}
    tables: list[dict[str, Any]] = []
    for (task, scorer), own in found.columns.items():
        side, prompt = _name_of(own.items), _hash(own.prompts)
        items = _items.setdefault(side, own.items)
        prompts = _prompts.setdefault(prompt, own.prompts)
        shared[task, scorer] = own._replace(items=items, prompts=prompts)
        sides.setdefault(side, (task, items))
        asked.setdefault(prompt, prompts)
        said = {"task": task, "scorer": scorer, "items": len(items), "seeds": own.seeds}
        tables.append({**said, "side": side, "asked": prompt})
    beside = {
        "items": _together([(side, task) for side, (task, _) in sides.items()]),
        "prompts": _together(list(asked)),
    }
    let_go = kept_sweep.referred(folder, name)
    _write_beside(folder, beside, sides, asked)
    told = {
        "seal": sealed,
        "unscored": found.unscored,
        **beside,
        "sides": list(sides),
        "asked": list(asked),
        "tables": tables,
    }
    kept_files.write_run(folder, name, told, shared)
    kept_sweep.sweep(folder, let_go)
    if not all(path.exists() for path in kept_sweep.referred(folder, name)):
        _write_beside(folder, beside, sides, asked)
    return Gathered(shared, found.unscored)


def _write_beside(
    folder: Path, beside: Mapping[str, str], sides: Mapping[str, tuple[str, Items]], asked: Mapping[str, Prompts]
) -> None:
    """The items and prompts that the answers refer to."""
    kept_files.write_items(folder, beside["items"], sides)
    kept_files.write_prompts(folder, beside["prompts"], asked)


def _read_items(folder: Path, name: str, wanted: Mapping[str, Any]) -> dict[str, Items | None]:
    found = kept_files.read_items(folder, name)
    # Reading takes several times what stays; without this the program would keep it all.
    pa.default_memory_pool().release_unused()
    return {side: _items.setdefault(side, found[side]) for side in wanted}


def _read_prompts(folder: Path, name: str) -> dict[str, Prompts | None]:
    return {asked: _prompts.setdefault(asked, own) for asked, own in kept_files.read_prompts(folder, name).items()}


def _name_of(items: Items) -> str:
    """A hash of all that is said of some items."""
    digest = blake2b(digest_size=10)
    for names in (items.ids, items.natives):
        for part in names.parts():
            digest.update(part.tobytes())
    for coded in (items.domains, items.categories, items.clusters):
        digest.update(dump(coded.words))
        digest.update(coded.codes.tobytes())
    for column in (items.k, items.chance, items.golds):
        digest.update(column.tobytes())
    return digest.hexdigest()


def _hash(prompts: Prompts) -> str:
    return blake2b(prompts.tobytes(), digest_size=10).hexdigest()


def _together(said: list[Any]) -> str:
    return blake2b(dump(said), digest_size=10).hexdigest()
