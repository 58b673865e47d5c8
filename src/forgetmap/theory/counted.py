"""One draw a side: what an item does is one of few kinds of transition, so that many studies are drawn at once."""

from typing import NamedTuple

import numpy as np

from forgetmap.measure.transitions import Pairs
from forgetmap.stats.arrays import Floats, Ints
from forgetmap.theory.drawn import Drawn, pairs_of
from forgetmap.theory.fates import ItemClass


class Kinds(NamedTuple):
    """Every kind of transition that items can make: one row of pairs each, and its probability for every fate."""

    rows: Pairs
    odds: Floats
    """Fates × kinds; each line sums to 1."""


def kinds(classes: tuple[ItemClass, ...], fates: int, *, options_told: bool) -> Kinds:
    """The kinds of transition of all classes of items, each class with kinds of its own."""
    parts = [_answer_pairs(one, fates) for one in classes]
    which = np.repeat(np.arange(len(classes)), [len(before) for before, _, _ in parts])
    before, after = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    odds = np.concatenate([odds for _, _, odds in parts], axis=1)
    nothing = np.zeros(len(which), np.int64)
    drawn = Drawn(classes, which, nothing, nothing - 1, before[:, None], after[:, None])
    rows = pairs_of(drawn, nothing, options_told=options_told)
    key = np.column_stack([which, rows.share.argmax(axis=1)])
    _, first, inverse = np.unique(key, axis=0, return_index=True, return_inverse=True)
    summed = np.stack([np.bincount(inverse.ravel(), line) for line in odds])
    return Kinds(rows.take(first), summed / summed.sum(axis=1, keepdims=True))


def counted(found: Kinds, fates: Floats, size: tuple[int, int], rng: np.random.Generator) -> Pairs:
    """Pairs of `size` = (studies, items of each) where all items stand alone: a row for each kind of transition that a study has.

    The number of a study is the leaf of its rows.
    """
    studies, items = size
    odds = fates @ found.odds
    counts = rng.multinomial(items, odds / odds.sum(), studies)
    study, kind = np.nonzero(counts)
    return found.rows.take(kind)._replace(leaf=study, items=counts[study, kind].astype(float))


def one_by_one(found: Kinds, fate: Ints, rng: np.random.Generator) -> Pairs:
    """Pairs of items with these fates, a row an item, all of leaf 0."""
    steps = found.odds.cumsum(axis=1)[:, :-1]
    point, kind = rng.random(len(fate)), np.empty(len(fate), np.int64)
    for number, line in enumerate(steps):
        rows = fate == number
        kind[rows] = np.searchsorted(line, point[rows], side="right")
    return found.rows.take(kind)


def _answer_pairs(one: ItemClass, fates: int) -> tuple[Ints, Ints, Floats]:
    """Every pair of answers that can occur, and its probability for each fate, times the share of the class."""
    joint = np.stack([one.joint(fate) for fate in np.eye(fates)])
    before, after = np.nonzero(joint.sum(axis=0))
    return before.astype(np.int64), after.astype(np.int64), joint[:, before, after] * one.share
