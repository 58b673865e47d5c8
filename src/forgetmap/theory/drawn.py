"""Answers drawn item by item, and the pairs that any answers make."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forgetmap.measure.columns import NO_CHOICE, Columns, Items
from forgetmap.measure.pair import TaskPairs
from forgetmap.measure.transitions import Pairs, transitions
from forgetmap.stats.arrays import Floats, Ints
from forgetmap.theory.fates import ItemClass


class Drawn(NamedTuple):
    """Items with all their answers. A class, a fate and a passage each; answers are items × draws."""

    classes: tuple[ItemClass, ...]
    which: Ints
    """The class of each item."""
    fate: Ints
    passage: Ints
    """The number of each item's passage; −1 where it stands alone."""
    before: Ints
    """The answer of each draw, as its class numbers them; as in `after`."""
    after: Ints


def draw(
    classes: tuple[ItemClass, ...],
    fates: Floats,
    passage: Ints,
    *,
    intraclass: float,
    draws: int,
    rng: np.random.Generator,
) -> Drawn:
    """Draw a fate for every item, tied within its passage, and then `draws` answers a side."""
    items = len(passage)
    which = rng.choice(len(classes), items, p=[one.share for one in classes])
    fate = tied(fates, passage, intraclass, rng)
    habit = rng.random(items)
    before, after = np.empty((items, draws), np.int64), np.empty((items, draws), np.int64)
    for number, one in enumerate(classes):
        rows = np.flatnonzero(which == number)
        habits = (habit[rows] * one.before.shape[1]).astype(np.int64)
        before[rows] = _answers(one.before[fate[rows], habits], draws, rng)
        after[rows] = _answers(one.after[fate[rows], habits], draws, rng)
    return Drawn(classes, which, fate, shared(passage), before, after)


def passages(sizes: tuple[int, ...], items: int, studies: int) -> Ints:
    """The passage of each item of each study, if passages take these sizes in turn; no passage is in two studies."""
    every = np.tile(np.array(sizes), -(-items // sum(sizes)))
    one = np.repeat(np.arange(len(every)), every)[:items]
    return (one + np.arange(studies)[:, None] * len(every)).ravel()


def tied(fates: Floats, passage: Ints, intraclass: float, rng: np.random.Generator) -> Ints:
    """One fate an item. With probability √ρ it is its passage's own, so that two items of a passage are copies with probability ρ."""
    own = rng.choice(len(fates), len(passage), p=fates)
    if intraclass == 0:
        return own
    common = rng.choice(len(fates), int(passage.max(initial=0)) + 1, p=fates)[passage]
    copied = rng.random(len(passage)) < np.sqrt(intraclass)
    return np.where(copied, common, own)


def shared(passage: Ints) -> Ints:
    """The same passages, −1 where an item has one to itself."""
    return np.where(np.bincount(passage)[passage] < 2, -1, passage)


def pairs_of(drawn: Drawn, leaf: Ints, *, options_told: bool) -> Pairs:
    """The pairs that these answers make, by the rules that logs go by."""
    chance, options = (
        np.array(column)[drawn.which]
        for column in ([one.chance for one in drawn.classes], [one.options for one in drawn.classes])
    )
    before, after = (
        _columns(*_said(drawn, answers, options_told), chance, options) for answers in (drawn.before, drawn.after)
    )
    rows = np.arange(len(leaf))
    return transitions(TaskPairs("", before, after, rows, rows, [], [], 0), leaf, drawn.passage)


def _answers(odds: Floats, draws: int, rng: np.random.Generator) -> Ints:
    """One answer a draw from each item's line of probabilities."""
    steps = odds.cumsum(axis=1)[:, :-1]
    point = rng.random((len(odds), draws))
    return sum((point >= step[:, None] for step in steps.T), np.zeros(point.shape, np.int64))


def _said(drawn: Drawn, answers: Ints, options_told: bool) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """States and chosen options of numbered answers."""
    state, choice = np.empty(answers.shape, np.uint8), np.full(answers.shape, NO_CHOICE, np.int32)
    for number, one in enumerate(drawn.classes):
        rows = drawn.which == number
        state[rows] = one.state[answers[rows]]
        choice[rows] = one.choice[answers[rows]]
    return state, choice if options_told else np.full_like(choice, NO_CHOICE)


def _columns(state: NDArray[np.uint8], choice: NDArray[np.int32], chance: Floats, options: Ints) -> Columns:
    """A fold of nothing but answers: pairs need no names of items."""
    return Columns(
        task="",
        scorer="",
        items=Items.unnamed(options.astype(np.int32), chance),
        prompts=np.zeros(len(state), np.uint64),
        seeds=list(range(state.shape[1])),
        state=state,
        choice=choice,
        marks=None,
        loops=None,
    )
