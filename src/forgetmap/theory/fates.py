"""What becomes of an item in a story of knowing and guessing, and how likely each answer then is.

An item's fate says whether it is known before and after; its habit is the option it tends to guess. Given both, all answers are
independent of each other, on both sides and in every draw, so that one table of probabilities a side says everything.
"""

from typing import NamedTuple

import numpy as np

from forgetmap.measure.columns import NO_CHOICE, RIGHT, WRONG
from forgetmap.stats.arrays import Bools, Floats, Ints

FATES = ("known", "forgotten", "gained", "unknown", "misconception")
MISCONCEPTION = FATES.index("misconception")
KNOWS_BEFORE = np.array([True, True, False, False, False])
KNOWS_AFTER = np.array([True, False, True, False, False])


class Guessing(NamedTuple):
    """How what is not known is answered."""

    habit: float
    """Probability that a guess is the item's habit; else it falls on all options alike."""
    slip: float
    """Probability that a draw of a known item is guessed all the same."""


class Silence(NamedTuple):
    """How often a draw is left unanswered on each side, and the states it is then in, in equal parts."""

    before: float
    after: float
    states: tuple[int, ...]


class ItemClass(NamedTuple):
    """Items of one shape. Their answers are numbered: the options, of which the first m are golds (right and wrong where items are
    open), then one for each way of not answering."""

    share: float
    options: int
    """0 = open."""
    golds: int
    before: Floats
    """Fates × habits × answers: probabilities, as in `after`."""
    after: Floats
    state: Ints
    """The state that each answer is in."""
    choice: Ints
    """The option that each answer names, or `NO_CHOICE`."""

    @property
    def chance(self) -> float:
        return self.golds / self.options if self.options else 0.0

    def joint(self, fates: Floats) -> Floats:
        """Answers before × answers after: the probability of each pair, all fates and habits taken together."""
        habits = self.before.shape[1]
        summed: Floats = np.einsum("f,fha,fhb->ab", fates / habits, self.before, self.after)
        return summed

    def right(self) -> tuple[Floats, Floats]:
        """Fates × habits: the probability that a draw is right, before and after."""
        hit = self.state == RIGHT
        return self.before[:, :, hit].sum(axis=2), self.after[:, :, hit].sum(axis=2)


class _Ways(NamedTuple):
    """Probabilities of the answers that name something: knowing (answers), guessing and being mistaken (habits × answers)."""

    knowing: Floats
    guessing: Floats
    mistaken: Floats


def item_class(share: float, options: int, golds: int, *, guessing: Guessing, silence: Silence) -> ItemClass:
    """Items with `options` options (0 = open) under one way of guessing and of not answering."""
    ways = _by_option(options, golds, guessing.habit) if options else _open()
    named, silent = len(ways.knowing), len(silence.states)
    return ItemClass(
        share=share,
        options=options,
        golds=golds,
        before=_with_silence(_answered(KNOWS_BEFORE, ways, guessing.slip), silence.before, silent),
        after=_with_silence(_answered(KNOWS_AFTER, ways, guessing.slip), silence.after, silent),
        state=np.array([*np.where(ways.knowing > 0, RIGHT, WRONG), *silence.states], np.int64),
        choice=np.array([*(range(named) if options else [NO_CHOICE] * named), *[NO_CHOICE] * silent], np.int64),
    )


def _by_option(options: int, golds: int, habit: float) -> _Ways:
    """Every option is the habit of as many items as any other; a mistaken item has a wrong option for good."""
    each = np.eye(options)
    wrong = golds + np.arange(options) % (options - golds)
    return _Ways(each[:golds].mean(axis=0), habit * each + (1 - habit) / options, each[wrong])


def _open() -> _Ways:
    """Right or wrong: a guess never hits."""
    wrong = np.array([[0.0, 1.0]])
    return _Ways(np.array([1.0, 0.0]), wrong, wrong)


def _answered(knows: Bools, ways: _Ways, slip: float) -> Floats:
    """Fates × habits × answers, if every draw is answered."""
    known = (1 - slip) * ways.knowing + slip * ways.guessing
    table = np.where(knows[:, None, None], known, ways.guessing)
    table[MISCONCEPTION] = ways.mistaken
    return table


def _with_silence(table: Floats, silent: float, states: int) -> Floats:
    """The same with a share `silent` of all draws left unanswered, whatever is known."""
    unanswered = np.full((*table.shape[:2], states), silent / max(states, 1))
    return np.concatenate([table * (1 - silent), unanswered], axis=2)
