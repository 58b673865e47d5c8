"""Self-distillation: which teacher keeps the old mode."""

import numpy as np
from scipy.special import logit

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.dynamics.syncs import taught, teacher
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Shown, at_most, near, slope
from forgetmap.theory.two_modes.world import World

PULL, FOLLOW = 0.05, 0.01
"""ηh, learning rate × curvature, and ρ, in the linear model."""


def error_matrix(pull: float, follow: float, anchor: float) -> Floats:
    """How the errors of student and trailing teacher change each step: [[−ηh, ηh(1−λ)], [ρ, −ρ]]."""
    return np.array([[-pull, pull * (1 - anchor)], [follow, -follow]])


def slow_rate(pull: float, follow: float, anchor: float) -> float:
    """ηhρλ/(ηh+ρ): how fast an anchored teacher brings both home; 0 without anchor.

    >>> slow_rate(0.05, 0.01, 0.0)
    0.0
    """
    return pull * follow * anchor / (pull + follow)


def anchored_log_odds(fixed: float, shift: float, anchor: float) -> float:
    """ψ* = ψ_c + (1−λ)·a_c/λ: where a shift that the demonstrations cause ends under an anchored teacher."""
    return fixed + (1 - anchor) * shift / anchor


def slide(shift: float, follow: float, pull: float) -> float:
    """Log odds lost per step under a trailing teacher without anchor: a_c·ρηh/(ρ+ηh)."""
    return shift * follow * pull / (follow + pull)


def wandering(noise: float, follow: float, pull: float, steps: Floats) -> Floats:
    """Spread of the log odds without anchor by noise of each step: of what student and teacher share, (σρ/κ)²·steps with κ = ρ+ηh, and of
    what is between them, σ²{(ηh/κ)²/(1−(1−κ)²) + 2ηhρ/κ³}, which stays."""
    both = follow + pull
    between = (pull / both) ** 2 / (1 - (1 - both) ** 2) + 2 * pull * follow / both**3
    return np.asarray(noise * np.sqrt((follow / both) ** 2 * steps + between))


def _stability(rng: np.random.Generator) -> Shown:
    anchors = np.array([0.0, 0.01, 0.05, 0.1, 0.2])
    found = np.array([np.linalg.eigvals(error_matrix(PULL, FOLLOW, float(a))).real.max() for a in anchors])
    predicted = np.array([-slow_rate(PULL, FOLLOW, float(a)) for a in anchors])
    return Shown(
        (
            near("slowest eigenvalue without anchor", found[0], 0, within=1e-12),
            *(
                near(f"at λ = {a:g}", f, p, share=0.05)
                for a, f, p in zip(anchors[1:], found[1:], predicted[1:], strict=True)
            ),
        ),
        (
            Curve(
                "slowest eigenvalue of student and trailing teacher",
                Axis("λ, share of the fixed teacher", "1", anchors),
                Axis("eigenvalue", "1/step", found),
                predicted,
            ),
        ),
    )


def _shift(rng: np.random.Generator) -> Shown:
    world = World(distance=5.0)
    start, fixed, times = world.learner(0.5), world.learner(0.4), np.arange(10.0, 1001.0, 10.0)
    kinds = ("frozen", "ema", "live", "anchored")
    settings = {"anchored": fixed}
    by = {kind: teacher(kind, shift=-0.5, follow=0.05 if kind == "anchored" else 0.01) for kind in kinds}
    psi = {kind: taught(start, by[kind], times, fixed=settings.get(kind)).learners.log_odds for kind in kinds}
    held = anchored_log_odds(float(logit(0.4)), -0.5, 0.3)
    early = slice(2, 6)
    lines: dict[str, Floats] = {
        "frozen": np.full(len(times), -0.5),
        "anchored": np.full(len(times), held),
        "ema": slide(-0.5, 0.01, 0.25) * times,
        "live": np.empty(0),
    }
    return Shown(
        (
            near("log odds under a frozen teacher", psi["frozen"][-1], -0.5, share=0.01),
            near("under an anchored one, λ = .3", psi["anchored"][-1], held, share=0.01),
            near(
                "slide per step under a trailing one",
                slope(times[early], psi["ema"][early]),
                slide(-0.5, 0.01, 0.25),
                share=0.05,
            ),
            at_most("log odds after 1000 steps, trailing against frozen", psi["ema"][-1], -3.0),
            at_most("the same under a live one", psi["live"][-1], -3.0),
            at_most(
                "change of the anchored one over the last 500 steps",
                abs(float(psi["anchored"][-1] - psi["anchored"][49])),
                0.01,
            ),
        ),
        tuple(
            Curve(
                f"log odds of the old mode, {kind} teacher",
                Axis("steps", "steps", times),
                Axis("ψ", "nats", psi[kind]),
                lines[kind],
            )
            for kind in kinds
        ),
    )


