"""Overlap bounds misassignment: the one lemma that carries the other bounds."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import quadrature
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Shown, at_most, near
from forgetmap.theory.two_modes.observe import new_responsibility, observe
from forgetmap.theory.two_modes.world import World


def target_misses_bound(share: float, distance: float) -> float:
    """e_s ≤ ½ √((1−a)/a)·exp(−d²/8). As it stands it bounds e_r too, with b and the distance of the learner's means.

    >>> target_misses_bound(0.5, 0.0)
    0.5
    """
    return float(0.5 * np.sqrt((1 - share) / share) * np.exp(-(distance**2) / 8))


def new_misses_bound(weight: float, distance: float) -> float:
    """R_n ≤ ½ √(b/(1−b))·exp(−d²/8): new data taken for old."""
    return target_misses_bound(1 - weight, distance)


def _show(rng: np.random.Generator) -> Shown:
    cloud, ratios, apart = quadrature(), [], rng.uniform(0.2, 9, 150)
    for distance, share, weight in zip(apart, rng.uniform(0.02, 0.98, 150), rng.uniform(0.02, 0.98, 150), strict=True):
        world = World(distance=float(distance), share=float(share))
        learner = world.learner(float(weight))
        seen = observe(world, learner, cloud)
        ratios.append(
            [
                float(seen.target_misses) / target_misses_bound(share, distance),
                float(seen.learner_misses) / target_misses_bound(weight, distance),
                float(new_responsibility(world, learner, cloud)) / new_misses_bound(weight, distance),
            ]
        )
    largest: Floats = np.max(ratios, axis=0)
    order = np.argsort(apart)
    curve = Curve(
        "misassignment by the target over its bound",
        Axis("distance of the modes", "standard deviations", apart[order]),
        Axis("e_s / bound", "1", np.array(ratios)[order, 0]),
        np.ones(150),
    )
    names = ("e_s, target", "e_r, learner", "R_n, new data")
    bounded = [
        at_most(f"largest {name} over its bound, 150 worlds", x, 1) for name, x in zip(names, largest, strict=True)
    ]
    x = cloud.points[:, 0]
    root = np.sqrt(np.exp(-(x**2) / 2) * np.exp(-((x - 2) ** 2) / 2)).sum() / np.exp(-(x**2) / 2).sum()
    return Shown((*bounded, near("overlap at d = 2", root, World(distance=2).overlap, share=1e-6)), (curve,))


MISASSIGNMENT = Claim(
    says="How often one mode is taken for the other is bounded by the overlap of the modes, which falls as exp(−d²/8).",
    formula="e_s ≤ ½ √((1−a)/a)·BC,  e_r ≤ ½ √((1−b)/b)·BC,  R_n ≤ ½ √(b/(1−b))·BC,  BC = exp(−d²/8)",
    assumes="equal covariance; the learner's means are right",
    source=DERIVED,
    show=_show,
)
