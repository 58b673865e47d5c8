"""The world and what is read off it, held against numbers got in other ways; bounds in random worlds."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm

from forgetmap.errors import SettingError
from forgetmap.theory.two_modes.cloud import log_density, monte_carlo, quadrature
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.laws.drift import drift_bound, instant_bound, old_mean_force
from forgetmap.theory.two_modes.laws.overlap import new_misses_bound, target_misses_bound
from forgetmap.theory.two_modes.objectives.kl import reverse_kl
from forgetmap.theory.two_modes.observe import drift, new_responsibility, observe, old_mass
from forgetmap.theory.two_modes.terms import force
from forgetmap.theory.two_modes.world import World, framed

DISTANCES, SHARES = st.floats(0.05, 12), st.floats(0.01, 0.99)
WORLDS = st.builds(lambda distance, share: World(distance=distance, share=share), DISTANCES, SHARES)
ROUNDING = 1 + 1e-9


@given(WORLDS, SHARES)
@settings(max_examples=150, deadline=None)
def test_overlap_bounds_misassignment_in_every_world(world: World, weight: float) -> None:
    learner = world.learner(weight)
    seen = observe(world, learner, quadrature())

    # Below 1e-12 the difference from 1 is rounding.
    assert seen.target_misses <= target_misses_bound(world.share, world.distance) * ROUNDING + 1e-12
    assert seen.learner_misses <= target_misses_bound(weight, world.distance) * ROUNDING + 1e-12
    assert new_responsibility(world, learner, quadrature()) <= new_misses_bound(weight, world.distance) * ROUNDING


@given(WORLDS, SHARES, st.floats(-2, 2), st.floats(-2, 2))
@settings(max_examples=100, deadline=None)
def test_the_force_on_the_old_mean_is_its_formula_in_every_world(
    world: World, weight: float, old: float, new: float
) -> None:
    learner, cloud = world.learner(weight, old=old, new=new), quadrature()

    found = force(reverse_kl(world, learner)(learner, cloud), learner, cloud).old

    assert found == pytest.approx(old_mean_force(world, learner, cloud), abs=1e-8)
    right = world.learner(weight, new=new)
    pushed = force(reverse_kl(world, right)(right, cloud), right, cloud).old
    assert abs(float(pushed[0])) <= instant_bound(world, right) * ROUNDING + 1e-11


@given(st.floats(2, 8), SHARES, st.floats(0.05, 0.95))
@settings(max_examples=15, deadline=None)
def test_drift_stays_below_its_bound_on_every_path(distance: float, share: float, weight: float) -> None:
    world = World(distance=distance, share=share)
    learners = flow(reverse_kl(world, world.true), world.learner(weight), np.linspace(1, 40, 40)).learners

    assert float(drift(learners).max()) <= drift_bound(world, learners, quadrature()) * 1.01 + 1e-9


@given(WORLDS, SHARES, st.floats(-2, 2), st.floats(-2, 2))
@settings(max_examples=100, deadline=None)
def test_both_kls_are_at_least_nothing_and_masses_are_shares(
    world: World, weight: float, old: float, new: float
) -> None:
    seen = observe(world, world.learner(weight, old=old, new=new), quadrature())

    assert seen.forward_kl >= -1e-9 and seen.reverse_kl >= -1e-9
    assert 0 <= seen.old_mass <= 1
    assert seen.drift == pytest.approx(abs(old))


def test_quadrature_agrees_with_another_integrator() -> None:
    world, learner = World(distance=4.0, share=0.3), World(distance=4.0).learner(0.7, old=0.5, new=-1)
    seen = observe(world, learner, quadrature())

    def p(x: float) -> float:
        return float(0.3 * norm.pdf(x) + 0.7 * norm.pdf(x, 4))

    def q(x: float) -> float:
        return float(0.7 * norm.pdf(x, 0.5) + 0.3 * norm.pdf(x, 3))

    assert seen.forward_kl == pytest.approx(
        quad(lambda x: p(x) * math.log(p(x) / q(x)), -15, 20, limit=200)[0], abs=1e-8
    )
    assert seen.reverse_kl == pytest.approx(
        quad(lambda x: q(x) * math.log(q(x) / p(x)), -15, 20, limit=200)[0], abs=1e-8
    )
    misses = quad(lambda x: norm.pdf(x, 0.5) * 0.7 * norm.pdf(x, 4) / p(x), -15, 20, limit=200)[0]
    assert seen.target_misses == pytest.approx(misses, abs=1e-8)
    mass = quad(q, -15, world.border, limit=200)[0]
    assert seen.old_mass == pytest.approx(mass, abs=1e-8)


def test_any_covariance_is_whitened_without_loss() -> None:
    rng = np.random.default_rng(5)
    root = rng.standard_normal((5, 5))
    old, new, covariance = rng.standard_normal(5), 2 * rng.standard_normal(5), root @ root.T + np.eye(5)

    world, frame = framed(old, new, covariance, share=0.3)

    apart = new - old
    assert world.distance == pytest.approx(math.sqrt(apart @ np.linalg.solve(covariance, apart)))
    assert frame.white(old) == pytest.approx(np.zeros(5), abs=1e-12)
    assert frame.white(new) == pytest.approx(world.new_only.new, abs=1e-12)
    points = rng.standard_normal((7, 5))
    assert frame.back(frame.white(points)) == pytest.approx(points)
    before, after = (multivariate_normal(mean, covariance) for mean in (old, new))
    x = before.rvs(200_000, random_state=1)
    overlap = np.exp((after.logpdf(x) - before.logpdf(x)) / 2).mean()
    assert overlap == pytest.approx(world.overlap, abs=0.01)
    there = 0.3 * before.pdf(points) + 0.7 * after.pdf(points)
    size = math.sqrt(np.linalg.det(covariance))
    assert np.exp(log_density(world.true, frame.white(points))) / size == pytest.approx(there)


def test_monte_carlo_in_ten_dimensions_observes_what_quadrature_does_in_one() -> None:
    flat, many = World(distance=3.0, share=0.4), World(distance=3.0, share=0.4, dimensions=10)
    cloud = monte_carlo(10, 100_000, np.random.default_rng(3))

    one, ten = (observe(w, w.learner(0.3, old=0.5, new=-0.5), c) for w, c in ((flat, quadrature()), (many, cloud)))

    assert np.array(ten) == pytest.approx(np.array(one), abs=0.005)


def test_a_weight_may_stay_while_the_old_mode_is_gone() -> None:
    """Capture: the old component sits on the new data, and its weight says nothing."""
    world = World(distance=4.0)
    captured = world.learner(0.4, old=4.0)

    assert captured.weight == pytest.approx(0.4)
    assert old_mass(world, captured) == pytest.approx(world.floor)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: World(distance=0.0), "distance of two modes"),
        (lambda: World(distance=float("nan")), "distance of two modes"),
        (lambda: World(distance=1.0, share=1.0), "share of the old mode"),
        (lambda: World(distance=1.0, dimensions=0), "count from 1"),
        (lambda: World(distance=1.0).learner(1.0), "weight of the old mode"),
        (lambda: World(distance=1.0).target("old"), "'new' or 'true'"),
        (lambda: framed(np.zeros(2), np.ones(2), np.eye(3)), "two means of n coordinates"),
        (lambda: framed(np.zeros(2), np.ones(2), -np.eye(2)), "positive eigenvalues"),
        (lambda: framed(np.zeros(2), np.zeros(2), np.eye(2)), "distance of two modes"),
    ],
)
def test_a_world_that_cannot_be_is_refused_with_a_sentence(made: object, words: str) -> None:
    with pytest.raises(SettingError, match=words):
        made()  # type: ignore[operator]
