"""Judged batches that hold no old sample: they wait, and weighted replay ends the waiting."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import quadrature
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.path import WEIGHT_ONLY
from forgetmap.theory.two_modes.dynamics.sgd import Draws, batch_force, sgd
from forgetmap.theory.two_modes.laws.batches import starved
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Shown, at_least, at_most, near
from forgetmap.theory.two_modes.objectives.kl import reverse_kl
from forgetmap.theory.two_modes.objectives.replay import weighted_replay
from forgetmap.theory.two_modes.terms import Objective
from forgetmap.theory.two_modes.world import Mixture, World

WEIGHT, BACK, SAMPLES, RUNS = 0.002, 0.1, 8, 300
TIMES = np.arange(1.0, 601.0)


def _show(rng: np.random.Generator) -> Shown:
    world = World(distance=8.0)
    start = world.learner(WEIGHT)
    exact = flow(reverse_kl(world, start), start, np.arange(1.0, 201.0), rates=WEIGHT_ONLY).learners.weight
    due = float((exact > BACK).argmax() + 1)
    own = _steps(reverse_kl(world, start), start, rng)
    replayed = _steps(weighted_replay(world, start, share=0.1), start, rng)
    spread_own, spread_replayed = (float(np.subtract(*np.quantile(steps, [0.9, 0.1]))) for steps in (own, replayed))
    still = _unmoved(world, rng)
    parts = np.linspace(0.05, 0.95, 19)
    return Shown(
        (
            near(
                f"batches of {SAMPLES} that leave the weight where it is, of b = .01",
                still,
                starved(0.01, np.array(SAMPLES)),
                within=0.02,
            ),
            near(
                "median steps until b > .1 with 10 % replay, against gradient flow",
                float(np.median(replayed)),
                due,
                share=0.15,
            ),
            at_least("the same without replay", float(np.median(own)), due),
            at_most("spread of these steps, replay against none", spread_replayed, 0.5 * spread_own),
        ),
        tuple(
            Curve(
                f"steps from b = .002 to .1, batches of {SAMPLES}, {name}",
                Axis("share of runs", "1", parts),
                Axis("steps", "steps", np.quantile(steps, parts), log=True),
                np.full(len(parts), due),
            )
            for name, steps in (("no replay", own), ("10 % weighted replay", replayed))
        ),
    )


def _steps(objective: Objective, start: Mixture, rng: np.random.Generator) -> Floats:
    """How many steps each run needs; those that do not come back in time count as the longest."""
    draws = Draws(rng, SAMPLES, RUNS, centred=True)
    b = sgd(objective, start, TIMES, draws=draws, rates=WEIGHT_ONLY, rate=1.0).learners.weight
    back = b > BACK
    return np.asarray(np.where(back.any(axis=0), back.argmax(axis=0) + 1.0, TIMES[-1]))


def _unmoved(world: World, rng: np.random.Generator) -> float:
    """The share of batches whose force on the log odds is nothing beside that of a batch with one old sample."""
    learner = world.learner(0.01)
    many = Mixture(*(np.broadcast_to(part, (4000, *np.shape(part))) for part in learner))
    terms = reverse_kl(world, learner)(many, quadrature())
    push = batch_force(terms, many, Draws(rng, SAMPLES, 4000, centred=True)).log_odds
    return float((abs(push) < 1e-3).mean())


WAITING = Claim(
    says="A judged batch without an old sample does nothing, so starvation delays the way back of a rare old mode and does not push it "
    "out; weighted replay ends the waiting.",
    formula="force on ψ = 0 for a batch of one mode with its mean taken off;  P = (1−b)^N",
    assumes="reverse KL to the true target, the batch's mean taken off; modes apart; means held; learning rate 1",
    source=DERIVED,
    show=_show,
)
