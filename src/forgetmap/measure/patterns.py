"""Answers of items at every stage as patterns, and the share of each item's draws that each pattern has."""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, product
from math import prod
from typing import NamedTuple

import numpy as np

from forgetmap.measure.align import Aligned
from forgetmap.measure.fold import FAILED, NO_CHOICE, RIGHT, WRONG
from forgetmap.measure.paths import SILENT, Pattern, Shape
from forgetmap.measure.transitions import BAND, CHANCE_ONE, CHANCE_UNKNOWN, IDENTIFIED, Answers, answers, same_draw
from forgetmap.stats.arrays import Bools, Floats, Ints

UNSAID = 4
"""No share of any path: the chosen options are not known, or there are several golds and too few wrong options."""
REASONS = {
    BAND: "band_only",
    CHANCE_UNKNOWN: "chance_unknown",
    CHANCE_ONE: "chance_one",
    UNSAID: "not_identified",
}
MOST_GOLDS = 1 << 16
MOST_TUPLES = 256
"""Tuples of draws, one draw a stage, that are looked at; of more, so many are taken by a fixed shuffle."""


class Drawn(NamedTuple):
    """One tuple of draws: the pattern of every item, and for which items the tuple counts."""

    pattern: Ints
    """Items × stages, as in `Pattern`."""
    counts: Bools


def sides_of(task: Aligned, chain: Sequence[int]) -> list[Answers]:
    """The answers of the runs of a chain, in order."""
    return [answers(task.columns[run], task.rows[run]) for run in chain]


def answered(task: Aligned) -> Bools:
    """Items with at least one draw in every run that did not fail."""
    tried = [(columns.state[rows] < FAILED).any(axis=1) for columns, rows in zip(task.columns, task.rows, strict=True)]
    return np.asarray(np.logical_and.reduce(tried))


class Chances(NamedTuple):
    """What chance says of each item: which formula it has, and its shape."""

    status: Ints
    shape: Ints
    """Items × 2: golds and options; 0 and 0 where items are open."""


def chances(task: Aligned, stages: int) -> Chances:
    """From the first run that knows them; an item without a chosen option in any run has no path but a raw one."""
    chance, k = np.full(task.items, np.nan), np.zeros(task.items, np.int64)
    missing = np.zeros(task.items, bool)
    for columns, rows in zip(task.columns, task.rows, strict=True):
        unknown = np.isnan(chance)
        chance, k = np.where(unknown, columns.chance[rows], chance), np.where(unknown, columns.k[rows], k)
        state = columns.state[rows]
        missing |= ((state <= WRONG) & (columns.choice[rows] == NO_CHOICE)).any(axis=1)
    golds = np.rint(np.nan_to_num(chance) * k).astype(np.int64)
    is_open = chance == 0
    shape = np.stack([np.where(is_open, 0, golds), np.where(is_open, 0, k)], axis=1)
    told = ~missing & (golds > 0) & (golds < k)
    enough = told & (k - golds >= stages)
    status = np.select(
        [np.isnan(chance), chance >= 1, is_open | enough, told & (golds == 1)],
        [CHANCE_UNKNOWN, CHANCE_ONE, IDENTIFIED, BAND],
        UNSAID,
    )
    return Chances(status.astype(np.int64), shape)


def tuples(sides: Sequence[Answers], is_open: Bools) -> Iterator[Drawn]:
    """Every draw of a stage with every draw of the others, but not two of one seed (where an item has others), as pairs are taken.

    An item that no tuple taken has answers to has its first ones.
    """
    draws = list(product(*(range(side.state.shape[1]) for side in sides)))
    if too_many(sides):
        taken = np.random.default_rng(0).permutation(len(draws))[:MOST_TUPLES]
        draws = [draws[place] for place in sorted(taken)]
    tried = [
        np.logical_and.reduce([side.state[:, i] < FAILED for side, i in zip(sides, one, strict=True)]) for one in draws
    ]
    again = _repeated(sides, draws)
    others = reduce(np.logical_or, (ok & ~repeat for ok, repeat in zip(tried, again, strict=True)))
    for one, ok, repeat in zip(draws, tried, again, strict=True):
        yield Drawn(_patterns(sides, one, is_open), np.asarray(ok & ~(repeat & others)))
    missed = ~np.logical_or.reduce(tried)
    if missed.any():
        yield Drawn(_patterns([_first(side) for side in sides], (0,) * len(sides), is_open), missed)


