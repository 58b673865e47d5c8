"""A map as an Arrow table, and as HTML for notebooks."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, get_args

import orjson

from forgetmap.measure.cell import CAUSES, ESTIMATES, Cell, Estimate, Level, told
from forgetmap.measure.flat_recipes import recipe_columns, recipe_row

if TYPE_CHECKING:
    import pyarrow as pa

    from forgetmap.measure.map import Map
    from forgetmap.measure.recipes import RecipeCell

TEXTS = ("before", "after", "level", "name", "parent", "task", "scorer", "metric")
DROPPED = ("failed", "band_only", "chance_unknown", "chance_one")
LEVELS = get_args(Level)
MOST_ROWS = 60
"""Rows a notebook shows; the rest is counted."""


def arrow(cells: Sequence[Cell], recipes: Sequence["RecipeCell"] = ()) -> "pa.Table":
    """One row a cell, whatever its level; then one for each cell of a recipe, where there are any.

    An estimate becomes `<name>`, `<name>_low`, `<name>_high`, `<name>_n` and `<name>_method`; an estimator asked for puts its own name in
    front, as in `table_forgetting`. Items left out are `dropped_<reason>`, causes `cause_<name>`, notes JSON. What cannot be had is null.
    With recipes there are the columns `recipe` (null in other rows), `seeds` and `<name>_sd`, and means over seeds have the interval for
    other seeds and other items, or for other items alone where there is one seed.
    """
    import pyarrow as pa

    named = _columns(cells) | (recipe_columns() if recipes else {})
    rows = [*(dict(_flat(cell)) for cell in cells), *map(recipe_row, recipes)]
    schema = pa.schema([(name, getattr(pa, kind)()) for name, kind in named.items()])
    return pa.table({name: [row.get(name) for row in rows] for name in named}, schema=schema)


def _columns(cells: Sequence[Cell]) -> dict[str, str]:
    """Name and type of every column, in order; the same for any cells but for reasons, causes and estimators of their own."""
    found: dict[str, str] = {}
    for name in told():
        if name in TEXTS:
            found[name] = "string"
        elif name in ESTIMATES:
            found |= _estimate_columns(name)
        elif name == "dropped":
            found |= dict.fromkeys(_all_keys("dropped_", DROPPED, (cell.dropped for cell in cells)), "int64")
        elif name == "causes":
            found |= dict.fromkeys(_all_keys("cause_", CAUSES, (cell.causes for cell in cells)), "float64")
        elif name == "alternatives":
            for estimator in _all_keys("", (), (cell.alternatives for cell in cells)):
                found |= _estimate_columns(f"{estimator}_forgetting") | _estimate_columns(f"{estimator}_gain")
        else:
            found[name] = {"n": "int64", "notes": "string"}.get(name, "float64")
    return found


def _estimate_columns(name: str) -> dict[str, str]:
    kinds = ("float64", "float64", "float64", "int64", "string")
    return dict(zip((name, *(f"{name}_{part}" for part in Estimate._fields[1:])), kinds, strict=True))


def _all_keys(prefix: str, first: Iterable[str], found: Iterable[Iterable[str]]) -> list[str]:
    return [prefix + key for key in dict.fromkeys([*first, *(key for keys in found for key in keys)])]


def _flat(cell: Cell) -> Iterator[tuple[str, Any]]:
    for name in told():
        value = getattr(cell, name)
        if name in ESTIMATES:
            yield from _flat_estimate(name, value)
        elif name == "dropped":
            yield from ((f"dropped_{reason}", value.get(reason, 0)) for reason in {**dict.fromkeys(DROPPED), **value})
        elif name == "causes":
            yield from ((f"cause_{cause}", number) for cause, number in value.items())
        elif name == "alternatives":
            for estimator, both in value.items():
                for side, estimate in both.items():
                    yield from _flat_estimate(f"{estimator}_{side}", estimate)
        else:
            yield name, orjson.dumps(value).decode() if name == "notes" else value


def _flat_estimate(name: str, found: Estimate | None) -> Iterator[tuple[str, Any]]:
    if found is not None:
        yield from zip(_estimate_columns(name), found, strict=True)


# A notebook's theme need not be the system's, so text keeps the page's own colour, and red and green are read on white and on black.
STYLE = """
.forgetmap{font:13px/1.45 system-ui,sans-serif;overflow-x:auto}
.forgetmap table{border-collapse:collapse;margin:.4em 0}
.forgetmap caption{text-align:left;font-weight:600;padding:.2em 0}
.forgetmap th,.forgetmap td{padding:.15em .7em;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.forgetmap th:first-child,.forgetmap td:first-child{text-align:left}
.forgetmap thead th{border-bottom:1px solid currentColor}
.forgetmap small{opacity:.7}
.forgetmap .all td{font-weight:600;border-top:1px solid #8888}
.forgetmap .bad{color:#d64545}
.forgetmap .good{color:#2a9150}
"""


def html(map: "Map") -> str:
    """A small table for a notebook, self-contained: one comparison by its widest level of several rows, several by comparison."""
    body = "".join(_tables(map)) or "<p>The map is empty: nothing was compared.</p>"
    level = f"{100 * map.confidence:g}"
    legend = (
        f"Forgetting and gain in % of the items, luck taken off, with {level} % intervals; a … b: only a band is known; "
        "–: cannot be said."
    )
    return f'<div class="forgetmap"><style>{STYLE}</style>{body}<small>{legend}</small></div>'


def _tables(map: "Map") -> Iterator[str]:
    overall = [cell for cell in map.cells if cell.level == "all"]
    if len(map.comparisons) > 1:
        since = {pair.before for pair in map.comparisons}
        if len(since) == 1:
            yield _table(f"since {since.pop()}", "after", [(cell.after, cell) for cell in overall])
        else:
            yield _table("step by step", "step", [(f"{cell.before} → {cell.after}", cell) for cell in overall])
        return
    for pair in map.comparisons:
        level = _level(map.cells)
        rows = [(cell.name, cell) for cell in map.cells if cell.level == level]
        yield _table(f"{pair.after} since {pair.before}", level, [*rows, *(("all", cell) for cell in overall)])


def _level(cells: Sequence[Cell]) -> str:
    """The widest level below all that has several rows, or the narrowest."""
    several = [level for level in LEVELS[1:] if sum(cell.level == level for cell in cells) > 1]
    return several[0] if several else "domain"


def _table(caption: str, first: str, rows: Sequence[tuple[str, Cell]]) -> str:
    heads = "".join(f"<th>{head}</th>" for head in (first, "items", "accuracy %", "forgetting %", "gain %"))
    more = f"<small>{len(rows) - MOST_ROWS} more rows: see to_arrow()</small><br>" if len(rows) > MOST_ROWS else ""
    body = "".join(_row(name, cell) for name, cell in rows[:MOST_ROWS])
    return (
        f"<table><caption>{_name(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{more}"
    )


def _row(name: str, cell: Cell) -> str:
    total = ' class="all"' if cell.level == "all" and name == "all" else ""
    accuracy = f"{percent(cell.accuracy_before)} → {percent(cell.accuracy_after)}"
    entries = f"<td>{cell.n:,}</td><td>{accuracy}</td>{_entry(cell.forgetting, 'bad')}{_entry(cell.gain, 'good')}"
    return f"<tr{total}><td>{_name(name)}</td>{entries}</tr>"


def _entry(found: Estimate | None, tone: str) -> str:
    """An estimate as a table entry, coloured where its interval lies above 0."""
    if found is None or (found.value is None and found.low is None):
        return "<td>–</td>"
    clear = f' class="{tone}"' if found.low is not None and found.low > 0 else ""
    if found.value is None:
        return f"<td{clear}>{percent(found.low)} … {percent(found.high)}</td>"
    interval = "no interval" if found.low is None else f"{percent(found.low)}, {percent(found.high)}"
    return f"<td{clear}>{percent(found.value)} <small>[{interval}]</small></td>"


def percent(share: float | None) -> str:
    """A share in per cent, without its sign %; negative numbers are shown as what they are.

    >>> percent(0.0854), percent(-0.004), percent(-0.00001), percent(None)
    ('8.5', '−0.4', '0.0', '–')
    """
    if share is None:
        return "–"
    number = f"{100 * share:.1f}"
    return "0.0" if number == "-0.0" else number.replace("-", "−")


def _name(text: str) -> str:
    """A name from a log: escaped, and kept from turning the text around it."""
    return f"<bdi>{escape(text)}</bdi>"
