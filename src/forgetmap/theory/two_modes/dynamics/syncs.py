"""Training in rounds: the learner that an objective refers to is renewed, or is not, and a teacher may trail behind."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import quadrature
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.path import EVEN, Path, Rates, checked, gathered
from forgetmap.theory.two_modes.objectives.kl import towards
from forgetmap.theory.two_modes.terms import Objective, force
from forgetmap.theory.two_modes.world import Mixture


def syncs(
    made: Callable[[Mixture], Objective],
    start: Mixture,
    rounds: int,
    *,
    lag: float,
    moving: bool = True,
    rates: Rates = EVEN,
) -> Path:
    """`rounds` flows of length `lag`, each on the objective that `made` gives for the learner it starts from, or for the first one."""
    learner, kept = start, [start]
    for _ in range(rounds):
        learner = flow(made(learner if moving else start), learner, np.array([lag]), rates=rates).last
        kept.append(learner)
    return Path(np.arange(rounds + 1.0) * lag, gathered(kept))


class Teacher(NamedTuple):
    """What a student distils: (1−anchor)·(a trailing copy of the student + shift) + anchor·a fixed one."""

    shift: float
    """By how much reading the demonstrations moves the teacher's log odds."""
    follow: float
    """ρ: the part of the way to the student that the copy goes each step: 0 is frozen, 1 live."""
    anchor: float = 0.0
    """λ: the share of the fixed teacher."""
    leak: float = 0.0
    """By how much reading them moves the teacher's old mean along the first axis: a style that comes with the demonstrations."""


def teacher(kind: str, *, shift: float = -0.5, follow: float = 0.01, anchor: float = 0.3) -> Teacher:
    """A teacher by its kind: frozen, ema, live, or anchored (a trailing copy held by a fixed one).

    >>> teacher("frozen")
    Teacher(shift=-0.5, follow=0.0, anchor=0.0, leak=0.0)
    """
    kinds = {
        "frozen": Teacher(shift, 0.0),
        "ema": Teacher(shift, follow),
        "live": Teacher(shift, 1.0),
        "anchored": Teacher(shift, follow, anchor),
    }
    if kind not in kinds:
        raise SettingError(f"a teacher is one of {', '.join(kinds)}, got {kind!r}.")
    return kinds[kind]


def taught(start: Mixture, by: Teacher, times: Floats, *, fixed: Mixture | None = None, rate: float = 1.0) -> Path:
    """The student after so many steps (time / rate) of reverse KL to its teacher; `fixed` is what the anchor holds on to."""
    student, copy, hold, cloud = start, start, fixed or start, quadrature()
    now, kept = 0, []
    for step in np.rint(checked(times) / rate).astype(int):
        for _ in range(step - now):
            moved = copy.old + by.leak * np.eye(len(copy.old))[0]
            shifted = copy._replace(log_odds=copy.log_odds + by.shift, old=moved)
            told = _between(shifted, hold, by.anchor)
            push = force(towards(told)(student, cloud), student, cloud)
            student = Mixture(*(part + rate * change for part, change in zip(student, push, strict=True)))
            copy = _between(copy, student, by.follow)
        now = step
        kept.append(student)
    return Path(np.asarray(times, float), gathered(kept))


def _between(one: Mixture, other: Mixture, part: float) -> Mixture:
    return Mixture(*(a + part * (b - a) for a, b in zip(one, other, strict=True)))
