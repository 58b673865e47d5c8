"""TTT-Discover's entropic objective: max-seeking pressure saturates, so an anchor of order 1 holds it whatever the tilt."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from forgetmap.theory.two_modes.cloud import quadrature
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Figure, Shown, at_least, log_slope, near
from forgetmap.theory.two_modes.laws.penalties import reverse_anchor_weight
from forgetmap.theory.two_modes.objectives.entropic import adaptive, entropic, rewards
from forgetmap.theory.two_modes.world import World


def tilt_push(weight: float, tilted: float) -> float:
    """(e^{gD}−1)/(b+(1−b)e^{gD}) with gD = `tilted`: the pressure on the log odds over b(1−b); at most 1/(1−b)."""
    return float(-np.expm1(-tilted) / (weight * np.exp(-tilted) + 1 - weight))


def tail_weight(time: float, tilted: float) -> float:
    """b → 1/((1−e^{−gD})·t) without anchor."""
    return float(1 / (-np.expm1(-tilted) * time))


def anchored_tilt(tilted: float, anchor: float, log_odds: float = 0.0) -> float:
    """ψ* of k(ψ₀−ψ*) = (e^{gD}−1)/(b*+(1−b*)e^{gD})."""

    def off(psi: float) -> float:
        return anchor * (log_odds - psi) - tilt_push(float(expit(psi)), tilted)

    return float(brentq(off, log_odds - 1 / anchor - 50, log_odds))


def saturation_bound(anchor: float, weight: float, log_odds: float = 0.0) -> float:
    """odds* ≥ odds₀·exp(−1/(k(1−b*))), whatever g and D."""
    return float(np.exp(log_odds - 1 / (anchor * (1 - weight))))


def adaptive_mass(mass: float, nats: float = float(np.log(2))) -> float:
    """The mass that a good mode has after a tilt that costs ln 2 nats; 1 where none costs as much (from ½ on)."""
    if mass >= 0.5:
        return 1.0

    def off(p: float) -> float:
        return float(p * np.log(p / mass) + (1 - p) * np.log((1 - p) / (1 - mass)) - nats)

    return float(brentq(off, mass, 1 - 1e-15))


def _without_anchor(rng: np.random.Generator) -> Shown:
    world, times, figures, curves = World(distance=8.0), np.geomspace(10, 1e4, 31), list[Figure](), list[Curve]()
    start = world.learner(0.5)
    for tilted in (0.5, 2.0, 10.0):
        b = flow(entropic(world, start, tilt=tilted), start, times).learners.weight
        figures += [
            near(f"power of time, gD = {tilted:g}", log_slope(times[-11:], b[-11:]), -1, share=0.03),
            near(f"b at time 10⁴, gD = {tilted:g}", b[-1], tail_weight(1e4, tilted), share=0.02),
        ]
        x = Axis("time", "learning rate × steps", times, log=True)
        line = np.array([tail_weight(float(t), tilted) for t in times])
        curves.append(Curve(f"old weight, gD = {tilted:g}, no anchor", x, Axis("b", "weight", b, log=True), line))
    return Shown(tuple(figures), tuple(curves))


def _anchor(rng: np.random.Generator) -> Shown:
    world, tilts, figures, curves = (
        World(distance=12.0),
        np.array([0.5, 1.0, 2, 5, 20, 100]),
        list[Figure](),
        list[Curve](),
    )
    start = world.learner(0.5)
    for anchor in (0.5, 1.0):
        last = [flow(entropic(world, start, tilt=float(g), anchor=anchor), start, np.array([3e3])).last for g in tilts]
        psi = np.array([float(one.log_odds) for one in last])
        predicted = np.array([anchored_tilt(float(g), anchor) for g in tilts])
        figures += [
            near(f"ψ* at k = {anchor}, gD = {g:g}", psi[i], predicted[i], share=0.01)
            for i, g in enumerate(tilts)
            if i % 2
        ]
        over = np.exp(psi) / np.array([saturation_bound(anchor, float(one.weight)) for one in last])
        figures.append(at_least(f"smallest odds over their bound, k = {anchor}", float(over.min()), 1 - 1e-6))
        x = Axis("gD", "1", tilts, log=True)
        curves.append(Curve(f"log odds kept, anchor {anchor}", x, Axis("ψ*", "nats", psi), predicted))
    strongest = float(expit(anchored_tilt(1e3, 0.5)))
    figures.append(
        near("limit of g → ∞ is SFT with a reverse anchor", strongest, reverse_anchor_weight(0.5), share=1e-6)
    )
    return Shown(tuple(figures), tuple(curves))


def _adaptive(rng: np.random.Generator) -> Shown:
    world, cloud, masses, found = World(distance=14.0), quadrature(), np.array([0.001, 0.01, 0.1, 0.3]), []
    for mass in masses:
        learner = world.learner(1 - float(mass))
        r, weights = rewards(world, learner, 1.0, cloud)
        g = adaptive(r, weights)
        tilted = weights * np.exp(g * (r - 1))
        found.append(float(tilted[r > 0.5].sum() / tilted.sum()))
    predicted = np.array([adaptive_mass(float(mass)) for mass in masses])
    return Shown(
        tuple(
            near(f"tilted mass of {m:g}", f, p, share=0.01) for m, f, p in zip(masses, found, predicted, strict=True)
        ),
        (
            Curve(
                "mass of a good mode after the tilt that costs ln 2",
                Axis("its mass before", "1", masses, log=True),
                Axis("its mass after", "1", np.array(found)),
                predicted,
            ),
        ),
    )


WITHOUT_ANCHOR = Claim(
    says="The entropic objective without an anchor empties the old mode as SFT does.",
    formula="b → 1/((1−e^{−gD})·t)",
    assumes="modes apart; D > 0; all parameters free",
    source=DERIVED,
    show=_without_anchor,
)
ANCHOR = Claim(
    says="With an anchor of strength k the odds lost saturate: no tilt and no reward costs more than exp(−1/(k(1−b*))).",
    formula="k(ψ₀−ψ*) = (e^{gD}−1)/(b*+(1−b*)e^{gD}) ≤ 1/(1−b*)",
    assumes="modes apart; anchor k·KL(learner ‖ before)",
    source=DERIVED,
    show=_anchor,
)
ADAPTIVE = Claim(
    says="A tilt that costs ln 2 nats lifts a rare good mode to a sixth, and a mode of half the mass without limit.",
    formula="KL(tilted ‖ own samples) = ln 2",
    assumes="modes apart; the good mode is one of two",
    source=DERIVED,
    show=_adaptive,
)
