"""What a metric returns, and how scores of items become estimates of groups."""

from typing import NamedTuple, Protocol

import numpy as np

from forgetmap.stats.arrays import Bools, Floats, Ints
from forgetmap.stats.interval import Sums, bounds, clustered, mean, sums
from forgetmap.stats.macro import macro

PADDED, CLUSTERED = "padded", "padded, clustered"
"""The one interval, of items by themselves and of items that share passages."""


class Groups(NamedTuple):
    """Which group each row of the pairs belongs to: integers, so that metrics know no taxonomy. −1 = none."""

    code: Ints
    size: int
    domains: Ints | None = None
    """Which domain each row belongs to, where domains are to count the same (macro); null where items do (micro)."""


class Rows(Protocol):
    """What sums need to know of rows: how many items each stands for, and which share a passage (−1 = alone)."""

    @property
    def items(self) -> Floats: ...

    @property
    def cluster(self) -> Ints: ...


class Estimates(NamedTuple):
    """Values with their intervals and what they rest on; one entry a group, NaN where a group has nothing to say."""

    value: Floats
    low: Floats
    high: Floats
    n: Ints
    method: str
    """Which interval, but for whether items are tied."""
    sums: Sums

    def method_at(self, place: int) -> str:
        """Which interval one group has: another where its items share passages."""
        return CLUSTERED if self.method == PADDED and self.sums.clusters[place] > 0 else self.method


class Bands(NamedTuple):
    """Where no value is identified: the values that the data allow, one entry a group, before and after widening."""

    least: Floats
    greatest: Floats
    low: Floats
    high: Floats
    n: Ints
    method: str
    sums: tuple[Sums, Sums]
    """What the lower and the upper end of the widened band rest on."""


def fold_scores(x: Floats, pairs: Rows, groups: Groups, used: Bools, ends: tuple[Floats, Floats]) -> Sums:
    """Sums of the item scores x over the used rows of each group, with their design effect where items are tied.

    Of macro groups the sums are those of the mean over domains.
    """
    if groups.domains is not None:
        return _over_domains(x, pairs, groups, used, ends)
    rows = used & (groups.code >= 0)
    code, count = groups.code[rows], pairs.items[rows]
    plain = sums(x[rows], count, code, groups.size, ends=(ends[0][rows], ends[1][rows]))
    cluster = pairs.cluster[rows]
    return plain if (cluster < 0).all() else clustered(plain, x[rows], code, cluster, count)


def _over_domains(x: Floats, pairs: Rows, groups: Groups, used: Bools, ends: tuple[Floats, Floats]) -> Sums:
    assert groups.domains is not None
    size = int(groups.domains.max(initial=-1)) + 1
    owner = np.full(size, -1, np.int64)
    owner[groups.domains] = groups.code
    return macro(fold_scores(x, pairs, Groups(groups.domains, size), used, ends), owner, groups.size)


def estimate(found: Sums, confidence: float) -> Estimates:
    """Plain means with the one interval."""
    low, high = bounds(found, confidence)
    return Estimates(mean(found), low, high, found.n.astype(np.int64), PADDED, found)
