"""Several logs of one task by one checkpoint: the latest counts, and the others are named."""

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

_SAID_TASKS = 5


class Timed(Protocol):
    """A log of one task, with the time in its name ("" where the name tells none)."""

    @property
    def task(self) -> str: ...
    @property
    def time(self) -> str: ...


T = TypeVar("T", bound=Timed)


def latest_of(logs: Sequence[T]) -> list[T]:
    """The latest log of each task, by the name of the task."""
    latest: dict[str, T] = {}
    for log in logs:
        if log.task not in latest or latest[log.task].time <= log.time:
            latest[log.task] = log
    return [latest[task] for task in sorted(latest)]


def notes_on_times(checkpoint: str, logs: Sequence[Timed], taken: Sequence[Timed]) -> Iterator[str]:
    """Which log was taken where there are several, and how to have another."""
    counts = {log.task: sum(other.task == log.task for other in logs) for log in taken}
    several = [log for log in taken if counts[log.task] > 1]
    if not several:
        return
    tasks = ", ".join(log.task for log in several[:_SAID_TASKS]) + (" and others" if len(several) > _SAID_TASKS else "")
    said = ", ".join(sorted({log.time or "no time" for log in several}))
    others = ", ".join(sorted({log.time or "no time" for log in logs if log not in taken}))
    yield (
        f"{checkpoint} was logged several times for {tasks}: the latest is taken ({said}); "
        f"also there: {others}, to be had as PATH::TIME."
    )
