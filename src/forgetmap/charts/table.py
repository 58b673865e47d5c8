"""What a chart shows as CSV and as a LaTeX table."""

import csv
import io
import re

from forgetmap.charts.spec import Entry, Spec

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "▼": r"$\blacktriangledown$",
}
_SPECIAL |= {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "▲": r"$\blacktriangle$",
    "●": r"$\bullet$",
    "−": "$-$",
    "→": r"$\to$",
}


def as_csv(spec: Spec) -> str:
    """Shares as shares, absent as nothing."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(spec.table.columns)
    writer.writerows(["" if entry is None else entry for entry in row] for row in spec.table.rows)
    return out.getvalue()


def as_latex(spec: Spec) -> str:
    """A `tabular` with booktabs rules; shares as they are, to four digits."""
    aligned = "".join("l" if _is_text(spec, place) else "r" for place in range(len(spec.table.columns)))
    lines = [
        f"% {_plain(spec.title)}",
        f"\\begin{{tabular}}{{{aligned}}}",
        r"\toprule",
        " & ".join(escaped(column.replace("_", " ")) for column in spec.table.columns) + r" \\",
        r"\midrule",
        *(" & ".join(_entry(entry) for entry in row) + r" \\" for row in spec.table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    r"""Text that means itself in LaTeX.

    >>> escaped("a_b & 5 %")
    'a\\_b \\& 5 \\%'
    """
    return "".join(_SPECIAL.get(sign, sign) for sign in text)


def _is_text(spec: Spec, place: int) -> bool:
    return any(isinstance(row[place], str) for row in spec.table.rows)


def _entry(entry: Entry) -> str:
    if entry is None:
        return "--"
    if isinstance(entry, float):
        return f"{entry:.4f}"
    return escaped(str(entry))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)
