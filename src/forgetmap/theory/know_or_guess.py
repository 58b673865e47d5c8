"""The law of knowing or guessing: an item is known or it is guessed, before and after, and everything else follows."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.measure.columns import STATE_OF
from forgetmap.measure.transitions import Pairs
from forgetmap.records.run import Run
from forgetmap.records.schema import UNANSWERED
from forgetmap.stats.arrays import Floats
from forgetmap.theory.counted import Kinds, counted, kinds, one_by_one
from forgetmap.theory.drawn import Drawn, draw, pairs_of, passages, shared, tied
from forgetmap.theory.fates import Guessing, ItemClass, Silence, item_class
from forgetmap.theory.invented_runs import invented_runs

Options = int | None | Mapping[int | None, float]
"""How many options every item has (null or 0 = open), or the share of items with each number."""

ROUNDING = 1e-9
"""By how much shares may miss their sum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowOrGuess:
    """A world in which each answer is known or guessed; it can be simulated, and says the truth that estimates are after.

    Shares are of all items. A guess falls on all options alike, but a second guess at an item repeats the first with probability
    `repeated_luck`; a misconception gives one wrong answer for good. Whether a draw is answered does not depend on what is known, so
    `unanswered_after > unanswered_before` is a loss of answering. *Known* in the truths below means known and said: a known item that
    slips or stays unanswered in a draw does not count as known in that draw.

    Misconceptions are no luck, so knowledge scores say less than what is known where there are any, and the unanswered part of
    forgetting is too small by c/(1−c) for every misconception that is no longer said; the answered part is not touched.

    >>> truth = KnowOrGuess(known=0.8, forgotten=0.1, options=4, repeated_luck=0.5)
    >>> truth.forgetting, truth.gain, round(truth.net, 3)
    (0.1, 0.0, -0.075)
    """

    known: float
    """Before, forgotten items included."""
    forgotten: float = 0.0
    """Known before and unknown after."""
    gained: float = 0.0
    """Unknown before and known after."""
    options: Options = 4
    golds: int = 1
    """How many of the options are right."""
    repeated_luck: float = 0.0
    misconceptions: float = 0.0
    """Share of the items known on neither side."""
    unanswered_before: float = 0.0
    unanswered_after: float = 0.0
    unanswered_as: tuple[str, ...] = UNANSWERED
    """The outcomes that unanswered draws have, in equal parts."""
    draws: int = 1
    """On each side."""
    slip: float = 0.0
    """Noise of decoding: how often a draw of a known item is guessed all the same."""
    passages: tuple[int, ...] = (1,)
    """Sizes of the passages that items share, taken in turn."""
    intraclass: float = 0.0
    """Correlation, within a passage, of being known, forgotten or gained."""
    options_told: bool = True
    """Whether the logs say which option was chosen."""

    def __post_init__(self) -> None:
        _check_shares(self)
        _check_counts(self)

    @property
    def forgetting(self) -> float:
        """Share known in a draw before and not known in a draw after."""
        said_before, said_after = self._said()
        return said_before * (self.forgotten + (self.known - self.forgotten) * (1 - said_after))

    @property
    def gain(self) -> float:
        """Share not known in a draw before and known in a draw after."""
        said_before, said_after = self._said()
        return said_after * (self.gained + (self.known - self.forgotten) * (1 - said_before))

    @property
    def known_before(self) -> float:
        return self.known * self._said()[0]

    @property
    def known_after(self) -> float:
        return (self.known - self.forgotten + self.gained) * self._said()[1]

    @property
    def unanswered_loss(self) -> float:
        """The part of forgetting that is known before and not answered after."""
        return self.known_before * self.unanswered_after

    @property
    def unanswered_gain(self) -> float:
        """The part of gain that is not answered before and known after."""
        return self.known_after * self.unanswered_before

    @property
    def net(self) -> float:
        """Accuracy after − accuracy before."""
        before, after, weight = self._right()
        return float(weight @ (after - before))

    @property
    def raw_loss(self) -> float:
        """Probability that a draw before is right and a draw after is not."""
        before, after, weight = self._right()
        return float(weight @ (before * (1 - after)))

    @property
    def noise_floor(self) -> float:
        """The same between two draws of one checkpoint, the mean of both sides."""
        before, after, weight = self._right()
        return float(weight @ (before * (1 - before) + after * (1 - after))) / 2

    @property
    def excess(self) -> float:
        """Raw loss beyond the noise floor: 0 if nothing changes, however noisy the draws."""
        return self.raw_loss - self.noise_floor

    def simulate(self, *, items: int, studies: int = 1, seed: int = 0) -> Pairs:
        """Pairs of `studies` studies of `items` items each; the number of a study is the leaf of its rows.

        With one draw a side and no passages a row is a kind of transition and its number, so that a study of any size is a handful of
        rows; else a row is an item.
        """
        if self.draws == 1 and max(self.passages) == 1:
            return counted(self._kinds(), self._fates(), (studies, items), np.random.default_rng(seed))
        study = np.repeat(np.arange(studies), items)
        if self.draws > 1:
            return pairs_of(self._draw(items, studies, seed), study, options_told=self.options_told)
        rng, passage = np.random.default_rng(seed), passages(self.passages, items, studies)
        fate = tied(self._fates(), passage, self.intraclass, rng)
        return one_by_one(self._kinds(), fate, rng)._replace(leaf=study, cluster=shared(passage))

    def runs(self, *, items: int, seed: int = 0, texts: bool = True) -> tuple[Run, Run]:
        """One study as records: a run before and a run after, on made-up questions with answers in words unless `texts` is false."""
        return invented_runs(self._draw(items, 1, seed), options_told=self.options_told, seed=seed, texts=texts)

    def _draw(self, items: int, studies: int, seed: int) -> Drawn:
        return draw(
            self._classes(),
            self._fates(),
            passages(self.passages, items, studies),
            intraclass=self.intraclass,
            draws=self.draws,
            rng=np.random.default_rng(seed),
        )

    def _kinds(self) -> Kinds:
        return kinds(self._classes(), len(self._fates()), options_told=self.options_told)

    def _fates(self) -> Floats:
        never = max(1 - self.known - self.gained, 0.0)
        mistaken = never * self.misconceptions
        fates = np.array([self.known - self.forgotten, self.forgotten, self.gained, never - mistaken, mistaken])
        return np.asarray(fates / fates.sum())

    def _classes(self) -> tuple[ItemClass, ...]:
        # Two guesses at an item agree by habit if both follow it, so a habit followed with √λ repeats luck with λ in any two draws.
        guessing = Guessing(habit=self.repeated_luck**0.5, slip=self.slip)
        states = tuple(STATE_OF[outcome] for outcome in self.unanswered_as)
        silence = Silence(self.unanswered_before, self.unanswered_after, states)
        return tuple(
            item_class(share, options, self.golds if options else 1, guessing=guessing, silence=silence)
            for options, share in self._mix().items()
        )

    def _mix(self) -> dict[int, float]:
        mix = self.options if isinstance(self.options, Mapping) else {self.options: 1.0}
        return {options or 0: share for options, share in mix.items()}

    def _said(self) -> tuple[float, float]:
        """Probabilities that a known item is known in a draw: it does not slip and is answered."""
        return (1 - self.slip) * (1 - self.unanswered_before), (1 - self.slip) * (1 - self.unanswered_after)

    def _right(self) -> tuple[Floats, Floats, Floats]:
        """For every class, fate and habit the probability of being right in a draw before and after, and how common it is."""
        fates, classes = self._fates(), self._classes()
        sides = [one.right() for one in classes]
        weight = [
            np.outer(fates, np.full(b.shape[1], one.share / b.shape[1]))
            for one, (b, _) in zip(classes, sides, strict=True)
        ]
        before, after = ([side.ravel() for side in column] for column in zip(*sides, strict=True))
        return np.concatenate(before), np.concatenate(after), np.concatenate([each.ravel() for each in weight])


