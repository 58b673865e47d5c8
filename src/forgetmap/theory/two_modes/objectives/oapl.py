"""OAPL: a squared loss between log ratio and advantage, on samples of a learner that lags behind (arXiv 2602.19362)."""

import numpy as np
from scipy.special import logsumexp

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, log_density
from forgetmap.theory.two_modes.objectives.entropic import rewards
from forgetmap.theory.two_modes.objectives.reward import newness
from forgetmap.theory.two_modes.terms import Objective, Pull, Term, samples_of
from forgetmap.theory.two_modes.world import Mixture, World


def oapl(world: World, before: Mixture, *, gap: float = 1.0, tau: float = 1.0) -> Objective:
    """Half the mean of (ln(learner/before) − (R−V)/τ)² over samples of `before`, V = τ ln E exp(R/τ). `syncs` renews `before`."""

    def terms(learner: Mixture, cloud: Cloud) -> tuple[Term, ...]:
        r, weights = rewards(world, before, gap, cloud)
        value = tau * logsumexp(r / tau, b=weights, axis=-1)[..., None]

        def strength(x: Floats) -> Floats:
            wanted = (gap * newness(world, x) - value) / tau
            return np.asarray(wanted - (log_density(learner, x) - log_density(before, x)))

        return (Pull(samples_of(before), strength),)

    return terms
