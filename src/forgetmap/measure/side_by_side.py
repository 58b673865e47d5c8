"""Large logs folded side by side, each in a process of its own; small ones one after the other."""

from collections.abc import Sequence
from pathlib import Path

from forgetmap.fan_out import Progress
from forgetmap.fan_out.local import local
from forgetmap.measure.fold import Folded, fold
from forgetmap.records.run import Run

LARGE = 20_000_000
"""Bytes of a log from which a process of its own pays."""


def fold_all(runs: Sequence[Run], bytes_of: Sequence[int], progress: Progress | None = None) -> list[Folded]:
    """Every run folded, in the order given; `bytes_of` says how much each has to read."""
    # Stored runs are folded by column, faster than a process could send what it folded.
    large = [place for place, size in enumerate(bytes_of) if size >= LARGE and runs[place].tables is None]
    if len(large) < 2:
        return [fold(run, progress) for run in runs]
    found = dict(zip(large, local([runs[place] for place in large], fold, progress), strict=True))
    return [found[place] if place in found else fold(run, progress) for place, run in enumerate(runs)]


def bytes_at(source: object) -> int:
    """Size of the files at an address; 0 for what is no path."""
    path = Path(str(source).partition("::")[0]) if isinstance(source, str | Path) else None
    if path is None or not path.exists():
        return 0
    return (
        path.stat().st_size if path.is_file() else sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
    )
