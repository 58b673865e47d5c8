"""Processes that are killed, and processes that meet."""

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from forgetmap.errors import StudyError
from forgetmap.records import journal
from forgetmap.records.store import write
from forgetmap.records.study import Study
from tests.records import killed_writer
from tests.records.made_up import files

KILLS = 10


def started(study: Path, pause: float = 0.0) -> subprocess.Popen[str]:
    """A writer that is about to write."""
    command = [sys.executable, killed_writer.__file__, str(study), str(pause)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def ended(process: subprocess.Popen[str]) -> list[str]:
    """What a writer says at its end: content hash, how, seconds."""
    said, _ = process.communicate()
    assert process.returncode == 0
    return said.split()


def test_after_kills_at_random_moments_the_same_command_ends_with_the_same_files(tmp_path: Path) -> None:
    content_hash, how, said = ended(started(tmp_path / "undisturbed"))
    seconds = float(said)
    undisturbed = files(tmp_path / "undisturbed")
    assert how == "written"
    rng, hit, studies = random.Random(), 0, 0

    while hit < KILLS:
        study, studies = tmp_path / f"study {studies}", studies + 1
        for _ in range(5):
            process = started(study)
            time.sleep(rng.random() * seconds)
            process.kill()
            process.communicate()
            if process.returncode == 0:
                seconds *= 0.7  # the machine was busier before
                break
            assert process.returncode == -signal.SIGKILL
            hit += 1
        assert ended(started(study))[0] == content_hash
        assert files(study) == undisturbed

    assert list(Study.open(tmp_path / "study 0").run("made-up").rows()) == list(killed_writer.run().rows())


def test_a_run_that_another_process_writes_is_refused_until_that_process_ends_however_it_ends(tmp_path: Path) -> None:
    process = started(tmp_path, pause=0.01)
    lock = tmp_path / "runs" / "made-up" / "lock"
    try:
        while journal.find(lock.parent) is None:
            assert process.poll() is None

        with pytest.raises(StudyError, match=rf"another process \(number {process.pid}\) is writing .*made-up"):
            write(tmp_path, killed_writer.run(), sizes=killed_writer.SIZES)
        assert process.poll() is None, "the refused writer does the other no harm"
    finally:
        process.kill()
        process.communicate()

    assert lock.exists()
    assert write(tmp_path, killed_writer.run(), sizes=killed_writer.SIZES).rows == killed_writer.ROWS
    assert not lock.exists()


def test_many_writers_of_one_run_at_once_leave_one_whole_run(tmp_path: Path) -> None:
    command = [sys.executable, killed_writer.__file__, str(tmp_path)]
    writers = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]

    said = [writer.communicate() for writer in writers]
    ends = Counter("refused" if "StudyError: another process" in errors else out.split()[2] for out, errors in said)

    assert ends["written"] == 1, said
    assert ends["refused"] + ends["already"] == 3, said
    assert list(Study.open(tmp_path).run("made-up").rows()) == list(killed_writer.run().rows())
