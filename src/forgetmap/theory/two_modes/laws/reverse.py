"""Reverse KL to the true target brings the old mass to what the target holds."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import expit, logit

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import quadrature
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.path import WEIGHT_ONLY
from forgetmap.theory.two_modes.laws.claim import BOTH, Axis, Claim, Curve, Shown, at_most, near
from forgetmap.theory.two_modes.objectives.kl import reverse_kl
from forgetmap.theory.two_modes.observe import divergence
from forgetmap.theory.two_modes.world import Mixture, World


def reverse_weight(times: Floats, weight: float, share: float) -> Floats:
    """b over time where modes are well apart: ψ′ = −b(1−b)(ψ − logit a)."""

    def fall(_: float, psi: Floats) -> Floats:
        return np.asarray(-expit(psi) * expit(-psi) * (psi - logit(share)))

    return np.asarray(
        expit(solve_ivp(fall, (0, times[-1]), [logit(weight)], "LSODA", times, rtol=1e-9, atol=1e-11).y[0])
    )


def _show(rng: np.random.Generator) -> Shown:
    world, times = World(distance=4.0, share=0.6), np.linspace(2, 120, 60)
    ends, turns = [], []
    for weight in (0.05, 0.3, 0.6, 0.95):
        start = world.learner(weight)
        b = flow(reverse_kl(world, start), start, times, rates=WEIGHT_ONLY).learners.weight
        ends.append(float(b[-1]))
        turns.append(float((np.diff(b) * np.sign(weight - 0.6)).max()))
    apart = World(distance=7.0, share=0.6)
    b = flow(reverse_kl(apart, apart.learner(0.05)), apart.learner(0.05), times, rates=WEIGHT_ONLY).learners.weight
    predicted = reverse_weight(times, 0.05, 0.6)
    worst = max(_end(world, rng) for _ in range(12))
    return Shown(
        (
            *(near(f"b from {w}", end, 0.6, share=1e-3) for w, end in zip((0.05, 0.3, 0.6, 0.95), ends, strict=True)),
            at_most("largest step away from a", max(turns), 1e-7),
            near("b at time 20 from .05, d = 7", b[9], predicted[9], share=0.01),
            at_most("largest KL left, 12 random starts of all parameters", worst, 1e-4),
        ),
        (
            Curve(
                "old weight under reverse KL to the true target, a = .6, d = 7",
                Axis("time", "learning rate × steps", times),
                Axis("b", "weight", b),
                predicted,
            ),
        ),
    )


def _end(world: World, rng: np.random.Generator) -> float:
    start = Mixture(
        np.asarray(rng.uniform(-2, 2)), rng.uniform(-1.5, 1.5, 1), world.distance + rng.uniform(-1.5, 1.5, 1)
    )
    end = flow(reverse_kl(world, start), start, np.array([400.0])).last
    return float(divergence(end, world.true, quadrature()))


MASS = Claim(
    says="Reverse KL to the true target brings the old mass to what the target holds, from any start but 0.",
    formula="ψ′ = −b(1−b)(ψ − logit a) where modes are apart;  b → a",
    assumes="the target is the true mixture; b > 0 at the start; means right, or near enough that no mode must cross the other",
    source=BOTH,
    show=_show,
)
