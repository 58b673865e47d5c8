"""Pairs told answer by answer, and studies drawn from the law: what the exams of measure work on."""

from collections.abc import Sequence

import numpy as np

from forgetmap.measure.columns import (
    ABSENT,
    FAILED,
    NO_CHOICE,
    REFUSED,
    RIGHT,
    TRUNCATED,
    UNPARSED,
    WRONG,
    Columns,
    Items,
)
from forgetmap.measure.estimates import Groups
from forgetmap.measure.names import Coded, Names
from forgetmap.measure.pair import TaskPairs
from forgetmap.measure.transitions import Pairs, transitions

STATES = {"R": RIGHT, "?": UNPARSED, "!": REFUSED, "~": TRUNCATED, "x": FAILED, ".": ABSENT}


def told(
    before: Sequence[str],
    after: Sequence[str],
    *,
    k: int | None = 4,
    golds: int = 1,
    chance: float | None = None,
    seeds: Sequence[Sequence[int | None]] = (),
) -> Pairs:
    """Pairs of one task. An item's answers are a word, a letter a draw: R right; a, b, c … a wrong option; w wrong without an option;
    ? unparsed, ! refused, ~ truncated, x failed, . absent. `k` is null where items are open; chance is golds/k unless said.
    """
    own = chance if chance is not None else golds / k if k else 0.0
    sides = seeds or ([None] * len(before[0]), [None] * len(after[0]))
    one, two = (columns(side, chance=own, k=k, seeds=list(s)) for side, s in zip((before, after), sides, strict=True))
    rows = np.arange(len(before))
    return transitions(TaskPairs("t", one, two, rows, rows, [], [], 0), 0 * rows, 0 * rows - 1)


def columns(answers: Sequence[str], *, chance: float, k: int | None, seeds: list[int | None]) -> Columns:
    """One side, folded."""
    table = np.array([list(word) for word in answers])
    state = np.vectorize(lambda letter: STATES.get(letter, WRONG), otypes=[np.uint8])(table)
    choice = np.vectorize(_choice, otypes=[np.int32])(table)
    items = len(answers)
    nothing = Coded.nothing(items)
    asked = Items(
        ids=Names.of(str(item) for item in range(items)),
        natives=Names.of([None] * items),
        domains=nothing,
        categories=nothing,
        clusters=nothing,
        k=np.full(items, k or 0, np.int32),
        chance=np.full(items, chance),
        golds=np.zeros(items, np.int32),
    )
    return Columns(
        task="t",
        scorer="acc",
        items=asked,
        prompts=np.zeros(items, np.uint64),
        seeds=seeds,
        state=state,
        choice=choice,
        marks=None,
        loops=None,
    )


def _choice(letter: str) -> int:
    return 50 if letter == "R" else ord(letter) - ord("a") if letter.islower() and letter not in "wx" else NO_CHOICE


def together(pairs: Pairs) -> Groups:
    """All items in one group."""
    return Groups(np.zeros(len(pairs.leaf), np.int64), 1)


def by_study(pairs: Pairs) -> Groups:
    """Each study a group."""
    return Groups(pairs.leaf, int(pairs.leaf.max()) + 1)
