"""SFT with everything free: close modes are captured, distant ones starve, and the mass falls to one floor either way."""

import numpy as np

from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Shown, at_least, at_most, near
from forgetmap.theory.two_modes.objectives.kl import forward_kl
from forgetmap.theory.two_modes.observe import old_mass
from forgetmap.theory.two_modes.world import World

LATE = 3e4


def _show(rng: np.random.Generator) -> Shown:
    distances = np.arange(1.0, 7.51, 0.5)
    worlds = [World(distance=float(d)) for d in distances]
    last = [flow(forward_kl(w, w.learner(0.5)), w.learner(0.5), np.array([LATE])).last for w in worlds]
    weight = np.array([float(one.weight) for one in last])
    moved = np.array([float(one.old[0]) for one in last]) / distances
    mass = np.array([float(old_mass(w, one)) for w, one in zip(worlds, last, strict=True)])
    floor = np.array([w.floor for w in worlds])
    at = {float(d): place for place, d in enumerate(distances)}
    crossing = float(np.interp(-0.5, -moved, distances))
    even = float(np.interp(0.0, np.log((1 - moved) / (weight / 0.5)), distances))
    x = Axis("distance of the modes", "standard deviations", distances)
    return Shown(
        (
            *(near(f"old mass at d = {d:g}", mass[at[d]], floor[at[d]], share=0.05) for d in (1.0, 2.0, 3.0, 4.0, 6.0)),
            at_least("weight left at d = 2, where nothing of the old mode is", weight[at[2.0]], 0.2),
            at_least("way of the old mean to the new data, d = 3", moved[at[3.0]], 0.95),
            at_most("the same, d = 6", moved[at[6.0]], 0.25),
            at_most("weight left at d = 6", weight[at[6.0]], 1e-3),
            near(
                "distance at which weight and place are kept to the same share: capture below, collapse above",
                even,
                4.0,
                within=1.0,
            ),
            near("distance at which the old mean goes half the way", crossing, 5.0, within=0.5),
        ),
        (
            Curve("what is left in the old region", x, Axis("A_old", "mass", mass, log=True), floor),
            Curve("what is left of the weight", x, Axis("b", "weight", weight, log=True)),
            Curve("how far the old mean was dragged", x, Axis("way to the new mean", "share", moved)),
        ),
    )


CAPTURE = Claim(
    says="SFT destroys the old mode in one of two ways, capture of its mean where modes are close and collapse of its weight where "
    "they are apart; the mass in the old region ends at Φ(−d/2) either way, so the weight alone misleads.",
    formula="A_old → Φ(−d/2);  KL(p_n ‖ q) = 0 for any b once both means are the new one",
    assumes="all parameters free, one learning rate; time 3·10⁴",
    source=DERIVED,
    show=_show,
    against="A weight that stays shows that the old mode stayed.",
)
