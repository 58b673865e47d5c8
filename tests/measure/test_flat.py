"""A map as an Arrow table and as HTML."""

import re
from html.parser import HTMLParser

import pyarrow as pa
import pytest

from forgetmap.measure.cell import Estimate, told
from forgetmap.measure.flat import ESTIMATES, arrow, html
from forgetmap.measure.map import Map
from tests.cli.maps import a_cell, a_comparison, a_map, around, band, mapped

HOSTILE = '<script>alert("x")</script>&\u202e'


class Pictured(HTMLParser):
    """Tags opened and closed, and the texts of table entries."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)


def pictured(map: Map) -> Pictured:
    page = Pictured()
    page.feed(html(map))
    assert page.open == []
    return page


def test_every_field_of_a_cell_has_its_columns_and_its_values_come_back() -> None:
    cell = a_cell("all", n=100, dropped={"chance_one": 2, "odd_reason": 1}, excess=around(0.02, 100))

    table = arrow([cell])
    row = table.to_pylist()[0]

    for name in ESTIMATES:
        found = getattr(cell, name)
        columns = (name, f"{name}_low", f"{name}_high", f"{name}_n", f"{name}_method")
        assert tuple(row[column] for column in columns) == (tuple(found) if found else (None,) * 5)
    for name in told():
        if name not in (*ESTIMATES, "dropped", "causes", "alternatives", "notes"):
            assert row[name] == getattr(cell, name)
    assert (row["dropped_chance_one"], row["dropped_odd_reason"], row["dropped_failed"]) == (2, 1, 0)
    assert [row[f"cause_{cause}"] for cause in ("other_option", "unparsed")] == [cell.causes["other_option"], 1.0]
    assert row["notes"] == "{}"


def test_the_columns_and_their_types_do_not_depend_on_which_cells_are_null() -> None:
    bare = a_cell("all", n=3, forgetting=None, gain=None, net=None, q=None, p_net=None, causes={}, parent=None)

    assert arrow([bare]).schema == arrow(a_map().cells).schema == arrow([]).schema
    assert arrow([bare]).schema.field("forgetting").type == pa.float64()
    assert arrow([bare]).schema.field("forgetting_n").type == pa.int64()


def test_a_band_has_a_null_value_and_its_ends() -> None:
    row = arrow([a_cell("all", n=9, forgetting=band(0.1, 0.5))]).to_pylist()[0]

    assert (row["forgetting"], row["forgetting_low"], row["forgetting_high"]) == (None, 0.1, 0.5)


def test_an_estimator_asked_for_has_columns_under_its_name() -> None:
    cell = a_cell("all", n=9, alternatives={"table": {"forgetting": around(0.3, 9), "gain": None}})

    row = arrow([cell]).to_pylist()[0]

    assert row["table_forgetting"] == pytest.approx(0.3)
    assert row["table_gain"] is None


def test_a_notebook_shows_the_widest_level_of_several_rows_with_the_total() -> None:
    page = pictured(a_map(domains=6, categories=3))

    assert {"math", "knowledge_and_qa", "science_technology_engineering", "all"} <= set(page.texts)
    assert "domain_0" not in page.texts


def test_several_comparisons_are_a_row_each() -> None:
    assert {"sft", "dpo"} <= set(pictured(a_map(after=["sft", "dpo"])).texts)


def test_names_from_logs_are_text_and_nothing_else() -> None:
    page = pictured(a_map(after=[HOSTILE], task=HOSTILE))

    assert "script" not in page.seen
    assert any(HOSTILE in text for text in page.texts)


def test_the_page_fetches_nothing() -> None:
    assert not re.search(r"https?:|src=|href=|url\(|@import", html(a_map()))


@pytest.mark.parametrize("ground", ["ffffff", "111111"])
def test_its_colours_are_read_on_light_and_on_dark(ground: str) -> None:
    colours = re.findall(r"[{;]color:#(\w{6})", html(a_map()))

    assert len(colours) == 2
    assert all(contrast(colour, ground) >= 3.5 for colour in colours)


def contrast(one: str, other: str) -> float:
    """Contrast of two colours by the Web Content Accessibility Guidelines: 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_absent_is_a_dash_and_a_band_has_two_ends() -> None:
    cells = [a_cell("all", n=9, forgetting=None, gain=band(-0.01, 0.5))]

    page = pictured(mapped(cells, [a_comparison()]))

    assert {"–", "−1.0 … 50.0"} <= set(page.texts)


def test_an_empty_map_says_so() -> None:
    assert "nothing was compared" in " ".join(pictured(mapped([], [])).texts)


def test_very_many_rows_are_counted_instead_of_shown() -> None:
    page = html(a_map(after=[f"run {number}" for number in range(100)]))

    assert page.count("<tr") == 61
    assert "40 more rows" in page


def test_small_negative_numbers_are_shown_as_what_they_are() -> None:
    cells = [a_cell("all", n=9, forgetting=Estimate(-0.004, -0.0001, 0.01, 9, "padded"))]

    assert "−0.4 <small>[0.0, 1.0]</small>" in html(mapped(cells, [a_comparison()]))
