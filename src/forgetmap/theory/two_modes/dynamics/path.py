"""What every way of training gives back, and how fast each parameter learns."""

from typing import NamedTuple

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.world import Mixture


def checked(times: Floats) -> Floats:
    """Times that can be trained to: at least one, from 0 on, none before the one before it."""
    wanted = np.asarray(times, float)
    if wanted.ndim != 1 or not len(wanted) or not np.isfinite(wanted).all() or (np.diff(wanted, prepend=0.0) < 0).any():
        raise SettingError(
            f"times must be a list of numbers that rise from 0, got {np.array2string(wanted, threshold=6)}."
        )
    return wanted


class Path(NamedTuple):
    """Learners at times: learning rate × steps."""

    times: Floats
    learners: Mixture
    """With the times as first axis."""

    @property
    def last(self) -> Mixture:
        return Mixture(*(part[-1] for part in self.learners))


class Rates(NamedTuple):
    """Factors of the one learning rate."""

    weight: float = 1.0
    old: float = 1.0
    new: float = 1.0

    def scaled(self, force: Mixture) -> Mixture:
        return Mixture(*(rate * part for rate, part in zip(self, force, strict=True)))


EVEN = Rates()
"""One learning rate for all: the default everywhere."""
WEIGHT_ONLY = Rates(old=0.0, new=0.0)
"""Means stay where they are: for laws that ask for it."""
SLOW_OLD = Rates(weight=0.005, old=0.005)
"""An option, not a finding: the simulation beside arXiv 2510.18874 slows weight and old mode by 0.005, which builds retention in."""


def gathered(learners: list[Mixture]) -> Mixture:
    """Learners one after the other as one."""
    return Mixture(*(np.stack(parts) for parts in zip(*learners, strict=True)))
