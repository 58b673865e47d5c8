"""Items that are alike, counted at once: where each side has one draw and no items share a passage, only their number matters.

An answer is one of eight things, so that what became of an item is one of 128 codes: before, after, and one sign more. One count over
strata (place and chance) and codes holds all that any estimate of the task asks for; no array has more than a few bytes an item.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forgetmap.measure.cell import CAUSES
from forgetmap.measure.columns import (
    ABSENT,
    FAILED,
    NO_CHOICE,
    REFUSED,
    RIGHT,
    TRUNCATED,
    UNPARSED,
    WRONG,
    Items,
)
from forgetmap.measure.pair import TaskPairs
from forgetmap.measure.transitions import KINDS, OTHER, SAME, STATES, UNKNOWN, Pairs, chance_of, status_of
from forgetmap.stats.arrays import Bools, Floats, Ints, in_order, totals

# What an answer can be: right or wrong with its option named or not, the three ways to be unanswered, or none.
_RIGHT, _RIGHT_BARE, _WRONG, _WRONG_BARE, _UNPARSED, _REFUSED, _TRUNCATED, _NONE = range(8)
_STATE = (RIGHT, RIGHT, WRONG, WRONG, UNPARSED, REFUSED, TRUNCATED)
_CODES = 128
_OF_STATE = np.full(256, _NONE, np.uint8)
_OF_STATE[[RIGHT, WRONG, UNPARSED, REFUSED, TRUNCATED, FAILED, ABSENT]] = (
    *(_RIGHT, _WRONG, _UNPARSED, _REFUSED, _TRUNCATED),
    *(_NONE, _NONE),
)


Side = Literal["before", "after"]


class Strata(NamedTuple):
    """Paired items by what the logs say of their place and their chance."""

    of: NDArray[np.int32]
    """The stratum of each item; strata are numbered as they first come."""
    said: list[tuple[str | None, str | None]]
    """Domain and category of each stratum."""
    chance: Floats
    k: NDArray[np.int32]


class Counted(NamedTuple):
    """All items of some tasks: pairs by count, causes of losses, and items without an answer on one side."""

    pairs: Pairs
    causes: Floats
    """Leaves × causes."""
    failed: Ints
    """One entry a leaf."""


class Plan(NamedTuple):
    """How the items of some tasks are counted: all that does not depend on their answers."""

    places: Ints
    """Where the counts of each item's stratum begin, one task after the other."""
    leaf: Ints
    """One entry a stratum, as in `chance` and `k`."""
    chance: Floats
    k: NDArray[np.int32]


class Known(NamedTuple):
    """What was found once and holds for all pairings of one map."""

    strata: dict[int, tuple[Items, Strata]]
    """Of items that several runs share, by what they are in memory."""
    categories: dict[tuple[str, str | None, str | None], str]
    """Of a task, a domain and the log's own word."""
    plans: dict[tuple[tuple[str, str, str, int], ...], Any]
    """Of pairings whose items are all shared, by tasks, scorers and items."""

    @classmethod
    def nothing(cls) -> "Known":
        return cls({}, {}, {})


def countable(task: TaskPairs) -> bool:
    """Whether nothing but the number of alike items matters in a task."""
    single = len(task.before.seeds) == 1 and len(task.after.seeds) == 1
    return single and not task.graded and not (task.coded("clusters").codes >= 0).any()


def strata(task: TaskPairs, known: Known) -> Strata:
    """The strata of the paired items of a task; found once for items that are shared."""
    if not task.aligned:
        return _strata(task)
    items = task.before.items
    if id(items) not in known.strata:
        known.strata[id(items)] = items, _strata(task)
    return known.strata[id(items)][1]


def _strata(task: TaskPairs) -> Strata:
    domains, categories = task.coded("domains"), task.coded("categories")
    chance, k = chance_of(task)
    _, chances = np.unique(chance, return_inverse=True)
    code = domains.codes.astype(np.int64)
    for more in (categories.codes, chances.ravel(), in_order(k.astype(np.int64))[0]):
        code, _ = in_order(code)
        code = code * (int(more.max(initial=0)) + 2) + more + 1
    code, first = in_order(code)
    said = [(domains[row], categories[row]) for row in first.tolist()]
    return Strata(code.astype(np.int32), said, chance[first], k[first])


def plan(parts: Sequence[tuple[Strata, Ints]]) -> Plan:
    """The plan for tasks one after the other, each by its strata and the leaf of every stratum."""
    sizes = np.array([len(found.k) for found, _ in parts])
    starts = (np.cumsum(sizes) - sizes) * _CODES
    return Plan(
        places=np.concatenate(
            [found.of * np.int64(_CODES) + start for (found, _), start in zip(parts, starts, strict=True)]
        ),
        leaf=np.concatenate([leaf for _, leaf in parts]),
        chance=np.concatenate([found.chance for found, _ in parts]),
        k=np.concatenate([found.k for found, _ in parts]),
    )


