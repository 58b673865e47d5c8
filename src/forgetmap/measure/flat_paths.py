"""Paths as an Arrow table: one row for each cell and path, and for each cell and name of paths."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from forgetmap.measure.flat import STYLE
from forgetmap.measure.path_cells import PathCell, PathShare
from forgetmap.measure.words import count, estimate

if TYPE_CHECKING:
    import pyarrow as pa

_LEGEND = "K known, U not known, a letter a stage; luck taken off; a … b: only a band is known; –: cannot be said."
_TEXTS = ("level", "cell", "parent", "task", "scorer", "path", "method")
_WHOLE = ("n", "share_n", "seeds")


def arrow(cells: Sequence[PathCell]) -> "pa.Table":
    """`path` is a word of letters or a name; `items` are counted, `share` is with luck taken off and has `_low`, `_high`, `_n`."""
    import pyarrow as pa

    rows = [row for cell in cells for row in _rows(cell)]
    columns = _COLUMNS
    kinds = {
        name: pa.string() if name in _TEXTS else pa.int64() if name in _WHOLE else pa.float64() for name in columns
    }
    return pa.table({name: [row[name] for row in rows] for name in columns}, schema=pa.schema(list(kinds.items())))


def html(cells: Sequence[PathCell], title: str) -> str:
    """The paths of all items as a small table for a notebook."""
    head = "".join(f"<th>{text}</th>" for text in ("path", "items", "share %"))
    rows = [
        f"<tr><td>{name}</td><td>{count(share.items)}</td><td>{estimate(share.estimate)}</td></tr>"
        for cell in cells[:1]
        for kind in (cell.paths, cell.names)
        for name, share in kind.items()
    ]
    table = (
        f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )
    return f'<div class="forgetmap"><style>{STYLE}</style>{table}<small>{_LEGEND}</small></div>'


def _rows(cell: PathCell) -> Iterator[dict[str, Any]]:
    place = {
        "level": cell.level,
        "cell": cell.name,
        "parent": cell.parent,
        "task": cell.task,
        "scorer": cell.scorer,
        "n": cell.n,
    }
    for path, share in [*cell.paths.items(), *cell.names.items()]:
        yield {**place, "path": path, "items": share.items, **_share(share)}


def _share(share: PathShare) -> dict[str, Any]:
    found, seeds = share.estimate, share.seeds
    both = seeds.both if seeds and seeds.both else (None, None)
    return {
        "share": found.value if found else None,
        "share_low": found.low if found else None,
        "share_high": found.high if found else None,
        "share_n": found.n if found else None,
        "method": found.method if found else None,
        "seeds": seeds.seeds if seeds else None,
        "sd_of_seeds": seeds.sd if seeds else None,
        "both_low": both[0],
        "both_high": both[1],
    }


_COLUMNS = (
    *("level", "cell", "parent", "task", "scorer", "n", "path", "items"),
    *("share", "share_low", "share_high", "share_n", "method"),
    *("seeds", "sd_of_seeds", "both_low", "both_high"),
)
