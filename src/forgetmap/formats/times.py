"""Several logs of one task by one checkpoint: the latest counts, or the latest of each draw, and the others are named."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Protocol, TypeVar

_SAID_TASKS = 5


class Timed(Protocol):
    """A log of one task, with the time in its name ("" where the name tells none)."""

    @property
    def task(self) -> str: ...
    @property
    def time(self) -> str: ...


T = TypeVar("T", bound=Timed)


def latest_of(logs: Sequence[T], draw: Callable[[T], Hashable] = lambda log: None) -> list[T]:
    """The latest log of each task, by the name of the task; where `draw` tells draws apart, that of each, in the order of the logs."""
    latest: dict[str, dict[Hashable, T]] = {}
    for log in logs:
        drawn = latest.setdefault(log.task, {})
        if draw(log) not in drawn or drawn[draw(log)].time <= log.time:
            drawn[draw(log)] = log
    return [log for task in sorted(latest) for log in latest[task].values()]


def notes_on_times(checkpoint: str, logs: Sequence[Timed], taken: Sequence[Timed]) -> Iterator[str]:
    """Which log was taken where there are several, and how to have another."""
    left = {log.task for log in logs if log not in taken}
    several = [log for log in taken if log.task in left]
    if not several:
        return
    named = list(dict.fromkeys(log.task for log in several))
    tasks = ", ".join(named[:_SAID_TASKS]) + (" and others" if len(named) > _SAID_TASKS else "")
    said = ", ".join(sorted({log.time or "no time" for log in several}))
    others = ", ".join(sorted({log.time or "no time" for log in logs if log not in taken}))
    yield (
        f"{checkpoint} was logged several times for {tasks}: the latest is taken ({said}); "
        f"also there: {others}, to be had as PATH::TIME."
    )
