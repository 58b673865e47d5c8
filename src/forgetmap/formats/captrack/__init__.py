"""Answers to CapTrack's tasks, as its evaluation expects them: `model_responses/MODEL/TASK.jsonl` (or .json, .csv, .parquet, .pq).

A file has a column `outputs` with the answers, `gold`, and the columns of the data set. A folder is a model's, or holds those of
several. What decides by a letter is scored; all other answers are kept without a score, for scorers to come.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from forgetmap.errors import FormatError
from forgetmap.formats.captrack.files import (
    GOLD,
    OUTPUTS,
    Answers,
    Cells,
    answers_below,
    columns,
    is_answers,
    others_in,
    rows_of,
)
from forgetmap.formats.captrack.rows import FIELDS, TaskRows, order
from forgetmap.formats.captrack.tasks import ENDINGS
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.lines import DAMAGED
from forgetmap.formats.opening import slug
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row, RunInfo

HARNESS = "CapTrack"
_SAID = 5


def sniff(path: Path) -> bool:
    try:
        return any(map(is_answers, answers_below(path)))
    except OSError:
        return False


def read(path: Path, hints: Hints) -> Iterator[Run]:
    """One run for each folder that holds answers."""
    folders: dict[Path, list[Answers]] = {}
    for file in answers_below(path):
        folders.setdefault(file.path.parent, []).append(file)
    if not folders:
        raise FormatError(
            f"{path} holds no answers to a task of CapTrack: files are wanted that are called by a task, such as gsm8k_subset.jsonl."
        )
    for folder, files in folders.items():
        yield _run(path, folder, files, hints, hints.name if len(folders) == 1 else None)


FORMAT = Format(sniff, read, takes_columns=True)


def _run(path: Path, folder: Path, files: Sequence[Answers], hints: Hints, name: str | None) -> Run:
    below = folder.relative_to(path).as_posix() if path.is_dir() else "."
    checkpoint = below if below != "." else folder.resolve().name
    kept, notes = _one_a_task(files)
    others = others_in(folder) if path.is_dir() else []
    if others:
        notes.append(f"{_listed(others)} beside these answers: of no task of CapTrack, so not read.")
    info = RunInfo(
        run_id=slug(name or checkpoint),
        checkpoint=checkpoint,
        harness=HARNESS,
        source=tuple(file.path.name for file in kept),
    )
    return Run(info, partial(_rows, kept, hints, notes), notes=notes)


def _one_a_task(files: Sequence[Answers]) -> tuple[list[Answers], list[str]]:
    """The file of each task: of several the first in CapTrack's order of endings."""
    kept: dict[str, Answers] = {}
    notes = []
    for file in sorted(files, key=lambda file: ENDINGS.index(file.path.suffix.lower())):
        first = kept.setdefault(file.named.task, file)
        if first is not file:
            notes.append(f"{first.path.name} and {file.path.name} are both {file.named.task}: the first is read.")
        elif file.named.variants:
            notes.append(_no_variant(file))
    return [kept[task] for task in sorted(kept)], notes


def _no_variant(file: Answers) -> str:
    variants, better = ", ".join(file.named.variants), file.named.variants[0].replace(".", "_")
    return (
        f"{file.path.name} does not say which of {variants} it holds, so its task is called {file.named.task}: "
        f"name the file by its task, such as {better}{file.path.suffix}."
    )


def _rows(files: Sequence[Answers], hints: Hints, notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    for file in files:
        try:
            names = _checked(file, hints)
        except (FormatError, *DAMAGED) as error:
            if len(files) == 1:
                raise
            problems.append(Problem(file.path.name, str(error)))
            continue
        yield from _of_file(file, hints, notes, problems)
        more = sorted(names - FIELDS - set(hints.columns))
        if more:
            _note(
                notes,
                f"{file.path.name}: columns that CapTrack's data set does not have are not read ({_listed(more)}).",
            )


def _checked(file: Answers, hints: Hints) -> frozenset[str]:
    """The columns of a file; one sentence where those of the answers are missing."""
    names = columns(file.path)
    if not names:
        raise FormatError(f"{file.path} holds no row: was it written to its end?")
    missing = [name for name in (OUTPUTS, GOLD) if name not in {hints.columns.get(theirs, theirs) for theirs in names}]
    if missing:
        raise FormatError(
            f"{file.path} has no column {' and no '.join(missing)} (but {_listed(sorted(names))}): "
            f"say which one it is with --map THEIRS={missing[0]}."
        )
    return names


def _of_file(file: Answers, hints: Hints, notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    task = TaskRows(file.named.task, hints.k)
    found = [(place, _renamed(cells, hints)) for place, cells in rows_of(file, problems)]
    for place, cells in sorted(found, key=lambda row: order(row[1])):
        try:
            yield from task.rows(cells)
        except ValueError as error:
            problems.append(Problem(file.where(place), str(error)))
    name = file.path.name
    if task.again:
        _note(notes, f"{name}: {task.again} rows ask an item again, and count as further draws of it.")
    if task.unjudged:
        _note(
            notes,
            f"{name}: {task.unjudged} rows have no options, or a gold that is none of them, so their answers have no score.",
        )


def _renamed(cells: Cells, hints: Hints) -> Cells:
    return {hints.columns.get(name, name): cell for name, cell in cells.items()} if hints.columns else cells


def _note(notes: list[str], said: str) -> None:
    if said not in notes:
        notes.append(said)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _SAID
    return ", ".join(names[:_SAID]) + (f" and {more} more" if more > 0 else "")
