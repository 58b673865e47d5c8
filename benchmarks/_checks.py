"""What is checked in each world: bias and coverage, sizes of tests, false discoveries, the published bias, a run against itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from _settings import Setting

from forgetmap.measure import METRICS
from forgetmap.measure.alternatives import published_unclipped
from forgetmap.measure.band import band, band_gain
from forgetmap.measure.cell_tests import luck, net_p
from forgetmap.measure.estimates import Bands, Estimates, Groups
from forgetmap.measure.net import net
from forgetmap.measure.noise import excess
from forgetmap.measure.raw import raw_loss
from forgetmap.measure.transitions import BAND, Pairs, swapped
from forgetmap.stats.arrays import Floats, totals
from forgetmap.stats.interval import tail
from forgetmap.stats.significance import benjamini_hochberg
from forgetmap.tables import load
from forgetmap.theory.know_or_guess import KnowOrGuess

LEVEL = 0.05
ROUNDING = 1e-12
MOST_ROWS = 100_000
MOST_STUDIES = 8_000
ENOUGH_STUDIES = 500
"""As many as tell how often each score is expected."""


class Finding(NamedTuple):
    """What one metric did in one world. `fewest` is the least expected number of items with any one score."""

    setting: str
    metric: str
    items: int
    bias: float
    coverage: float
    fewest: float
    rejected: float
    """How often the one-sided test of "at most 0" rejects."""


@dataclass(slots=True)
class Tally:
    """Sums over the studies of a world, as they come."""

    truth: float
    fewest: float
    studies: int = 0
    covered: int = 0
    rejected: int = 0
    total: float = 0.0

    def add(self, low: Floats, high: Floats, value: Floats) -> None:
        known = ~np.isnan(high)
        inside = (low <= self.truth + ROUNDING) & (self.truth - ROUNDING <= high)
        self.studies += int(known.sum())
        self.covered += int((inside & known).sum())
        self.total += float(value[known].sum())

    def finding(self, setting: Setting, metric: str) -> Finding:
        return Finding(
            setting=setting.name,
            metric=metric,
            items=setting.items,
            bias=self.total / self.studies - self.truth,
            coverage=self.covered / self.studies,
            fewest=self.fewest,
            rejected=self.rejected / self.studies,
        )


def portions(setting: Setting, tables: int) -> Iterator[tuple[Pairs, Groups]]:
    """The studies of a world, as many at a time as fit into memory."""
    counted = setting.law.draws == 1 and max(setting.law.passages) == 1
    at_once = MOST_STUDIES if counted else max(1, min(MOST_STUDIES, MOST_ROWS // setting.items))
    for number, start in enumerate(range(0, tables, at_once)):
        studies = min(at_once, tables - start)
        pairs = setting.law.simulate(items=setting.items, studies=studies, seed=setting.seed * 1_000 + number)
        yield pairs, Groups(pairs.leaf, studies)


def coverage(setting: Setting, tables: int) -> list[Finding]:
    """Bias and coverage of every default that has a value here, and of the bands where there is none."""
    tallies: dict[str, Tally] = {}
    for pairs, groups in portions(setting, tables):
        tallies = tallies or _tallies(setting.law, pairs, groups.size)
        for name, tally in tallies.items():
            found = _BANDS[name](pairs, groups) if name in _BANDS else _metric(name)(pairs, groups)
            tally.add(
                found.low, found.high, np.full(groups.size, tally.truth) if isinstance(found, Bands) else found.value
            )
            if name == "excess":
                tally.rejected += int((tail(found.sums) <= LEVEL).sum())
    return [tally.finding(setting, name) for name, tally in tallies.items()]


_BANDS = {"band of forgetting": band, "band of gain": band_gain}


def _metric(name: str) -> Callable[[Pairs, Groups], Estimates]:
    found: Callable[[Pairs, Groups], Estimates] = load(METRICS, name, group="metrics")
    return found


def _tallies(law: KnowOrGuess, pairs: Pairs, studies: int) -> dict[str, Tally]:
    """Empty tallies of what has something to say here, judged by some studies: a metric whose scores are not all alike, else a band."""
    studies = min(studies, ENOUGH_STUDIES)
    some = pairs.take(pairs.leaf < studies)
    rows = Groups(np.arange(len(some.leaf)), len(some.leaf))
    scores = {name: _metric(name)(some, rows).value for name in METRICS}
    items = {name: _items_by_score(score, some.items) / studies for name, score in scores.items()}
    found = {name: Tally(getattr(law, name), each.min()) for name, each in items.items() if len(each) > 1}
    if (pairs.status == BAND).all() and law.draws == 1:
        found |= {name: Tally(getattr(law, name.removeprefix("band of ")), 0.0) for name in _BANDS}
    return found


def _items_by_score(score: Floats, items: Floats) -> Floats:
    """How many items have each score that occurs."""
    used = ~np.isnan(score)
    _, where = np.unique(np.round(score[used], 9), return_inverse=True)
    return np.bincount(where, items[used])


def size_of_p_net(setting: Setting, tables: int) -> float:
    """How often `p_net` rejects although as much was gained as forgotten."""
    return _rejected(_net_p(pairs, groups) for pairs, groups in portions(setting, tables))


def size_of_p_luck(setting: Setting, tables: int) -> float:
    """How often `p_luck` rejects although nothing was forgotten."""
    return _rejected(_luck_p(pairs, groups) for pairs, groups in portions(setting, tables))


def _rejected(found: Iterator[Floats]) -> float:
    return float((np.concatenate(list(found)) <= LEVEL).mean())


def _net_p(pairs: Pairs, groups: Groups) -> Floats:
    lost, gained = (totals(groups.code, raw_loss(side) * pairs.items, groups.size) for side in (pairs, swapped(pairs)))
    nothing = np.zeros(groups.size)
    counts = {"n10": lost, "n01": gained, "draws_before": nothing, "draws_after": nothing}
    return net_p(net(pairs, groups), counts)


def _luck_p(pairs: Pairs, groups: Groups, at_once: int = 200) -> Floats:
    """In small portions, since the test looks at each group by itself."""
    by_band = np.full(at_once, bool((pairs.status == BAND).all()))
    found: list[float | None] = []
    for start in range(0, groups.size, at_once):
        first, last = np.searchsorted(groups.code, (start, start + at_once))
        studies = min(at_once, groups.size - start)
        some = pairs.take(np.arange(first, last))
        found += luck(some, Groups(some.leaf - start, studies), by_band[:studies])
    return np.array([np.nan if p is None else p for p in found])


def false_share(test: str, unchanged: Setting, changed: Setting, tables: int) -> float:
    """The share of false discoveries among all, mean over maps of 50 cells without and 25 with a change."""
    p = {"p": lambda pairs, groups: tail(excess(pairs, groups).sums), "p_net": _net_p}[test]
    null, true = (
        np.concatenate([p(*portion) for portion in portions(setting, number)])
        for setting, number in ((unchanged, tables), (changed, tables // 2))
    )
    shares = []
    for one, other in zip(null.reshape(-1, 50), true.reshape(-1, 25), strict=True):
        flagged = benjamini_hochberg(np.concatenate([one, other])) <= LEVEL
        shares.append(flagged[:50].sum() / max(1, flagged.sum()))
    return float(np.mean(shares))


def published_bias(setting: Setting, tables: int) -> float:
    """How far the published formula without its clip is from F − F/k + ((k−1)/k²)·Cov(K before, K after), mean over studies."""
    law = setting.law
    k = int(law.options)  # type: ignore[arg-type]
    both = law.known - law.forgotten
    related = both - law.known * (both + law.gained)
    expected = law.forgotten * (1 - 1 / k) + (k - 1) / k**2 * related
    found = np.concatenate([published_unclipped(*portion) for portion in portions(setting, tables)])
    return float(found.mean() - expected)
