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
