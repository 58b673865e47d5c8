"""Jobs in processes of this machine, at most one a core."""

import multiprocessing as mp
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from forgetmap.fan_out import Progress, silent

Job = TypeVar("Job")
Answer = TypeVar("Answer")


def local(
    jobs: Sequence[Job], work: Callable[[Job, Progress], Answer], progress: Progress | None = None
) -> list[Answer]:
    """What `work` makes of each job. What a process that died should have done is done here.

    One after the other where there is one core or one job, away from Linux, and where this process has threads (a busy notebook), since
    forking it could hang.
    """
    tell = progress or silent
    number = min(len(jobs), os.cpu_count() or 1)
    if number < 2 or sys.platform != "linux" or threading.active_count() > 1:
        return [work(job, tell) for job in jobs]
    with _workers(number, jobs, work) as pipes:
        found = _gathered(len(jobs), pipes, tell)
    return [found[place] if place in found else work(job, tell) for place, job in enumerate(jobs)]


def _gathered(jobs: int, pipes: Sequence[Connection], tell: Progress) -> dict[int, Any]:
    """The answers by job; the jobs of processes that died are missing."""
    waiting, found = deque(range(jobs)), {}
    busy: dict[Connection, int] = {}
    free = list(pipes)
    while busy or (free and waiting):
        while free and waiting:
            pipe = free.pop()
            if _ask(pipe, waiting[0]):
                busy[pipe] = waiting.popleft()
        for pipe in [one for one in wait(list(busy)) if isinstance(one, Connection)]:
            kind, said = _heard(pipe)
            if kind == "failed":
                raise said
            if kind == "rows":
                tell(*said)
                continue
            place = busy.pop(pipe)
            if kind == "done":
                found[place] = said
                free.append(pipe)
    return found


def _ask(pipe: Connection, place: int) -> bool:
    """Whether the process at the other end could be given a job."""
    try:
        pipe.send(place)
    except OSError:
        return False
    return True


def _heard(pipe: Connection) -> tuple[str, Any]:
    """The next word of a process; "died" where it has none any more."""
    try:
        kind, said = pipe.recv()
    except (EOFError, OSError):
        return "died", None
    return kind, said


@contextmanager
def _workers(number: int, jobs: Sequence[Job], work: Callable[[Job, Progress], Answer]) -> Iterator[list[Connection]]:
    """So many processes, forked before any work begins, each at the end of a pipe; none is left behind."""
    # A forked process has the jobs as they are, closures included; nothing but answers travels back.
    context = mp.get_context("fork")
    processes: list[Any] = []
    pipes: list[Connection] = []
    for _ in range(number):
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, [*pipes, here], jobs, work), daemon=True)
        process.start()
        there.close()
        processes.append(process)
        pipes.append(here)
    try:
        yield pipes
    finally:
        for process in processes:
            process.terminate()
        for process, pipe in zip(processes, pipes, strict=True):
            process.join()
            pipe.close()


def _serve(
    pipe: Connection, others: list[Connection], jobs: Sequence[Job], work: Callable[[Job, Progress], Answer]
) -> None:
    """Do the jobs asked for until nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for other in others:  # an end held here would keep its pipe open when the process that asks has died
        other.close()
    while True:
        try:
            place = pipe.recv()
        except (EOFError, OSError):
            return
        said: tuple[str, object]
        try:
            said = ("done", work(jobs[place], lambda what, rows: _tell(pipe, what, rows)))
        except Exception as error:
            said = ("failed", error)
        try:
            pipe.send(said)
        except OSError:
            return


def _tell(pipe: Connection, what: str, rows: int) -> None:
    try:
        pipe.send(("rows", (what, rows)))
    except OSError:  # who asked is gone, so nobody wants the rest
        os._exit(1)
