"""TTT-Discover's objective, J = ln E exp(gR): the learner follows its own samples, tilted towards the best."""

import numpy as np
from scipy.special import logsumexp

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, around, log_density, modes
from forgetmap.theory.two_modes.objectives.reward import judged
from forgetmap.theory.two_modes.terms import Objective, Pull, Term, samples_of
from forgetmap.theory.two_modes.world import Mixture, World

LARGEST_TILT, HALVINGS = 1e6, 60


def entropic(
    world: World,
    before: Mixture,
    *,
    gap: float = 1.0,
    tilt: float | None = 1.0,
    anchor: float = 0.0,
    slope: float = 0.0,
) -> Objective:
    """max ln E exp(gR) − k·KL(learner ‖ before), R as in `reward`; a tilt of None is set anew such that it costs ln 2 nats."""

    def terms(learner: Mixture, cloud: Cloud) -> tuple[Term, ...]:
        r, weights = rewards(world, learner, gap, cloud, slope=slope)
        g = np.asarray(tilt) if tilt is not None else adaptive(r, weights)
        whole = logsumexp(g[..., None] * r, b=weights, axis=-1)[..., None]

        def strength(x: Floats) -> Floats:
            pull = np.exp(g[..., None] * judged(world, x, gap, slope) - whole) - 1
            return pull - anchor * (log_density(learner, x) - log_density(before, x))

        return (Pull(samples_of(learner), strength, on_policy=True),)

    return terms


def rewards(world: World, learner: Mixture, gap: float, cloud: Cloud, *, slope: float = 0.0) -> tuple[Floats, Floats]:
    """The rewards of the learner's samples, and how likely each is."""
    parts = [
        (judged(world, around(mean, cloud), gap, slope), share[..., None] * cloud.weights)
        for share, mean in modes(learner)
    ]
    return tuple(np.concatenate(column, axis=-1) for column in zip(*parts, strict=True))  # type: ignore[return-value]


def adaptive(r: Floats, weights: Floats, *, nats: float = float(np.log(2))) -> Floats:
    """The tilt g at which KL(tilted ‖ own samples) = ln 2, or the largest allowed where none costs as much."""
    low, high = np.zeros(r.shape[:-1]), np.full(r.shape[:-1], LARGEST_TILT)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        over = cost(middle, r, weights) > nats
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    return np.asarray((low + high) / 2)


def cost(tilt: Floats, r: Floats, weights: Floats) -> Floats:
    """KL of the tilted samples from the samples as they come."""
    scaled = np.asarray(tilt)[..., None] * r
    whole = logsumexp(scaled, b=weights, axis=-1)
    tilted = weights * np.exp(scaled - whole[..., None])
    return np.asarray((tilted * scaled).sum(axis=-1) - whole)
