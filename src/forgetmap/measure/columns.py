"""A run folded: small columns over the items of each task and scorer, and what they say of the items. Statistics see nothing else."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forgetmap.measure.names import Coded, Names
from forgetmap.records.ids import NATIVE
from forgetmap.records.mending import OPEN, Said
from forgetmap.records.schema import Problem, RunInfo
from forgetmap.stats.arrays import Bools, Floats

ABSENT, FAILED = 255, 5
RIGHT, WRONG, UNPARSED, REFUSED, TRUNCATED = range(5)
"""States of an answer; the first five index transitions, `FAILED` and `ABSENT` are no answers."""
STATE_OF = {"unparsed": UNPARSED, "refused": REFUSED, "truncated": TRUNCATED, "failed": FAILED}
NO_CHOICE = -1

States = NDArray[np.uint8]
Choices = NDArray[np.signedinteger]
Prompts = NDArray[np.uint64]


_SAID = ("ids", "natives", "domains", "categories", "clusters")


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Items:
    """What a run says of the items of a table, without their texts. Runs of a study that asked the same items share one."""

    ids: Names
    natives: Names
    domains: Coded
    categories: Coded
    clusters: Coded
    k: NDArray[np.int32]
    """Options; 0 = open or unknown."""
    chance: Floats
    """NaN = unknown."""
    golds: NDArray[np.int32]
    """Right options or answers told; 0 = none."""

    @classmethod
    def unnamed(cls, k: NDArray[np.int32], chance: Floats) -> "Items":
        """Items of which nothing is known but how they can be guessed: pairs need no more."""
        nobody, nothing = Names.of([None] * len(k)), Coded.nothing(len(k))
        return cls(nobody, nobody, nothing, nothing, nothing, k, chance, np.zeros(len(k), np.int32))

    def __len__(self) -> int:
        return len(self.k)

    @property
    def has_content(self) -> bool:
        """Whether items are named by what they say; where a log has no content they are named by native id."""
        return not self.ids.any_begins(NATIVE)

    def same(self, other: "Items") -> bool:
        """Whether the other says just the same of the same items in the same order."""
        return self is other or (
            all(getattr(self, name) == getattr(other, name) for name in _SAID)
            and np.array_equal(self.k, other.k)
            and np.array_equal(self.chance, other.chance, equal_nan=True)
            and np.array_equal(self.golds, other.golds)
        )

    def mended(self, said: Said) -> "Items":
        """The same with chances that are unknown filled in, by the rule of `records.mending.mended`."""
        unknown = np.isnan(self.chance)
        if said is None or not unknown.any():
            return self
        k, chance = self.k.copy(), self.chance.copy()
        if said == OPEN:
            chance[unknown & (k == 0)] = 0.0
        elif isinstance(said, int):
            options, right = np.where(k == 0, said, k), np.maximum(self.golds, 1)
            usable = unknown & (right <= options)
            k[usable] = options[usable]
            chance[usable] = right[usable] / options[usable]
        return Items(self.ids, self.natives, self.domains, self.categories, self.clusters, k, chance, self.golds)


class Columns(NamedTuple):
    """One task under one scorer: entries over items (first axis) and draws (second axis)."""

    task: str
    scorer: str
    items: Items
    prompts: Prompts
    """The hash of each item's prompt; 0 where the log holds none."""
    seeds: list[int | None]
    """One a draw: its seed, or null."""
    state: States
    choice: Choices
    """Rank of a wrong option chosen among the item's sorted options; 0 for a right one that the log names, else `NO_CHOICE`."""
    marks: Floats | None
    """Scores, where some is neither 0 nor 1; null where they follow from the states."""
    loops: Bools | None
    """Answers that repeat themselves at their end; null where none does."""

    @property
    def item_ids(self) -> Names:
        return self.items.ids

    def item_id(self, row: int) -> str:
        """The id of the item in a row."""
        return self.items.ids[row] or ""

    @property
    def natives(self) -> Names:
        return self.items.natives

    @property
    def domains(self) -> Coded:
        return self.items.domains

    @property
    def categories(self) -> Coded:
        return self.items.categories

    @property
    def clusters(self) -> Coded:
        return self.items.clusters

    @property
    def k(self) -> NDArray[np.int32]:
        return self.items.k

    @property
    def chance(self) -> Floats:
        return self.items.chance

    @property
    def has_content(self) -> bool:
        return self.items.has_content

    @property
    def value(self) -> Floats:
        """The score of each answer; NaN where it has none."""
        return value_of(self.state) if self.marks is None else self.marks

    @property
    def looping(self) -> Bools:
        return np.zeros(self.state.shape, bool) if self.loops is None else self.loops

    @property
    def graded(self) -> bool:
        """Whether a score lies between 0 and 1."""
        return self.marks is not None and bool(np.any((self.marks > 0) & (self.marks < 1)))


