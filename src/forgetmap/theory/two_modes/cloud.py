"""Clouds: points and weights that stand for a standard Gaussian, so that one formula serves quadrature and Monte Carlo."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.world import Mixture

REACH, SPACING = 9.0, 0.05
"""Of the nodes of quadrature. What is integrated has poles at distance π/d from the line, so the error is near exp(−2π²/(d·spacing)):
below 1e−12 for modes up to 13 apart, 3e−9 at 20."""


class Cloud(NamedTuple):
    """E f(Z) = Σ weights·f(points) for Z ~ N(0, I)."""

    points: Floats
    """Points × coordinates."""
    weights: Floats


@cache
def quadrature() -> Cloud:
    """One dimension, exact to rounding for anything smooth.

    >>> round(float(quadrature().weights @ quadrature().points[:, 0] ** 4), 12)
    3.0
    """
    x = np.arange(-REACH, REACH + SPACING / 2, SPACING)
    density = np.exp(-(x**2) / 2)
    return Cloud(x[:, None], density / density.sum())


def monte_carlo(dimensions: int, points: int, rng: np.random.Generator) -> Cloud:
    """Random points and their mirror images, so that odd moments are exact."""
    half = rng.standard_normal((points // 2, dimensions))
    return Cloud(np.concatenate([half, -half]), np.full(2 * len(half), 1 / (2 * len(half))))


def lean(mixture: Mixture, x: Floats) -> Floats:
    """Log odds that x (… × points × coordinates) comes from the old mode: linear in x, since the modes share their covariance."""
    slope = mixture.old - mixture.new
    middle = (mixture.old + mixture.new) / 2
    level = mixture.log_odds - (slope * middle).sum(axis=-1)
    return np.asarray((x @ slope[..., None])[..., 0] + level[..., None])


def old_share(mixture: Mixture, x: Floats) -> Floats:
    """The responsibility of the old mode at x: r for the learner, s for the target."""
    return np.asarray(expit(lean(mixture, x)))


def log_density(mixture: Mixture, x: Floats) -> Floats:
    """ln of the mixture's density at x."""
    from_new = ((x - mixture.new[..., None, :]) ** 2).sum(axis=-1)
    whole = np.logaddexp(0, mixture.log_odds)[..., None] + x.shape[-1] / 2 * np.log(2 * np.pi)
    return np.asarray(np.logaddexp(0, lean(mixture, x)) - from_new / 2 - whole)


def modes(mixture: Mixture) -> Iterator[tuple[Floats, Floats]]:
    """Share and mean of every mode that has any mass."""
    for share, mean in ((mixture.weight, mixture.old), (np.asarray(expit(-mixture.log_odds)), mixture.new)):
        if np.any(share > 0):
            yield share, mean


def around(mean: Floats, cloud: Cloud) -> Floats:
    """The points of a cloud around a mean."""
    return np.asarray(mean[..., None, :] + cloud.points)
