"""Pairs as every metric takes them: shares of 27 kinds of transition, with what chance says about each item.

An answer is in one of five states (right, wrong, unparsed, refused, truncated), so a transition is one of 25, code 5·before + after;
wrong→wrong is split further: the same option (`SAME`), another option (`OTHER`), or not known (`UNKNOWN`). With several draws an item
has shares of several kinds: every draw before with every draw after, but not two of the same seed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forgetmap.measure.columns import FAILED, NO_CHOICE, RIGHT, WRONG, Choices, Columns
from forgetmap.measure.pair import TaskPairs
from forgetmap.stats.arrays import Bools, Floats, Ints, in_order, totals

STATES = 5
KINDS = 27
SAME, OTHER, UNKNOWN = STATES * WRONG + WRONG, 25, 26

IDENTIFIED, BAND, CHANCE_UNKNOWN, CHANCE_ONE = range(4)
REASONS = {BAND: "band_only", CHANCE_UNKNOWN: "chance_unknown", CHANCE_ONE: "chance_one"}
"""Why an item's forgetting is not identified."""


class Pairs(NamedTuple):
    """One row an item, or one row for some `items` that are alike; all arrays have one entry (or line) a row."""

    leaf: Ints
    """Which task and domain the row belongs to."""
    items: Floats
    cluster: Ints
    """Items with the same code share a passage; −1 = alone."""
    status: Ints
    """IDENTIFIED, BAND, CHANCE_UNKNOWN or CHANCE_ONE."""
    chance: Floats
    """NaN = unknown."""
    luck: Floats
    """r = m/(k−m−1): how many lucky hits one wrong→other wrong stands for; 0 for open answers, NaN where not identified."""
    share: Floats
    """Rows × kinds of transition; each line sums to 1."""
    noise_before: Floats
    """Share of ordered pairs of draws that are right, then not; NaN with one draw."""
    noise_after: Floats
    score_before: Floats
    """Mean score; for right/wrong items the share right."""
    score_after: Floats

    def take(self, rows: Ints | Bools) -> "Pairs":
        return Pairs._make(column[rows] for column in self)

    def states(self, side: str) -> Floats:
        """Rows × five states on one side, "before" or "after"."""
        table = self.share[:, :25].reshape(-1, STATES, STATES).copy()
        table[:, WRONG, WRONG] += self.share[:, OTHER] + self.share[:, UNKNOWN]
        summed: Floats = table.sum(axis=2 if side == "before" else 1)
        return summed


class Graded(NamedTuple):
    """Items with scores between 0 and 1; losses and gains are means over pairs of draws."""

    leaf: Ints
    items: Floats
    cluster: Ints
    loss: Floats
    gain: Floats
    noise_before: Floats
    noise_after: Floats
    score_before: Floats
    score_after: Floats