class Answered(NamedTuple):
    """Answers one by one, as they are read: which item and draw each belongs to, and what it is."""

    place: NDArray[np.int64]
    draw: NDArray[np.int64]
    state: States
    choice: NDArray[np.int32]
    value: Floats
    loops: Bools


class Gathered(NamedTuple):
    """What the tables of a stored run hold."""

    columns: dict[tuple[str, str], Columns]
    unscored: dict[str, int]
    """By task, answers that nobody has judged yet."""


class Folded(NamedTuple):
    """A whole run, folded."""

    info: RunInfo
    columns: dict[tuple[str, str], Columns]
    problems: list[Problem]
    duplicates: int
    notes: list[str]
    unscored: int = 0
    """Answers that nobody has judged yet."""

    def scorers(self, task: str) -> list[str]:
        return [scorer for name, scorer in self.columns if name == task]

    def tasks(self) -> list[str]:
        return list(dict.fromkeys(task for task, _ in self.columns))


def value_of(state: States) -> Floats:
    """Scores of right and wrong answers."""
    return np.where(state > WRONG, np.nan, (state == RIGHT).astype(float))


def small(choice: Choices) -> Choices:
    """The same numbers in the smallest type that holds them."""
    if choice.dtype == np.int8:
        return np.ascontiguousarray(choice)
    highest = int(choice.max(initial=0))
    kind = next(kind for kind in (np.int8, np.int16, np.int32) if highest <= np.iinfo(kind).max)
    return np.ascontiguousarray(choice, kind)


def table(
    name: tuple[str, str], items: Items, prompts: Prompts, seeds: dict[int, int | None], said: Answered
) -> Columns:
    """The columns that answers make; `seeds` has one entry a draw, and of two answers of one item and draw the last counts."""
    numbers = sorted(seeds)
    shape = (len(items), len(numbers))
    where = said.place, np.searchsorted(numbers, said.draw)
    choices = small(np.where(said.state <= WRONG, said.choice, NO_CHOICE))
    state, choice = np.full(shape, ABSENT, np.uint8), np.full(shape, NO_CHOICE, choices.dtype)
    state[where], choice[where] = said.state, choices
    return Columns(
        task=name[0],
        scorer=name[1],
        items=items,
        prompts=prompts,
        seeds=[seeds[draw] for draw in numbers],
        state=state,
        choice=choice,
        marks=_spread(said.value, where, shape) if _beyond(said.value) else None,
        loops=_spread_bools(said.loops, where, shape) if said.loops.any() else None,
    )


def _beyond(value: Floats) -> bool:
    return bool(np.any((value != 0) & (value != 1) & ~np.isnan(value)))


def _spread(value: Floats, where: tuple[NDArray[np.int64], ...], shape: tuple[int, int]) -> Floats:
    found = np.full(shape, np.nan)
    found[where] = value
    return found


def _spread_bools(value: Bools, where: tuple[NDArray[np.int64], ...], shape: tuple[int, int]) -> Bools:
    found = np.zeros(shape, bool)
    found[where] = value
    return found
