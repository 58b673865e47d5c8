"""The world: an old and a new Gaussian mode of one covariance, and the learner that shares its mass between two such modes.

All is said in whitened coordinates, which lose nothing: the covariance is the identity, the old mode stands at the origin, the new one
at distance d on the first axis. `Frame` takes points of any other coordinates there and back.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit, ndtr

from forgetmap.errors import SettingError
from forgetmap.stats.arrays import Floats


class Mixture(NamedTuple):
    """b·N(old, I) + (1−b)·N(new, I). Any leading axes are as many mixtures at once; a mean's last axis is its coordinates."""

    log_odds: Floats
    """ψ = ln b/(1−b); −∞ leaves the new mode alone."""
    old: Floats
    new: Floats

    @property
    def weight(self) -> Floats:
        """b, the share of the old mode; what it says of behaviour is little once means move."""
        return np.asarray(expit(self.log_odds))


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """An old mode at the origin and a new one at `distance` from it, in `dimensions`, of which `share` is the mass to be kept.

    >>> World(distance=2.0).overlap
    0.6065306597126334
    """

    distance: float
    """d, in units of the common covariance."""
    share: float = 0.5
    """a: the mass of the old mode in the true target."""
    dimensions: int = 1

    def __post_init__(self) -> None:
        if not (self.distance > 0 and np.isfinite(self.distance)):
            raise SettingError(f"the distance of two modes must be a number above 0, got {self.distance}.")
        if not 0 < self.share < 1:
            raise SettingError(f"the share of the old mode must lie between 0 and 1, got {self.share}.")
        if self.dimensions < 1:
            raise SettingError(f"dimensions count from 1, got {self.dimensions}.")

    @property
    def overlap(self) -> float:
        """Bhattacharyya coefficient of the modes, ∫√(p_o p_n) = exp(−d²/8)."""
        return float(np.exp(-(self.distance**2) / 8))

    @property
    def true(self) -> Mixture:
        """The target that keeps the old mode: a·p_o + (1−a)·p_n."""
        return self.learner(self.share)

    @property
    def new_only(self) -> Mixture:
        """What new data alone show: p_n."""
        return self.learner(0.0)

    @property
    def floor(self) -> float:
        """The mass that p_n alone has in the old region: Φ(−d/2) for a = 1/2. Behaviour cannot fall below it by learning p_n."""
        return float(ndtr(self.border - self.distance))

    @property
    def border(self) -> float:
        """Where, on the first axis, the old region ends: the target holds both modes equally likely there."""
        return float(self.distance / 2 + np.log(self.share / (1 - self.share)) / self.distance)

    def learner(self, weight: float, *, old: float = 0.0, new: float = 0.0) -> Mixture:
        """A learner with this weight of the old mode, whose means are off by `old` and `new` along the first axis."""
        if not 0 <= weight < 1:
            raise SettingError(f"the weight of the old mode must lie in [0, 1), got {weight}.")
        axis = np.eye(self.dimensions)[0]
        with np.errstate(divide="ignore"):
            log_odds = np.log(weight) - np.log1p(-weight)
        return Mixture(np.asarray(log_odds), old * axis, (self.distance + new) * axis)

    def target(self, name: str) -> Mixture:
        """The target called `name`: "new" for new data alone, "true" for the mixture that keeps the old mode."""
        if name not in ("new", "true"):
            raise SettingError(f"a target is 'new' or 'true', got {name!r}.")
        return self.new_only if name == "new" else self.true


class Frame(NamedTuple):
    """Coordinates in which the modes have any means and any common covariance."""

    origin: Floats
    """The mean of the old mode."""
    matrix: Floats
    """Whitens and turns: the new mode comes to lie on the first axis."""

    def white(self, points: Floats) -> Floats:
        """These points (… × coordinates) in the world's coordinates."""
        return np.asarray((points - self.origin) @ self.matrix.T)

    def back(self, points: Floats) -> Floats:
        """The same the other way."""
        return np.asarray(np.linalg.solve(self.matrix, np.moveaxis(points, -1, 0)).T + self.origin)


def framed(old: Floats, new: Floats, covariance: Floats, *, share: float = 0.5) -> tuple[World, Frame]:
    """The world of two modes with these means and this covariance, and the way into its coordinates."""
    if not (old.shape == new.shape and covariance.shape == (len(old), len(old))):
        raise SettingError(
            f"two means of n coordinates and an n × n covariance were wanted, got {old.shape}, {new.shape}, {covariance.shape}."
        )
    try:
        whiten = np.linalg.inv(np.linalg.cholesky(covariance))
    except np.linalg.LinAlgError as error:
        raise SettingError("the covariance must be symmetric with positive eigenvalues.") from error
    apart = whiten @ (new - old)
    distance = float(np.linalg.norm(apart))
    turn = _turn(apart / distance) if distance else np.eye(len(old))
    return World(distance=distance, share=share, dimensions=len(old)), Frame(old, turn @ whiten)


def _turn(direction: Floats) -> Floats:
    """The reflection that takes a unit vector to the first axis."""
    axis = np.eye(len(direction))[0]
    across = direction - axis
    length = float(across @ across)
    return np.asarray(np.eye(len(direction)) - (2 / length * np.outer(across, across) if length > 1e-24 else 0.0))
