"""Maps of every size and kind, drawn."""

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from forgetmap.cli.drawn.terminal import draw
from forgetmap.measure.map import Map
from forgetmap.pages.map_page import map_page
from forgetmap.pages.markdown import markdown
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, RunInfo
from tests.cli.maps import CATEGORIES, a_cell, a_comparison, a_map, around, band, mapped

THIRTY = [f"mistral-7b-recipe-{number:02d}-step-{number * 100}" for number in range(30)]
HOSTILE = "x\x1b[31m|\u202e[bold]*<b>\r\n]0;\x07"


def drawn(map: Map, *, width: int = 100, by: str | None = None, everything: bool = False) -> str:
    out = io.StringIO()
    draw(map_page(map, by=by, everything=everything), Console(file=out, width=width))
    return out.getvalue()


def plain(map: Map, **how: object) -> str:
    """The page without its line ends."""
    return " ".join(drawn(map, **how).split())  # type: ignore[arg-type]


SIZES = {
    "3 x 1": a_map(domains=3, categories=3),
    "40 x 1": a_map(domains=40, task="a_task_with_a_name_that_goes_on_and_on_" * 2),
    "6 x 2": a_map(after=["sft", "dpo"]),
    "100 x 30": a_map(after=THIRTY, domains=100, categories=6),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("width", [48, 60, 80, 100, 140])
@pytest.mark.parametrize("everything", [False, True])
def test_no_line_is_longer_than_the_terminal_is_wide(size: str, width: int, everything: bool) -> None:
    page = drawn(SIZES[size], width=width, everything=everything)

    assert max(map(cell_len, page.splitlines())) <= width


def test_a_small_map_shows_each_category_and_all_of_them_with_intervals() -> None:
    lines = drawn(a_map(domains=3, categories=3)).splitlines()

    rows = [
        line for line in lines if line.startswith((*CATEGORIES[:1], "all ", "science_technology", "knowledge_and_qa"))
    ]
    assert len(rows) == 4
    assert all(row.count("[") >= 2 for row in rows)


def test_a_large_map_shows_comparisons_by_category_and_all_domains_only_on_request() -> None:
    large = a_map(after=THIRTY, domains=100, categories=6)

    short, long = drawn(large), drawn(large, everything=True)

    assert short.startswith("30 comparisons since before\n")
    assert all(name in short for name in THIRTY)
    assert "domain_99" in long
    assert sum(f"domain_{number} " in short for number in range(100)) <= 10
    assert "[30]" in long
    assert len(long.splitlines()) > 400 > 200 > len(short.splitlines())


def test_rows_come_by_forgetting_and_what_cannot_be_said_comes_last() -> None:
    cells = [
        a_cell("all", n=300),
        a_cell("calm", level="task", forgetting=around(0.01, 100)),
        a_cell("silent", level="task", forgetting=None),
        a_cell("stormy", level="task", forgetting=around(0.4, 100)),
        a_cell("banded", level="task", forgetting=band(0.1, 0.4)),
    ]

    lines = drawn(mapped(cells, [a_comparison()])).splitlines()

    rows = [line.split()[0] for line in lines if line.startswith(("calm", "silent", "stormy", "banded", "all"))]
    assert rows == ["stormy", "banded", "calm", "silent", "all"]


def test_a_band_is_shown_as_its_ends_and_named_among_what_cannot_be_concluded() -> None:
    cells = [a_cell("all", n=100, forgetting=band(0.034, 0.606), gain=band(-0.048, 0.496))]

    said = plain(mapped(cells, [a_comparison()]))

    assert "after forgot between 3.4 and 60.6 % of the items since before, and gained between −4.8 and 49.6 %" in said
    assert "3.4 … 60.6" in said
    assert "How much exactly was forgotten in all" in said


def test_an_unknown_chance_is_said_with_how_to_mend_it_and_absent_numbers_are_no_zeros() -> None:
    nothing = {"forgetting": None, "gain": None, "dropped": {"chance_unknown": 50}, "detectable": None}
    cells = [a_cell("all", n=50, **nothing), a_cell("odd", level="task", n=50, task="odd", **nothing)]

    said = plain(mapped(cells, [a_comparison()]))

    assert "How much after forgot since before cannot be said" in said
    assert "Say so with --k 'odd=4'" in said
    row = next(line for line in drawn(mapped(cells, [a_comparison()])).splitlines() if line.startswith("all"))
    assert row.split()[-2:] != ["0.0", "0.0"]
    assert "–" in row


def test_a_forgetting_that_may_be_zero_is_not_called_forgotten() -> None:
    cells = [a_cell("all", n=30, forgetting=around(-0.08, 30), gain=around(0.4, 30))]

    said = plain(mapped(cells, [a_comparison()]))

    assert "after shows no clear forgetting (−8.0 % [−24.4, 8.4] of the items) and gained 40.0 %" in said


def test_graded_scores_are_explained_as_such() -> None:
    nothing = {"n11": None, "n10": None, "n01": None, "n00": None, "causes": {}, "unanswered_loss": None}
    cells = [
        a_cell("all", metric="graded", n=60, **nothing),
        a_cell("summaries", level="domain", metric="graded", n=60, **nothing),
    ]

    said = plain(mapped(cells, [a_comparison()]))

    assert "Mean score" in said
    assert "luck is not taken off" in said
    assert "–" not in said


def test_right_wrong_and_graded_cells_of_one_name_are_told_apart() -> None:
    cells = [a_cell("all", n=60), a_cell("all", metric="graded", n=60)]
    cells += [
        a_cell(name, level="task", metric=metric, task=name)
        for name, metric in (("quiz", "accuracy"), ("essay", "graded"))
    ]

    said = drawn(mapped(cells, [a_comparison()]))

    assert "\nall (right/wrong) " in said
    assert "\nall (graded) " in said


def test_marks_stand_where_a_leaf_passes_its_adjusted_test_and_are_explained() -> None:
    moved = {"q_net": 0.01, "q": 0.2, "p_net": 0.001, "excess": around(0.0, 50)}
    cells = [
        a_cell("all", n=100, p_net=0.5),
        a_cell("worse", level="domain", net=around(-0.2, 50), **moved),
        a_cell("better", level="domain", net=around(0.2, 50), **moved),
        a_cell("noisy", level="domain", net=around(-0.2, 50), q_net=0.2, p_net=0.001, q=0.01, excess=around(0.1, 50)),
        a_cell("same", level="domain", net=around(-0.2, 50), q_net=0.2, p_net=0.001),
    ]

    lines = drawn(mapped(cells, [a_comparison()])).splitlines()

    marks = {
        line.split()[0]: line.split()[-1] for line in lines if line.startswith(("worse", "better", "noisy", "same"))
    }
    assert (marks["worse"], marks["better"], marks["noisy"]) == ("▼", "▲", "●")
    assert marks["same"] not in ("▼", "▲", "●")
    assert any(line.startswith("▼ ▲ accuracy fell or rose, ● more was lost") for line in lines)


def test_what_was_flagged_is_said_in_words() -> None:
    flagged = a_comparison(
        only_before=37, only_after=2, content_differs=12, duplicate=4, problems=1, tasks_only_before=["old"],
        differs=["dtype: bfloat16 before, float16 after"], notes=["results.json was taken, for it is newer"],
    )  # fmt: skip
    grid = mapped([a_cell("all", n=100, dropped={"chance_one": 5, "band_only": 7, "failed": 1})], [flagged])
    grid.sources["before"] = Run(
        RunInfo(run_id="before", checkpoint="before"), lambda problems: iter(()), [Problem("log.csv:7", "no gold")]
    )

    said = plain(grid)

    assert "Besides the weights this differs: dtype: bfloat16 before, float16 after." in said
    assert "Without a partner, so left out: 37 items only before, 2 items only after." in said
    assert "The id of 12 items without a partner stands for another question" in said
    assert "Only before: 1 task (old)." in said
    assert "Left out: 4 rows with an item, draw and scorer that came before." in said
    assert "Left out: 1 row of before that could not be read: log.csv:7: no gold" in said
    assert "results.json was taken, for it is newer." in said
    assert "5 items with nothing but right options" in said
    assert "7 items with one wrong option" in said
    assert "Left out: 1 item that failed on one side" in said


def test_a_flag_of_some_comparisons_names_them_and_one_of_all_does_not() -> None:
    grid = a_map(after=["sft", "dpo"])
    grid.comparisons = [
        a_comparison("sft", differs=["dtype: x before, y after"], duplicate=3),
        a_comparison("dpo", duplicate=3),
    ]

    said = plain(grid)

    assert "dtype: x before, y after. (after: sft)" in said
    assert "came before. (after" not in said


def test_a_flag_of_one_of_several_steps_to_one_after_names_the_step() -> None:
    grid = a_map(after=["sft", "dpo"])
    grid.comparisons = [
        replace(a_comparison("sft"), before="base"),
        replace(a_comparison("dpo", duplicate=3), before="sft"),
        replace(a_comparison("dpo"), before="base"),
    ]

    assert "came before. (step: sft → dpo)" in plain(grid)


def test_names_from_logs_cannot_write_to_the_terminal_nor_as_markup() -> None:
    grid = a_map(after=[HOSTILE], task=HOSTILE)
    grid.comparisons[0].notes.append(HOSTILE)
    grid.comparisons[0].differs.append(HOSTILE)
    for cell in grid.cells:
        cell.notes["other"] = HOSTILE

    for page in (drawn(grid, everything=True), drawn(a_map(after=[HOSTILE, "two"], task=HOSTILE))):
        assert {sign for sign in page if not sign.isprintable()} == {"\n"}
        assert "␛[31m|\\u202e[bold]*<b>␍␊]0;␇" in page.replace("\n", "")
    marked = markdown(map_page(grid, everything=True))
    assert "\x1b" not in marked
    assert "<b>" not in marked.replace("\\<b\\>", "")
    assert "\n]0" not in marked


def test_an_empty_map_says_so() -> None:
    assert drawn(mapped([], [])) == "The map is empty: nothing was compared.\n"


def test_without_colour_the_page_holds_no_escape_and_with_it_only_colours_differ(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    colourless = drawn(a_map())
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = io.StringIO()
    console = Console(file=out, width=100, force_terminal=True, color_system="standard", legacy_windows=False)
    draw(map_page(a_map()), console)

    assert "\x1b[31m" in out.getvalue()
    assert re.sub(r"\x1b\[[\d;]*m", "", out.getvalue()) == colourless


def test_a_narrow_terminal_says_which_columns_it_left_out() -> None:
    narrow = drawn(a_map(), width=60)

    assert "Too narrow for: no longer answered %" in narrow
    assert "forgetting %" in narrow


def test_a_long_list_of_rows_is_cut_and_says_how_many_are_left() -> None:
    many = a_map(domains=100, categories=1)

    assert "\n76 more; --all shows them.\n" in drawn(many)
    assert "more; --all" not in drawn(many, everything=True)
