"""What a claim is, and what is found when it is tried: figures with what was predicted, and curves."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from forgetmap.stats.arrays import Floats

ABSTRACT = "abstract of arXiv 2603.12163"
DERIVED = "derived here"
BOTH = f"{ABSTRACT}; formula and constants {DERIVED}"


class Figure(NamedTuple):
    """One number found by simulation, and the range it was predicted to lie in."""

    name: str
    found: float
    predicted: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        return self.low <= self.found <= self.high


class Axis(NamedTuple):
    """A column of numbers with its name and unit; `log` where it is read on a logarithmic scale."""

    name: str
    unit: str
    values: Floats
    log: bool = False


class Curve(NamedTuple):
    """What was simulated against x, and the predicted line to be drawn on it (no values where none is predicted)."""

    name: str
    x: Axis
    simulated: Axis
    predicted: Floats = np.empty(0)


class Shown(NamedTuple):
    """All that one trial of a claim gives."""

    figures: tuple[Figure, ...]
    curves: tuple[Curve, ...] = ()


class Claim(NamedTuple):
    """A sentence that can fail, and how it is tried."""

    says: str
    formula: str
    assumes: str
    source: str
    """Whose it is: what the paper's abstract announces, or what was derived here. Constants are never the paper's."""
    show: Callable[[np.random.Generator], Shown]
    against: str = ""
    """The common belief that it falsifies."""
    known_to_fail: str = ""
    """Why it is kept although its verdict is "fails"."""


def near(
    name: str, found: float | Floats, predicted: float | Floats, *, share: float = 0.0, within: float = 0.0
) -> Figure:
    """A figure that must meet its prediction up to this share of it or this much.

    >>> near("slope", -0.99, -1.0, share=0.15).holds
    True
    """
    middle = float(predicted)
    slack = max(share * abs(middle), within)
    return Figure(name, float(found), middle, middle - slack, middle + slack)


def at_most(name: str, found: float, bound: float) -> Figure:
    """A figure that must not exceed its bound (beyond rounding)."""
    return Figure(name, float(found), float(bound), float("-inf"), float(bound) + 1e-9 * abs(float(bound)))


def at_least(name: str, found: float, bound: float) -> Figure:
    """A figure that must reach its bound."""
    return Figure(name, float(found), float(bound), float(bound) - 1e-9 * abs(float(bound)), float("inf"))


def slope(x: Floats, y: Floats) -> float:
    """Of the straight line through points by least squares."""
    return float(np.polyfit(x, y, 1)[0])


def log_slope(x: Floats, y: Floats) -> float:
    """The power of x that y goes with."""
    return slope(np.log(x), np.log(y))
