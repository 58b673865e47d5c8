"""Scores for formats that hold only text: by the table of scorers, with what the format knows of how the text ended."""

import re
from collections.abc import Sequence
from functools import cache
from typing import cast

from forgetmap.records.options import distinct
from forgetmap.records.schema import Item, Score
from forgetmap.scorers import SCORERS
from forgetmap.scorers.contract import Scorer
from forgetmap.scorers.text import cut_off
from forgetmap.tables import load

_DIGITS = re.compile(r"([0-9]{1,18})")

Order = tuple[tuple[int, int, str], ...]


def scored(
    scorers: Sequence[str], item: Item, text: str, *, shown: Sequence[str] = (), ran_out: bool = False
) -> tuple[Score, ...]:
    """What each scorer makes of a text; what is unparsed in one that ran into its limit of tokens was truncated.

    `shown` are the options as the question letters them, where several of the same text are one in the item.
    """
    places = distinct(shown).places
    asked = item._replace(choices=tuple(shown)) if shown else item
    return tuple([_settled(_scorer(name)(asked, text), places, ran_out) for name in scorers])


def _settled(score: Score, places: Sequence[int], ran_out: bool) -> Score:
    if score.outcome == "unparsed" and ran_out:
        return score._replace(outcome="truncated")
    return score._replace(choice=places[score.choice]) if places and score.choice is not None else score


@cache
def _scorer(name: str) -> Scorer:
    return cast(Scorer, load(SCORERS, name, group="scorers"))


def ran_out(text: str, limit: object, tokens: int | None = None) -> bool:
    """Whether an answer ran into its limit of tokens: by their number where the log tells it, else by the look of the text."""
    if not isinstance(limit, int) or isinstance(limit, bool):
        return False
    return tokens >= limit if tokens is not None else cut_off(text, limit)


def natural(name: str | None) -> Order:
    """A key that puts native ids in order, numbers within them by their value; absent ones last.

    >>> sorted(["t-#10", "t-#9", "s"], key=natural)
    ['s', 't-#9', 't-#10']
    """
    if name is None:
        return ((2, 0, ""),)
    parts = _DIGITS.split(name)
    return tuple([(1, int(part), "") if place % 2 else (0, 0, part) for place, part in enumerate(parts)])
