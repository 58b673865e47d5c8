"""The exam of every chart: the same picture for the same map, and something sensible for maps that hold little or nothing."""

import csv
import io
from dataclasses import fields, replace
from typing import Any
from xml.etree import ElementTree

import pytest

from forgetmap.charts import CHARTS
from forgetmap.charts.spec import Dot, Line, Rect, Shape, Spec, Text
from forgetmap.charts.svg import svg
from forgetmap.charts.table import as_csv, as_latex
from forgetmap.errors import SettingError
from forgetmap.measure.cell import Cell
from forgetmap.measure.map import Map
from forgetmap.tables import load
from tests.charts.snapshots import FOLDER, drawn
from tests.cli.maps import a_cell, a_comparison, a_map, band, mapped

HOSTILE = '</text><script>alert("1")</script>\x1b[31m\u202e\x00 & "quoted" \ud800'
SVG = "{http://www.w3.org/2000/svg}"


def chart(name: str, map: Map, **how: Any) -> Spec:
    found: Spec = load(CHARTS, name, group="charts")(map, **how)
    return found


def nothing_said(map: Map) -> Map:
    """The same cells with no number but the items counted."""
    kept = {"before", "after", "level", "name", "parent", "task", "scorer", "metric", "n", "dropped"}
    cells = [
        Cell(**{column.name: getattr(cell, column.name) for column in fields(Cell) if column.name in kept},
             accuracy_before=None, accuracy_after=None) for cell in map.cells
    ]  # fmt: skip
    return replace(map, cells=cells)


def ends(spec: Spec) -> list[tuple[float, float]]:
    """Corners and ends of all marks."""
    found: list[tuple[float, float]] = []
    for mark in spec.marks:
        match mark:
            case Rect(x, y, wide, high):
                found += [(x, y), (x + wide, y + high)]
            case Line(x1, y1, x2, y2):
                found += [(x1, y1), (x2, y2)]
            case Shape(points):
                found += points
            case Dot(x, y) | Text(x, y):
                found.append((x, y))
    return found


MAPS = {
    "empty": mapped([], []),
    "one capability": a_map(domains=1, categories=1),
    "all null": nothing_said(a_map()),
    "many": a_map(after=tuple(f"step-{n}" for n in range(12)), domains=40, categories=6),
    "bands": mapped(
        [a_cell(name, level=level, forgetting=band(-0.01, 0.2), gain=band(0.02, 0.3)) for name, level in
         [("all", "all"), ("a", "domain"), ("b", "domain"), ("c", "domain")]],  # type: ignore[arg-type]
        [a_comparison()],
    ),
    "hostile": a_map(after=(HOSTILE,), task=HOSTILE),
}  # fmt: skip


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_what_it_was(name: str) -> None:
    assert drawn(name) == (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8"), (
        "changed on purpose? then run `python -m tests.charts.snapshots` and look at the chart"
    )


@pytest.mark.parametrize("what", MAPS)
@pytest.mark.parametrize("name", CHARTS)
def test_every_map_gives_a_picture_within_its_bounds_that_is_sound_svg(name: str, what: str) -> None:
    spec = chart(name, MAPS[what])

    assert spec.chart == name and spec.title and spec.says and spec.marks
    assert all(0 <= x <= spec.width and 0 <= y <= spec.height for x, y in ends(spec))
    for standalone in (True, False):
        root = ElementTree.fromstring(svg(spec, standalone=standalone))
        assert root.find(f"{SVG}title") is not None
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
            "svg", "title", "desc", "style", "defs", "pattern", "rect", "line", "polyline", "polygon", "circle", "text"
        }  # fmt: skip


@pytest.mark.parametrize("what", MAPS)
@pytest.mark.parametrize("name", CHARTS)
def test_what_a_chart_shows_is_had_as_csv_and_latex_too(name: str, what: str) -> None:
    spec = chart(name, MAPS[what])

    rows = list(csv.reader(io.StringIO(as_csv(spec))))
    assert len(rows) == 1 + len(spec.table.rows)
    assert all(len(row) == len(spec.table.columns) for row in rows)
    assert as_latex(spec).count(r"\\") >= len(spec.table.rows)


@pytest.mark.parametrize("name", CHARTS)
def test_what_is_missing_is_never_drawn_as_zero(name: str) -> None:
    spec = chart(name, MAPS["all null"])

    assert not any(isinstance(mark, Dot) and mark.title for mark in spec.marks)
    assert not any(isinstance(mark, Rect) and mark.role in ("loss", "gain") and mark.title for mark in spec.marks)
    numbers = {entry for row in spec.table.rows for entry in row if isinstance(entry, float)}
    assert numbers == set()


@pytest.mark.parametrize("name", CHARTS)
def test_names_from_logs_are_shown_and_do_nothing(name: str) -> None:
    text = svg(chart(name, MAPS["hostile"]))

    assert "<script" not in text and "\x1b" not in text and "\u202e" not in text
    text.encode()


@pytest.mark.parametrize("name", CHARTS)
def test_a_comparison_or_level_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(SettingError, match="no level called 'planet'"):
        chart(name, a_map(), level="planet")
    with pytest.raises(SettingError, match="nothing was compared with 'x'; there are: after"):
        chart(name, a_map(), after="x")
