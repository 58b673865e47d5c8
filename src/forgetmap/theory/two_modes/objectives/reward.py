"""RL on a reward that prefers the new mode, with or without KL to the learner before."""

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, log_density, old_share
from forgetmap.theory.two_modes.terms import Objective, Pull, Term, samples_of
from forgetmap.theory.two_modes.world import Mixture, World


def reward(world: World, before: Mixture, *, gap: float = 1.0, tau: float = 0.0, slope: float = 0.0) -> Objective:
    """max E[R] − τ·KL(learner ‖ before), R = `gap` on the new mode and `slope`·x on the old, told apart as well as can be."""

    def terms(learner: Mixture, cloud: Cloud) -> tuple[Term, ...]:
        def strength(x: Floats) -> Floats:
            return judged(world, x, gap, slope) - tau * (log_density(learner, x) - log_density(before, x))

        return (Pull(samples_of(learner), strength, on_policy=True),)

    return terms


def judged(world: World, x: Floats, gap: float, slope: float) -> Floats:
    """The reward of x: `gap` on the new mode; on the old one 0 where it is right, and more by `slope` along the first axis."""
    new = newness(world, x)
    return gap * new + slope * (1 - new) * x[..., 0] if slope else gap * new


def newness(world: World, x: Floats) -> Floats:
    """How likely x is new rather than old, both being as common: 1 on the new mode, 0 on the old."""
    return 1 - old_share(world.learner(0.5), x)
