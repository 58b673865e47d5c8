"""What a format is, and the hints a user may give to any of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row

UP_TO = 500.0
"""Megabytes that are fetched from the Hub without asking."""


class Talk(Protocol):
    """How someone is told and asked while logs are fetched."""

    def say(self, line: str) -> None:
        """Something worth keeping on the screen."""

    def progress(self, line: str) -> None:
        """How far the work is, in place of what was said so before; "" where it is done."""

    def agree(self, question: str) -> bool | None:
        """Whether to go on; null where there is nobody to ask."""


class Fetched(NamedTuple):
    """What a `hub:` address led to."""

    path: Path
    run: str | None
    """The run that is wanted of those there."""
    model: str | None
    """ORG/MODEL, where the address named one."""
    origin: str
    """The address that brings exactly the same again."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What the user says about a log that the log itself does not say."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """`--map theirs=ours`; several of theirs for one of ours are joined in the key by commas, in order."""
    k: tuple[tuple[str, str], ...] = ()
    """`--k PATTERN=VALUE`: for tasks matching PATTERN the number of options: an integer, "open", or a path such as "doc.options"."""
    name: str | None = None
    """`--as NAME`: what to call the run (only where a path holds one)."""
    parent: str | None = None
    """`--parent RUN`: the run, or the checkpoint, that this one was trained from (where one run is read)."""
    stage: str | None = None
    """`--stage NAME`: the training it comes out of, such as sft."""
    step: int | None = None
    """`--step N`: where in that training."""
    run: str | None = None
    """What `PATH::RUN` asks for, for formats that know more ways to name a run than its id, such as the time of a file."""
    up_to: float | None = UP_TO
    """Megabytes that may be fetched for `hub:` addresses without asking; null = any."""
    talk: Talk | None = None
    """Who is told and asked meanwhile; nobody, if null."""
    fetched: Mapping[str, Fetched] = field(default_factory=dict)
    """What `hub:` addresses led to, where that was settled before: for all addresses of a comparison together."""


Read = Callable[[list[Problem]], Iterator[Row]]
"""How a run gets its rows: what cannot be read is added to the problems."""


class Format(NamedTuple):
    """One row of `FORMATS`. Both functions take a file or a folder; `sniff` looks at content and never raises."""

    sniff: Callable[[Path], bool]
    read: Callable[[Path, Hints], Iterator[Run]]
    takes_columns: bool = False
    """Whether `Hints.columns` means anything to it."""
    logs: str = ""
    """Names of its logs as a pattern: a file of a folder that has such a name and is damaged is a problem of the run."""
