"""Processes of this machine: what becomes of jobs whose process dies, and of processes whose caller dies."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from forgetmap.fan_out import Progress
from forgetmap.fan_out.local import local

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


@pytest.fixture(autouse=True)
def three_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with three cores, and a process that is not held back by servers that other tests left running in it."""
    running = threading.active_count()
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    monkeypatch.setattr(threading, "active_count", lambda: 1 + max(len(threading.enumerate()) - running, 0))


def test_work_is_done_in_other_processes_at_most_one_a_core(tmp_path: Path) -> None:
    deadline = time.monotonic() + 30

    def work(job: int, tell: Progress) -> int:
        (tmp_path / str(os.getpid())).touch()
        while len(list(tmp_path.iterdir())) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        return os.getpid()

    done_by = set(local(range(12), work))

    assert os.getpid() not in done_by and len(done_by) == len(list(tmp_path.iterdir())) == 3


def test_the_jobs_of_processes_that_die_are_done_here() -> None:
    home = os.getpid()

    def work(job: int, tell: Progress) -> int:
        if os.getpid() != home and job % 2:
            os._exit(9)
        return job

    assert local(range(10), work) == list(range(10))


def test_a_caller_with_threads_does_the_work_itself() -> None:
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    other.start()
    try:
        assert set(local(range(4), lambda job, tell: os.getpid())) == {os.getpid()}
    finally:
        stop.set()
        other.join()


CALLER = """
import os, pathlib, sys, time
os.cpu_count = lambda: 3
from forgetmap.fan_out.local import local
def work(job, tell):
    pathlib.Path(sys.argv[1], str(os.getpid())).touch()
    while True:
        time.sleep(0.01)
        tell("working", 1)
local(range(3), work)
"""


def test_processes_end_when_their_caller_is_killed(tmp_path: Path) -> None:
    caller = subprocess.Popen([sys.executable, "-c", CALLER, str(tmp_path)])
    deadline = time.monotonic() + 30
    while len(list(tmp_path.iterdir())) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    workers = [int(path.name) for path in tmp_path.iterdir()]
    caller.send_signal(signal.SIGKILL)
    caller.wait()

    assert len(workers) == 3
    while time.monotonic() < deadline and any(map(alive, workers)):
        time.sleep(0.02)
    assert not any(map(alive, workers))


def alive(process: int) -> bool:
    """Whether a process runs; one that has ended and is not yet fetched does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
