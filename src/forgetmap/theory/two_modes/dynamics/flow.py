"""Gradient flow: gradient descent with small steps, integrated with as few evaluations as the curve allows."""

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, quadrature
from forgetmap.theory.two_modes.dynamics.path import EVEN, Path, Rates, checked
from forgetmap.theory.two_modes.dynamics.stiff import integrate
from forgetmap.theory.two_modes.terms import Objective, force
from forgetmap.theory.two_modes.world import Mixture


def flow(
    objective: Objective, start: Mixture, times: Floats, *, cloud: Cloud | None = None, rates: Rates = EVEN
) -> Path:
    """The learner at each time, from `start` at 0: exact by quadrature in one dimension, elsewhere by the cloud given."""
    dimensions = len(start.old)
    if cloud is None and dimensions > 1:
        raise SettingError(
            f"in {dimensions} dimensions a flow needs a cloud of points: give it one, as of `monte_carlo`."
        )
    points = cloud or quadrature()

    def slope(flat: Floats) -> Floats:
        learner = shaped(flat, dimensions)
        return flattened(rates.scaled(force(objective(learner, points), learner, points)))

    wanted = checked(times)
    return Path(wanted, shaped(integrate(slope, flattened(start), wanted), dimensions))


def flattened(learner: Mixture) -> Floats:
    """Its parameters in one row."""
    return np.concatenate([learner.log_odds[..., None], learner.old, learner.new], axis=-1)


def shaped(flat: Floats, dimensions: int) -> Mixture:
    """The same back, with any leading axes."""
    return Mixture(flat[..., 0], flat[..., 1 : dimensions + 1], flat[..., dimensions + 1 :])
