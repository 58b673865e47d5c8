"""What is left out of published logs because no reader needs it: of Parquet whole columns, of lines repeated prompts.

Rows read from what is left are those of the whole file: only what no reader looks at goes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from forgetmap.formats.hub.sources import Parts

_FLAT = frozenset({"full_prompt", "choices", "predictions"})
_STRUCTS = frozenset({"doc", "metric", "model_response"})
_IN_FLAT = frozenset(
    {"input_tokens", "cont_tokens", "hashes", "pred_logits", "prediction_logits", "truncated", "padded"}
)
_IN_STRUCTS = frozenset(
    {"doc.fewshot_samples", "doc.images", "doc.stop_sequences", "doc.sampling_methods"}
    | {f"model_response.{name}" for name in ("input_tokens", "output_tokens", "logits", "argmax_logits_eq_gold")}
    | {f"model_response.{name}" for name in ("unconditioned_logprobs", "padded_tokens_count")}
)
_FIRST = b'{"doc_id"'


def parquet(parts: Parts, target: Path) -> bool:
    """Write the columns that are needed to `target`, fetching no others; false where all of them are, and nothing was written."""
    file = pq.ParquetFile(parts)
    needed = columns(file.schema_arrow)
    if needed is None:
        return False
    groups = range(file.metadata.num_row_groups)
    tables = (_group(file, parts, group, needed) for group in groups)
    first = next(tables, None)
    with pq.ParquetWriter(target, (file.read(needed) if first is None else first).schema, compression="zstd") as out:
        for table in [] if first is None else [first]:
            out.write_table(table)
        for table in tables:
            out.write_table(table)
    return True


def _group(file: pq.ParquetFile, parts: Parts, group: int, needed: list[str]) -> pa.Table:
    parts.announce(list(_spans(file.metadata.row_group(group), needed)))
    return file.read_row_group(group, columns=needed, use_threads=False)


def _spans(group: Any, needed: list[str]) -> Iterator[tuple[int, int]]:
    """Where the bytes of the needed columns stand."""
    below = tuple(f"{name}." for name in needed)
    for place in range(group.num_columns):
        column = group.column(place)
        path = column.path_in_schema
        if path in needed or path.startswith(below):
            offsets = [column.dictionary_page_offset, column.data_page_offset]
            start = min(offset for offset in offsets if offset)
            yield start, start + column.total_compressed_size


def columns(schema: pa.Schema) -> list[str] | None:
    """The columns that a reader may need, those within structs as STRUCT.NAME; null where that is all of them."""
    names = frozenset(schema.names)
    without: frozenset[str] = frozenset()
    if names >= _STRUCTS:
        without = _IN_STRUCTS
    elif names >= _FLAT:
        without = _IN_FLAT
    found: list[str] = []
    for field in schema:
        found += _of_field(field, without)
    return None if found == list(schema.names) or len(names) < len(schema.names) or not found else found


def _of_field(field: pa.Field, without: frozenset[str]) -> Iterator[str]:
    if field.name in without or _is_binary(field.type):
        return
    inner = [f"{field.name}.{part.name}" for part in field.type] if pa.types.is_struct(field.type) else []
    if without.isdisjoint(inner):
        yield field.name
    else:
        yield from (name for name in inner if name not in without)


def _is_binary(kind: pa.DataType) -> bool:
    """Pictures and sounds: bytes, and structs that hold them."""
    if pa.types.is_struct(kind):
        return any(_is_binary(part.type) for part in kind)
    tests = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    return any(test(kind) for test in tests)


def line(raw: bytes) -> bytes:
    """A sample of lm-eval with its prompt once: for each option the harness writes it again. All other lines stay as they are."""
    if not raw.startswith(_FIRST):
        return raw
    try:
        entry = orjson.loads(raw)
    except ValueError:
        return raw
    asked = entry.get("arguments")
    requests = list(asked.values()) if isinstance(asked, dict) else asked
    if not isinstance(requests, list) or not _repeat_one_prompt(requests):
        return raw
    for request in requests[1:]:
        if isinstance(request, dict):
            del request["arg_0"]
        else:
            request[0] = None
    return orjson.dumps(entry)


def _repeat_one_prompt(requests: list[Any]) -> bool:
    """Whether all ask the same and only what they rank differs: then the prompt of the first says all."""
    pairs = [_pair(request) for request in requests]
    if len(pairs) < 2 or None in pairs:
        return False
    prompts, ranked = zip(*(pair for pair in pairs if pair is not None), strict=True)
    return all(prompt == prompts[0] for prompt in prompts) and any(text != ranked[0] for text in ranked)


def _pair(request: Any) -> tuple[str, str] | None:
    if isinstance(request, dict):
        prompt, ranked = request.get("arg_0"), request.get("arg_1")
    elif isinstance(request, list) and len(request) > 1:
        prompt, ranked = request[0], request[1]
    else:
        return None
    return (prompt, ranked) if isinstance(prompt, str) and prompt and isinstance(ranked, str) else None
