"""Supervised fine-tuning on new data alone empties the old weight, and how fast."""

import numpy as np
from scipy.special import wrightomega

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.path import WEIGHT_ONLY, Path
from forgetmap.theory.two_modes.laws.claim import (
    BOTH,
    DERIVED,
    Axis,
    Claim,
    Curve,
    Figure,
    Shown,
    at_most,
    log_slope,
    near,
)
from forgetmap.theory.two_modes.objectives.kl import forward_kl
from forgetmap.theory.two_modes.observe import old_mass
from forgetmap.theory.two_modes.world import World


def sft_weight(time: Floats, weight: float = 0.5) -> Floats:
    """b after `time` where modes are well apart: u + ln u = t + C with u = (1−b)/b, so b → 1/t.

    >>> round(float(sft_weight(np.array(10.0))), 4)
    0.1018
    """
    u = (1 - weight) / weight
    return np.asarray(1 / (1 + wrightomega(time + u + np.log(u))))


def chi_squared(distance: float) -> float:
    """χ²(old ‖ new) = exp(d²) − 1: what curves the loss where b is near 0."""
    return float(np.expm1(distance**2))


def overlapping_weight(time: Floats, distance: float) -> Floats:
    """b after a long time where modes overlap: (2·χ²·t)^(−1/2), once b is far below exp(−d²)."""
    return np.asarray((2 * chi_squared(distance) * time) ** -0.5)


def trained(world: World, times: Floats, weight: float = 0.5) -> Path:
    """SFT on new data from right means that stay where they are."""
    start = world.learner(weight)
    return flow(forward_kl(world, start), start, times, rates=WEIGHT_ONLY)


def _mass(rng: np.random.Generator) -> Shown:
    world, times = World(distance=6.0), np.geomspace(10, 1e4, 61)
    path = trained(world, times)
    b, mass = path.learners.weight, old_mass(world, path.learners) - world.floor
    return Shown(
        (
            near("b at time 10", b[0], sft_weight(times[0]), share=0.02),
            near("b at time 1000", b[40], sft_weight(times[40]), share=0.05),
            near("power of time, b over the second decade on", log_slope(times[20:41], b[20:41]), -1, share=0.03),
            near("power of time, old mass above its floor", log_slope(times[20:41], mass[20:41]), -1, share=0.03),
            at_most("largest step upwards of b", float(np.diff(b).max()), 0),
        ),
        (
            Curve(
                "old mass above its floor, SFT on new data, d = 6",
                Axis("time", "learning rate × steps", times, log=True),
                Axis("A_old − floor", "mass", mass, log=True),
                sft_weight(times),
            ),
        ),
    )


def _overlap(rng: np.random.Generator) -> Shown:
    times, figures, curves = np.geomspace(1e2, 1e6, 41), list[Figure](), list[Curve]()
    for distance in (1.0, 0.5):
        world = World(distance=distance)
        learners = trained(world, times).learners
        b, mass = learners.weight, old_mass(world, learners) - world.floor
        predicted = overlapping_weight(times, distance)
        figures += [
            near(f"power of time at d = {distance}", log_slope(times[-11:], b[-11:]), -0.5, share=0.03),
            near(
                f"power of time, old mass above its floor, d = {distance}",
                log_slope(times[-11:], mass[-11:]),
                -0.5,
                share=0.03,
            ),
            near(f"b at time 1e6, d = {distance}", b[-1], predicted[-1], share=0.02),
        ]
        curves.append(
            Curve(
                f"old weight, SFT on new data, d = {distance}",
                Axis("time", "learning rate × steps", times, log=True),
                Axis("b", "weight", b, log=True),
                predicted,
            )
        )
    return Shown(tuple(figures), tuple(curves))


MASS = Claim(
    says="SFT on new data alone drives the old mode's mass to its floor, from any start, though only as 1/t.",
    formula="ψ′ = −b;  u + ln u = t + C, u = (1−b)/b;  b → 1/t",
    assumes="means right and held; modes well apart; gradient flow in the log odds",
    source=BOTH,
    show=_mass,
)
OVERLAP = Claim(
    says="Where modes overlap, SFT empties the old weight more slowly still, as 1/√t.",
    formula="b → (2·χ²·t)^(−1/2), χ² = exp(d²) − 1",
    assumes="means right and held; b far below exp(−d²)",
    source=DERIVED,
    show=_overlap,
)
