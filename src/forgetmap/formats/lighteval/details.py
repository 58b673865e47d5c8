"""Details of lighteval as they stand in Parquet, in both layouts, batch by batch.

From 0.11 on a table has three columns of structs: `doc`, `metric` and `model_response`. Before that it is flat: `full_prompt`,
`example`, `choices`, `gold_index`, `predictions`, and either `metrics` or one column a metric. A column without any value has no type,
so no type is relied upon.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from forgetmap.errors import FormatError
from forgetmap.formats.lighteval.details_row import Cells, Details
from forgetmap.formats.lighteval.flat import of_flat
from forgetmap.formats.lm_eval.metrics import Metrics
from forgetmap.records.schema import Problem

_DAMAGED = (pa.ArrowException, OSError, ValueError, MemoryError)
"""What reading a damaged Parquet file raises."""
_ROWS = 1024
_STRUCTS = frozenset({"doc", "metric", "model_response"})
_FLAT = frozenset({"full_prompt", "choices", "predictions"})
_GOLDS = frozenset({"gold", "gold_index"})
_READ = (
    *(
        f"doc.{name}"
        for name in [
            "query",
            "choices",
            "gold_index",
            "instruction",
            "specific",
            "original_query",
            "id",
            "generation_size",
        ]
    ),
    *(f"model_response.{name}" for name in ("input", "text", "reasonings", "logprobs")),
)
_READ_FLAT = ("example", "instruction", "full_prompt", "choices", "gold", "gold_index", "predictions", "specifics")
_NO_METRICS = (
    frozenset({"choices", "gold", "gold_index", "input_tokens", "cont_tokens", "truncated", "padded"})
    | frozenset({"num_effective_few_shots", "num_asked_few_shots", "non_truncated", "non_padded"})
    | frozenset({"predictions", "pred_logits", "prediction_logits", *_READ_FLAT})
)
"""Columns of numbers in a flat table that are none."""


def is_details(path: Path) -> bool:
    """Whether a file is a table of one of the layouts."""
    try:
        with _opened(path) as file:
            return _is_ours(frozenset(file.schema_arrow.names))
    except FormatError:
        return False


def _is_ours(names: frozenset[str]) -> bool:
    return names >= _STRUCTS or (names >= _FLAT and not names.isdisjoint(_GOLDS))


def metrics_in(path: Path) -> Metrics:
    """What the metrics of a whole file hold; what cannot be read is left to `details_in` to report."""
    found = Metrics()
    with _opened(path) as file:
        layout = _layout(path, file)
        for _, cells in _batches(file, layout.metrics, path.name, []):
            if isinstance(values := layout.values(cells), dict):
                found.add(values)
    return found


def details_in(path: Path, problems: list[Problem]) -> Iterator[tuple[int, Details]]:
    """Number (from 1) and content of each row. Rows with bytes that are no text, and the rest of a damaged file, become problems."""
    with _opened(path) as file:
        layout = _layout(path, file)
        for number, cells in _batches(file, [*layout.columns, *layout.metrics], path.name, problems):
            values = layout.values(cells)
            yield number, _of_structs(cells, values) if layout.structs else of_flat(cells, values)


class _Layout(NamedTuple):
    structs: bool
    columns: tuple[str, ...]
    metrics: tuple[str, ...]

    def values(self, cells: Cells) -> Any:
        """The metrics of a row, by name."""
        if len(self.metrics) == 1 and self.metrics[0] in ("metric", "metrics"):
            return cells.get(self.metrics[0])
        return {name: cells.get(name) for name in self.metrics}


def _layout(path: Path, file: pq.ParquetFile) -> _Layout:
    schema = file.schema_arrow
    names = frozenset(schema.names)
    if not _is_ours(names):
        raise FormatError(
            f"{path} is no table of lighteval's details: the columns doc, metric and model_response are wanted, or "
            f"full_prompt, choices, gold_index and predictions, but it has {', '.join(sorted(names)) or 'none'}."
        )
    if names >= _STRUCTS:
        return _Layout(True, _READ, ("metric",))
    if "metrics" in names and pa.types.is_struct(schema.field("metrics").type):
        return _Layout(False, _READ_FLAT, ("metrics",))
    single = tuple(field.name for field in schema if _is_number(field.type) and field.name not in _NO_METRICS)
    return _Layout(False, _READ_FLAT, single)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))


def _of_structs(cells: Cells, values: Any) -> Details:
    asked, answered = (part if isinstance(part := cells.get(name), dict) else {} for name in ("doc", "model_response"))
    return Details(
        native=asked.get("id"),
        query=asked.get("query"),
        original=asked.get("original_query"),
        instruction=asked.get("instruction"),
        choices=asked.get("choices"),
        gold_index=asked.get("gold_index"),
        gold=None,
        specific=asked.get("specific"),
        prompt=answered.get("input"),
        answers=answered.get("text"),
        logprobs=answered.get("logprobs"),
        reasoning=answered.get("reasonings"),
        limit=asked.get("generation_size"),
        metrics=values,
        cells=cells,
    )


def _opened(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except _DAMAGED as error:
        raise FormatError(
            f"{path} is a damaged or cut Parquet file, of which nothing can be read ({_said(error)}): write or fetch it again."
        ) from error


def _batches(
    file: pq.ParquetFile, columns: tuple[str, ...] | list[str], name: str, problems: list[Problem]
) -> Iterator[tuple[int, Cells]]:
    read = 0
    batches = file.iter_batches(_ROWS, columns=list(columns))
    while True:
        try:
            batch = next(batches, None)
        except _DAMAGED as error:
            where = f"{name} rows {read + 1} to {file.metadata.num_rows}"
            problems.append(Problem(where, f"cannot be read: the file is damaged ({_said(error)})"))
            return
        if batch is None:
            return
        yield from _cells(batch, read, name, problems)
        read += batch.num_rows


def _cells(batch: pa.RecordBatch, read: int, name: str, problems: list[Problem]) -> Iterator[tuple[int, Cells]]:
    """The rows of a batch; where some row holds bytes that are no text, they are read one by one."""
    try:
        yield from enumerate(batch.to_pylist(), start=read + 1)
        return
    except (pa.ArrowException, ValueError, OverflowError):
        pass
    for place in range(batch.num_rows):
        try:
            (cells,) = batch.slice(place, 1).to_pylist()
        except (pa.ArrowException, ValueError, OverflowError):
            problems.append(Problem(f"{name} row {read + place + 1}", "holds a value that is no text, or damaged"))
            continue
        yield read + place + 1, cells


def _said(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
