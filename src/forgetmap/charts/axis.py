"""Scales: round steps for shares in percent, and places for values."""

from collections.abc import Iterable
from math import floor, log10
from typing import NamedTuple

_ROUND = (1, 2, 5, 10)


class Scale(NamedTuple):
    """A straight scale from values to places, with its steps."""

    low: float
    high: float
    start: float
    end: float
    steps: tuple[float, ...]

    def at(self, value: float) -> float:
        """The place of a value; what lies beyond the scale is drawn at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def scale(values: Iterable[float | None], start: float, end: float, *, zero: bool = True, about: int = 5) -> Scale:
    """A scale with round steps that holds all values, and 0 if `zero`.

    >>> scale([0.02, 0.137], 0, 100).steps
    (0.0, 0.05, 0.1, 0.15)
    >>> scale([-0.013, 0.04], 0, 100).low
    -0.02
    """
    known = [value for value in values if value is not None] + ([0.0] if zero else [])
    low, high = min(known, default=0.0), max(known, default=0.0)
    step = _step((high - low) or 0.01, about)
    first, last = floor(low / step + 1e-9), -floor(-high / step + 1e-9)
    last = max(last, first + 1)
    steps = tuple(round(place * step, 9) for place in range(first, last + 1))
    return Scale(steps[0], steps[-1], start, end, steps)


def _step(span: float, about: int) -> float:
    rough = span / about
    power = 10.0 ** floor(log10(rough))
    return next(step * power for step in _ROUND if step * power >= rough * (1 - 1e-9))


def percent_tick(value: float) -> str:
    """A step in percent, in as few signs as say it.

    >>> percent_tick(0.05), percent_tick(0.125), percent_tick(-0.02)
    ('5', '12.5', '−2')
    """
    return f"{100 * value:.4g}".replace("-", "−")
