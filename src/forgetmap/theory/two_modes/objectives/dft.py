"""Supervised fine-tuning whose gradient is weighted by the learner's own probability of the sample (DFT, arXiv 2508.05629)."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, log_density
from forgetmap.theory.two_modes.terms import Objective, Pull, Term, samples_of
from forgetmap.theory.two_modes.world import Mixture, World


def dft(world: World, before: Mixture) -> Objective:
    """New samples pull by the density that the learner gives them, which itself is held fixed."""
    source = samples_of(world.new_only)

    def terms(learner: Mixture, cloud: Cloud) -> tuple[Term, ...]:
        def strength(x: Floats) -> Floats:
            return np.exp(log_density(learner, x))

        return (Pull(source, strength),)

    return terms
