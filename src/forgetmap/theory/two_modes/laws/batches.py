"""Finite batches: when the old mode is never seen, and what weighted replay does about it."""

import numpy as np

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.cloud import around, old_share, quadrature
from forgetmap.theory.two_modes.dynamics.sgd import drawn
from forgetmap.theory.two_modes.laws.claim import BOTH, Axis, Claim, Curve, Figure, Shown, at_least, at_most, near
from forgetmap.theory.two_modes.objectives.kl import reverse_kl
from forgetmap.theory.two_modes.objectives.replay import weighted_replay
from forgetmap.theory.two_modes.terms import Pull, Source, force, samples_of
from forgetmap.theory.two_modes.world import World


def starved(weight: float, samples: Floats, share: float = 0.0) -> Floats:
    """P(no old sample among N) = ((1−λ)(1−b))^N.

    >>> round(float(starved(0.01, np.array(64))), 4)
    0.5256
    """
    return np.asarray(((1 - share) * (1 - weight)) ** samples)


def samples_needed(weight: float, batches: int, risk: float) -> float:
    """N with which every one of T batches holds an old sample with probability 1 − z or more: ln(T/z)/(−ln(1−b)).

    >>> round(samples_needed(0.02, 100, 0.05))
    376
    """
    return float(np.log(batches / risk) / -np.log1p(-weight))


def noise_ratio(weight: float, share: float) -> float:
    """Variance of the weight's gradient with weighted replay over that without: b(1−b)/(ν_o·ν_n)."""
    from_new = (1 - share) * (1 - weight)
    return weight * (1 - weight) / ((1 - from_new) * from_new)


def _starvation(rng: np.random.Generator) -> Shown:
    world, sizes, batches = World(distance=10.0), np.array([4, 8, 16, 32, 64, 128]), 20_000
    source = samples_of(world.learner(0.01))
    share = np.array([_unseen(world, source, (batches, int(n)), rng) for n in sizes])
    predicted = starved(0.01, sizes)
    slack = 4 * np.sqrt(predicted * (1 - predicted) / batches)
    rounds, risk = 100, 0.1
    needed = int(np.ceil(samples_needed(0.02, rounds, risk)))
    seen = (rng.binomial(needed, 0.02, (4000, rounds)) > 0).all(axis=1).mean()
    return Shown(
        (
            *(
                near(f"starved batches, N = {n}", s, p, within=e)
                for n, s, p, e in zip(sizes, share, predicted, slack, strict=True)
            ),
            at_least(f"chance that all {rounds} batches of {needed} see the old mode", seen, 1 - risk - 0.02),
        ),
        (
            Curve(
                "batches without an old sample, b = .01",
                Axis("N, samples in a batch", "samples", sizes.astype(float), log=True),
                Axis("share of batches", "1", share),
                predicted,
            ),
        ),
    )


def _unseen(world: World, source: Source, shape: tuple[int, int], rng: np.random.Generator) -> float:
    x = drawn(tuple((np.asarray(share), mean) for share, mean in source), shape, rng)[..., 0]
    return float((x > world.border).all(axis=-1).mean())


def _weighted(rng: np.random.Generator) -> Shown:
    world, cloud, figures = World(distance=8.0), quadrature(), list[Figure]()
    for weight, share in ((0.01, 0.1), (0.001, 0.1), (0.05, 0.3)):
        learner, case = world.learner(weight), f"b = {weight}, λ = {share}"
        pull = weighted_replay(world, learner, share=share)(learner, cloud)[0]
        assert isinstance(pull, Pull) and pull.ratio is not None
        points = np.concatenate([around(mean, cloud) for _, mean in pull.source])
        likely = np.concatenate([part * cloud.weights for part, _ in pull.source])
        w, r = pull.ratio(points), old_share(learner, points)
        variance = likely @ (w * (r - weight)) ** 2
        figures += [
            at_most(f"largest weight, {case}", float(w.max()), 1 / (1 - share)),
            near(f"mean weight, {case}", float(likely @ w), 1, within=1e-9),
            at_least(f"effective share of samples, {case}", float(1 / (likely @ w**2)), 1 - share),
            near(
                f"variance over that without, {case}",
                variance / (weight * (1 - weight)),
                noise_ratio(weight, share),
                share=0.03,
            ),
        ]
    learner = world.learner(0.2, old=0.3)
    plain, replayed = (
        force(made(world, learner)(learner, cloud), learner, cloud) for made in (reverse_kl, weighted_replay)
    )
    worst = max(float(abs(a - b).max()) for a, b in zip(plain, replayed, strict=True))
    found = _unseen(world, pull_source(world, 0.01, 0.1), (20_000, 16), rng)
    predicted = float(starved(0.01, np.array(16), 0.1))
    return Shown(
        (
            *figures,
            at_most("largest difference of the mean force from that without replay", worst, 1e-9),
            near("starved batches of 16, b = .01, λ = .1", found, predicted, within=0.011),
        )
    )


def pull_source(world: World, weight: float, share: float) -> Source:
    """Where weighted replay draws from, for a learner of this weight."""
    learner = world.learner(weight)
    pull = weighted_replay(world, learner, share=share)(learner, quadrature())[0]
    assert isinstance(pull, Pull)
    return pull.source


STARVATION = Claim(
    says="A batch of N of the model's own samples misses an old mode of weight b with probability (1−b)^N.",
    formula="P = (1−b)^N;  N ≥ ln(T/z)/(−ln(1−b)) to see it in each of T batches with probability 1−z",
    assumes="samples independent; modes apart",
    source=BOTH,
    show=_starvation,
)
WEIGHTED = Claim(
    says="Replay with importance weights leaves the objective of reverse KL as it is, bounds its weights, and keeps batches from starving.",
    formula="w ≤ 1/(1−λ);  effective N ≥ (1−λ)N;  P = ((1−λ)(1−b))^N;  variance ratio b(1−b)/(ν_o ν_n)",
    assumes="replayed data are the old mode's own; variance: modes apart",
    source=BOTH,
    show=_weighted,
)
