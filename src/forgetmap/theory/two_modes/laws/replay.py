"""Replay with forward KL: the old mass settles at the share of old data, however small."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import around, old_share, quadrature
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.path import WEIGHT_ONLY
from forgetmap.theory.two_modes.laws.claim import (
    BOTH,
    DERIVED,
    Axis,
    Claim,
    Curve,
    Shown,
    at_least,
    at_most,
    near,
    slope,
)
from forgetmap.theory.two_modes.objectives.replay import replay
from forgetmap.theory.two_modes.world import World


def replay_weight(share: float, weight: float = 1.0) -> float:
    """b* = wλ/(wλ + 1 − λ): the share of old data, each counted `weight` times.

    >>> replay_weight(0.1)
    0.1
    """
    return weight * share / (weight * share + 1 - share)


def relaxation_rate(world: World, share: float) -> float:
    """How fast b comes to its plateau: Var(s_λ), near λ(1−λ) where modes are apart."""
    mixed, cloud = world.learner(share), quadrature()
    at_old, at_new = (old_share(mixed, around(mean, cloud)) for mean in (mixed.old, mixed.new))
    return float((share * at_old**2 + (1 - share) * at_new**2) @ cloud.weights - share**2)


def _plateau(rng: np.random.Generator) -> Shown:
    world, shares = World(distance=4.0), np.array([0.01, 0.05, 0.1, 0.25, 0.5])
    start, late = world.learner(0.5), np.array([2e4])
    last = [flow(replay(world, start, share=float(s)), start, late).last for s in shares]
    b = np.array([float(one.weight) for one in last])
    weighted = flow(replay(world, start, share=0.05, weight=4.0), start, late).last
    none = flow(replay(world, start, share=0.0), start, late).last
    return Shown(
        (
            near("slope of the plateau in λ", slope(shares, b), 1, share=0.01),
            near("plateau at λ = 0", float(np.polyfit(shares, b, 1)[1]), 0, within=1e-3),
            near("b at λ = .01", b[0], 0.01, share=0.01),
            near("b at λ = .05, old items counted four times", weighted.weight, replay_weight(0.05, 4), share=0.01),
            at_most("largest drift of the old mean, λ ≥ .01", max(abs(float(one.old[0])) for one in last), 1e-3),
            at_least("drift without replay, of 4", float(none.old[0]), 3.0),
        ),
        (Curve("old weight kept", Axis("λ, share of old data", "1", shares), Axis("b", "weight", b), shares),),
    )


def _relaxation(rng: np.random.Generator) -> Shown:
    world, shares, found = World(distance=6.0), np.array([0.05, 0.1, 0.25, 0.5]), []
    for share in shares:
        times = np.linspace(2, 4, 11) / (share * (1 - share))
        start = world.learner(min(1.2 * float(share), 0.6))
        path = flow(replay(world, start, share=float(share)), start, times, rates=WEIGHT_ONLY)
        gone: Floats = np.abs(path.learners.weight - share)
        found.append(-slope(times, np.log(gone)))
    exact = [relaxation_rate(world, float(share)) for share in shares]
    return Shown(
        tuple(near(f"rate at λ = {s:g}", r, e, share=0.03) for s, r, e in zip(shares, found, exact, strict=True))
        + tuple(near(f"λ(1−λ) at λ = {s:g}", e, s * (1 - s), share=0.05) for s, e in zip(shares, exact, strict=True)),
        (
            Curve(
                "time to come to the plateau",
                Axis("λ, share of old data", "1", shares),
                Axis("1/rate", "time", 1 / np.array(found), log=True),
                1 / (shares * (1 - shares)),
            ),
        ),
    )


PLATEAU = Claim(
    says="Replay under SFT keeps as much old mass as there is old data, and one per cent already stops the capture of the old mean.",
    formula="b* = wλ/(wλ + 1 − λ), means exact",
    assumes="replayed data are the old mode's own; all parameters free; d = 4",
    source=BOTH,
    show=_plateau,
)
RELAXATION = Claim(
    says="The less is replayed, the longer the old mass takes to settle: in time 1/(λ(1−λ)).",
    formula="rate = Var(s_λ) → λ(1−λ)",
    assumes="near the plateau; modes apart; means held",
    source=DERIVED,
    show=_relaxation,
)
