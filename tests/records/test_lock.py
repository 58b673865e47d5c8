"""The lock on a run's folder."""

import os
from pathlib import Path
from typing import Any

import pytest

from forgetmap.errors import StudyError
from forgetmap.records.lock import LOCK, sole_writer


def test_a_second_writer_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    with (
        sole_writer(tmp_path),
        pytest.raises(StudyError, match=rf"another process \(number {os.getpid()}\) is writing"),
        sole_writer(tmp_path),
    ):
        pass

    with sole_writer(tmp_path):
        assert (tmp_path / LOCK).exists()
    assert not (tmp_path / LOCK).exists()


def test_the_file_of_a_process_that_is_gone_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("1")

    with sole_writer(tmp_path):
        assert (tmp_path / LOCK).read_text() == str(os.getpid())


def test_a_lock_whose_file_another_writer_took_away_at_its_end_is_taken_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, times = os.open, []

    def just_before_the_other_ends(*arguments: Any) -> int:
        handle = opened(*arguments)
        times.append(handle)
        if len(times) == 1:
            (tmp_path / LOCK).unlink()
        return handle

    monkeypatch.setattr(os, "open", just_before_the_other_ends)

    with sole_writer(tmp_path), pytest.raises(StudyError, match="another process"), sole_writer(tmp_path):
        pass
    assert len(times) == 3


def test_the_lock_is_given_back_when_writing_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), sole_writer(tmp_path):
        raise ZeroDivisionError

    with sole_writer(tmp_path):
        assert (tmp_path / LOCK).exists()
