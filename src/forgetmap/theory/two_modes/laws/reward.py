"""RL on a reward that prefers the new mode by D: when it forgets, and how much."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.natural import natural
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Shown, at_most, log_slope, near
from forgetmap.theory.two_modes.objectives.reward import reward
from forgetmap.theory.two_modes.observe import old_mass
from forgetmap.theory.two_modes.world import World


def tilted_log_odds(log_odds: float, gap: float, tau: float) -> float:
    """ψ* = ψ₀ − D/τ: what a reward gap costs under KL to the learner before.

    >>> tilted_log_odds(0.0, 1.0, 0.5)
    -2.0
    """
    return log_odds - gap / tau


def falling_weight(pushed: Floats) -> Floats:
    """b from ½ under ψ′ = −D·b(1−b), after D·t = `pushed`: u + 2 ln u − 1/u = D·t with u = (1−b)/b, so b → 1/(D·t)."""

    def u(whole: float) -> float:
        return float(brentq(lambda u: u + 2 * np.log(u) - 1 / u - whole, 1.0, 2.0 + whole))

    return np.array([1 / (1 + u(float(one))) for one in np.ravel(pushed)]).reshape(np.shape(pushed))


def _with_kl(rng: np.random.Generator) -> Shown:
    world, ratios = World(distance=8.0), np.array([0.0, 0.25, 0.5, 1, 2, 4, 6, 8, 10])
    start = world.learner(0.5)
    found = [
        float(flow(reward(world, start, gap=float(r), tau=1.0), start, np.array([3e6])).last.log_odds) for r in ratios
    ]
    shown = {0.5: 0.01, 2.0: 0.01, 10.0: 0.01}
    figures = [
        near(f"ψ* at D/τ = {r:g}", psi, tilted_log_odds(0.0, float(r), 1.0), share=shown[r])
        for r, psi in zip(ratios, found, strict=True)
        if r in shown
    ]
    return Shown(
        (*figures, near("ψ* at D = 0", found[0], 0, within=1e-6)),
        (
            Curve(
                "log odds kept under KL-regularised RL",
                Axis("D/τ", "1", ratios),
                Axis("ψ*", "nats", np.array(found)),
                -ratios,
            ),
        ),
    )


def _without_kl(rng: np.random.Generator) -> Shown:
    world, times = World(distance=8.0), np.geomspace(1, 1e4, 41)
    start = world.learner(0.5)
    paths = {gap: flow(reward(world, start, gap=gap), start, times) for gap in (0.0, 1.0)}
    mass = {gap: old_mass(world, path.learners) for gap, path in paths.items()}
    steep = natural(reward(world, start), start, np.array([5.0]), rate=0.01).last
    return Shown(
        (
            near("old mass at D = 0, time 10⁴", mass[0.0][-1], 0.5, share=1e-6),
            near("old mass at D = 1, time 10", mass[1.0][10], falling_weight(times[10]), share=0.02),
            near("old mass at D = 1, time 100", mass[1.0][20], falling_weight(times[20]), share=0.02),
            near("power of time at D = 1", log_slope(times[-11:], paths[1.0].learners.weight[-11:]), -1, share=0.03),
            near("log odds after time 5, natural gradient", steep.log_odds, -5, share=0.02),
            at_most("old mass at D = 1 against D = 0, time 10⁴", mass[1.0][-1], 0.001 * mass[0.0][-1]),
        ),
        tuple(
            Curve(
                f"old mass under RL without KL, D = {gap:g}",
                Axis("time", "learning rate × steps", times, log=True),
                Axis("A_old", "mass", mass[gap], log=True),
                falling_weight(times) if gap else np.full(len(times), expit(0.0)),
            )
            for gap in (0.0, 1.0)
        ),
    )


WITH_KL = Claim(
    says="KL-regularised RL moves the log odds of the old mode by the reward gap over τ, and stops there.",
    formula="ψ* = ψ₀ − D/τ, D = reward(new) − reward(old) on the same prompts",
    assumes="modes apart; all parameters free",
    source=DERIVED,
    show=_with_kl,
)
WITHOUT_KL = Claim(
    says="RL without KL forgets whenever the new behaviour earns more: no gap, no forgetting; any gap, all of it in the end.",
    formula="ψ′ = −D·b(1−b): b → 1/(D·t) by gradient flow, ψ = ψ₀ − D·t by natural gradient",
    assumes="modes apart; all parameters free; b from ½",
    source=DERIVED,
    show=_without_kl,
    against="RL does not forget.",
)
