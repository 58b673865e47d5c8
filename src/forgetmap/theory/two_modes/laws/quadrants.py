"""Forward and reverse KL, each to new data alone and to the true mixture: it is the target, not only the direction."""

import numpy as np

from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Figure, Shown, at_most, near
from forgetmap.theory.two_modes.objectives.kl import forward_kl, reverse_kl
from forgetmap.theory.two_modes.observe import old_mass
from forgetmap.theory.two_modes.world import World

LATE = 50.0


def _show(rng: np.random.Generator) -> Shown:
    world, times = World(distance=5.0), np.linspace(1, LATE, 50)
    start = world.learner(0.3, old=0.3, new=-1.0)
    mass, curves = {}, []
    for direction, made in (("forward", forward_kl), ("reverse", reverse_kl)):
        for target, kept in (("new", world.floor), ("true", 0.5)):
            learners = flow(made(world, start, target=target), start, times).learners
            found = old_mass(world, learners)
            mass[direction, target] = float(found[-1])
            curves.append(
                Curve(
                    f"old mass, {direction} KL, target {target}",
                    Axis("time", "learning rate × steps", times),
                    Axis("A_old", "mass", found),
                    np.full(len(times), kept),
                )
            )
    tenth = 0.1 * float(old_mass(world, start))
    figures: list[Figure] = [
        at_most(
            "forward KL to new data alone: old mass, against a tenth of that before", mass["forward", "new"], tenth
        ),
        at_most("reverse KL to new data alone: the same", mass["reverse", "new"], tenth),
        near("forward KL to the true mixture: old mass", mass["forward", "true"], 0.5, share=0.01),
        near("reverse KL to the true mixture: old mass", mass["reverse", "true"], 0.5, share=0.01),
        at_most("reverse KL to new data alone, against forward", mass["reverse", "new"], mass["forward", "new"]),
    ]
    return Shown(tuple(figures), tuple(curves))


QUADRANTS = Claim(
    says="What is kept depends on the target and not on the direction: reverse KL to new data alone forgets more than SFT on them.",
    formula="A_old → Φ(−d/2) for target p_n, → a for the true mixture, whichever direction",
    assumes="d = 5, b from .3, old mean .3 and new mean 1 off; all parameters free; time 50",
    source=DERIVED,
    show=_show,
    against="Being on-policy is what keeps the old mode.",
)
