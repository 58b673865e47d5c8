"""Equations whose forces fade: steps grow without bound and end at a fixed point without a stumble.

Extrapolated linearly implicit Euler (Deuflhard; Hairer and Wanner II, IV.9): each step solves linear equations only. Methods with a
Newton iteration, and those that change to explicit steps, stall where the force is down to rounding and a step spans 10⁵ times the
slowest motion.
"""

from collections.abc import Callable

import numpy as np

from forgetmap.errors import InternalError
from forgetmap.stats.arrays import Floats

Slope = Callable[[Floats], Floats]
"""The force at a point; at many where the points have leading axes."""

PARTS = np.arange(1, 7)
"""A step is made in 1, 2, … 6 parts, and the results extrapolated to infinitely many."""
DIFFERENCE = 1e-6
MOST_STEPS = 100_000


def integrate(slope: Slope, start: Floats, times: Floats, *, relative: float = 1e-8, absolute: float = 1e-10) -> Floats:
    """The point at each time (rows), from `start` at 0."""
    now, at, found, steps = 0.0, start, [], 0
    step = 1e-2
    for time in times:
        while now < time:
            whole = min(step, float(time) - now)
            then, error = _step(slope, at, whole, relative, absolute)
            if error <= 1:
                at, now = then, float(time) if whole == time - now else now + whole
            # A step cut short by the time asked for says nothing against a longer one.
            grown = whole * min(8.0, max(0.1, 0.8 * max(error, 1e-12) ** (-1 / len(PARTS))))
            step = grown if error > 1 or whole == step else max(step, grown)
            steps += 1
            if steps > MOST_STEPS:
                raise InternalError(
                    f"a flow was to end at time {times[-1]:g} and had come to {now:g} after {steps} steps."
                )
        found.append(at)
    return np.stack(found)


def _step(slope: Slope, start: Floats, whole: float, relative: float, absolute: float) -> tuple[Floats, float]:
    """Where a step leads, and its error over what is allowed."""
    jacobian, first, rough = curvature(slope, start), slope(start), list[Floats]()
    for parts in PARTS:
        size = whole / parts
        solver = np.linalg.inv(np.eye(len(start)) - size * jacobian)
        point = start + solver @ (size * first)
        for _ in range(parts - 1):
            point = point + solver @ (size * slope(point))
        rough.append(point)
    end, before = _extrapolated(rough)
    error = np.abs(end - before) / (absolute + relative * np.maximum(np.abs(start), np.abs(end)))
    largest = float(error.max())
    return end, largest if np.isfinite(largest) else 1e12


def _extrapolated(rough: list[Floats]) -> tuple[Floats, Floats]:
    """To parts of no size: the last two of the best row."""
    row: list[Floats] = []
    for number, point in enumerate(rough):
        above, row = row, [point]
        for order in range(1, number + 1):
            ratio = PARTS[number] / PARTS[number - order]
            row.append(row[-1] + (row[-1] - above[order - 1]) / (ratio - 1))
    return row[-1], row[-2]


def curvature(slope: Slope, at: Floats) -> Floats:
    """The Jacobian, by differences in all directions at once."""
    moves = DIFFERENCE * np.eye(len(at))
    up, down = np.split(slope(at + np.concatenate([moves, -moves])), 2)
    return np.asarray((up - down).T / (2 * DIFFERENCE))
