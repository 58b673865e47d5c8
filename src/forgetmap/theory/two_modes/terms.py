"""What moves a learner: samples that pull, and springs; an objective is a sum of such terms."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, around, modes, old_share
from forgetmap.theory.two_modes.world import Mixture

Source = tuple[tuple[Floats, Floats], ...]
"""Share and mean of every mode that samples come from."""


class Pull(NamedTuple):
    """Samples of `source`, each of which pulls the learner towards itself: the force is E[ratio(x)·strength(x)·∇ ln q(x)]."""

    source: Source
    strength: Callable[[Floats], Floats]
    ratio: Callable[[Floats], Floats] | None = None
    """Importance weight, where samples come from elsewhere than they count for."""
    on_policy: bool = False
    """Whether the learner's own samples are judged, so that a batch's mean may be taken off."""


class Spring(NamedTuple):
    """A force that grows with the distance of every parameter from where it rests."""

    rest: Mixture
    stiffness: Mixture


Term = Pull | Spring


Objective = Callable[[Mixture, Cloud], tuple[Term, ...]]
"""What a learner is trained on: its terms, given the learner as it stands."""


def samples_of(mixture: Mixture) -> Source:
    """The mixture as a source of samples."""
    return tuple(modes(mixture))


def evenly(x: Floats) -> Floats:
    """Every sample pulls alike: maximum likelihood."""
    return np.ones(x.shape[:-1])


def force(terms: tuple[Term, ...], learner: Mixture, cloud: Cloud) -> Mixture:
    """The exact force on the learner, shaped as one: what gradient descent on the objective would follow."""
    found = none_of(learner)
    for term in terms:
        if isinstance(term, Spring):
            found = plus(found, sprung(term, learner))
            continue
        for share, mean in term.source:
            x = around(mean, cloud)
            strength = term.strength(x) if term.ratio is None else term.strength(x) * term.ratio(x)
            found = plus(found, pulled(learner, x, np.asarray(share)[..., None] * cloud.weights * strength))
    return found


def pulled(learner: Mixture, x: Floats, weights: Floats) -> Mixture:
    """Σ weights·∇ ln q(x) over the points: by log odds, old mean and new mean."""
    r = old_share(learner, x)
    to_old = weights * r
    to_new = weights - to_old
    old_sum, whole = to_old.sum(axis=-1), weights.sum(axis=-1)
    return Mixture(
        np.asarray(old_sum - learner.weight * whole),
        np.asarray((to_old[..., None, :] @ x)[..., 0, :] - old_sum[..., None] * learner.old),
        np.asarray((to_new[..., None, :] @ x)[..., 0, :] - to_new.sum(axis=-1)[..., None] * learner.new),
    )


def sprung(spring: Spring, learner: Mixture) -> Mixture:
    """The force of a spring."""
    return Mixture(*(k * (rest - now) for k, rest, now in zip(spring.stiffness, spring.rest, learner, strict=True)))


def plus(one: Mixture, other: Mixture) -> Mixture:
    """Parameters added one by one."""
    return Mixture(*(a + b for a, b in zip(one, other, strict=True)))


def none_of(learner: Mixture) -> Mixture:
    """No force at all, in the learner's shape."""
    return Mixture(*(np.zeros_like(part) for part in learner))
