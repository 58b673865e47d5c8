"""The exam of dynamics: another way to the same place, and the places are those that formulas name."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from forgetmap.errors import SettingError
from forgetmap.tables import load
from forgetmap.theory.two_modes.cloud import monte_carlo
from forgetmap.theory.two_modes.dynamics import LAB_DYNAMICS
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.path import SLOW_OLD, WEIGHT_ONLY
from forgetmap.theory.two_modes.dynamics.sgd import Draws, sgd
from forgetmap.theory.two_modes.dynamics.stiff import integrate
from forgetmap.theory.two_modes.dynamics.syncs import teacher
from forgetmap.theory.two_modes.lab import watch
from forgetmap.theory.two_modes.objectives.kl import forward_kl, reverse_kl
from forgetmap.theory.two_modes.objectives.replay import replay
from forgetmap.theory.two_modes.observe import old_mass
from forgetmap.theory.two_modes.world import World

WORLD = World(distance=5.0)


def way(name: str) -> Any:
    """A row of the table, with random numbers where it needs them."""
    row = load(LAB_DYNAMICS, name, group="lab_dynamics")
    return partial(row, draws=Draws(np.random.default_rng(3), 256, 8)) if name == "sgd" else row


@pytest.mark.parametrize("name", LAB_DYNAMICS)
def test_every_way_keeps_as_much_as_is_replayed(name: str) -> None:
    start = WORLD.learner(0.5)

    path = way(name)(replay(WORLD, start, share=0.25), start, np.array([1.0, 60.0]))

    assert path.learners.weight[1].mean() == pytest.approx(0.25, abs=0.02)
    assert path.learners.old[1].mean() == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize("name", LAB_DYNAMICS)
def test_every_way_can_be_stopped_and_gone_on_with(name: str) -> None:
    start = WORLD.learner(0.5)
    objective = forward_kl(WORLD, start)

    whole = way(name)(objective, start, np.array([5.0, 10.0])).learners.weight

    assert (whole[1] < whole[0]).all()
    if name != "sgd":
        half = way(name)(objective, start, np.array([5.0])).last
        assert way(name)(objective, half, np.array([5.0])).last.weight == pytest.approx(whole[1], rel=1e-6)


def test_small_steps_of_descent_follow_the_flow() -> None:
    start = WORLD.learner(0.5, old=0.3)
    times = np.array([2.0, 10.0, 40.0])

    found = sgd(reverse_kl(WORLD, start), start, times, draws=Draws(np.random.default_rng(1), 2000, 4), rate=0.1)

    exact = flow(reverse_kl(WORLD, start), start, times).learners
    assert found.learners.old.mean(axis=1) == pytest.approx(exact.old, abs=0.02)
    assert found.learners.log_odds.mean(axis=1) == pytest.approx(exact.log_odds, abs=0.02)


def test_ten_dimensions_by_monte_carlo_flow_as_one_by_quadrature() -> None:
    many = World(distance=3.0, dimensions=10)
    cloud, times = monte_carlo(10, 8000, np.random.default_rng(2)), np.array([1.0, 5.0])

    one, ten = (
        flow(forward_kl(w, w.learner(0.5)), w.learner(0.5), times, cloud=c)
        for w, c in ((World(distance=3.0), None), (many, cloud))
    )

    assert old_mass(many, ten.learners) == pytest.approx(old_mass(World(distance=3.0), one.learners), abs=0.01)


def test_more_than_one_dimension_without_a_cloud_is_refused_with_a_sentence() -> None:
    world = World(distance=3.0, dimensions=2)

    with pytest.raises(SettingError, match="needs a cloud of points"):
        flow(forward_kl(world, world.learner(0.5)), world.learner(0.5), np.array([1.0]))


def test_the_slower_old_mode_of_earlier_work_builds_retention_in() -> None:
    """One learning rate forgets what the factor of .005 would have kept, under the same objective."""
    start, times = WORLD.learner(0.5), np.array([50.0])

    even, slowed = (
        watch(WORLD, start, "forward_kl", times, rates=r).observed.old_mass[0] for r in (WEIGHT_ONLY, SLOW_OLD)
    )

    assert even < 0.03
    assert slowed > 0.4


def test_stiff_equations_are_integrated_to_tolerance() -> None:
    """y′ = −1000(y − cos t) − sin t has the solution cos t."""

    def slope(y: np.ndarray) -> np.ndarray:
        return np.stack([-1000 * (y[..., 0] - np.cos(y[..., 1])) - np.sin(y[..., 1]), np.ones(y.shape[:-1])], axis=-1)

    times = np.array([0.5, 3.0, 10.0])
    assert integrate(slope, np.array([1.0, 0.0]), times)[:, 0] == pytest.approx(np.cos(times), abs=1e-7)


@pytest.mark.parametrize("name", LAB_DYNAMICS)
@pytest.mark.parametrize("times", [[], [2.0, 1.0], [-1.0, 1.0], [1.0, float("nan")]])
def test_times_that_do_not_rise_from_0_are_refused_with_a_sentence(name: str, times: list[float]) -> None:
    start = WORLD.learner(0.5)

    with pytest.raises(SettingError, match="rise from 0"):
        way(name)(forward_kl(WORLD, start), start, np.array(times))


def test_an_unknown_setting_is_refused_with_those_there_are() -> None:
    with pytest.raises(SettingError, match="has no setting 'lam'; it has share, weight"):
        watch(WORLD, WORLD.learner(0.5), "replay", np.array([1.0]), settings={"lam": 0.1})
    with pytest.raises(SettingError, match="no lab_objective called 'sft'"):
        watch(WORLD, WORLD.learner(0.5), "sft", np.array([1.0]))


def test_an_unknown_teacher_is_refused_with_a_sentence() -> None:
    with pytest.raises(SettingError, match="frozen, ema, live, anchored"):
        teacher("strict")
