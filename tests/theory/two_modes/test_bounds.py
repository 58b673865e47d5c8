"""Bounds that no world may break, in random ones."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from forgetmap.theory.two_modes.cloud import around, quadrature
from forgetmap.theory.two_modes.dynamics.flow import flattened, flow
from forgetmap.theory.two_modes.laws.conditioning import hessian, weight_curvature_bound
from forgetmap.theory.two_modes.laws.entropic import saturation_bound, tilt_push
from forgetmap.theory.two_modes.laws.overlap import new_misses_bound
from forgetmap.theory.two_modes.laws.penalties import forward_anchor_weight
from forgetmap.theory.two_modes.laws.sft import trained
from forgetmap.theory.two_modes.objectives.anchors import forward_anchor
from forgetmap.theory.two_modes.objectives.entropic import entropic
from forgetmap.theory.two_modes.objectives.kl import reverse_kl
from forgetmap.theory.two_modes.objectives.replay import replay, weighted_replay
from forgetmap.theory.two_modes.observe import new_responsibility, old_mass
from forgetmap.theory.two_modes.terms import Pull, force
from forgetmap.theory.two_modes.world import World

DISTANCES, SHARES, OFF = st.floats(0.3, 10), st.floats(0.02, 0.98), st.floats(-1.5, 1.5)


@given(DISTANCES, SHARES, st.floats(0.01, 0.9), OFF, OFF)
@settings(max_examples=100, deadline=None)
def test_importance_weights_are_bounded_unbiased_and_cost_few_samples(
    distance: float, weight: float, share: float, old: float, new: float
) -> None:
    world, cloud = World(distance=distance), quadrature()
    learner = world.learner(weight, old=old, new=new)
    pull = weighted_replay(world, learner, share=share)(learner, cloud)[0]
    assert isinstance(pull, Pull) and pull.ratio is not None

    w = np.concatenate([pull.ratio(around(mean, cloud)) for _, mean in pull.source])
    likely = np.concatenate([part * cloud.weights for part, _ in pull.source])
    assert w.max() <= 1 / (1 - share) * (1 + 1e-12)
    assert likely @ w == pytest.approx(1, abs=1e-9)
    assert 1 / (likely @ w**2) >= (1 - share) * (1 - 1e-9)
    plain = force(reverse_kl(world, learner)(learner, cloud), learner, cloud)
    replayed = force((pull,), learner, cloud)
    assert flattened(replayed) == pytest.approx(flattened(plain), abs=1e-7)


@given(DISTANCES, SHARES)
@settings(max_examples=25, deadline=None)
def test_sft_on_new_data_never_lets_the_old_weight_rise(distance: float, weight: float) -> None:
    world = World(distance=distance)

    b = trained(world, np.geomspace(0.1, 1e4, 12), weight).learners.weight

    assert b[0] < weight
    assert (np.diff(b) < 0).all()
    assert new_responsibility(world, world.learner(weight), quadrature()) <= min(
        weight, new_misses_bound(weight, distance)
    )


@given(st.floats(0.8, 8), SHARES, st.floats(0.05, 3))
@settings(max_examples=15, deadline=None)
def test_a_forward_anchor_keeps_what_its_formula_says_at_any_overlap(
    distance: float, weight: float, strength: float
) -> None:
    world = World(distance=distance)
    start = world.learner(weight)
    kept = forward_anchor_weight(strength, weight)

    last = world.learner(kept)

    pushed = force(forward_anchor(world, start, strength=strength)(last, quadrature()), last, quadrature())
    assert flattened(pushed) == pytest.approx(np.zeros(3), abs=1e-9)


@given(st.floats(0.8, 8), SHARES)
@settings(max_examples=15, deadline=None)
def test_replay_rests_where_the_weight_is_its_share(distance: float, share: float) -> None:
    world = World(distance=distance)
    rest = world.learner(share)

    pushed = force(replay(world, rest, share=share)(rest, quadrature()), rest, quadrature())

    assert flattened(pushed) == pytest.approx(np.zeros(3), abs=1e-9)


@given(st.floats(9, 12), st.floats(0.3, 3), st.floats(0.1, 50), st.floats(0.2, 5))
@settings(max_examples=12, deadline=None)
def test_an_anchor_bounds_what_any_tilt_and_any_reward_can_cost(
    distance: float, anchor: float, tilt: float, gap: float
) -> None:
    world = World(distance=distance)
    start = world.learner(0.5)

    last = flow(entropic(world, start, tilt=tilt, gap=gap, anchor=anchor), start, np.array([300.0])).last

    assert float(np.exp(last.log_odds)) >= saturation_bound(anchor, float(last.weight)) * (1 - 1e-3)


@given(SHARES, st.floats(0, 700))
def test_the_pressure_of_a_tilt_saturates(weight: float, tilted: float) -> None:
    assert 0 <= tilt_push(weight, tilted) <= 1 / (1 - weight) * (1 + 1e-12)


@given(st.floats(0.3, 9), SHARES)
@settings(max_examples=60, deadline=None)
def test_the_curvature_of_the_weight_is_at_least_its_bound(distance: float, share: float) -> None:
    world = World(distance=distance, share=share)

    curvature = hessian(world)

    assert curvature[0, 0] >= weight_curvature_bound(share, distance) - 1e-7
    assert curvature == pytest.approx(curvature.T, abs=1e-6)
    assert np.linalg.eigvalsh((curvature + curvature.T) / 2)[0] > -1e-6


@given(st.floats(3, 8), st.floats(0.1, 0.9), st.floats(0.05, 0.95))
@settings(max_examples=15, deadline=None)
def test_reverse_kl_to_the_true_target_brings_back_what_it_holds(distance: float, share: float, weight: float) -> None:
    world = World(distance=distance, share=share)
    assume(abs(weight - share) > 0.01)

    last = flow(reverse_kl(world, world.true), world.learner(weight), np.array([2000.0])).last

    assert old_mass(world, last) == pytest.approx(float(old_mass(world, world.true)), abs=1e-4)