_TRANSPOSED = np.array([STATES * (kind % STATES) + kind // STATES for kind in range(25)] + [OTHER, UNKNOWN])


def swapped(pairs: Pairs) -> Pairs:
    """Before and after exchanged: what was lost is gained."""
    return pairs._replace(
        share=pairs.share[:, _TRANSPOSED],
        noise_before=pairs.noise_after,
        noise_after=pairs.noise_before,
        score_before=pairs.score_after,
        score_after=pairs.score_before,
    )


def lost_to(share: Floats, state: int) -> Floats:
    """Share that went from right to `state`."""
    return share[:, STATES * RIGHT + state]


class Answers(NamedTuple):
    """One side's answers to the paired items: items × draws."""

    state: NDArray[np.uint8]
    choice: Choices
    value: Floats
    seed: Ints


def answers(columns: Columns, rows: Ints) -> Answers:
    """The paired rows of one side. A draw without a seed is told from others by its number."""
    seeds = [-1 - place if seed is None else seed for place, seed in enumerate(columns.seeds)]
    return Answers(columns.state[rows], columns.choice[rows], columns.value[rows], np.array(seeds, np.int64))


def answered(task: TaskPairs, *, scored: bool = False) -> Bools:
    """Paired items with at least one draw on each side that did not fail (that has a score, if `scored`)."""
    limit = WRONG + 1 if scored else FAILED
    before, after = task.before.state[task.rows_before], task.after.state[task.rows_after]
    return np.asarray((before < limit).any(axis=1) & (after < limit).any(axis=1))


def transitions(task: TaskPairs, leaf: Ints, cluster: Ints) -> Pairs:
    """Pairs of one right/wrong task, one row an item; `leaf` and `cluster` have one code an item. All items must be `answered`."""
    before, after = answers(task.before, task.rows_before), answers(task.after, task.rows_after)
    share = _shares(before, after)
    chance, k = chance_of(task)
    status, luck = status_of(chance, k, _without_option(before, after))
    return Pairs(
        leaf=leaf,
        items=np.ones(len(leaf)),
        cluster=cluster,
        status=status,
        chance=chance,
        luck=luck,
        share=share,
        noise_before=_noise((before.state == RIGHT).astype(float), before.state < FAILED),
        noise_after=_noise((after.state == RIGHT).astype(float), after.state < FAILED),
        score_before=_mean((before.state == RIGHT).astype(float), before.state < FAILED),
        score_after=_mean((after.state == RIGHT).astype(float), after.state < FAILED),
    )


def graded(task: TaskPairs, leaf: Ints, cluster: Ints) -> Graded:
    """Pairs of one task with graded scores; only draws that have a score count. All items must be `answered` with a score."""
    before, after = (
        _scored(answers(*side)) for side in ((task.before, task.rows_before), (task.after, task.rows_after))
    )
    one, two = np.nan_to_num(before.value), np.nan_to_num(after.value)
    loss, gain, weight = np.zeros(len(leaf)), np.zeros(len(leaf)), np.zeros(len(leaf))
    for i, j, valid in draw_pairs(before, after):
        loss += np.where(valid, np.maximum(one[:, i] - two[:, j], 0), 0)
        gain += np.where(valid, np.maximum(two[:, j] - one[:, i], 0), 0)
        weight += valid
    return Graded(
        leaf=leaf,
        items=np.ones(len(leaf)),
        cluster=cluster,
        loss=loss / weight,
        gain=gain / weight,
        noise_before=_noise(one, before.state < FAILED),
        noise_after=_noise(two, after.state < FAILED),
        score_before=_mean(one, before.state < FAILED),
        score_after=_mean(two, after.state < FAILED),
    )


def _scored(side: Answers) -> Answers:
    """The same answers with those that have no score taken as failed."""
    return side._replace(state=np.where(side.state > WRONG, FAILED, side.state).astype(np.uint8))


def condensed(pairs: Pairs) -> Pairs:
    """The same pairs with alike items counted in one row, where nothing but their number matters (one draw a side, no passage shared)."""
    alike = np.isnan(pairs.noise_before) & np.isnan(pairs.noise_after) & (pairs.cluster < 0)
    if not alike.any():
        return pairs
    single = pairs if alike.all() else pairs.take(alike)
    kind = single.share.argmax(axis=1)
    code = single.leaf
    for more in (_alike(single.chance), _alike(single.luck), single.status, kind):
        code = in_order(code * (int(more.max()) + 1) + more)[0]
    number, first = in_order(code)
    few = single.take(first)._replace(items=totals(number, single.items, len(first)))
    return few if alike.all() else joined([few, pairs.take(~alike)])


def _alike(x: Floats) -> Ints:
    """One code a value, NaN among them."""
    return np.unique(x, return_inverse=True)[1].ravel()


def joined(parts: Sequence[Pairs]) -> Pairs:
    """The rows of all of these."""
    return parts[0] if len(parts) == 1 else Pairs(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def draw_pairs(before: Answers, after: Answers) -> list[tuple[int, int, Bools]]:
    """Every draw before with every draw after, and for which items the pair counts."""
    ok_before, ok_after = before.state < FAILED, after.state < FAILED
    several = (ok_before.sum(axis=1) > 1) & (ok_after.sum(axis=1) > 1)
    both = {(i, j): ok_before[:, i] & ok_after[:, j] for i, j in np.ndindex(ok_before.shape[1], ok_after.shape[1])}
    same = same_draw(before.seed, after.seed)
    others = np.logical_or.reduce([np.zeros(len(several), bool), *(both[pair] for pair in both if not same[pair])])
    return [(i, j, valid & ~(several & others) if same[i, j] else valid) for (i, j), valid in both.items()]


def same_draw(before: Ints, after: Ints) -> Bools:
    """Which draws before and after are one draw: those of one seed; those of one number, where there is but one seed."""
    if len({*before.tolist(), *after.tolist()}) == 1:
        before, after = np.arange(len(before)), np.arange(len(after))
    return np.asarray(before[:, None] == after)


def _shares(before: Answers, after: Answers) -> Floats:
    share = np.zeros((len(before.state), KINDS))
    rows = np.arange(len(share))
    for i, j, valid in draw_pairs(before, after):
        one, two = np.minimum(before.state[:, i], STATES - 1), np.minimum(after.state[:, j], STATES - 1)
        kind = STATES * one.astype(np.int64) + two
        first, second = before.choice[:, i], after.choice[:, j]
        wrong = kind == SAME
        kind[wrong & (first != second)] = OTHER
        kind[wrong & ((first == NO_CHOICE) | (second == NO_CHOICE))] = UNKNOWN
        share[rows[valid], kind[valid]] += 1
    found: Floats = share / share.sum(axis=1, keepdims=True)
    return found


def _noise(score: Floats, valid: Bools) -> Floats:
    """Mean of (first − second)⁺ over ordered pairs of different draws; for right/wrong c(R−c)/(R(R−1))."""
    draws = valid.sum(axis=1)
    total = np.zeros(len(score))
    for i in range(score.shape[1]):
        for j in range(score.shape[1]):
            if i != j:
                total += np.where(valid[:, i] & valid[:, j], np.maximum(score[:, i] - score[:, j], 0), 0)
    return np.where(draws > 1, total / np.maximum(draws * (draws - 1), 1), np.nan)


def _mean(score: Floats, valid: Bools) -> Floats:
    summed: Floats = np.where(valid, score, 0.0).sum(axis=1) / valid.sum(axis=1)
    return summed


def chance_of(task: TaskPairs) -> tuple[Floats, NDArray[np.int32]]:
    """Chance and number of options of the paired items, from the side that knows them."""
    if task.aligned:
        return task.before.chance, task.before.k
    before, after = task.before.chance[task.rows_before], task.after.chance[task.rows_after]
    unknown = np.isnan(before)
    k = np.where(unknown, task.after.k[task.rows_after], task.before.k[task.rows_before])
    return np.where(unknown, after, before), k


def _without_option(before: Answers, after: Answers) -> Bools:
    """Items with a right or wrong answer whose option is not known."""
    missing = np.zeros(len(before.state), bool)
    for side in (before, after):
        missing |= ((side.state <= WRONG) & (side.choice == NO_CHOICE)).any(axis=1)
    return missing


def status_of(chance: Floats, k: NDArray[np.int32], without_option: Bools) -> tuple[Ints, Floats]:
    """Whether each item is identified, and its luck."""
    golds = np.rint(np.nan_to_num(chance) * k)
    wrong = k - golds
    certain, unknown, open_answer = chance >= 1, np.isnan(chance), chance == 0
    by_option = ~open_answer & (wrong >= 2) & ~without_option
    status = np.select([unknown, certain, open_answer | by_option], [CHANCE_UNKNOWN, CHANCE_ONE, IDENTIFIED], BAND)
    luck = np.where(open_answer, 0.0, np.where(status == IDENTIFIED, golds / np.maximum(wrong - 1, 1), np.nan))
    return status.astype(np.int64), luck
