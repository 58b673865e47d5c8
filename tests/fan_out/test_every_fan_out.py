"""The exam of every fan-out: nobody can tell from the answers where the work was done."""

import importlib.util
import os
from collections.abc import Iterator
from typing import Any

import pytest

from forgetmap.errors import FormatError
from forgetmap.fan_out import FAN_OUTS, FanOut, Progress
from forgetmap.tables import load


@pytest.fixture(params=FAN_OUTS)
def fan_out(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[FanOut]:
    """Each fan-out, as it works on a machine with two cores or more."""
    if request.param == "ray":
        if importlib.util.find_spec("ray") is None:
            pytest.skip("Ray is not installed: pip install 'forgetmap[ray]'")
        monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    found: FanOut = load(FAN_OUTS, request.param, group="fan_outs")
    yield found


def test_answers_come_in_the_order_of_the_jobs_and_jobs_may_be_closures(fan_out: FanOut) -> None:
    factor = 7

    def work(job: Any, tell: Progress) -> int:
        tell("counting", 10)
        return factor * int(job())

    jobs = [lambda number=number: number for number in range(20)]

    assert fan_out(jobs, work, None) == [7 * number for number in range(20)]


def test_no_jobs_give_no_answers(fan_out: FanOut) -> None:
    assert fan_out([], lambda job, tell: job, None) == []


def test_what_work_raises_is_raised_as_it_was(fan_out: FanOut) -> None:
    def work(job: int, tell: Progress) -> int:
        if job == 3:
            raise FormatError("log 3 cannot be read: write it again.")
        return job

    with pytest.raises(FormatError, match=r"^log 3 cannot be read: write it again\.$"):
        fan_out(range(8), work, None)


def test_progress_is_told(fan_out: FanOut) -> None:
    told: list[int] = []

    def work(job: int, tell: Progress) -> int:
        tell("reading", 5)
        return job

    fan_out(range(4), work, lambda what, rows: told.append(rows))

    assert told
