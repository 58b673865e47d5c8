"""What a format is, and the hints a user may give to any of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from forgetmap.records.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What the user says about a log that the log itself does not say."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """`--map theirs=ours`; several of theirs for one of ours are joined in the key by commas, in order."""
    k: tuple[tuple[str, str], ...] = ()
    """`--k PATTERN=VALUE`: for tasks matching PATTERN the number of options: an integer, "open", or a path such as "doc.options"."""
    name: str | None = None
    """`--as NAME`: what to call the run (only where a path holds one)."""
    run: str | None = None
    """What `PATH::RUN` asks for, for formats that know more ways to name a run than its id, such as the time of a file."""


class Format(NamedTuple):
    """One row of `FORMATS`. Both functions take a file or a folder; `sniff` looks at content and never raises."""

    sniff: Callable[[Path], bool]
    read: Callable[[Path, Hints], Iterator[Run]]
    takes_columns: bool = False
    """Whether `Hints.columns` means anything to it."""
