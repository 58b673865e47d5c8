"""The study's tables as CSV, LaTeX and plain data, with cells as it prints them: mean ± sd (ceiling), in per cent."""

import csv as lines_of
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal

from forgetmap.measure.cell import Estimate
from forgetmap.measure.flat import percent
from forgetmap.measure.published import InOrder

if TYPE_CHECKING:
    from forgetmap.measure.published_tables import Column, PaperTables, Row

Side = Literal["forgetting", "gain"]
SIDES: tuple[Side, ...] = ("forgetting", "gain")
PRINTED = {"Knowledge": "Knowledge/QA", "Safety": "Safety/Truth"}
"""Two names that tables print longer than radars do."""
ABSENT = "–"
_LATEX = {sign: "\\" + sign for sign in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "→": r"$\to$",
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
}


def entry(found: InOrder | None, side: Side) -> str:
    """One cell; without ± where one seed has no spread.

    >>> one = InOrder(0.066, 0.057, 0.0071, 0.004, 0.742, 0.73, 0.03, 3, 19, 0, 4200)
    >>> entry(one, "forgetting"), entry(one._replace(gain_sd=None), "gain"), entry(None, "gain")
    ('6.6 ± 0.7 (74.2)', '5.7 (73.0)', '–')
    """
    mean, sd, ceiling = numbers(found, side)
    if mean is None:
        return ABSENT
    return percent(mean) + (f" ± {percent(sd)}" if sd is not None else "") + f" ({percent(ceiling)})"


def numbers(found: InOrder | None, side: Side) -> tuple[float | None, float | None, float | None]:
    """Mean, standard deviation over seeds and ceiling of one side."""
    if found is None:
        return None, None, None
    if side == "forgetting":
        return found.forgetting, found.forgetting_sd, found.ceiling_before
    return found.gain, found.gain_sd, found.ceiling_after


def lines(tables: "PaperTables", side: Side) -> Iterator[tuple[str, list[str]]]:
    """Name and cells of every row, the total last."""
    for category in tables.categories:
        rows = [column.rows.get(category) for column in tables.columns]
        yield PRINTED.get(category, category), [entry(row and row.printed, side) for row in rows]
    yield "Total", [entry(column.total.printed, side) for column in tables.columns]


def csv(tables: "PaperTables") -> str:
    text = StringIO()
    writer = lines_of.writer(text, lineterminator="\n")
    writer.writerow(["table", "category", *(column.after for column in tables.columns)])
    for side in SIDES:
        writer.writerows([side, name, *cells] for name, cells in lines(tables, side))
    return text.getvalue()


def latex(tables: "PaperTables") -> str:
    return "\n".join(_tabular(tables, side) for side in SIDES)


def _tabular(tables: "PaperTables", side: Side) -> str:
    rows = list(lines(tables, side))
    heads = [escaped(column.after) for column in tables.columns]
    body = [_latex_row(name, cells) for name, cells in rows]
    named = "Forgetting" if side == "forgetting" else "Gain (backward transfer)"
    return "\n".join(
        [
            f"% {named} in per cent: mean ± sd over seeds (ceiling)",
            r"\begin{tabular}{l" + "r" * len(heads) + "}",
            r"\toprule",
            f"{named} & {' & '.join(heads)} \\\\",
            r"\midrule",
            *body[:-1],
            r"\midrule",
            body[-1],
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _latex_row(name: str, cells: Sequence[str]) -> str:
    return f"{' & '.join(map(escaped, [name, *cells]))} \\\\"


def escaped(text: str) -> str:
    """
    >>> print(escaped("a_b & 5 %"))
    a\\_b \\& 5 \\%
    """
    return "".join(_LATEX.get(sign, sign) for sign in text)


def plain(tables: "PaperTables") -> dict[str, Any]:
    return {
        "schema": 1,
        "forgetmap": tables.version,
        "confidence": tables.confidence,
        "taxonomy": tables.taxonomy,
        "k": tables.k,
        "categories": tables.categories,
        "totals_over": tables.totals_over,
        "pairs": [_pair(tables, column) for column in tables.columns],
    }


def _pair(tables: "PaperTables", column: "Column") -> dict[str, Any]:
    return {
        "before": column.before,
        "after": column.after,
        "seeds": column.total.printed.seeds,
        **{side: _trace(tables, column, side) for side in SIDES},
        "left_out": column.left_out,
        "graded": column.graded,
        "missing": column.missing,
        "differs": column.differs,
        "notes": column.notes,
    }


def _trace(tables: "PaperTables", column: "Column", side: Side) -> dict[str, Any]:
    """A closed line around a radar, the first point repeated, and every point with what it rests on."""
    points = [_point(category, column.rows.get(category), side) for category in tables.categories]
    closed = [*points, *points[:1]]
    return {
        "theta": [point["category"] for point in closed],
        "r": [point["value"] for point in closed],
        "points": points,
        "total": _point("Total", column.total, side),
    }


def _point(category: str, row: "Row | None", side: Side) -> dict[str, Any]:
    value, sd, ceiling = numbers(row and row.printed, side)
    ours: Estimate | None = None if row is None else getattr(row.beside, side)
    return {
        "category": category,
        "value": value,
        "sd": sd,
        "ceiling": ceiling,
        "null_bias": row.printed.null_bias if row else None,
        "seeds": row.printed.seeds if row else 0,
        "tasks": row.printed.tasks if row else 0,
        "tasks_left_out": row.printed.left_out if row else 0,
        "items": row.printed.items if row else 0,
        "option": None if ours is None else ours.to_dict(),
    }
