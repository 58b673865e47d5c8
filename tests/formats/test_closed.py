"""Closed sets of golds: one verdict a task, so that no chance is invented for answers that can be guessed."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from forgetmap.formats.closed import golds_of, settled
from forgetmap.records.schema import Item
from tests.formats import lighteval_told, lm_eval_told
from tests.formats.lighteval_told import structs, written
from tests.formats.lm_eval_told import filtered, log, said

CLOSED = {
    "medical": [*["yes", "no", "maybe"] * 4, *["yes"] * 5],
    "mood": ["Positive", "Negative"] * 10,
    "follows": ["entailment", "neutral", "contradiction"] * 7,
    "proof": ["True", "False", "Uncertain"] * 7,
    "digits": ["1", "2", "3", "4"] * 5,
    "rooms": ["the kitchen", "the garden", "the hall"] * 20,
    "one label": ["maybe"],
}
OPEN = {
    "sums": [str(number * number % 97) for number in range(60)],
    "counts": [str(random.Random(number).randint(0, 18)) for number in range(250)],
    "few sums": ["18", "3", "70000"],
    "repeated sums": ["18", "42"] * 20,
    "words": [f"city {number}" for number in range(50)],
    "words, some of them twice": [f"city {number // 2}" for number in range(50)],
    "words, a few of them yes": [*(f"city {number}" for number in range(50)), *["yes"] * 8],
    "one for all": ["0"] * 60,
    "one word": ["Paris"],
}


def closed(golds: Sequence[str]) -> bool:
    return golds_of((number, [gold]) for number, gold in enumerate(golds)).closed


@pytest.mark.parametrize("task", CLOSED)
def test_few_golds_repeated_over_many_items_are_a_closed_set(task: str) -> None:
    assert closed(CLOSED[task])


@pytest.mark.parametrize("task", OPEN)
def test_numbers_and_short_answers_are_no_closed_set(task: str) -> None:
    assert not closed(OPEN[task])


def test_draws_and_filters_of_one_item_repeat_no_gold() -> None:
    told = [(number, [f"city {number}"]) for number in range(5)] * 10

    assert not golds_of(told).closed


def test_an_item_with_options_keeps_its_chance_in_a_closed_task() -> None:
    items = [Item("t", native_id="1", golds=("yes",), chance=0.0), Item("t", native_id="2", k=4, chance=0.25)]

    assert [item.chance for item in settled(items)] == [None, 0.25]


@pytest.mark.parametrize("task", CLOSED)
def test_every_item_of_a_closed_task_has_unknown_chance_in_two_harnesses(task: str, tmp_path: Path) -> None:
    golds = CLOSED[task]
    told = [
        filtered(said(n, {"question": f"{n}?"}, gold, "so", "so", exact_match=0.0), name)
        for n, gold in enumerate(golds)
        for name in ("strict", "loose")
    ]
    written(tmp_path, [structs(n, f"{n}?", [gold], 0, {"em": 0}, text=["so"]) for n, gold in enumerate(golds)])

    for rows in (lm_eval_told.rows(log(tmp_path / "lm", "t", told)), lighteval_told.told(tmp_path)):
        assert [row.item.chance for row in rows] == [None] * len(golds)


@pytest.mark.parametrize("task", OPEN)
def test_every_item_of_an_open_task_has_chance_zero_in_two_harnesses(task: str, tmp_path: Path) -> None:
    golds = OPEN[task]
    told = [said(n, {"question": f"{n}?"}, gold, "so", "so", exact_match=0.0) for n, gold in enumerate(golds)]
    written(tmp_path, [structs(n, f"{n}?", [gold], 0, {"em": 0}, text=["so"]) for n, gold in enumerate(golds)])

    for rows in (lm_eval_told.rows(log(tmp_path / "lm", "t", told)), lighteval_told.told(tmp_path)):
        assert [row.item.chance for row in rows] == [0.0] * len(golds)