def _noise(rng: np.random.Generator) -> Shown:
    steps, runs, noise = np.array([500, 1000, 2000, 4000]), 4000, 0.05
    spreads = {anchor: _spreads(anchor, steps, noise, runs, rng) for anchor in (0.0, 0.1)}
    predicted = wandering(noise, FOLLOW, PULL, steps)
    return Shown(
        (
            *(
                near(f"spread after {n} steps without anchor", s, p, share=0.1)
                for n, s, p in zip(steps, spreads[0.0], predicted, strict=True)
            ),
            near(
                "its square per step, last half",
                (spreads[0.0][-1] ** 2 - spreads[0.0][-2] ** 2) / 2000,
                (noise / 6) ** 2,
                share=0.25,
            ),
            near("spread with λ = .1, 4000 steps over 2000", spreads[0.1][-1] / spreads[0.1][-2], 1, share=0.1),
            at_most("spread after 4000 steps, λ = .1 against none", spreads[0.1][-1], 0.6 * spreads[0.0][-1]),
        ),
        tuple(
            Curve(
                f"spread of the log odds by sampling noise, λ = {anchor}",
                Axis("steps", "steps", steps.astype(float), log=True),
                Axis("sd of ψ", "nats", spread),
                predicted if anchor == 0 else np.empty(0),
            )
            for anchor, spread in spreads.items()
        ),
    )


def _spreads(anchor: float, steps: Floats, noise: float, runs: int, rng: np.random.Generator) -> Floats:
    errors, found, move = np.zeros((2, runs)), [], np.eye(2) + error_matrix(PULL, FOLLOW, anchor)
    for step in range(1, int(steps[-1]) + 1):
        errors = move @ errors
        errors[0] += noise * rng.standard_normal(runs)
        if step in steps:
            found.append(float(errors[0].std()))
    return np.array(found)


STABILITY = Claim(
    says="A teacher that trails its own student is stable only if something fixed holds it.",
    formula="det = ηhρλ: stable iff λ > 0 (or ρ = 0);  slow rate ≈ ηhρλ/(ηh+ρ)",
    assumes="near the target, linear",
    source=DERIVED,
    show=_stability,
)
SHIFT = Claim(
    says="Where reading the demonstrations shifts the teacher towards the new mode, a trailing or live teacher slides on for ever; a "
    "frozen one stops after one shift, an anchored one after (1−λ)/λ shifts.",
    formula="frozen ψ₀ + a_c;  anchored ψ_c + (1−λ)a_c/λ;  trailing a_c·ρηh/(ρ+ηh) per step",
    assumes="reverse KL to the teacher; d = 5; all parameters free; slide: near the start, h = b(1−b)",
    source=DERIVED,
    show=_shift,
    against="A teacher that keeps up with its student is the better one.",
)
NOISE = Claim(
    says="Without an anchor even pure noise carries student and teacher away; with one the spread stays.",
    formula="sd ψ → σ·ρ/(ρ+ηh)·√steps without anchor, plus what stays between student and teacher",
    assumes="near the target, linear; noise of each step independent",
    source=DERIVED,
    show=_noise,
)
