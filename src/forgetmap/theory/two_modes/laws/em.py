"""The same in natural gradient steps (EM): fast at first, then as slow as any."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.dynamics.natural import natural
from forgetmap.theory.two_modes.dynamics.path import WEIGHT_ONLY
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Shown, at_least, at_most, log_slope, near
from forgetmap.theory.two_modes.laws.overlap import new_misses_bound
from forgetmap.theory.two_modes.laws.sft import chi_squared
from forgetmap.theory.two_modes.objectives.kl import forward_kl
from forgetmap.theory.two_modes.world import World


def em_tail(steps: Floats, distance: float) -> Floats:
    """b after many EM steps: R_n(b) = b − χ²·b² + …, so b → 1/(χ²·steps)."""
    return np.asarray(1 / (chi_squared(distance) * steps))


def em_weights(distance: float, steps: Floats) -> Floats:
    """b after each of these numbers of EM steps from ½ on new data, means held."""
    world = World(distance=distance)
    start = world.learner(0.5)
    path = natural(forward_kl(world, start), start, steps, rates=WEIGHT_ONLY, rate=1.0)
    return path.learners.weight


def _tail(rng: np.random.Generator) -> Shown:
    first = em_weights(4.0, np.arange(4.0))
    steps = np.unique(np.geomspace(10, 3000, 21).round())
    b = em_weights(1.0, steps)
    return Shown(
        (
            at_most("b after one EM step, d = 4", first[1], new_misses_bound(0.5, 4.0)),
            at_most("b after two EM steps, d = 4", first[2], new_misses_bound(float(first[1]), 4.0)),
            near("power of steps, d = 1", log_slope(steps[-6:], b[-6:]), -1, share=0.03),
            near("b after 3000 steps, d = 1", b[-1], em_tail(steps, 1.0)[-1], share=0.02),
        ),
        (
            Curve(
                "old weight under EM, d = 1",
                Axis("steps", "EM steps", steps, log=True),
                Axis("b", "weight", b, log=True),
                em_tail(steps, 1.0),
            ),
        ),
    )


def _geometric(rng: np.random.Generator) -> Shown:
    """If b fell geometrically, its ratio from step to step would stay below 1 by as much as it was early on."""
    early, later = em_weights(1.0, np.array([10.0, 11.0])), em_weights(1.0, np.array([1000.0, 1001.0]))
    lost_early, lost_later = 1 - early[1] / early[0], 1 - later[1] / later[0]
    return Shown((at_least("share lost per step at step 1000, against step 10", lost_later, 0.5 * lost_early),))


TAIL = Claim(
    says="EM on new data empties most of the old weight in a few steps, and then only as 1/steps.",
    formula="b ← R_n(b);  b → 1/(χ²·steps), χ² = exp(d²) − 1",
    assumes="means right and held",
    source=DERIVED,
    show=_tail,
)
GEOMETRIC = Claim(
    says="EM on new data loses at least a fixed share of the old weight in every step.",
    formula="b after n steps ≤ b·κⁿ with κ < 1",
    assumes="means right and held",
    source=f"{DERIVED}, and refuted",
    show=_geometric,
    known_to_fail="R_n(b) = b − χ²b² + …: the share lost per step goes to 0 with b, so the tail is 1/steps and not geometric",
)
