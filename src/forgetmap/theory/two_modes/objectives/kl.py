"""Forward and reverse KL, each to new data alone or to the true mixture: the four quadrants."""

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, log_density
from forgetmap.theory.two_modes.terms import Objective, Pull, Term, evenly, samples_of
from forgetmap.theory.two_modes.world import Mixture, World


def forward_kl(world: World, before: Mixture, *, target: str = "new") -> Objective:
    """KL(target ‖ learner), supervised fine-tuning: the target's samples pull alike."""
    term = Pull(samples_of(world.target(target)), evenly)
    return lambda learner, cloud: (term,)


def reverse_kl(world: World, before: Mixture, *, target: str = "true") -> Objective:
    """KL(learner ‖ target), idealised RL: the learner's own samples pull by how much the target likes them better than the learner."""
    return towards(world.target(target))


def towards(target: Mixture) -> Objective:
    """Reverse KL to any mixture."""

    def terms(learner: Mixture, cloud: Cloud) -> tuple[Term, ...]:
        def strength(x: Floats) -> Floats:
            return log_density(target, x) - log_density(learner, x)

        return (Pull(samples_of(learner), strength, on_policy=True),)

    return terms
