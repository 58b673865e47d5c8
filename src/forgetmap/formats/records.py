"""Our own records as a log: the folder of one run, or a study with its runs."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from forgetmap.errors import FormatError, StudyError
from forgetmap.formats.contract import Format, Hints
from forgetmap.records.run import Run
from forgetmap.records.study import Study, Unfinished, is_run, is_study, look, whole_run


def sniff(path: Path) -> bool:
    """Whether this is a folder of ours, be it damaged or of another version: then its own sentence is the one to read."""
    try:
        return path.is_dir() and (is_run(path) or is_study(path))
    except OSError:
        return False


def read(path: Path, hints: Hints) -> Iterator[Run]:
    """The run in a folder, or every whole run of a study. A name and numbers of options are taken from the hints."""
    runs = [_run(path, hints)] if is_run(path) else _runs(path, hints)
    for run in runs:
        if hints.name is not None and len(runs) == 1:
            run.info = replace(run.info, run_id=hints.name)
        yield run


def _run(folder: Path, hints: Hints) -> Run:
    found = look(folder)
    if isinstance(found, StudyError):
        raise found
    if isinstance(found, Unfinished):
        raise StudyError(
            f"the run in {folder} is unfinished ({found.rows} rows so far): "
            "give the command that was writing it again, and it goes on from there."
        )
    if found is None:
        raise FormatError(f"{folder} holds no run of forgetmap: the folder of a run or of a study is wanted.")
    return whole_run(found, hints.k)


def _runs(folder: Path, hints: Hints) -> list[Run]:
    study = Study.open(folder)
    for error in study.damaged().values():
        raise error
    rules = (*hints.k, *study.settings().k)
    runs = [whole_run(found, rules) for found in study.runs().values()]
    if not runs:
        unfinished = ", ".join(study.unfinished())
        raise StudyError(
            f"{folder} is a study without a whole run"
            + (f" (unfinished: {unfinished})" if unfinished else "")
            + f": bring one in with `forgetmap read LOG --study {folder}`."
        )
    return runs


FORMAT = Format(sniff, read)
