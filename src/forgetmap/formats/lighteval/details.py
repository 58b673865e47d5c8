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
    | frozenset({"predictions", "pred_logits", "prediction_logits"})
)
"""Columns of numbers in a flat table that are none."""

Cells = dict[str, Any]


class Details(NamedTuple):
    """One row, whichever layout it had. Nothing is checked: any field may hold anything."""

    native: Any
    query: Any
    original: Any
    instruction: Any
    choices: Any
    gold_index: Any
    gold: Any
    specific: Any
    prompt: Any
    answers: Any
    """Texts generated, one a repeat."""
    logprobs: Any
    """Log-likelihoods, one an option."""
    reasoning: Any
    limit: Any
    """Tokens that could be generated."""
    metrics: Any
    cells: Cells
    """The row as it was read."""


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
            yield number, _of_structs(cells, values) if layout.structs else _of_flat(cells, values)


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
    if "metrics" in names:
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


def _of_flat(cells: Cells, values: Any) -> Details:
    native, query = _native_and_query(cells.get("example"), cells.get("full_prompt"))
    predictions = cells.get("predictions")
    numbers = predicted_numbers(predictions)
    return Details(
        native=native,
        query=query,
        original=None,
        instruction=cells.get("instruction"),
        choices=cells.get("choices"),
        gold_index=cells.get("gold_index"),
        gold=cells.get("gold"),
        specific=cells.get("specifics"),
        prompt=cells.get("full_prompt"),
        answers=predictions if numbers is None else None,
        logprobs=numbers,
        reasoning=None,
        limit=None,
        metrics=values,
        cells=cells,
    )


def _native_and_query(example: Any, prompt: Any) -> tuple[Any, Any]:
    """`example` is the question where the prompt holds it; in the oldest files it is an id, and the prompt's last block the question."""
    if not isinstance(prompt, str):
        return None, example
    if isinstance(example, str) and example.strip() and example.strip() in prompt:
        return None, example
    if isinstance(example, str) and len(example.split()) > 1:
        return None, example
    return example or None, prompt.rstrip().rpartition("\n\n")[2]


def predicted_numbers(predictions: Any) -> list[float] | None:
    """Log-likelihoods among predictions: numbers, or lists that begin with one.

    >>> predicted_numbers([-1.5, -2]), predicted_numbers([[-1.5, 0.0]]), predicted_numbers(["B"])
    ([-1.5, -2.0], [-1.5], None)
    """
    given = predictions if isinstance(predictions, list) else []
    firsts = [one[0] if isinstance(one, list) and one else one for one in given]
    numbers = [float(one) for one in firsts if isinstance(one, int | float) and not isinstance(one, bool)]
    return numbers if firsts and len(numbers) == len(firsts) else None


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
