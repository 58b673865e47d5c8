"""`forgetmap lost`: items with both answers."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from forgetmap.cli.drawn.items import draw_items
from forgetmap.measure.lost import LostItem, Said
from forgetmap.measure.visible import visible
from tests.cli.conftest import Run
from tests.cli.logs import quiz

RIGHT = Said("scored", "Paris", "It is Paris.", "letter", 1, 1.0)
WRONG = Said("scored", "Rome", "It is Rome.", "letter", 1, 0.0)
ITEM = LostItem(
    task="capitals",
    domain="europe",
    item_id="a1b2",
    native_id="17",
    question="Which city is the capital of France?",
    choices=("Rome", "Paris"),
    golds=("Paris",),
    cause="other_option",
    share=1.0,
    before=RIGHT,
    after=WRONG,
)


def drawn(*items: LostItem, width: int = 100, full: bool = False) -> str:
    out = io.StringIO()
    draw_items(items, ("before", "after"), Console(file=out, width=width), full=full)
    return out.getvalue()


def test_an_item_shows_where_it_is_from_its_options_and_both_answers_side_by_side() -> None:
    page = drawn(ITEM)

    assert page.startswith("1. capitals · europe · 17 · other option\n")
    assert "\n  A  Rome\n✓ B  Paris\n" in page
    row = next(line for line in page.splitlines() if "│" in line and "right" in line)
    assert row.split("│")[0].strip() == "right: Paris (found by letter)"
    assert row.split("│")[1].strip() == "wrong: Rome (found by letter)"


def test_answers_stand_one_above_the_other_where_it_is_narrow() -> None:
    page = drawn(ITEM, width=50)

    assert "│" not in page
    assert page.index("It is Paris.") < page.index("It is Rome.")


def test_several_draws_say_how_many_were_right() -> None:
    draws = ITEM._replace(
        share=0.6, before=RIGHT._replace(draws=5, right=1.0), after=WRONG._replace(draws=5, right=0.4)
    )

    page = drawn(draws)

    assert "lost in 60.0 % of the draws" in page
    assert "right in 5 of 5: Paris" in page
    assert "right in 2 of 5: Rome" in page


def test_a_long_answer_loses_its_middle_and_says_how_much_unless_full() -> None:
    long = ITEM._replace(after=WRONG._replace(response="start " + "word " * 2000 + "end"))

    short, full = drawn(long), drawn(long, full=True)

    assert "start" in short
    assert "end" in short
    assert "9,109 signs left out" in " ".join(line.split("│")[-1].strip() for line in short.splitlines())
    assert len(full) > 5 * len(short)


def test_what_the_log_does_not_hold_is_said() -> None:
    bare = ITEM._replace(
        question=None,
        choices=None,
        golds=("42",),
        before=RIGHT._replace(choice=None, response=None),
        after=WRONG._replace(response=" "),
    )

    page = drawn(bare)

    assert "The log does not hold the question." in page
    assert "right: 42" in page
    assert "The log does not hold the answer's words." in page
    assert "The answer is empty." in page


def test_a_gold_letter_marks_its_option_where_the_log_knows_no_gold_text() -> None:
    assert "✓ B  Paris" in drawn(ITEM._replace(golds=("B",)))


@given(st.text(st.characters()), st.integers(40, 120))
def test_no_foreign_text_can_write_to_the_terminal_or_leave_its_width(text: str, width: int) -> None:
    hostile = ITEM._replace(
        task=text, domain=text, native_id=text, question=text, choices=(text, "Paris"), golds=(text,),
        before=RIGHT._replace(response=text, choice=text, found=text), after=WRONG._replace(response=text),
    )  # fmt: skip

    lines = drawn(hostile, width=width).split("\n")

    assert all(visible(line) == line for line in lines)
    assert max(map(cell_len, lines)) <= width


@given(st.text(st.characters()))
def test_what_is_made_visible_is_so_once_and_for_all(text: str) -> None:
    once = visible(text)

    assert visible(once) == once
    assert not {"\x1b", "\r", "\n", "\u202e", "\x9b", "\x00"} & set(once)


def test_the_verb_shows_only_what_is_asked_for(run: Run, tmp_path: Path) -> None:
    logs = quiz(tmp_path, "before"), quiz(tmp_path, "after", forget=range(0, 40, 3))

    every, some, few = run("lost", *logs), run("lost", *logs, "--in", "field 1"), run("lost", *logs, "-n", 2)

    assert [ran.out.count("other option") for ran in (every, some, few)] == [14, 3, 2]


def test_no_lost_item_is_said_so(run: Run, tmp_path: Path) -> None:
    logs = quiz(tmp_path, "before"), quiz(tmp_path, "after")

    ran = run("lost", *logs)

    assert (ran.code, ran.out) == (0, "No item was right in before and is not in after.\n")


def test_a_name_that_is_not_there_gets_a_sentence(run: Run, tmp_path: Path) -> None:
    ran = run("lost", quiz(tmp_path, "before"), quiz(tmp_path, "after"), "--in", "astrology")

    assert (ran.code, ran.out) == (2, "")
    assert "nothing here is called 'astrology'" in ran.err


def test_json_holds_the_items_whole(run: Run, tmp_path: Path) -> None:
    logs = quiz(tmp_path, "before"), quiz(tmp_path, "after", forget=[5])

    page = json.loads(run("lost", *logs, "--json").out)

    assert set(page) == {"schema", "before", "after", "items"}
    (item,) = page["items"]
    assert set(item) == set(LostItem._fields)
    assert set(item["before"]) == set(Said._fields)
    assert (item["cause"], item["after"]["choice"]) == ("other_option", "gamma")


@pytest.mark.parametrize("most", ["0", "many"])
def test_a_number_of_items_below_one_is_refused(run: Run, tmp_path: Path, most: str) -> None:
    assert run("lost", "before", "after", "-n", most).code == 2
