"""The exam of objectives: samples agree with quadrature, coordinates do not matter, and forces are finite."""

from typing import Any

import numpy as np
import pytest

from forgetmap.tables import load
from forgetmap.theory.two_modes.cloud import monte_carlo, quadrature
from forgetmap.theory.two_modes.dynamics.flow import flattened
from forgetmap.theory.two_modes.dynamics.sgd import Draws, batch_force
from forgetmap.theory.two_modes.lab import side_by_side
from forgetmap.theory.two_modes.objectives import LAB_OBJECTIVES
from forgetmap.theory.two_modes.objectives.kl import forward_kl, reverse_kl
from forgetmap.theory.two_modes.observe import divergence
from forgetmap.theory.two_modes.terms import force
from forgetmap.theory.two_modes.world import Mixture, World

WORLD = World(distance=3.0, share=0.4)
BY_DENSITY = {"dft"}
"""Its force goes with a density, which has another unit in every dimension."""


def made(name: str, world: World) -> tuple[Any, Mixture]:
    """An objective with its settings as they come, and a learner that is a little off."""
    before = world.learner(0.6, old=0.1)
    return load(LAB_OBJECTIVES, name, group="lab_objectives")(world, before), world.learner(0.3, old=0.4, new=-0.5)


@pytest.mark.parametrize("name", LAB_OBJECTIVES)
def test_samples_pull_on_average_as_quadrature_says(name: str) -> None:
    objective, learner = made(name, WORLD)
    exact = flattened(force(objective(learner, quadrature()), learner, quadrature()))
    runs = Mixture(*(np.broadcast_to(part, (200, *np.shape(part))) for part in learner))

    found = flattened(batch_force(objective(runs, quadrature()), runs, Draws(np.random.default_rng(4), 400, 200)))

    error = found.std(axis=0) / np.sqrt(len(found))
    assert (abs(found.mean(axis=0) - exact) <= 4.5 * error + 1e-12).all()


@pytest.mark.parametrize("name", sorted(set(LAB_OBJECTIVES) - BY_DENSITY))
def test_a_dimension_in_which_nothing_differs_changes_nothing(name: str) -> None:
    flat, many = made(name, WORLD), made(name, World(distance=3.0, share=0.4, dimensions=3))
    cloud = monte_carlo(3, 200_000, np.random.default_rng(0))

    one, other = (force(o(x, c), x, c) for (o, x), c in ((flat, quadrature()), (many, cloud)))

    assert other.log_odds == pytest.approx(one.log_odds, abs=0.01)
    assert other.old == pytest.approx([float(one.old[0]), 0, 0], abs=0.01)
    assert other.new == pytest.approx([float(one.new[0]), 0, 0], abs=0.01)


@pytest.mark.parametrize("name", LAB_OBJECTIVES)
def test_many_learners_at_once_are_pulled_as_one_by_one(name: str) -> None:
    objective, _ = made(name, WORLD)
    learners = [WORLD.learner(b, old=o) for b, o in ((0.2, 0.0), (0.5, 1.0), (0.9, -0.3))]
    together = Mixture(*(np.stack(parts) for parts in zip(*learners, strict=True)))

    found = flattened(force(objective(together, quadrature()), together, quadrature()))

    single = [flattened(force(objective(one, quadrature()), one, quadrature())) for one in learners]
    assert found == pytest.approx(np.stack(single), abs=1e-12)


@pytest.mark.parametrize("target", ["new", "true"])
def test_the_forces_of_both_kls_are_their_gradients(target: str) -> None:
    learner, aim, cloud, step = WORLD.learner(0.3, old=0.4, new=-0.5), WORLD.target(target), quadrature(), 1e-5
    for objective, kl in (
        (forward_kl, lambda q: divergence(aim, q, cloud)),
        (reverse_kl, lambda q: divergence(q, aim, cloud)),
    ):
        found = flattened(force(objective(WORLD, learner, target=target)(learner, cloud), learner, cloud))
        flat = flattened(learner)
        for place, direction in enumerate(np.eye(3)):
            up, down = (Mixture(x[0], x[1:2], x[2:]) for x in (flat + step * direction, flat - step * direction))
            assert found[place] == pytest.approx(-(kl(up) - kl(down)) / (2 * step), abs=1e-8)


def test_all_objectives_stand_side_by_side() -> None:
    world = World(distance=5.0)
    table = dict(side_by_side(world, world.learner(0.5), np.array([1.0, 100.0])))

    left = {name: float(watched.observed.old_mass[-1]) for name, watched in table.items()}
    assert set(left) == set(LAB_OBJECTIVES)
    assert left["forward_kl"] < 0.03 < left["forward_anchor"] < left["replay"] < left["reverse_kl"]
