"""Training on one's own samples without judging them: the old mode drifts to extinction by chance alone."""

import numpy as np
from scipy.special import expit, logit

from forgetmap.stats.arrays import Floats
from forgetmap.theory.two_modes.laws.batches import noise_ratio
from forgetmap.theory.two_modes.laws.claim import DERIVED, Axis, Claim, Curve, Shown, at_least, at_most, near

WEIGHT, RUNS, STEPS = 0.05, 2000, 3000
GONE = 0.01


def spread(weight: float, samples: int, steps: int, rate: float, share: float = 0.0) -> float:
    """Standard deviation of the log odds after few steps: rate·√(steps·b(1−b)/N), times √(variance ratio) with replay."""
    ratio = noise_ratio(weight, share) if share else 1.0
    return float(rate * np.sqrt(steps * weight * (1 - weight) * ratio / samples))


def self_trained(
    samples: int, steps: int, rng: np.random.Generator, *, rate: float = 1.0, share: float = 0.0
) -> Floats:
    """Log odds of many runs in which all own samples count alike: modes apart, so a batch is its number of old samples."""
    psi = np.full(RUNS, logit(WEIGHT))
    for _ in range(steps):
        b = expit(psi)
        from_old = share + (1 - share) * b
        seen = rng.binomial(samples, from_old) / samples
        # Every old sample pulls by (1−b)·b/ν_o, every new one by −b·(1−b)/ν_n.
        psi = psi + rate * b * (1 - b) * (seen / from_old - (1 - seen) / (1 - from_old))
    return np.asarray(psi)


def _show(rng: np.random.Generator) -> Shown:
    sizes = (8, 32, 128)
    gone = {
        (n, s): float((expit(self_trained(n, STEPS, rng, share=s)) < GONE).mean()) for n in sizes for s in (0.0, 0.1)
    }
    short = {s: self_trained(32, 100, rng, rate=0.2, share=s) for s in (0.0, 0.1)}
    mean_error = float(short[0.0].std()) / np.sqrt(RUNS)
    x = Axis("N, samples in a batch", "samples", np.array(sizes, float), log=True)
    return Shown(
        (
            near("mean of the log odds after 100 steps", short[0.0].mean(), logit(WEIGHT), within=4 * mean_error),
            near("their spread", short[0.0].std(), spread(WEIGHT, 32, 100, 0.2), share=0.08),
            near("their spread with 10 % replay", short[0.1].std(), spread(WEIGHT, 32, 100, 0.2, 0.1), share=0.08),
            at_least("runs that lost the old mode, N = 8", gone[8, 0.0], 0.4),
            at_most("runs that lost the old mode, N = 128", gone[128, 0.0], 0.05),
            *(at_most(f"with 10 % replay against without, N = {n}", gone[n, 0.1], 0.5 * gone[n, 0.0]) for n in (8, 32)),
        ),
        tuple(
            Curve(
                f"runs that fell from b = .05 below .01 in 3000 steps, {name}",
                x,
                Axis("share of runs", "1", np.array([gone[n, s] for n in sizes])),
            )
            for s, name in ((0.0, "no replay"), (0.1, "10 % weighted replay"))
        ),
    )


EXTINCTION = Claim(
    says="Self-training on unjudged samples leaves the log odds where they are on average, and loses the old mode in many a run.",
    formula="E ψ constant;  sd ψ ≈ rate·√(steps·b(1−b)/N) at first",
    assumes="modes apart; learning rate 1; every sample counts alike (rejection of none)",
    source=DERIVED,
    show=_show,
)
