"""Two cheap ways to forget less: averaging with the learner before, and DFT."""

import numpy as np
from scipy.special import expit

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.path import WEIGHT_ONLY
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Figure, Shown, log_slope, near
from forgetmap.theory.two_modes.laws.reward import falling_weight
from forgetmap.theory.two_modes.laws.sft import sft_weight
from forgetmap.theory.two_modes.objectives.dft import dft
from forgetmap.theory.two_modes.objectives.kl import forward_kl
from forgetmap.theory.two_modes.observe import old_mass
from forgetmap.theory.two_modes.world import Mixture, World


def averaged(before: Mixture, after: Mixture, part: float) -> Mixture:
    """Parameters between two learners: `part` of the way from before to after (WiSE-FT, arXiv 2109.01903)."""
    return Mixture(*((1 - part) * b + part * a for b, a in zip(before, after, strict=True)))


def averaged_weight(before: float, after: float, part: Floats) -> Floats:
    """odds = o₀^(1−w)·o₁^w: the geometric mean."""
    odds = np.log(before / (1 - before)) * (1 - part) + np.log(after / (1 - after)) * part
    return np.asarray(expit(odds))


def dft_pull(distance: float) -> float:
    """κ of ψ′ = −κ·b(1−b) in one dimension: (1 − exp(−d²/4))·∫p_n², ∫p_n² = 1/(2√π)."""
    return float(-np.expm1(-(distance**2) / 4) / (2 * np.sqrt(np.pi)))


def _averaging(rng: np.random.Generator) -> Shown:
    world, parts = World(distance=8.0), np.linspace(0, 1, 11)
    before = world.learner(0.5)
    after = flow(forward_kl(world, before), before, np.array([300.0])).last
    mass = np.array([float(old_mass(world, averaged(before, after, float(w)))) for w in parts])
    predicted = averaged_weight(0.5, float(sft_weight(np.array(300.0))), parts)
    return Shown(
        tuple(near(f"old mass at w = {parts[i]:.1f}", mass[i], predicted[i], share=0.03) for i in (2, 5, 8)),
        (
            Curve(
                "old mass of a learner averaged with the one before",
                Axis("w, part of the change kept", "1", parts),
                Axis("A_old", "mass", mass),
                predicted,
            ),
        ),
    )


def _dft(rng: np.random.Generator) -> Shown:
    times, figures, curves = np.geomspace(10, 4e3, 27), list[Figure](), list[Curve]()
    for distance in (2.0, 4.0):
        world = World(distance=distance)
        start = world.learner(0.5)
        b = flow(dft(world, start), start, times, rates=WEIGHT_ONLY).learners.weight
        predicted = falling_weight(dft_pull(distance) * times)
        figures += [
            near(f"b at time 4000, d = {distance:g}", b[-1], predicted[-1], share=0.01),
            near(f"power of time, d = {distance:g}", log_slope(times[-6:], b[-6:]), -1, share=0.03),
        ]
        x = Axis("time", "learning rate × steps", times, log=True)
        curves.append(Curve(f"old weight under DFT, d = {distance:g}", x, Axis("b", "weight", b, log=True), predicted))
    return Shown(tuple(figures), tuple(curves))


AVERAGING = Claim(
    says="Averaging with the learner before keeps the geometric mean of the odds, so little of a learner that is far gone.",
    formula="odds = o₀^(1−w)·o₁^w",
    assumes="modes apart; old mean hardly moved",
    source=DERIVED,
    show=_averaging,
)
DFT = Claim(
    says="DFT slows forgetting by a constant factor and does not stop it.",
    formula="ψ′ = −k(1−exp(−d²/4))·b(1−b), k = ∫p_n²;  b → 1/(κt)",
    assumes="means right and held; one dimension",
    source=DERIVED,
    show=_dft,
)
