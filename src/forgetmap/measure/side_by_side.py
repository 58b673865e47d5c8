"""Large logs folded side by side, each in a process of its own; small ones one after the other."""

import multiprocessing as mp
import os
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Literal

from forgetmap.measure.fold import Folded, fold
from forgetmap.records.run import Run

LARGE = 20_000_000
"""Bytes of a log from which a process of its own pays."""

Progress = Callable[[str, int], None]
"""Called now and then with what is being read and how many rows were."""


def fold_all(runs: Sequence[Run], bytes_of: Sequence[int], progress: Progress | None = None) -> list[Folded]:
    """Every run folded, in the order given; `bytes_of` says how much each has to read."""
    large = [place for place, size in enumerate(bytes_of) if size >= LARGE]
    # Forking a process that has threads can hang, so a busy notebook reads one log after the other.
    alone = sys.platform == "linux" and threading.active_count() == 1
    if len(large) < 2 or not alone or (os.cpu_count() or 1) < 2:
        return [fold(run, progress) for run in runs]
    found = _in_processes({place: runs[place] for place in large}, progress)
    return [found[place] if place in found else fold(run, progress) for place, run in enumerate(runs)]


def bytes_at(source: object) -> int:
    """Size of the files at an address; 0 for what is no path."""
    path = Path(str(source).partition("::")[0]) if isinstance(source, str | Path) else None
    if path is None or not path.exists():
        return 0
    return (
        path.stat().st_size if path.is_file() else sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
    )


def _in_processes(runs: dict[int, Run], progress: Progress | None) -> dict[int, Folded]:
    """At most one process a core. What a process that died should have read is read here."""
    waiting, found = list(runs), {}
    pipes: dict[Connection, int] = {}
    while waiting or pipes:
        while waiting and len(pipes) < (os.cpu_count() or 1):
            place = waiting.pop(0)
            pipes[_start(runs[place])] = place
        for pipe in [one for one in wait(list(pipes)) if isinstance(one, Connection)]:
            done = _heard(pipe, progress)
            if done is not None:
                place = pipes.pop(pipe)
                found[place] = done if isinstance(done, Folded) else fold(runs[place], progress)
    return found


def _heard(pipe: Connection, progress: Progress | None) -> "Folded | Literal[False] | None":
    """The columns, if the process is done; false, if it died; null, if it only told how far it is."""
    try:
        kind, *said = pipe.recv()
    except EOFError:
        return False
    if kind == "failed":
        raise said[0]
    if kind == "rows":
        if progress is not None:
            progress(*said)
        return None
    columns: Folded = said[0]
    return columns


def _start(run: Run) -> Connection:
    # A forked process has the run as it is, closures included; nothing but the columns travels back.
    here, there = mp.Pipe(duplex=False)
    mp.get_context("fork").Process(target=_work, args=(run, there), daemon=True).start()
    there.close()
    return here


def _work(run: Run, pipe: Connection) -> None:
    try:
        pipe.send(("folded", fold(run, lambda name, rows: pipe.send(("rows", name, rows)))))
    except Exception as error:
        pipe.send(("failed", error))
