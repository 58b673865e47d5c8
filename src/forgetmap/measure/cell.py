"""One cell of a map, and what it is asked for and made of."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple

from forgetmap.stats.interval import Sums

Level = Literal["all", "category", "task", "domain", "capability"]
CAUSES = ("truncated", "refused", "unparsed", "looping", "other_option", "wrong_answer")
"""Why an item counts as lost; the first that applies."""
ESTIMATES = ("forgetting", "gain", "net", "unanswered_loss", "unanswered_gain", "noise_floor", "excess")
"""The fields of a cell that are estimates."""


class Wanted(NamedTuple):
    """What the user asked of every cell of one comparison."""

    before: str
    after: str
    confidence: float
    estimators: tuple[str, ...]
    macro: bool = False
    """Every domain counts the same, not every item."""


class Estimate(NamedTuple):
    """Value, interval, number of items, method. `value` is null where only a band is identified; then low and high are the band."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


@dataclass(frozen=True, slots=True)
class RestsOn:
    """What the bounds of a cell's forgetting rest on, so that they can be tested at any value."""

    of_lower: Sums
    """Those of all cells of a level; this one is at `place`."""
    of_upper: Sums
    place: int

    @property
    def lower(self) -> Sums:
        """One entry each."""
        return Sums._make(column[self.place : self.place + 1] for column in self.of_lower)

    @property
    def upper(self) -> Sums:
        """The same as `lower`, but for a band, whose ends rest on different scores."""
        return Sums._make(column[self.place : self.place + 1] for column in self.of_upper)

    def __iter__(self) -> Iterator[Sums]:
        return iter((self.lower, self.upper))


@dataclass(slots=True, kw_only=True)
class Cell:
    """One capability of one comparison. Rates are shares of items; what cannot be had is null, with the reason in `notes`."""

    before: str
    after: str
    level: Level
    name: str
    parent: str | None
    task: str | None
    scorer: str | None
    metric: Literal["accuracy", "graded"]
    n: int
    dropped: dict[str, int]
    accuracy_before: float | None
    accuracy_after: float | None
    known_before: float | None = None
    known_after: float | None = None
    n11: float | None = None
    n10: float | None = None
    n01: float | None = None
    n00: float | None = None
    unanswered_before: float | None = None
    unanswered_after: float | None = None
    forgetting: Estimate | None = None
    gain: Estimate | None = None
    net: Estimate | None = None
    unanswered_loss: Estimate | None = None
    unanswered_gain: Estimate | None = None
    noise_floor: Estimate | None = None
    excess: Estimate | None = None
    p_luck: float | None = None
    p: float | None = None
    q: float | None = None
    p_net: float | None = None
    q_net: float | None = None
    detectable: float | None = None
    causes: dict[str, float] = field(default_factory=dict)
    alternatives: dict[str, dict[str, Estimate | None]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    rests_on: RestsOn | None = field(default=None, repr=False, compare=False)
    """For further tests of forgetting within this program; no part of what the cell tells others."""

    def to_dict(self) -> dict[str, Any]:
        return {name: _plain(getattr(self, name)) for name in told()}


def told() -> list[str]:
    """The names of all that a cell tells others, in order."""
    return [column.name for column in fields(Cell) if column.name != "rests_on"]


def _plain(value: Any) -> Any:
    """Estimates as dicts, all the way down."""
    if isinstance(value, Estimate):
        return value.to_dict()
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return value