def _first(side: Answers) -> Answers:
    """Of each item the first draw that did not fail."""
    place = (side.state < FAILED).argmax(axis=1)[:, None]
    state, choice = np.take_along_axis(side.state, place, axis=1), np.take_along_axis(side.choice, place, axis=1)
    return side._replace(state=state, choice=choice)


def too_many(sides: Sequence[Answers]) -> bool:
    """Whether there are more tuples of draws than are looked at."""
    return bool(prod(side.state.shape[1] for side in sides) > MOST_TUPLES)


def right_shares(sides: Sequence[Answers]) -> Floats:
    """Items × stages: the share of the draws that did not fail whose answer is right. All items must be `answered`."""
    return np.stack([(side.state == RIGHT).sum(axis=1) / (side.state < FAILED).sum(axis=1) for side in sides], axis=1)


def _repeated(sides: Sequence[Answers], draws: Sequence[tuple[int, ...]]) -> list[Bools]:
    """Per tuple the items of which two stages with several draws answer with one and the same seed."""
    several = [(side.state < FAILED).sum(axis=1) > 1 for side in sides]
    pairs = [(one, two, same_draw(sides[one].seed, sides[two].seed)) for one, two in combinations(range(len(sides)), 2)]
    found = []
    for drawn in draws:
        repeat = np.zeros(len(several[0]), bool)
        for one, two, same in pairs:
            if same[drawn[one], drawn[two]]:
                repeat |= several[one] & several[two]
        found.append(repeat)
    return found


def _patterns(sides: Sequence[Answers], draws: tuple[int, ...], is_open: Bools) -> Ints:
    """Items × stages: right, unanswered, or the number of a wrong answer; open items have one wrong answer."""
    state = np.stack([side.state[:, i] for side, i in zip(sides, draws, strict=True)], axis=1)
    choice = np.stack([side.choice[:, i] for side, i in zip(sides, draws, strict=True)], axis=1)
    choice = np.where(is_open[:, None], 0, choice)
    found = np.where(state == RIGHT, 0, SILENT).astype(np.int64)
    seen = np.zeros(len(found), np.int64)
    for stage in range(len(sides)):
        wrong = state[:, stage] == WRONG
        label = np.zeros(len(found), np.int64)
        for earlier in range(stage):
            same = (state[:, earlier] == WRONG) & (choice[:, earlier] == choice[:, stage])
            label = np.where(same, found[:, earlier], label)
        fresh = wrong & (label == 0)
        seen += fresh
        found[:, stage] = np.where(wrong, np.where(fresh, seen, label), found[:, stage])
    return found


def kinds_of(pattern: Ints, shape: Ints) -> tuple[list[tuple[Pattern, Shape]], Ints]:
    """The distinct patterns with their shapes, and which of them each item has."""
    signs = pattern.shape[1] + 2
    code = (pattern + 1) @ signs ** np.arange(pattern.shape[1]) + signs ** pattern.shape[1] * (shape @ [1, MOST_GOLDS])
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    told = [(tuple(map(int, pattern[row])), Shape(int(shape[row, 0]), int(shape[row, 1]))) for row in first]
    return told, inverse.ravel()


def right_path(pattern: Ints) -> Ints:
    """Per item the place, in `all_paths`, of the path that its right answers alone say."""
    stages = pattern.shape[1]
    return np.asarray((pattern != 0) @ (2 ** np.arange(stages - 1, -1, -1)), np.int64)


def followed(task: Aligned, chain: Sequence[int]) -> Floats:
    """Items × paths: the share of the tuples of draws whose right answers follow each path. All items must be `answered`."""
    found, weight = np.zeros((task.items, 2 ** len(chain))), np.zeros(task.items)
    for drawn in tuples(sides_of(task, chain), np.zeros(task.items, bool)):
        found[np.arange(task.items), right_path(drawn.pattern)] += drawn.counts
        weight += drawn.counts
    return found / weight[:, None]
