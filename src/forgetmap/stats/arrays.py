"""Names for arrays, and the one way to sum over groups."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def totals(group: Ints, x: Floats, groups: int) -> Floats:
    """Sum of x over each group.

    >>> totals(np.array([0, 1, 1]), np.array([1.0, 2.0, 3.0]), 3).tolist()
    [1.0, 5.0, 0.0]
    """
    return np.asarray(np.bincount(group, x, groups), dtype=np.float64)


def in_order(codes: Ints) -> tuple[Ints, Ints]:
    """Codes renumbered from 0 in the order in which they first come, and where each comes first.

    >>> number, first = in_order(np.array([7, 5, 7, 6]))
    >>> number.tolist(), first.tolist()
    ([0, 1, 0, 2], [0, 1, 3])
    """
    if not len(codes):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    codes = codes - codes.min()
    places = np.arange(len(codes))
    first = np.full(int(codes.max()) + 1, len(codes))
    # Of equal indices the last assignment counts.
    first[codes[::-1]] = places[::-1]
    order = np.argsort(first, kind="stable")[: int((first < len(codes)).sum())]
    number = np.empty(len(first), np.int64)
    number[order] = np.arange(len(order))
    return number[codes], first[order]
