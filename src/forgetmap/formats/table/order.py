"""Rows in the order of their native ids, so that the order of lines never matters."""

import pyarrow as pa
import pyarrow.compute as pc

INTEGER = r"^-?[0-9]{1,18}$"


def in_order(table: pa.Table) -> pa.Array:
    """Numbers of the rows: by task, then by item id (as integers where all of the task's are, else as text), draw, seed and
    scorer (as the file first names them).

    Rows without an item id stand last in their task, as they stood.

    >>> table = pa.table({"task": ["t"] * 3, "item_id": ["10", "9", "9"], "draw": ["0", "1", "0"]})
    >>> in_order(table).to_pylist()
    [2, 1, 0]
    """
    keys = {"task": table["task"]}
    if "item_id" in table.column_names and table["item_id"].null_count < table.num_rows:
        named = pc.is_valid(table["item_id"])
        for name in ("item_id", "draw", "seed"):
            if name in table.column_names:
                keys |= _keys(table, name, named)
        if "scorer" in table.column_names:
            first_named = pc.index_in(table["scorer"], value_set=pc.unique(table["scorer"]))
            keys["scorer"] = pc.if_else(named, first_named, None)
    return pc.sort_indices(pa.table(keys), sort_keys=[(name, "ascending") for name in keys])


def _keys(table: pa.Table, name: str, named: pa.ChunkedArray) -> dict[str, pa.ChunkedArray]:
    """Two columns that sort as one: the number, null where the task's cells are not all integers; then the text."""
    cells = pc.if_else(named, table[name], None)
    integer = pc.fill_null(pc.match_substring_regex(cells, INTEGER), True)
    textual = pc.unique(table["task"].filter(pc.invert(integer)))
    numeric = pc.invert(pc.is_in(table["task"], value_set=textual))
    numbers = pc.cast(pc.if_else(numeric, cells, None), pa.int64())
    return {f"{name} number": numbers, name: cells}
