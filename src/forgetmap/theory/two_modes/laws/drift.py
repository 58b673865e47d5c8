"""A correct old mean moves only through misassignment, so its drift is gated by the overlap of the modes."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import Cloud, quadrature
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.laws.claim import BOTH, DERIVED, Axis, Claim, Curve, Shown, at_most, near, slope
from forgetmap.theory.two_modes.laws.overlap import target_misses_bound
from forgetmap.theory.two_modes.objectives.kl import reverse_kl
from forgetmap.theory.two_modes.observe import drift, observe
from forgetmap.theory.two_modes.terms import force
from forgetmap.theory.two_modes.world import Mixture, World


def old_mean_force(world: World, learner: Mixture, cloud: Cloud) -> Floats:
    """Exact: −b·{(m_o − μ_o) + e_s(μ_o − μ_n) − e_r(m_o − m_n)}, whitened."""
    seen = observe(world, learner, cloud)
    off = learner.old - seen.target_misses * world.true.new - seen.learner_misses * (learner.old - learner.new)
    return np.asarray(-learner.weight * off)


def instant_bound(world: World, learner: Mixture) -> float:
    """|force on a correct old mean| ≤ b·[bound(e_s)·d + bound(e_r)·d_q]."""
    b, apart = float(learner.weight), float(np.linalg.norm(learner.old - learner.new))
    own, target = target_misses_bound(b, apart), target_misses_bound(world.share, world.distance)
    return b * (target * world.distance + own * apart)


def drift_bound(world: World, learners: Mixture, cloud: Cloud) -> float:
    """max drift ≤ sup over the path of e_s·d + e_r·d_q, from a correct old mean."""
    seen = observe(world, learners, cloud)
    apart = np.linalg.norm(learners.old - learners.new, axis=-1)
    return float((seen.target_misses * world.distance + seen.learner_misses * apart).max())


def _force(rng: np.random.Generator) -> Shown:
    cloud, off, ratios = quadrature(), [], []
    for _ in range(100):
        world = World(distance=float(rng.uniform(0.5, 8)), share=float(rng.uniform(0.05, 0.95)))
        weight = float(rng.uniform(0.05, 0.95))
        moved = world.learner(weight, old=float(rng.normal()), new=float(rng.normal()))
        right = world.learner(weight, new=float(rng.uniform(-0.4, 0.4)) * world.distance)
        off.append(float(abs(_old(world, moved, cloud) - old_mean_force(world, moved, cloud)).max()))
        ratios.append(float(abs(_old(world, right, cloud)).max()) / instant_bound(world, right))
    return Shown(
        (
            at_most("largest difference of force and formula, 100 random learners", max(off), 1e-9),
            at_most("largest force on a correct old mean over its bound", max(ratios), 1),
        )
    )


def _old(world: World, learner: Mixture, cloud: Cloud) -> Floats:
    return force(reverse_kl(world, learner)(learner, cloud), learner, cloud).old


def _gate(rng: np.random.Generator) -> Shown:
    distances, times, cloud = np.arange(3.0, 10.0), np.linspace(0.5, 60, 120), quadrature()
    largest, bounds, misses = [], [], []
    for distance in distances:
        world = World(distance=float(distance))
        start = world.learner(0.8)
        learners = flow(reverse_kl(world, start), start, times).learners
        largest.append(float(drift(learners).max()))
        bounds.append(drift_bound(world, learners, cloud))
        misses.append(float(observe(world, start, cloud).target_misses))
    found, above, square = np.array(largest), np.array(bounds), distances**2
    line = found[1] * np.exp(-(square - square[1]) / 8)
    return Shown(
        (
            near("slope of ln(max drift) in d², d ≥ 4", slope(square[1:], np.log(found[1:])), -1 / 8, within=0.015),
            at_most("slope of ln(e_s) in d², d ≥ 4", slope(square[1:], np.log(misses[1:])), -1 / 8),
            at_most("largest drift over its bound, d = 3 … 9", float((found / above).max()), 1),
        ),
        (
            Curve(
                "largest drift of the old mean under reverse KL, b from .8 to .5",
                Axis("d²", "variances", square),
                Axis("max ‖m_o − μ_o‖", "standard deviations", found, log=True),
                line,
            ),
        ),
    )


FORCE = Claim(
    says="Under reverse KL nothing but misassignment moves an old mean that is right.",
    formula="∂L/∂m_o = b·S⁻¹{(m_o − μ_o) + e_s(μ_o − μ_n) − e_r(m_o − m_n)}",
    assumes="equal covariance; the bound: old mean right",
    source=DERIVED,
    show=_force,
)
GATE = Claim(
    says="How far a correct old mean drifts under reverse KL falls exponentially with the squared distance of the modes.",
    formula="max ‖m_o − μ_o‖ ≤ sup{e_s·d + e_r·d_q} ~ exp(−d²/8)",
    assumes="only the weight is wrong at the start (.8 against .5); all parameters free",
    source=BOTH,
    show=_gate,
)
