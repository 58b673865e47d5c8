"""One quantity over the seeds of one recipe: its mean, and how sure it is of other items, other seeds, and both."""

from typing import Any, NamedTuple

import numpy as np

from forgetmap.measure.estimates import Groups, Rows, fold_scores
from forgetmap.measure.numbers import number
from forgetmap.stats.arrays import Bools, Floats
from forgetmap.stats.interval import Bounds, mean
from forgetmap.stats.seeds import OverSeeds, over_seeds

METRICS = ("forgetting", "gain", "net")
"""What has a mean over seeds in every cell of a recipe."""
ONE_SEED = "one seed: the error between seeds needs at least two"


class SeedEstimate(NamedTuple):
    """A mean over seeds. What needs several seeds is null where there is one."""

    value: float
    sd: float | None
    """Of the seeds' own values."""
    within: tuple[float, float] | None
    """If other items were asked of these seeds."""
    between: tuple[float, float] | None
    """If other seeds of the recipe were asked these items."""
    both: tuple[float, float] | None
    """If other seeds were asked other items."""
    by_seed: tuple[float, ...]
    n: int

    @property
    def seeds(self) -> int:
        return len(self.by_seed)

    def to_dict(self) -> dict[str, Any]:
        pairs = {name: self._asdict()[name] for name in ("within", "between", "both")}
        shown = {name: None if pair is None else list(pair) for name, pair in pairs.items()}
        return {**self._asdict(), **shown, "by_seed": list(self.by_seed), "seeds": self.seeds}


def estimates_over_seeds(
    by_seed: list[Floats], rows: Rows, groups: Groups, used: Bools, ends: tuple[Floats, Floats], confidence: float
) -> list[SeedEstimate | None]:
    """One entry a group, from the scores of every item under every seed; null for a group without an item that is used."""
    within = fold_scores(np.mean(by_seed, axis=0), rows, groups, used, ends)
    means = np.stack([mean(fold_scores(x, rows, groups, used, ends)) for x in by_seed], axis=1)
    found = over_seeds(means, within, confidence)
    return [_at(found, means, place, int(n)) for place, n in enumerate(within.n)]


def _at(found: OverSeeds, means: Floats, place: int, n: int) -> SeedEstimate | None:
    value = number(found.value[place])
    if value is None:
        return None
    within, between, both = (_pair(one, place) for one in (found.within, found.between, found.both))
    by_seed = tuple(float(one) for one in means[place])
    return SeedEstimate(value, number(found.sd[place]), within, between, both, by_seed, n)


def _pair(found: Bounds, place: int) -> tuple[float, float] | None:
    low, high = number(found.low[place]), number(found.high[place])
    return None if low is None or high is None else (low, high)
