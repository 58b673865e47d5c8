"""Natural gradient: steps in the geometry of what is said instead of in parameters. With learning rate 1 the weight's step is EM's."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, quadrature
from forgetmap.theory.two_modes.dynamics.path import EVEN, Path, Rates, checked, gathered
from forgetmap.theory.two_modes.terms import Objective, force
from forgetmap.theory.two_modes.world import Mixture

LEAST = 1e-300


def natural(
    objective: Objective,
    start: Mixture,
    times: Floats,
    *,
    cloud: Cloud | None = None,
    rates: Rates = EVEN,
    rate: float = 0.1,
) -> Path:
    """Steps of `rate`, each force divided by the information that a sample of known mode would give: b(1−b), b and 1−b."""
    points, learner, now, kept = cloud or quadrature(), start, 0, []
    for step in np.rint(checked(times) / rate).astype(int):
        for _ in range(step - now):
            learner = _step(learner, rates.scaled(force(objective(learner, points), learner, points)), rate)
        now = step
        kept.append(learner)
    return Path(np.asarray(times, float), gathered(kept))


def _step(learner: Mixture, push: Mixture, rate: float) -> Mixture:
    """b moves by the force on its log odds itself, since db = b(1−b) dψ."""
    b = learner.weight
    moved = np.clip(b + rate * push.log_odds, LEAST, 1 - np.finfo(float).eps)
    whole = np.maximum(b, LEAST)[..., None]
    return Mixture(
        np.asarray(np.log(moved) - np.log1p(-moved)),
        learner.old + rate * push.old / whole,
        learner.new + rate * push.new / np.maximum(1 - b, LEAST)[..., None],
    )
