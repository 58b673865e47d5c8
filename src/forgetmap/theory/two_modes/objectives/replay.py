"""Replay of old data: with forward KL it changes what is aimed at, with reverse KL only what is sampled."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, log_density
from forgetmap.theory.two_modes.terms import Objective, Pull, Term, evenly, samples_of
from forgetmap.theory.two_modes.world import Mixture, World


def replay(world: World, before: Mixture, *, share: float = 0.1, weight: float = 1.0) -> Objective:
    """Forward KL on data of which `share` is old; an old item's loss counts `weight` times."""
    whole = weight * share + 1 - share
    mixed = world.learner(weight * share / whole)
    term = Pull(samples_of(mixed), evenly)
    return lambda learner, cloud: (term,)


def weighted_replay(world: World, before: Mixture, *, share: float = 0.1, target: str = "true") -> Objective:
    """Reverse KL where `share` of the samples are old data, weighted back by learner over sampler: unbiased, weights ≤ 1/(1−share)."""
    aim, origin = world.target(target), world.true.old
    old = Mixture(np.zeros(()), origin, origin)

    def terms(learner: Mixture, cloud: Cloud) -> tuple[Term, ...]:
        def strength(x: Floats) -> Floats:
            return log_density(aim, x) - log_density(learner, x)

        def ratio(x: Floats) -> Floats:
            own = log_density(learner, x)
            replayed = log_density(old, x)
            return np.asarray(1 / (1 - share + share * np.exp(replayed - own)))

        source = [((1 - share) * part, mean) for part, mean in samples_of(learner)]
        return (Pull((*source, (np.asarray(share), old.old)), strength, ratio, on_policy=True),)

    return terms
