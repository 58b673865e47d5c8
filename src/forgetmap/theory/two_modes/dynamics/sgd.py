"""Stochastic gradient descent: N samples a step, many runs side by side."""

from typing import NamedTuple

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, quadrature
from forgetmap.theory.two_modes.dynamics.path import EVEN, Path, Rates, checked, gathered
from forgetmap.theory.two_modes.terms import Objective, Pull, Source, Spring, Term, none_of, plus, pulled, sprung
from forgetmap.theory.two_modes.world import Mixture


class Draws(NamedTuple):
    """How samples are drawn."""

    rng: np.random.Generator
    samples: int = 64
    """N, of every term of the objective."""
    runs: int = 1
    centred: bool = False
    """Take the batch's mean off what judges the learner's own samples, as GRPO does."""


def sgd(
    objective: Objective, start: Mixture, times: Floats, *, draws: Draws, rates: Rates = EVEN, rate: float = 0.1
) -> Path:
    """Steps of `rate`; learners are times × runs. What an objective needs exactly (a normalising constant) it has by quadrature."""
    # In more than one dimension the constant comes from as many fresh points as there are samples.
    shape = start.old.shape[-1]
    cloud = quadrature() if shape == 1 else Cloud(draws.rng.standard_normal((256, shape)), np.full(256, 1 / 256))
    learner = Mixture(*(np.broadcast_to(part, (draws.runs, *np.shape(part))).copy() for part in start))
    now, kept = 0, []
    for step in np.rint(checked(times) / rate).astype(int):
        for _ in range(step - now):
            push = rates.scaled(batch_force(objective(learner, cloud), learner, draws))
            learner = Mixture(*(part + rate * change for part, change in zip(learner, push, strict=True)))
        now = step
        kept.append(learner)
    return Path(np.asarray(times, float), gathered(kept))


def batch_force(terms: tuple[Term, ...], learner: Mixture, draws: Draws) -> Mixture:
    """The force as N samples of every term estimate it."""
    found = none_of(learner)
    for term in terms:
        found = plus(found, sprung(term, learner) if isinstance(term, Spring) else _sampled(term, learner, draws))
    return found


def _sampled(term: Pull, learner: Mixture, draws: Draws) -> Mixture:
    x = drawn(term.source, (*learner.log_odds.shape, draws.samples), draws.rng)
    strength = term.strength(x)
    ratio = np.ones_like(strength) if term.ratio is None else term.ratio(x)
    if draws.centred and term.on_policy:
        strength = strength - (ratio * strength).mean(axis=-1, keepdims=True)
    return pulled(learner, x, ratio * strength / draws.samples)


def drawn(source: Source, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Samples of a source: shape × coordinates."""
    shares, means = zip(*source, strict=True)
    runs = shape[:-1]
    steps = np.cumsum(np.stack([np.broadcast_to(share, runs) for share in shares], axis=-1), axis=-1)
    mode = (rng.random(shape)[..., None] > steps[..., None, :-1]).sum(axis=-1)
    x = rng.standard_normal((*shape, means[0].shape[-1]))
    for number, mean in enumerate(means):
        x += (mode == number)[..., None] * mean[..., None, :]
    return x
