"""The report in a real browser: it opens without a network, is walked by keyboard, and shows text from logs as text."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from forgetmap import Study, read
from forgetmap.report.making import report
from forgetmap.report.page import page
from tests.charts.test_every_chart import MAPS
from tests.cli.logs import table
from tests.cli.maps import a_map

HOSTILE = '<img src=x onerror=alert(1)></script><script>alert(2)</script>\x1b[31m\u202etxet "q" & ?'


@pytest.fixture
def made(study: Study, tmp_path: Path) -> Path:
    return report(study, tmp_path / "out" / "report.html", before="base", after=["sft", "rl"]).page


def test_it_opens_without_any_request_and_says_nothing_on_the_console(opened: Any, made: Path) -> None:
    shown = opened(made)

    assert shown.asked == [made.as_uri()]
    assert shown.said == []
    assert "sft forgot most" in shown.page.inner_text("h1")


def test_keys_lead_from_the_map_to_an_item_and_the_address_keeps_the_way(opened: Any, made: Path) -> None:
    shown = opened(made)
    shown.page.select_option("#level", "domain")
    shown.page.focus("[role=gridcell][tabindex='0']")
    shown.page.keyboard.press("ArrowDown")
    shown.page.keyboard.press("Enter")
    shown.page.wait_for_selector("#items details")

    assert shown.page.evaluate("document.activeElement.id") == "chosen"
    assert shown.page.inner_text("#chosen") == "quiz_1 · field 1"
    shown.page.focus("#items summary")
    shown.page.keyboard.press("Enter")
    shown.page.wait_for_selector("#items details[open] .question")
    text = shown.page.inner_text("#items details[open]")
    assert "Which letter is number" in text and "I think it is gamma." in text and "I think it is beta." in text
    assert [mark.inner_text() for mark in shown.page.query_selector_all("#items mark")] == ["beta.", "gamma."]

    again = opened(made, shown.page.evaluate("location.hash"))
    again.page.wait_for_selector("#items details")
    assert again.page.inner_text("#chosen") == "quiz_1 · field 1"
    assert again.page.input_value("#level") == "domain"
    assert shown.said == again.said == []


def test_the_arrows_move_the_one_cell_that_has_the_focus(opened: Any, made: Path) -> None:
    shown = opened(made)
    shown.page.focus("[role=gridcell][tabindex='0']")
    for key, place in [
        ("ArrowRight", [0, 1]),
        ("ArrowDown", [1, 1]),
        ("Home", [1, 0]),
        ("Control+End", [2, 1]),
        ("ArrowUp", [1, 1]),
    ]:
        shown.page.keyboard.press(key)
        here = shown.page.evaluate("[+document.activeElement.dataset.r, +document.activeElement.dataset.c]")
        assert here == place, key
        assert len(shown.page.query_selector_all("[role=gridcell][tabindex='0']")) == 1


def test_rows_are_found_filtered_and_counted(opened: Any, made: Path) -> None:
    shown = opened(made, "#level=domain")
    names = "els => els.map(e => e.textContent)"

    shown.page.fill("#find", "field 2")
    assert shown.page.eval_on_selector_all("[role=rowheader]", names) == ["all items", "quiz_0 · field 2"]
    shown.page.fill("#find", "no such row")
    assert shown.page.is_visible("#none")
    assert "find=no" in shown.page.url


@pytest.mark.parametrize("what", MAPS)
def test_every_map_opens(opened: Any, tmp_path: Path, what: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(MAPS[what]), encoding="utf-8")

    shown = opened(path)

    assert (shown.asked, shown.said) == ([path.as_uri()], [])


@pytest.mark.parametrize(("afters", "domains"), [(1, 1), (30, 100), (200, 1000)])
def test_maps_of_any_size_open_at_once_with_few_elements(
    opened: Any, tmp_path: Path, afters: int, domains: int
) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(a_map(after=tuple(f"model-{n}" for n in range(afters)), domains=domains)), encoding="utf-8")

    shown = opened(path, "#level=domain")

    assert shown.page.get_attribute("#grid", "aria-rowcount") == str(domains + 2)
    assert shown.page.get_attribute("#grid", "aria-colcount") == str(afters + 1)
    assert len(shown.page.query_selector_all("[role=gridcell]")) < 1500
    shown.page.focus("[role=gridcell][tabindex='0']")
    shown.page.keyboard.press("Control+End")
    assert shown.page.evaluate("+document.activeElement.dataset.r") == domains
    assert shown.said == []


def test_text_from_logs_is_text(opened: Any, tmp_path: Path) -> None:
    def line(number: int, choice: str) -> dict[str, object]:
        said = HOSTILE * (40_000 if number == 1 else 1)
        asked = {"task": HOSTILE, "item_id": number, "question": HOSTILE, "choices": f'["{number}", "other"]'}
        return {**asked, "gold": str(number), "choice": choice or str(number), "response": said}

    choices = {"a": "", "b": "other"}
    logs = [table(tmp_path / f"{name}.csv", [line(n, choice) for n in range(30)]) for name, choice in choices.items()]
    read(logs, study=tmp_path / "study")
    made = report(tmp_path / "study", tmp_path / "report.html", before="a")

    shown = opened(made.page, "#cell=all items")
    shown.page.click("#items summary")
    shown.page.wait_for_selector("#items details[open] .question")

    assert shown.said == [] and shown.asked == [made.page.as_uri()]
    assert "<img src=x onerror=alert(1)></script>" in shown.page.inner_text("#items details[open] .question")
    assert "\u202e" not in shown.page.inner_text("main") and "\x1b" not in shown.page.inner_text("main")
    assert shown.page.query_selector_all("img") == []


@pytest.mark.parametrize("how", [{"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}}])
def test_nothing_is_wider_than_the_window(opened: Any, made: Path, how: dict[str, Any]) -> None:
    shown = opened(made, "#cell=all items", **how)

    assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
    assert shown.said == []


def test_everything_has_a_name_and_a_role(opened: Any, made: Path) -> None:
    shown = opened(made, "#cell=all items")
    nameless = """() => [...document.querySelectorAll('button, select, input, a, [role=gridcell], [role=grid], svg[role=img]')]
      .filter(e => e.offsetParent !== null || e.tagName === 'svg')
      .filter(e => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim() || e.closest('label')))
      .map(e => e.outerHTML.slice(0, 80))"""

    assert shown.page.evaluate(nameless) == []
    assert shown.page.get_attribute("html", "lang") == "en"
    levels = [int(tag[1]) for tag in shown.page.eval_on_selector_all("h1,h2,h3,h4", "els => els.map(e => e.tagName)")]
    assert levels[0] == 1 and all(later - earlier <= 1 for earlier, later in pairwise(levels))
    ids = shown.page.eval_on_selector_all("[id]", "els => els.map(e => e.id)")
    assert len(set(ids) - {"hatch"}) == len([one for one in ids if one != "hatch"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["", "#cell=all items"])
def test_axe_finds_nothing_that_keeps_anybody_out(opened: Any, made: Path, scheme: str, address: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    shown = opened(made, address, color_scheme=scheme, bypass_csp=True)
    if address:
        shown.page.wait_for_selector("#items details")
        shown.page.click("#items summary")

    found = axe.Axe().run(shown.page).response

    assert len(found["passes"]) > 20
    assert {(one["impact"], one["id"]) for one in found["violations"]} == set()


def test_print_shows_the_whole_map(opened: Any, made: Path) -> None:
    shown = opened(made, "#level=domain")
    shown.page.emulate_media(media="print")
    shown.page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert len(shown.page.query_selector_all("[role=rowheader]")) == 5
    assert not shown.page.is_visible("#level")


def test_a_policy_lets_nothing_else_run(made: Path) -> None:
    text = made.read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)

    assert policy is not None and policy[1].startswith("default-src 'none'; style-src 'sha256-")
    assert " style=" not in text and " onclick" not in text and 'http-equiv="refresh"' not in text
