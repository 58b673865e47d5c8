"""OAPL: each renewal of the lagging learner costs the old odds a factor."""

from functools import partial

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit

from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.path import Path
from forgetmap.theory.two_modes.dynamics.syncs import syncs
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Figure, Shown, near, slope
from forgetmap.theory.two_modes.objectives.oapl import oapl
from forgetmap.theory.two_modes.observe import drift
from forgetmap.theory.two_modes.world import World


def synced_log_odds(log_odds: float, gap: float, tau: float, rounds: int) -> float:
    """ψ after K syncs: ψ₀ − K·D/τ."""
    return log_odds - rounds * gap / tau


def mismatched_log_odds(weight: float, value_tau: float, tau: float) -> float:
    """ψ ≈ ln b − V/β₂, V = β₁ ln(b + (1−b)e^{1/β₁}): the optimum where β₁ and β₂ differ, for a reward of 1 on the new mode."""
    return float(np.log(weight) - _value(weight, value_tau) / tau)


def mismatched_optimum(weight: float, value_tau: float, tau: float) -> float:
    """The same by minimising the squared loss over the two modes."""
    value = _value(weight, value_tau)

    def loss(psi: float) -> float:
        log_b, log_rest = -np.logaddexp(0, -psi), -np.logaddexp(0, psi)
        on_old = (tau * (log_b - np.log(weight)) + value) ** 2
        on_new = (tau * (log_rest - np.log1p(-weight)) - (1 - value)) ** 2
        return float(weight * on_old + (1 - weight) * on_new)

    return float(minimize_scalar(loss, bounds=(-3 / tau, 0), method="bounded", options={"xatol": 1e-3}).x)


def _value(weight: float, tau: float) -> float:
    return float(tau * np.log(weight + (1 - weight) * np.exp(1 / tau)))


def _syncs(rng: np.random.Generator) -> Shown:
    world, rounds = World(distance=8.0), 6
    start = world.learner(0.5)

    def rounds_of(tau: float, moving: bool) -> Path:
        made = partial(oapl, world, gap=0.5, tau=tau)
        return syncs(made, start, rounds, lag=3e4, moving=moving)

    paths = {(tau, moving): rounds_of(tau, moving) for tau, moving in ((1.0, True), (0.5, True), (1.0, False))}
    figures: list[Figure] = [
        near(
            f"ψ after 6 syncs, D = .5, τ = {tau}", path.last.log_odds, synced_log_odds(0, 0.5, tau, rounds), share=0.03
        )
        for (tau, moving), path in paths.items()
        if moving
    ]
    figures.append(near("ψ after 6 rounds, reference frozen", paths[1.0, False].last.log_odds, -0.5, share=0.03))
    psi = paths[1.0, True].learners.log_odds
    figures.append(
        near("odds kept per sync over exp(−D/τ)", float(np.exp(slope(np.arange(7.0), psi) + 0.5)), 1, share=0.03)
    )
    curves = tuple(
        Curve(
            f"log odds over syncs, τ = {tau}, reference {'renewed' if moving else 'frozen'}",
            Axis("syncs", "syncs", np.arange(rounds + 1.0)),
            Axis("ψ", "nats", path.learners.log_odds),
            -0.5 / tau * (np.arange(rounds + 1.0) if moving else np.minimum(np.arange(rounds + 1.0), 1)),
        )
        for (tau, moving), path in paths.items()
    )
    return Shown(tuple(figures), curves)


def _mismatch(rng: np.random.Generator) -> Shown:
    cases = (0.5, 0.1)
    return Shown(
        tuple(
            near(
                f"optimal ψ at b = {b}", mismatched_optimum(b, 1.0, 1e-3), mismatched_log_odds(b, 1.0, 1e-3), share=0.01
            )
            for b in cases
        )
    )


def _drift(rng: np.random.Generator) -> Shown:
    distances, times, found = np.arange(4.0, 9.0), np.linspace(0.5, 60, 120), []
    for distance in distances:
        world = World(distance=float(distance))
        start = world.learner(float(expit(logit(0.5))))
        found.append(float(drift(flow(oapl(world, start, gap=1.0), start, times).learners).max()))
    square = distances**2
    line = found[0] * np.exp(-(square - square[0]) / 8)
    x, y = Axis("d²", "variances", square), Axis("max ‖m_o − μ_o‖", "standard deviations", np.array(found), log=True)
    return Shown(
        (near("slope of ln(max drift) in d²", slope(square, np.log(found)), -0.125, within=0.015),),
        (Curve("largest drift of the old mean under OAPL", x, y, line),),
    )


SYNCS = Claim(
    says="OAPL multiplies the old odds by exp(−D/τ) at every sync, and once only if its reference stays.",
    formula="odds_K = odds₀·exp(−K·D/τ)",
    assumes="each round trained to its optimum; both temperatures equal; modes apart",
    source=DERIVED,
    show=_syncs,
)
MISMATCH = Claim(
    says="With the published temperatures (1 and 10⁻³) OAPL's loss has its optimum hundreds of nats away: small steps and not KL hold it.",
    formula="ψ* ≈ ln b − V/β₂, V = β₁ ln E exp(R/β₁)",
    assumes="binary reward; two modes; settings as public summaries of arXiv 2602.19362 give them",
    source=DERIVED,
    show=_mismatch,
)
DRIFT = Claim(
    says="Under OAPL too the drift of a correct old mean is gated by overlap.",
    formula="max ‖m_o − μ_o‖ ~ exp(−d²/8)",
    assumes="D = 1, τ = 1, b from ½; all parameters free; one round",
    source=DERIVED,
    show=_drift,
)