def counted(tasks: Sequence[TaskPairs], by: Plan, leaves: int) -> Counted:
    """Count the items of countable tasks by their plan."""
    number = _numbers(by.places + _codes(tasks), len(by.k) * _CODES)
    filled = np.flatnonzero(number)
    stratum, code, items = filled // _CODES, filled % _CODES, number[filled].astype(float)
    leaf = by.leaf[stratum]
    answered = _KIND[code] >= 0
    lost = totals(leaf * (len(CAUSES) + 1) + _CAUSE[code] + 1, items, leaves * (len(CAUSES) + 1))
    return Counted(
        pairs=_pairs(leaf[answered], (by.chance, by.k, stratum[answered]), code[answered], items[answered]),
        causes=lost.reshape(leaves, -1)[:, 1:],
        failed=totals(leaf[~answered], items[~answered], leaves).astype(np.int64),
    )


def _numbers(keys: Ints, size: int) -> Ints:
    """How many items each stratum has of each code, one stratum after the other."""
    # Strata far apart would make more places to count in than there are items; those are counted by sorting.
    if size > 1_000_000 + 16 * len(keys):
        number = np.zeros(size, np.int64)
        where, count = np.unique(keys, return_counts=True)
        number[where] = count
        return number
    return np.bincount(keys, minlength=size)


def _codes(tasks: Sequence[TaskPairs]) -> NDArray[np.uint8]:
    """What became of each item, one task after the other."""
    answer_before, choice_before = _answers(tasks, "before")
    answer_after, choice_after = _answers(tasks, "after")
    was_right = answer_before <= _RIGHT_BARE
    # Of items lost to a wrong answer the sign says whether that answer repeats itself, of others whether the options are one.
    sign = (choice_before == choice_after) & ~was_right
    if any(task.after.loops is not None for task in tasks):
        sign |= np.concatenate([task.after.looping[_rows(task, "after"), 0] for task in tasks]) & was_right
    return np.asarray(answer_before << 4 | answer_after << 1 | sign, np.uint8)


def _answers(tasks: Sequence[TaskPairs], side: Side) -> tuple[NDArray[np.uint8], NDArray[np.signedinteger]]:
    """What each answer of a side is, and its option."""
    state, choice = [], []
    for task in tasks:
        own, rows = (task.before if side == "before" else task.after), _rows(task, side)
        state.append(own.state[rows, 0])
        choice.append(own.choice[rows, 0])
    answer, option = _OF_STATE[np.concatenate(state)], np.concatenate(choice)
    answer += (option == NO_CHOICE) & (answer <= _WRONG)
    return answer, option


def _rows(task: TaskPairs, side: Side) -> Ints | slice:
    """The rows of one side; of aligned tables no copy is needed."""
    if task.aligned:
        return slice(None)
    return task.rows_before if side == "before" else task.rows_after


def _pairs(leaf: Ints, chances: tuple[Floats, NDArray[np.int32], Ints], code: Ints, items: Floats) -> Pairs:
    """One row for each stratum and code that occurs."""
    chance, k, stratum = chances
    status, luck = status_of(chance[stratum], k[stratum], _BARE[code])
    kind, rows = _KIND[code], np.arange(len(code))
    share = np.zeros((len(code), KINDS))
    share[rows, kind] = 1.0
    nothing = np.full(len(code), np.nan)
    return Pairs(
        leaf=leaf,
        items=items,
        cluster=np.full(len(code), -1, np.int64),
        status=status,
        chance=chance[stratum],
        luck=luck,
        share=share,
        noise_before=nothing,
        noise_after=nothing,
        score_before=(_BEFORE[code] <= _RIGHT_BARE).astype(float),
        score_after=(_AFTER[code] <= _RIGHT_BARE).astype(float),
    )


def _kind(before: int, after: int, same: int) -> int:
    """The kind of transition of a code; −1 where a side has no answer."""
    if _NONE in (before, after):
        return -1
    if before in (_WRONG, _WRONG_BARE) and after in (_WRONG, _WRONG_BARE):
        return UNKNOWN if _WRONG_BARE in (before, after) else SAME if same else OTHER
    return STATES * _STATE[before] + _STATE[after]


def _cause(before: int, after: int, loops: int) -> int:
    """Why an item of a code was lost; −1 where it was not."""
    if before > _RIGHT_BARE or after in (_RIGHT, _RIGHT_BARE, _NONE):
        return -1
    by_answer = {
        _TRUNCATED: "truncated",
        _REFUSED: "refused",
        _UNPARSED: "unparsed",
        _WRONG: "looping" if loops else "other_option",
        _WRONG_BARE: "looping" if loops else "wrong_answer",
    }
    return CAUSES.index(by_answer[after])


_EVERY = [(code >> 4, code >> 1 & 7, code & 1) for code in range(_CODES)]
_BEFORE, _AFTER, _ = (np.array(column) for column in zip(*_EVERY, strict=True))
_KIND, _CAUSE = (np.array([rule(*code) for code in _EVERY]) for rule in (_kind, _cause))
_BARE: Bools = np.isin(_BEFORE, (_RIGHT_BARE, _WRONG_BARE)) | np.isin(_AFTER, (_RIGHT_BARE, _WRONG_BARE))
