"""The waist: what every format and every evaluation must say about an item, an answer and a run.

Writers (formats, evals, laws) yield `Row`s; readers (the store, the fold) consume them. Nothing here knows a file format.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

SCHEMA = 1
"""Version of the records; files of another version are refused."""

Outcome = Literal["scored", "unparsed", "refused", "truncated", "failed"]
OUTCOMES: tuple[Outcome, ...] = ("scored", "unparsed", "refused", "truncated", "failed")
UNANSWERED: tuple[Outcome, ...] = ("unparsed", "refused", "truncated")


class Item(NamedTuple):
    """One question of a task.

    `choices` are the distinct options in the order first shown, null for open answers or where the log does not say. `golds` are
    *texts* of right options or answers (a letter only where the log knows no text). `k` is the number of distinct options (null =
    open, or unknown), `chance` the probability that guessing scores (0 = open answer, null = unknown; it has no default).
    """

    task: str
    native_id: str | None = None
    domain: str | None = None
    question: str | None = None
    choices: tuple[str, ...] | None = None
    golds: tuple[str, ...] = ()
    k: int | None = None
    chance: float | None = None
    cluster: str | None = None
    source: str | None = None
    meta: dict[str, Any] | None = None


class Sample(NamedTuple):
    """What was asked and answered in one draw. `permutation[i]` is the index in `Item.choices` of the option shown in place i."""

    draw: int = 0
    seed: int | None = None
    prompt: str | None = None
    permutation: tuple[int, ...] | None = None
    weight: float | None = None
    response: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    tokens: int | None = None
    seconds: float | None = None
    error: str | None = None


class Score(NamedTuple):
    """What one scorer made of a sample. Only the outcome *scored* has a value; absent is never 0, −1, NaN or ""."""

    scorer: str
    outcome: Outcome = "scored"
    value: float | None = None
    choice: int | None = None
    """Index into `Item.choices` (or of the letter, where the log knows no option texts)."""
    version: str | None = None
    found: str | None = None
    """How the answer was found, in the words of the format or scorer."""
    margin: float | None = None
    logprobs: tuple[float, ...] | None = None


class Row(NamedTuple):
    """One item, one draw, every scorer's view of it: none where nobody has judged the answer yet. `item_id` is filled in by `Run.rows`."""

    item: Item
    sample: Sample
    scores: tuple[Score, ...]
    item_id: str = ""


class Problem(NamedTuple):
    """A row that could not be read: where it stands and why. It is counted and listed, never silently dropped."""

    where: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """One checkpoint on tasks under one setting: everything about a run but its rows. Null = the log does not say."""

    run_id: str
    checkpoint: str
    parents: tuple[str, ...] = ()
    stage: str | None = None
    step: int | None = None
    engine: str | None = None
    prompt: str | None = None
    """Prompt style in words, such as "5-shot" or "chat"."""
    shots: dict[str, int] = field(default_factory=dict)
    """Few-shot examples per task."""
    template: str | None = None
    """Chat template: its name or hash; null = none used or not said."""
    decoding: dict[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    dtype: str | None = None
    harness: str | None = None
    harness_version: str | None = None
    created: str | None = None
    """ISO 8601, UTC."""
    source: tuple[str, ...] = ()
    """Names of the files read."""
    hashes: dict[str, str] = field(default_factory=dict)
