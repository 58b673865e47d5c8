"""How fast the two-mode lab is, against what one would write without it. The ratios and their goals:

flow_over_scipy         time of `solve_ivp` with `quad` for every expectation, over that of `flow`, to 10⁵ steps of SFT in one dimension;
                        of all methods and tolerances that come as close to the exact end as `flow` does, the fastest     ≥ 5
monte_carlo_over_loop   time of a plain loop over samples, over that of `sgd`, in 10 dimensions, as many samples each      ≥ 20

With --quick a tenth of the samples of the second.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.special import expit

from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.dynamics.sgd import Draws, sgd
from forgetmap.theory.two_modes.objectives.kl import forward_kl
from forgetmap.theory.two_modes.world import World

STEPS, RATE = 10**5, 0.1
DISTANCE = 4.0
METHODS = ("LSODA", "BDF", "Radau")
"""RK45, the default, is left out in its own favour: held to small steps, it took 13 s for a tolerance of 1e-7."""
DIMENSIONS, SAMPLES = 10, 64


def timed(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """The shortest of some times, and what came out."""
    best, found = math.inf, None
    for _ in range(times):
        start = time.perf_counter()
        found = work()
        best = min(best, time.perf_counter() - start)
    return best, found


def plain_slope(_: float, y: np.ndarray) -> list[float]:
    """SFT on new data, by the definition: three integrals over the new mode."""
    psi, old, new = y
    b = expit(psi)

    def r(x: float) -> float:
        return float(expit(psi + (old - new) * (x - (old + new) / 2)))

    def expected(f: Callable[[float], float]) -> float:
        def density(x: float) -> float:
            return f(x) * math.exp(-((x - DISTANCE) ** 2) / 2) / math.sqrt(2 * math.pi)

        return float(quad(density, DISTANCE - 9, DISTANCE + 9, epsabs=1e-12, epsrel=1e-10)[0])

    return [expected(r) - b, expected(lambda x: r(x) * (x - old)), expected(lambda x: (1 - r(x)) * (x - new))]


def plain_flow(method: str, tolerance: float) -> np.ndarray:
    end = STEPS * RATE
    solved = solve_ivp(
        plain_slope, (0, end), [0.0, 0.0, DISTANCE], method, [end], rtol=tolerance, atol=tolerance * 1e-2
    )
    return np.asarray(solved.y[:, -1])


def flow_over_scipy() -> float:
    world = World(distance=DISTANCE)
    start = world.learner(0.5)
    seconds, path = timed(lambda: flow(forward_kl(world, start), start, np.array([STEPS * RATE])))
    ours = np.array([path.last.log_odds, path.last.old[0], path.last.new[0]])
    exact = plain_flow("LSODA", 1e-12)
    error = float(abs(ours - exact).max())
    print(f"flow to {STEPS:,} steps of {RATE}: {seconds:.4f} s, error {error:.1e}")
    fastest = math.inf
    for method in METHODS:
        for tolerance in (1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
            taken, found = timed(lambda m=method, t=tolerance: plain_flow(m, t), 1)  # type: ignore[misc]
            off = float(abs(found - exact).max())
            if off <= max(error, 1e-9):
                print(f"solve_ivp, {method}, {tolerance:g}: {taken:.2f} s, error {off:.1e}")
                fastest = min(fastest, taken)
                break
            if taken > fastest:
                break
    return fastest / seconds


def plain_sgd(steps: int, seed: int) -> list[float]:
    """SFT by single samples and single coordinates."""
    rng = random.Random(seed)
    psi, old, new = 0.0, [0.0] * DIMENSIONS, [DISTANCE] + [0.0] * (DIMENSIONS - 1)
    for _ in range(steps):
        b = 1 / (1 + math.exp(-psi))
        level = psi - sum((o - n) * (o + n) for o, n in zip(old, new, strict=True)) / 2
        to_psi, to_old, to_new = 0.0, [0.0] * DIMENSIONS, [0.0] * DIMENSIONS
        for _ in range(SAMPLES):
            x = [rng.gauss(0, 1) for _ in range(DIMENSIONS)]
            x[0] += DISTANCE
            r = 1 / (1 + math.exp(-level - sum((o - n) * c for o, n, c in zip(old, new, x, strict=True))))
            to_psi += r - b
            for place, c in enumerate(x):
                to_old[place] += r * (c - old[place])
                to_new[place] += (1 - r) * (c - new[place])
        psi += RATE * to_psi / SAMPLES
        old = [o + RATE * f / SAMPLES for o, f in zip(old, to_old, strict=True)]
        new = [n + RATE * f / SAMPLES for n, f in zip(new, to_new, strict=True)]
    return [psi, old[0], new[0]]


def monte_carlo_over_loop(steps: int, runs: int) -> float:
    world = World(distance=DISTANCE, dimensions=DIMENSIONS)
    start, times = world.learner(0.5), np.array([steps * RATE])

    def ours() -> Any:
        return sgd(
            forward_kl(world, start), start, times, draws=Draws(np.random.default_rng(1), SAMPLES, runs), rate=RATE
        ).last

    seconds, last = timed(ours)
    loop, ends = timed(lambda: [plain_sgd(steps, seed) for seed in range(runs)], 1)
    print(
        f"{runs} runs of {steps} steps of {SAMPLES} samples in {DIMENSIONS} dimensions: {seconds:.3f} s, plain loop {loop:.2f} s"
    )
    # Both must tell one story, else the ratio says nothing.
    by_run = np.array(ends)[:, 0]
    error = math.hypot(by_run.std(), float(last.log_odds.std())) / math.sqrt(runs)
    off = abs(float(last.log_odds.mean() - by_run.mean()))
    print(f"mean log odds {last.log_odds.mean():.4f} and {by_run.mean():.4f}, {off / error:.1f} standard errors apart")
    if off > 5 * error:
        raise SystemExit("the plain loop and sgd end in different places")
    return loop / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the samples")
    runs = 16 if parser.parse_args().quick else 160
    ratios = {"flow_over_scipy": flow_over_scipy(), "monte_carlo_over_loop": monte_carlo_over_loop(100, runs)}
    print(json.dumps({"benchmark": "theory", "ratios": {name: round(ratio, 2) for name, ratio in ratios.items()}}))


if __name__ == "__main__":
    main()
