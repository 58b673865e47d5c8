"""Figures that another program found for the same worlds, with its own quadrature: found again here."""

import numpy as np
import pytest

from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.path import WEIGHT_ONLY
from forgetmap.theory.two_modes.lab import watch
from forgetmap.theory.two_modes.laws.claim import log_slope, slope
from forgetmap.theory.two_modes.laws.em import em_weights
from forgetmap.theory.two_modes.laws.sft import trained
from forgetmap.theory.two_modes.objectives.oapl import oapl
from forgetmap.theory.two_modes.observe import drift
from forgetmap.theory.two_modes.world import World


@pytest.mark.parametrize(("distance", "power"), [(6.0, -1.0), (1.0, -0.5), (0.5, -0.5)])
def test_mass_under_sft_falls_with_these_powers_of_time(distance: float, power: float) -> None:
    times = np.geomspace(1e2, 1e3, 21) if distance == 6 else np.geomspace(1e5, 1e6, 21)
    world = World(distance=distance)
    b = trained(world, times).learners.weight

    assert log_slope(times, b) == pytest.approx(power, abs=0.01)


def test_em_on_new_data_empties_most_of_the_weight_in_three_steps() -> None:
    assert em_weights(4.0, np.arange(4.0)) == pytest.approx([0.5, 0.034, 0.0051, 0.0014], rel=0.03)


@pytest.mark.parametrize(
    ("distance", "weight", "way", "mass"),
    [(2.0, 0.271, 0.99, 0.1582), (3.0, 0.066, 0.98, 0.0672), (4.0, 0.0049, 0.85, None), (6.0, 4e-5, 0.18, None)],
)  # fmt: skip
def test_sft_with_everything_free_captures_close_modes_and_empties_distant_ones(
    distance: float, weight: float, way: float, mass: float | None
) -> None:
    world = World(distance=distance)
    run = watch(world, world.learner(0.5), "forward_kl", np.array([3e4]))

    assert run.learners.weight[0] == pytest.approx(weight, rel=0.1)
    assert run.learners.old[0, 0] / distance == pytest.approx(way, abs=0.01)
    assert mass is None or run.observed.old_mass[0] == pytest.approx(mass, rel=0.01)


def test_drift_under_reverse_kl_falls_with_the_square_of_the_distance() -> None:
    found, square = [], np.arange(4.0, 10.0) ** 2
    for distance in range(3, 10):
        world = World(distance=float(distance))
        found.append(watch(world, world.learner(0.8), "reverse_kl", np.linspace(0.5, 60, 60)).observed.drift.max())

    assert found == pytest.approx([0.181, 0.063, 0.0184, 0.0045, 8.9e-4, 1.4e-4, 1.7e-5], rel=0.03)
    assert slope(square, np.log(found[1:])) == pytest.approx(-0.126, abs=0.005)


@pytest.mark.parametrize(
    ("objective", "target", "mass"),
    [
        ("forward_kl", "new", 0.027),
        ("forward_kl", "true", 0.5),
        ("reverse_kl", "new", 0.011),
        ("reverse_kl", "true", 0.5),
    ],
)
def test_the_four_quadrants(objective: str, target: str, mass: float) -> None:
    world = World(distance=5.0)
    start = world.learner(0.3, old=0.3, new=-1.0)

    found = watch(world, start, objective, np.array([50.0]), settings={"target": target}).observed.old_mass[0]

    assert found == pytest.approx(mass, abs=0.0006)


def test_rl_with_a_reward_gap_and_no_kl_forgets() -> None:
    world = World(distance=8.0)
    b = watch(world, world.learner(0.5), "reward", np.array([10.0, 20, 40])).observed.weight

    assert b == pytest.approx([0.135, 0.064, 0.030], rel=0.03)


def test_dft_still_forgets() -> None:
    for distance, left in ((2.0, 1.43e-3), (4.0, 9.1e-4)):
        world = World(distance=distance)
        b = watch(world, world.learner(0.5), "dft", np.array([4e3]), rates=WEIGHT_ONLY).observed.weight[0]

        assert b == pytest.approx(left, rel=0.03)


def test_drift_under_oapl_falls_with_the_square_of_the_distance() -> None:
    found, distances = [], np.arange(4.0, 9.0)
    for distance in distances:
        world = World(distance=float(distance))
        objective = oapl(world, world.learner(0.5))
        found.append(float(drift(flow(objective, world.learner(0.5), np.linspace(0.5, 60, 60)).learners).max()))

    assert slope(distances**2, np.log(found)) == pytest.approx(-0.125, abs=0.005)
