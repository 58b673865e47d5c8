"""The padded interval of `option` forgetting beside the score interval with restricted maximum likelihood: slower, and for tables of one k.

F = a·p10 − (a/r)·p_other with a = k/(k−1) and r = k−2. If F = f, then with α = f/a and μ = (1 + rα)/(1 + r) the likelihood is
greatest where p10 is the larger root of N·p² − (n10·(μ+α) + n_other·μ + n_rest·α)·p + n10·α·μ = 0, and p_other = r·(p10 − α).
"""

from typing import NamedTuple

import numpy as np
import pytest

from forgetmap.stats.arrays import Floats
from forgetmap.stats.interval import bounds, sums

Z = 1.959963984540054
STUDIES = 3000


class Tables(NamedTuple):
    """Counts of one study an entry: right→wrong, wrong→other wrong, and all else."""

    lost: Floats
    other: Floats
    rest: Floats
    k: int

    @property
    def forgetting(self) -> Floats:
        n = self.lost + self.other + self.rest
        return self.k / (self.k - 1) * (self.lost - self.other / (self.k - 2)) / n


def by_score(tables: Tables) -> tuple[Floats, Floats]:
    """Where the score test of each f stops to reject, found by halving from the estimate outwards."""
    top = tables.k / (tables.k - 1)
    ends = []
    for limit in (-top / (tables.k - 2), top):
        inside, outside = tables.forgetting, np.full(len(tables.lost), limit)
        for _ in range(50):
            middle = (inside + outside) / 2
            kept = _kept(tables, middle)
            inside, outside = np.where(kept, middle, inside), np.where(kept, outside, middle)
        ends.append(inside)
    return ends[0], ends[1]


def _kept(tables: Tables, f: Floats) -> Floats:
    lost, other, rest, k = tables
    n, top, r = lost + other + rest, k / (k - 1), k - 2
    alpha, mu = f / top, (1 + r * f / top) / (1 + r)
    slope = lost * (mu + alpha) + other * mu + rest * alpha
    root = (slope + np.sqrt(np.maximum(slope**2 - 4 * n * lost * alpha * mu, 0))) / (2 * n)
    variance = top**2 * root + (top / r) ** 2 * r * (root - alpha) - f**2
    return (tables.forgetting - f) ** 2 <= Z**2 * np.maximum(variance, 0) / n


def by_padding(tables: Tables) -> tuple[Floats, Floats]:
    top, r = tables.k / (tables.k - 1), tables.k - 2
    x = np.tile([top, -top / r, 0.0], STUDIES)
    count = np.stack([tables.lost, tables.other, tables.rest], axis=1).ravel()
    ends = np.full(len(x), -top / r), np.full(len(x), top)
    low, high = bounds(sums(x, count, np.repeat(np.arange(STUDIES), 3), STUDIES, ends=ends), 0.95)
    return low, high


def studies(k: int, n: int, *, forgotten: float, never: float) -> Tables:
    """Tables of independent guesses."""
    c = 1 / k
    lost, other = (1 - c) * (forgotten + c * never), (1 - c) * never * (k - 2) / k
    counts = np.random.default_rng(k * n).multinomial(n, [lost, other, 1 - lost - other], STUDIES)
    return Tables(*counts.T.astype(float), k=k)


@pytest.mark.parametrize("k", [3, 4, 10])
@pytest.mark.parametrize("n", [100, 500])
@pytest.mark.parametrize(("forgotten", "never"), [(0.02, 0.2), (0.2, 0.4)])
def test_padding_covers_as_the_score_interval_does_and_is_hardly_wider(
    k: int, n: int, forgotten: float, never: float
) -> None:
    tables = studies(k, n, forgotten=forgotten, never=never)

    covers, widths = [], []
    for low, high in (by_padding(tables), by_score(tables)):
        covers.append(((low <= forgotten) & (forgotten <= high)).mean())
        widths.append((high - low).mean())

    assert min(covers) >= 0.935
    assert widths[0] == pytest.approx(widths[1], rel=0.25 if n == 100 else 0.06)


@pytest.mark.parametrize("k", [3, 4, 10])
def test_with_many_items_the_two_have_the_same_ends(k: int) -> None:
    tables = studies(k, 3000, forgotten=0.1, never=0.3)
    padded, score = by_padding(tables), by_score(tables)
    width = (score[1] - score[0]).mean()

    assert padded[0] == pytest.approx(score[0], abs=0.04 * width)
    assert padded[1] == pytest.approx(score[1], abs=0.04 * width)
