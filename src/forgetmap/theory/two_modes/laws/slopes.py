"""What moves an old mean that overlap does not gate: a style in the teacher, a reward that is not flat on the old mode."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.syncs import Teacher, taught
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Shown, at_least, near
from forgetmap.theory.two_modes.objectives.entropic import entropic
from forgetmap.theory.two_modes.objectives.reward import reward
from forgetmap.theory.two_modes.world import World


def leaked(leak: float, anchor: float) -> float:
    """v(1−λ)/λ: where a teacher's style v takes the old mean under an anchor of share λ.

    >>> leaked(0.1, 0.5)
    0.1
    """
    return leak * (1 - anchor) / anchor


def sloped(slope: Floats, tau: float) -> Floats:
    """S·v/τ: how far a reward with slope v on the old mode moves its mean under KL of strength τ."""
    return np.asarray(slope / tau)


def entropic_sloped(slope: Floats, tilt: float, anchor: float) -> Floats:
    """g·S·v/k: the same under the entropic objective, for a small slope and no reward gap."""
    return np.asarray(tilt * slope / anchor)


def _leak(rng: np.random.Generator) -> Shown:
    world, anchors, steps = World(distance=8.0), np.array([0.2, 0.3, 0.5, 0.8]), np.array([3000.0])
    start = world.learner(0.5)
    found = [
        float(taught(start, Teacher(0.0, 0.05, float(a), leak=0.1), steps, fixed=start).last.old[0]) for a in anchors
    ]
    loose = float(taught(start, Teacher(0.0, 0.05, leak=0.1), np.array([500.0])).last.old[0])
    predicted = np.array([leaked(0.1, float(a)) for a in anchors])
    return Shown(
        (
            *(near(f"drift at λ = {a:g}", f, p, share=0.01) for a, f, p in zip(anchors, found, predicted, strict=True)),
            at_least("drift without anchor after 500 steps, over that at λ = .2", loose / found[0], 3),
        ),
        (
            Curve(
                "drift of the old mean by a style of .1 in the teacher",
                Axis("λ, share of the fixed teacher", "1", anchors),
                Axis("‖m_o − μ_o‖", "standard deviations", np.array(found)),
                predicted,
            ),
        ),
    )


def _slope(rng: np.random.Generator) -> Shown:
    world, slopes, late = World(distance=10.0), np.array([0.02, 0.05, 0.1]), np.array([1000.0])
    start = world.learner(0.5)
    plain = [
        float(flow(reward(world, start, gap=0.0, tau=0.5, slope=float(v)), start, late).last.old[0]) for v in slopes
    ]
    tilted = [
        float(flow(entropic(world, start, gap=0.0, tilt=2.0, anchor=1.0, slope=float(v)), start, late).last.old[0])
        for v in slopes
    ]
    x = Axis("slope of the reward on the old mode", "1/standard deviation", slopes)
    y = ("‖m_o − μ_o‖", "standard deviations")
    lines = sloped(slopes, 0.5), entropic_sloped(slopes, 2.0, 1.0)
    return Shown(
        (
            *(
                near(f"drift at v = {v:g}, τ = .5", f, p, share=0.01)
                for v, f, p in zip(slopes, plain, lines[0], strict=True)
            ),
            near("drift at v = .02, entropic, g = 2, k = 1", tilted[0], lines[1][0], share=0.03),
        ),
        (
            Curve(
                "drift of the old mean by a reward with a slope on it, RL with KL",
                x,
                Axis(*y, np.array(plain)),
                lines[0],
            ),
            Curve("the same, entropic objective", x, Axis(*y, np.array(tilted)), lines[1]),
        ),
    )


LEAK = Claim(
    says="A style that leaks from the demonstrations into the teacher moves the old mean whatever the overlap: a bounded way under an "
    "anchor, on and on without.",
    formula="‖m_o − μ_o‖ → v(1−λ)/λ",
    assumes="modes apart; reverse KL to the teacher; no shift of the weight",
    source=DERIVED,
    show=_leak,
)
SLOPE = Claim(
    says="Only a reward that is flat on the old mode leaves its mean to the gate of overlap; a slope moves it, and KL alone holds it.",
    formula="‖m_o − μ_o‖ → S·v/τ under RL with KL;  g·S·v/k under the entropic objective",
    assumes="modes apart; D = 0; entropic: small slope",
    source=DERIVED,
    show=_slope,
)
