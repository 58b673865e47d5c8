"""A law of knowing or guessing at any number of stages: answers drawn item by item, with the shares of paths that they came from."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from forgetmap.measure.align import Aligned
from forgetmap.measure.columns import NO_CHOICE, RIGHT, UNPARSED, WRONG, Columns, Items
from forgetmap.measure.estimates import Groups
from forgetmap.measure.path_cells import Estimated, estimated
from forgetmap.measure.path_scores import keys, score_items
from forgetmap.stats.arrays import Floats


@dataclass(frozen=True, kw_only=True)
class StageLaw:
    """Shares of items by their path; a guess is the item's habit with probability √λ, else it falls on all options alike."""

    paths: Mapping[str, float]
    options: int = 4
    """0 = open."""
    golds: int = 1
    repeated_luck: float = 0.5
    unanswered: float = 0.0
    """Share of the answers of every stage that are not read, whatever is known."""

    @property
    def stages(self) -> int:
        return len(next(iter(self.paths)))

    def truth(self) -> dict[str, float]:
        """The share of each path and name, if what is not answered does not count as known."""
        found = dict.fromkeys(keys(self.stages), 0.0)
        every = [path for path in found if set(path) <= {"K", "U"}]
        for path, share in self.paths.items():
            for said in every:
                pairs = list(zip(path, said, strict=True))
                if ("U", "K") not in pairs:
                    kept, silent = pairs.count(("K", "K")), pairs.count(("K", "U"))
                    found[said] += share * (1 - self.unanswered) ** kept * self.unanswered**silent
        return {key: sum(found[path] for path in paths) for key, paths in keys(self.stages).items()}

    def simulate(self, *, items: int, studies: int, seed: int, draws: int = 1, confidence: float = 0.95) -> Estimated:
        """The estimates of each study."""
        leaf = np.repeat(np.arange(studies), items)
        task = self.draw(len(leaf), np.random.default_rng(seed), draws=draws)
        scored = score_items(task, [tuple(range(self.stages))], leaf, leaf * 0 - 1)
        return estimated(scored, Groups(leaf, studies), self.stages, confidence)

    def draw(self, items: int, rng: np.random.Generator, *, draws: int = 1) -> Aligned:
        """So many items, all answered at all stages."""
        paths = list(self.paths)
        fate = rng.choice(len(paths), items, p=list(self.paths.values()))
        known = np.array([[letter == "K" for letter in path] for path in paths])[fate]
        habit = rng.integers(max(self.options, 1), size=items)
        columns = tuple(self._stage(known[:, stage], habit, rng, draws) for stage in range(self.stages))
        return Aligned("t", columns, (np.arange(items),) * self.stages)

    def _stage(self, known: np.ndarray, habit: np.ndarray, rng: np.random.Generator, draws: int) -> Columns:
        shape = (len(known), draws)
        fresh = rng.integers(max(self.options, 1), size=shape)
        guess = np.where(rng.random(shape) < self.repeated_luck**0.5, habit[:, None], fresh)
        hit = known[:, None] | (guess < self.golds if self.options else np.zeros(shape, bool))
        state = np.where(rng.random(shape) < self.unanswered, UNPARSED, np.where(hit, RIGHT, WRONG)).astype(np.uint8)
        choice = np.where(state == UNPARSED, NO_CHOICE, np.where(hit, 0, guess)).astype(np.int32)
        return columns_of(state, choice, chance=self.golds / self.options if self.options else 0.0, k=self.options)


def columns_of(state: np.ndarray, choice: np.ndarray, *, chance: float, k: int) -> Columns:
    """One run of one task, folded."""
    items = len(state)
    return Columns(
        task="t",
        scorer="acc",
        items=Items.unnamed(np.full(items, k, np.int32), np.full(items, chance)),
        prompts=np.zeros(items, np.uint64),
        seeds=[None] * state.shape[1],
        state=state,
        choice=choice,
        marks=None,
        loops=None,
    )


def ends(found: Estimated, key: str) -> tuple[Floats, Floats]:
    """Interval or band of every study."""
    told = [one for one in found.shares[key] if one is not None]
    return np.array([one.low for one in told], float), np.array([one.high for one in told], float)
