"""Penalties on leaving the learner before, in one currency: the old weight kept under SFT on new data."""

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Shown, at_least, at_most, near
from forgetmap.theory.two_modes.objectives.anchors import ewc, forward_anchor, reverse_anchor
from forgetmap.theory.two_modes.terms import Objective
from forgetmap.theory.two_modes.world import World

LATE = np.array([1e6])


def forward_anchor_weight(strength: float, weight: float = 0.5) -> float:
    """b* = c·b₀/(1+c), whatever the overlap: new data and own samples make one target.

    >>> forward_anchor_weight(1.0)
    0.25
    """
    return strength * weight / (1 + strength)


def reverse_anchor_weight(strength: float, log_odds: float = 0.0) -> float:
    """b* of ψ* = ψ₀ − 1/(c(1−b*)): a cliff, since it goes as exp(−1/c)."""

    def off(psi: float) -> float:
        return psi - log_odds + 1 / (strength * float(expit(-psi)))

    return float(expit(brentq(off, log_odds - 1 / strength - 50, log_odds)))


def ewc_weight(strength: float, weight: float = 0.5) -> float:
    """b* = μF(ψ₀ − ψ*), F = b₀(1−b₀)."""
    start, stiff = float(np.log(weight / (1 - weight))), strength * weight * (1 - weight)
    return float(expit(brentq(lambda psi: float(expit(psi)) - stiff * (start - psi), start - 50 / stiff, start)))


def _forward(rng: np.random.Generator) -> Shown:
    strengths = np.array([0.05, 0.1, 0.2, 0.5, 1.0, 2.0])
    found, close = (_kept(World(distance=d), forward_anchor, strengths) for d in (6.0, 2.0))
    predicted = np.array([forward_anchor_weight(float(c)) for c in strengths])
    return Shown(
        (
            at_most("largest miss of the formula, d = 6", float(abs(found / predicted - 1).max()), 1e-4),
            at_most("largest miss of the formula, d = 2", float(abs(close / predicted - 1).max()), 1e-4),
        ),
        (_curve("old weight kept by a forward anchor", strengths, found, predicted),),
    )


def _reverse(rng: np.random.Generator) -> Shown:
    strengths = np.array([0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0])
    found = _kept(World(distance=8.0), reverse_anchor, strengths)
    predicted = np.array([reverse_anchor_weight(float(c)) for c in strengths])
    mild = forward_anchor_weight(0.1)
    return Shown(
        (
            *(
                near(f"b* at c = {c:g}", b, p, share=0.01)
                for c, b, p in zip(strengths[4:], found[4:], predicted[4:], strict=True)
            ),
            at_most("b* at c = .1, against a forward anchor of that strength", found[0], 0.01 * mild),
            at_least("b* at c = .5 over b* at c = .1: the cliff", found[4] / found[0], 500),
        ),
        (_curve("old weight kept by a reverse anchor", strengths, found, predicted),),
    )


def _ewc(rng: np.random.Generator) -> Shown:
    strengths = np.array([0.05, 0.1, 0.2, 0.5, 1.0])
    found = _kept(World(distance=8.0), ewc, strengths)
    predicted = np.array([ewc_weight(float(c)) for c in strengths])
    return Shown(
        tuple(near(f"b* at μ = {c:g}", b, p, share=0.01) for c, b, p in zip(strengths, found, predicted, strict=True)),
        (_curve("old weight kept by EWC", strengths, found, predicted),),
    )


def _kept(world: World, made: Callable[..., Objective], strengths: Floats) -> Floats:
    start = world.learner(0.5)
    last = [flow(made(world, start, strength=float(c)), start, LATE).last for c in strengths]
    return np.array([float(one.weight) for one in last])


def _curve(name: str, strengths: Floats, found: Floats, predicted: Floats) -> Curve:
    x = Axis("strength of the penalty", "1", strengths, log=True)
    return Curve(name, x, Axis("b*", "weight", found, log=True), predicted)


FORWARD = Claim(
    says="An anchor of forward KL on the model's own earlier samples keeps a part of the old mass in proportion to its strength.",
    formula="b* = c·b₀/(1+c), exactly",
    assumes="means right at the start; any overlap",
    source=DERIVED,
    show=_forward,
)
REVERSE = Claim(
    says="The usual reverse-KL penalty protects well when strong and, below a strength of about .2, not at all.",
    formula="ψ* = ψ₀ − 1/(c(1−b*)) ~ exp(−1/c)",
    assumes="modes apart (it is off where b* falls below the overlap); SFT on new data beside it",
    source=DERIVED,
    show=_reverse,
    against="Half the KL penalty gives half the protection.",
)
EWC = Claim(
    says="EWC keeps an old weight almost in proportion to its strength.",
    formula="b* = μF(ψ₀ − ψ*), F = b₀(1−b₀)",
    assumes="modes apart; Fisher information of the learner before",
    source=DERIVED,
    show=_ewc,
)
