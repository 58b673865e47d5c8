"""Several logs of one task by one checkpoint: those of different seeds are draws, and of the same seed the latest counts."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from forgetmap.formats.lighteval.files import Log, Results
from forgetmap.formats.lighteval.info import run_info, seed_of
from forgetmap.formats.times import latest_of


class Drawn(NamedTuple):
    """One log, and which draw of its task it is."""

    log: Log
    results: Results
    draw: int


def drawn(logs: Sequence[Log], results: Mapping[str, Results]) -> list[Drawn]:
    """The logs that count, by task and draw. Draws are logs of the settings of the task's latest, with seeds that differ.

    A log without a known seed is no draw of another: then the latest alone counts.
    """
    seeds = {time: seed_of(found.content) for time, found in results.items()}
    newest = {log.task: log for log in sorted(logs, key=lambda log: log.time)}
    alike = [log for log in logs if _settings(log, results) == _settings(newest[log.task], results)]
    taken = latest_of(alike, lambda log: seeds[log.time])
    counts = Counter(log.task for log in taken)
    every = sorted({seed for log in taken if (seed := seeds[log.time]) is not None})
    # A task of one log has one draw; with several none is without a seed.
    number: dict[int | None, int] = {seed: draw for draw, seed in enumerate(every)}
    found = [Drawn(log, results[log.time], number[seeds[log.time]] if counts[log.task] > 1 else 0) for log in taken]
    return sorted(found, key=lambda one: (one.log.task, one.draw))


def seeds_of(logs: Sequence[Drawn]) -> tuple[int, ...]:
    """All seeds of some draws."""
    return tuple(sorted({seed for one in logs if (seed := seed_of(one.results.content)) is not None}))


def _settings(log: Log, results: Mapping[str, Results]) -> Hashable:
    """What must be alike for two logs to be draws of one task: all that is known but seed and time."""
    content = results[log.time].content
    info = run_info(content, (log,), (), "")
    return (seed_of(content) is None, log.shots, info.prompt, info.dtype, tuple(sorted(info.decoding.items())))