def _check_shares(law: KnowOrGuess) -> None:
    names = (
        "known",
        "forgotten",
        "gained",
        "repeated_luck",
        "misconceptions",
        "unanswered_before",
        "unanswered_after",
        "slip",
        "intraclass",
    )
    for name in names:
        if not 0 <= getattr(law, name) <= 1:
            raise SettingError(f"{name} is a share and must lie between 0 and 1, got {getattr(law, name)}.")
    if law.forgotten > law.known:
        raise SettingError(
            f"what is forgotten was known: forgotten ({law.forgotten}) must not exceed known ({law.known})."
        )
    if law.known + law.gained > 1 + ROUNDING:
        raise SettingError(
            f"what is gained was not known: known + gained must not exceed 1, got {law.known} + {law.gained}."
        )


def _check_counts(law: KnowOrGuess) -> None:
    mix = law._mix()
    if not mix or min(mix.values()) < 0 or abs(sum(mix.values()) - 1) > ROUNDING:
        raise SettingError(
            f"options must be a number, or shares of items that sum to 1 by number of options; got {law.options}."
        )
    if law.golds < 1 or any(0 < options <= law.golds for options in mix):
        raise SettingError(
            f"at least one option must be right and one wrong, got {law.golds} golds among options {law.options}."
        )
    if law.draws < 1 or not law.passages or min(law.passages) < 1:
        raise SettingError(
            f"draws and sizes of passages count from 1, got draws {law.draws} and passages {law.passages}."
        )
    if not law.unanswered_as or not set(law.unanswered_as) <= set(UNANSWERED):
        raise SettingError(f"unanswered_as must name some of {', '.join(UNANSWERED)}; got {law.unanswered_as}.")
