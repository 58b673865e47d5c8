"""The worlds in which the statistics are put to the test: what is true, how items are asked, how many there are."""

from collections.abc import Iterator
from itertools import count, product
from typing import Any, NamedTuple

from forgetmap import KnowOrGuess

TRUTHS = {
    "none": (0.5, 0.0, 0.1, 0.4),
    "rare": (0.75, 0.02, 0.03, 0.2),
    "much": (0.3, 0.2, 0.1, 0.4),
    "even": (0.36, 0.24, 0.24, 0.16),
}
"""Shares known on both sides, forgotten, gained, known on neither."""
MIXED = {2: 0.25, 3: 0.25, 4: 0.25, 10: 0.25}
UNANSWERED = {"unanswered_before": 0.2, "unanswered_after": 0.2, "unanswered_as": ("unparsed",)}
ITEMS: dict[str, dict[str, Any]] = {
    "k=2": {"options": 2},
    "k=3": {"options": 3},
    "k=4": {"options": 4},
    "k=10": {"options": 10},
    "mixed k": {"options": MIXED},
    "k=4, 20 % unanswered": {"options": 4} | UNANSWERED,
    "mixed k, 20 % unanswered": {"options": MIXED} | UNANSWERED,
    "two golds of five": {"options": 5, "golds": 2},
    "k=4, options not told": {"options": 4, "options_told": False},
}
REPEATED_LUCK = (0.0, 0.5, 0.9)
SIZES = (30, 100, 500, 3000)
PASSAGES, INTRACLASS = (50, 200), (0.0, 0.05, 0.1)
PASSAGE_SIZES = tuple(range(1, 11))
DRAWS_AND_SLIPS = ((2, 0.05), (2, 0.3), (5, 0.1))


class Setting(NamedTuple):
    """One world and how many items a study takes from it."""

    name: str
    law: KnowOrGuess
    items: int
    seed: int


def law(truth: str, **more: Any) -> KnowOrGuess:
    """The law of one of the truths."""
    both, forgotten, gained, _ = TRUTHS[truth]
    return KnowOrGuess(known=both + forgotten, forgotten=forgotten, gained=gained, **more)


def single_settings() -> Iterator[Setting]:
    """One draw a side, every item alone."""
    seed = count(1)
    for (asked, options), truth, luck, items in product(ITEMS.items(), TRUTHS, REPEATED_LUCK, SIZES):
        name = f"{asked}; {truth} forgotten; luck repeats {luck:g}; n={items}"
        yield Setting(name, law(truth, repeated_luck=luck, **options), items, next(seed))


def passage_settings() -> Iterator[Setting]:
    """Items in passages of 1 to 10."""
    seed = count(10_001)
    for truth, passages, tied in product(TRUTHS, PASSAGES, INTRACLASS):
        items = passages * sum(PASSAGE_SIZES) // len(PASSAGE_SIZES)
        world = law(truth, options=4, repeated_luck=0.5, passages=PASSAGE_SIZES, intraclass=tied)
        yield Setting(f"k=4; {truth} forgotten; {passages} passages, correlation {tied:g}", world, items, next(seed))


def unchanged_settings() -> Iterator[Setting]:
    """Several draws of a checkpoint that did not change: what is lost is noise."""
    seed = count(20_001)
    for asked, (draws, slip), items in product(("k=2", "k=4", "k=10", "mixed k"), DRAWS_AND_SLIPS, (30, 100, 300)):
        world = KnowOrGuess(known=0.7, repeated_luck=0.5, draws=draws, slip=slip, **ITEMS[asked])
        yield Setting(f"{asked}; unchanged; {draws} draws, {slip:.0%} slips; n={items}", world, items, next(seed))


def null_settings(truth: str) -> Iterator[Setting]:
    """The settings of one truth in which luck does not repeat at all, or nearly always does."""
    for setting in single_settings():
        if f"; {truth} forgotten" in setting.name and setting.law.repeated_luck != 0.5:
            yield setting._replace(seed=setting.seed + 30_000)
