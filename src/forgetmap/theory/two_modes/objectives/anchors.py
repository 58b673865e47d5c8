"""Penalties for leaving the learner that training started from, on top of forward KL on new data."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, log_density
from forgetmap.theory.two_modes.objectives.kl import forward_kl
from forgetmap.theory.two_modes.terms import Objective, Pull, Spring, Term, evenly, samples_of
from forgetmap.theory.two_modes.world import Mixture, World


def forward_anchor(world: World, before: Mixture, *, strength: float = 0.1) -> Objective:
    """+ c·KL(before ‖ learner): the learner's earlier samples, replayed to it."""
    new = forward_kl(world, before)
    anchor = Pull(samples_of(before), lambda x: strength * evenly(x))
    return lambda learner, cloud: (*new(learner, cloud), anchor)


def reverse_anchor(world: World, before: Mixture, *, strength: float = 0.1) -> Objective:
    """+ c·KL(learner ‖ before): the usual penalty of RL from feedback."""
    new = forward_kl(world, before)

    def terms(learner: Mixture, cloud: Cloud) -> tuple[Term, ...]:
        def back(x: Floats) -> Floats:
            return strength * (log_density(before, x) - log_density(learner, x))

        return (*new(learner, cloud), Pull(samples_of(learner), back, on_policy=True))

    return terms


def ewc(world: World, before: Mixture, *, strength: float = 0.1) -> Objective:
    """+ (μ/2)·Σ F_i (θ_i − before_i)², F the Fisher information of distant modes: b(1−b) for log odds, b and 1−b for means."""
    new, b = forward_kl(world, before), before.weight
    ones = np.ones(world.dimensions)
    spring = Spring(before, Mixture(strength * b * (1 - b), strength * b * ones, strength * (1 - b) * ones))
    return lambda learner, cloud: (*new(learner, cloud), spring)
