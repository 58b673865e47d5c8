"""What is kept of runs that were replaced or removed, taken away again.

A file that another process is about to refer to may go with it. That process looks once more when it is done and writes it again; at
worst a run is folded once more.
"""

import time
from contextlib import suppress
from pathlib import Path

from forgetmap.measure.kept_files import ANSWERS, DAMAGE, ITEMS, PROMPTS, told_of
from forgetmap.records.disk import TEMPORARY
from forgetmap.records.study import RUNS

_LEFT_BEHIND = 3600
"""Seconds after which a file without its name is that of a process that was killed, and one that no run refers to is wanted by none."""
_END = ".parquet"

_swept: set[Path] = set()
"""Folders that this process has looked through as a whole; once is enough, for every run that is kept would have all others read."""


def referred(folder: Path, name: str) -> set[Path]:
    """The files of items and prompts that what is kept of a run refers to; none where nothing is kept."""
    with suppress(*DAMAGE):
        told = told_of(folder, name)
        return {folder / ITEMS / f"{told['items']}{_END}", folder / PROMPTS / f"{told['prompts']}{_END}"}
    return set()


def sweep(folder: Path, let_go: set[Path]) -> None:
    """Remove what a run has let go of, unless another refers to it; and, once, all that was left behind."""
    for path in _old(folder, f"*/*{TEMPORARY}"):
        _remove(path)
    unwanted = set(let_go)
    if folder not in _swept:
        _swept.add(folder)
        for path in _old(folder, f"{ANSWERS}/*{_END}"):
            if _of_no_run(folder, path):
                _remove(path)
        unwanted.update(_old(folder, f"{ITEMS}/*{_END}"), _old(folder, f"{PROMPTS}/*{_END}"))
    if unwanted:
        names = [path.name.removesuffix(_END) for path in (folder / ANSWERS).glob(f"*{_END}")]
        for path in unwanted.difference(*(referred(folder, name) for name in names)):
            _remove(path)


def _old(folder: Path, pattern: str) -> list[Path]:
    found = []
    for path in folder.glob(pattern):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _LEFT_BEHIND:
                found.append(path)
    return found


def _of_no_run(folder: Path, answers: Path) -> bool:
    """Whether the study no longer has the run of these answers."""
    runs = folder.parent / RUNS
    return runs.is_dir() and not (runs / answers.name.removesuffix(_END)).exists()


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
