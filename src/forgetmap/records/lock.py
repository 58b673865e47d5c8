"""One writer a folder: a lock that the system takes back when its process ends, however it ends."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from forgetmap.errors import StudyError
from forgetmap.records.disk import writing

LOCK = "lock"
# Some network file systems know no locks; there, two writers of one run are the user's to avoid.
_WITHOUT_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK)


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, or say which process holds it. The file of a process that was killed is taken over."""
    path = folder / LOCK
    with writing(folder):
        handle = _taken(path)
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(handle)


def _taken(path: Path) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(handle, path)
            if _still_named(path, handle):
                os.ftruncate(handle, 0)
                os.write(handle, str(os.getpid()).encode())
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _still_named(path: Path, handle: int) -> bool:
    """Whether the locked file still has its name: a writer that has just ended takes the name away."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _lock(handle: int, path: Path) -> None:
    if sys.platform == "win32":
        return  # an open file cannot be removed or replaced there, so a second writer stops by itself
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(handle, 32).decode("ascii", "replace") or "unknown"
        raise StudyError(
            f"another process (number {holder}) is writing {path.parent}: wait for it to end, or stop it and run this again."
        ) from None
    except OSError as error:
        if error.errno not in _WITHOUT_LOCKS:
            raise
