"""What is read off a learner: behavioural old mass first, then weight, drift, misassignment and both KLs."""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, around, log_density, modes, old_share
from forgetmap.theory.two_modes.world import Mixture, World


class Observed(NamedTuple):
    """One entry a learner."""

    old_mass: Floats
    """A_old: the learner's mass where the target holds the old mode more likely. The headline: a weight may stay while the mean goes."""
    weight: Floats
    """b."""
    drift: Floats
    """Distance of the learner's old mean from the true one, in units of the covariance (the S⁻¹ norm)."""
    target_misses: Floats
    """e_s: how often the target gives what the learner's old mode says to the new one."""
    learner_misses: Floats
    """e_r: the same by the learner itself."""
    forward_kl: Floats
    """KL(target ‖ learner)."""
    reverse_kl: Floats
    """KL(learner ‖ target)."""


def observe(world: World, learner: Mixture, cloud: Cloud) -> Observed:
    """Read everything off one learner, or off many (leading axes), against the world's true target."""
    own = around(learner.old, cloud)
    return Observed(
        old_mass=old_mass(world, learner),
        weight=learner.weight,
        drift=drift(learner),
        target_misses=1 - old_share(world.true, own) @ cloud.weights,
        learner_misses=1 - old_share(learner, own) @ cloud.weights,
        forward_kl=divergence(world.true, learner, cloud),
        reverse_kl=divergence(learner, world.true, cloud),
    )


def old_mass(world: World, learner: Mixture) -> Floats:
    """A_old = Q(s(x) > ½): exact in any dimension, since the border is a plane across the first axis."""
    b = learner.weight
    return np.asarray(b * ndtr(world.border - learner.old[..., 0]) + (1 - b) * ndtr(world.border - learner.new[..., 0]))


def drift(learner: Mixture) -> Floats:
    """How far the old mean has moved from where it is right."""
    return np.asarray(np.linalg.norm(learner.old, axis=-1))


def divergence(one: Mixture, other: Mixture, cloud: Cloud) -> Floats:
    """KL(one ‖ other) in nats."""
    total = np.zeros(())
    for share, mean in modes(one):
        x = around(mean, cloud)
        total = total + share * ((log_density(one, x) - log_density(other, x)) @ cloud.weights)
    return np.asarray(total)


def new_responsibility(world: World, learner: Mixture, cloud: Cloud) -> Floats:
    """R_n: how often the learner takes new data for old."""
    return np.asarray(old_share(learner, around(world.new_only.new, cloud)) @ cloud.weights)
