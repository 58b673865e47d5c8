"""What the user says about a study."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class StageSetting:
    """One stage of a chain: its name and its runs, several where they are seeds of one recipe."""

    name: str
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The entries of a `study.toml`; all may be left out."""

    name: str | None = None
    taxonomy: Path | None = None
    """Where the user's own taxonomy stands; in the file, a path from the study's folder."""
    aliases: dict[str, str] = field(default_factory=dict)
    """Tasks that are to be read as other tasks."""
    k: tuple[tuple[str, str], ...] = ()
    """For tasks that match a pattern the number of options: an integer, "open", or a path such as "doc.options"."""
    max_forgetting: float | None = None
    """For `gate`: how much of all items may be forgotten."""
    budgets: dict[str, float] = field(default_factory=dict)
    """For `gate`: the same by category, task or domain."""
    stages: tuple[StageSetting, ...] = ()
    """For `stages`: the chain of stages, in order."""
