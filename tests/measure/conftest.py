"""Small real runs, made from lines."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Problem, Row, RunInfo, Sample, Score

MakeRun = Callable[..., Run]


@pytest.fixture
def make_run() -> MakeRun:
    """`make_run("name", rows, **info)`; a row is a dict of fields of Item, Sample and Score."""
    return _make_run


def _make_run(name: str, rows: list[dict[str, Any]], **info: Any) -> Run:
    def read(problems: list[Problem]) -> Iterator[Row]:
        return (_row(fields) for fields in rows)

    return Run(RunInfo(run_id=name, checkpoint=info.pop("checkpoint", name), **info), read)


def _row(fields: dict[str, Any]) -> Row:
    taken = {kind: {f: fields[f] for f in kind._fields if f in fields} for kind in (Item, Sample, Score)}
    item = {"task": "t", **taken[Item]}
    if item.get("k") and "chance" not in item:
        item["chance"] = max(1, len(item.get("golds", ()))) / item["k"]
    score = {"scorer": "acc", **taken[Score]}
    return Row(Item(**item), Sample(**taken[Sample]), (Score(**score),))
