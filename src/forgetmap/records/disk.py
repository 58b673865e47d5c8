"""Writing so that a crash at any moment leaves the file of before or the file of after, and saying in a sentence what the disk refuses."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forgetmap.errors import StudyError

TEMPORARY = ".tmp"


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Whatever the disk refuses within becomes a StudyError that names `place`."""
    try:
        yield
    except OSError as error:
        raise StudyError(
            f"{place} cannot be written: {error.strerror or error}. "
            "What is already there is kept: put this right, and the same command goes on from there."
        ) from error


def temporary(path: Path) -> Path:
    """Where a file is written before it takes its name."""
    return path.with_name(path.name + TEMPORARY)


def replace(path: Path, content: bytes) -> None:
    """Give the file this content, wholly or not at all."""
    with temporary(path).open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    take_name(path)
    settle(path.parent)


def take_name(path: Path) -> None:
    """Let the temporary file of `path` take its name."""
    temporary(path).replace(path)


def append(path: Path, line: bytes) -> None:
    """Add to the end of a file, and return when it is on the disk."""
    with path.open("ab") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """Return when a file that something else wrote is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def settle(folder: Path) -> None:
    """Return when the names in a folder are on the disk."""
    if os.name == "nt":  # folders cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
