"""Logs of lighteval: details_*.parquet of both layouts, with results_*.json beside them where they were kept.

A folder (searched to its depth), one file of details, or one results file (for its time). The harness is not imported.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.closed import settled
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.lighteval.details import details_in, is_details, metrics_in
from forgetmap.formats.lighteval.draws import Drawn, drawn, seeds_of
from forgetmap.formats.lighteval.files import Log, Results, has_details, load_results, log_of, logs_in, results_of
from forgetmap.formats.lighteval.info import checkpoint_of, run_info, seed_of, task_config, token_limit
from forgetmap.formats.lighteval.rows import TaskRows
from forgetmap.formats.opening import slug
from forgetmap.formats.times import notes_on_times
from forgetmap.records.mending import Said, k_said
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row

_LARGEST_RESULTS = 1 << 26


class Group(NamedTuple):
    """Logs of one checkpoint in one folder, and the results of each time."""

    folder: Path
    checkpoint: str
    logs: Sequence[Log]
    results: Mapping[str, Results]


def sniff(path: Path) -> bool:
    try:
        if path.is_dir():
            return has_details(path)
        return path.is_file() and (is_details(path) or _is_results(path))
    except OSError:
        return False


def read(path: Path, hints: Hints) -> Iterator[Run]:
    """Runs below a path, one for each folder and checkpoint."""
    groups = _grouped([log for log in _logs(path) if hints.run is None or log.time == hints.run])
    for name, group in zip(_run_names(groups, path), groups, strict=True):
        yield _run(group, hints.name if hints.name and len(groups) == 1 else name, hints)


FORMAT = Format(sniff=sniff, read=read)


def _logs(path: Path) -> list[Log]:
    if path.is_dir():
        return list(logs_in(path))
    return _logs_of_results(path) if _is_results(path) else [log_of(path)]


def _is_results(path: Path) -> bool:
    """Whether this is a results file of lighteval."""
    if path.suffix != ".json" or path.stat().st_size > _LARGEST_RESULTS:
        return False
    content = load_results(path).content
    return "config_general" in content and "results" in content


def _logs_of_results(path: Path) -> list[Log]:
    """The details of a results file's time: beside it, or in the folder `details` that stands beside `results`."""
    time, folder = path.stem.removeprefix("results_"), path.resolve().parent
    places = [folder, *_mirrored(folder)]
    logs = [log for place in places if place.is_dir() for log in logs_in(place) if log.time == time]
    if not logs:
        raise FormatError(
            f"{path} holds sums only and there are no details_*.parquet of its time beside it: "
            "run lighteval again with --save-details."
        )
    return logs


def _mirrored(folder: Path) -> Iterator[Path]:
    """For a folder below one called `results`, that of the same name below `details`."""
    for above in folder.parents:
        first, *below = folder.relative_to(above).parts
        if first == "results":
            yield above / "details" / Path(*below)


def _grouped(logs: Sequence[Log]) -> list[Group]:
    """Logs of one folder and checkpoint together; the results of each time are read once."""
    results: dict[tuple[Path, str], Results] = {}
    together: dict[tuple[Path, str], list[Log]] = defaultdict(list)
    for log in logs:
        at = (log.model, log.time)
        if at not in results:
            results[at] = results_of(log)
        named = checkpoint_of(results[at].content) or log.model.resolve().name.removeprefix("details_") or "model"
        together[log.model, named].append(log)
    return [
        Group(folder, named, found, {log.time: results[folder, log.time] for log in found})
        for (folder, named), found in together.items()
    ]


def _run_names(groups: Sequence[Group], path: Path) -> list[str]:
    """A name for each run: its checkpoint's; with its folder where several are called the same."""
    plain = [run_info({}, (), (), group.checkpoint).run_id for group in groups]
    return [
        name if plain.count(name) == 1 else slug("-".join([*_parts_below(group.folder, path), name]))
        for name, group in zip(plain, groups, strict=True)
    ]


def _parts_below(folder: Path, path: Path) -> tuple[str, ...]:
    """The folders between the path asked for and a model's folder, or the folder's own name."""
    below = folder.relative_to(path).parts if path.is_dir() and folder.is_relative_to(path) else ()
    return below or (folder.name,)


def _run(group: Group, name: str, hints: Hints) -> Run:
    taken = drawn(group.logs, group.results)
    logs = [one.log for one in taken]
    results = group.results[max(log.time for log in logs)].content
    names = [found for log in logs if (found := group.results[log.time].name) is not None]
    source = tuple(dict.fromkeys([*(log.path.name for log in logs), *names]))
    info = replace(run_info(results, logs, source, group.checkpoint), run_id=slug(name), seeds=seeds_of(taken))
    notes = [*notes_on_times(group.checkpoint, group.logs, logs), *_notes_on_results(group, logs)]
    tasks = [(one, k_said(hints.k, one.log.task)) for one in taken]
    return Run(info, partial(_rows, tasks, notes), notes=notes)


def _rows(tasks: list[tuple[Drawn, Said]], notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    for (log, results, draw), k in tasks:
        try:
            metrics = metrics_in(log.path)
        except FormatError as error:
            if len(tasks) == 1:
                raise
            problems.append(Problem(log.path.name, str(error)))
            continue
        content = results.content
        limit = token_limit(content, log)
        shape = TaskRows(log.task, task_config(content, log), metrics, k, draw, seed_of(content), limit)
        yield from _rows_of_task(log, shape, notes, problems)


def _rows_of_task(log: Log, shape: TaskRows, notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    """Rows in the order of their native ids; lighteval shuffles them."""
    found: list[Row] = []
    without: list[int] = []
    number, known = 0, len(problems)
    for number, details in details_in(log.path, problems):
        try:
            row = shape.row(details)
        except ValueError as error:
            problems.append(Problem(_place(log, number), str(error)))
            continue
        without += [number] if row is None else []
        found += [] if row is None else [row]
    _report(log, shape, without, problems, bool(found))
    nothing = number == 0 and len(problems) == known
    said = [f"{log.path.name} holds no rows."] if nothing else list(_remarks(shape, len(found)))
    notes += [note for note in said if note not in notes]
    rows = sorted(found, key=_order)
    for row, item in zip(rows, settled([row.item for row in rows]), strict=True):
        yield row._replace(item=item)


def _place(log: Log, number: int) -> str:
    return f"{log.path.name} row {number}"


def _order(row: Row) -> tuple[int, int, str]:
    """Ids are numbers; others come behind them by name, and rows without ids as they stand."""
    native = row.item.native_id
    if native is None:
        return (2, 0, "")
    return (0, int(native), "") if native.isascii() and native.isdecimal() and len(native) < 19 else (1, 0, native)


def _report(log: Log, shape: TaskRows, without: list[int], problems: list[Problem], any_row: bool) -> None:
    """Rows without a score: one problem for a file that has no other, else one each."""
    if without and not any_row:
        why = "; ".join(f"{name}: {why}" for name, why in shape.left_out.items()) or "they hold no metric"
        said = f"{shape.task}: none of its {len(without)} rows has a score between 0 and 1 ({why})"
        problems.append(Problem(log.path.name, said))
        return
    problems += [Problem(_place(log, number), "has no score between 0 and 1") for number in without]


def _remarks(shape: TaskRows, count: int) -> Iterator[str]:
    yield from (f"{shape.task}: {name} is left out: {why}." for name, why in shape.left_out.items() if count)
    if shape.hidden:
        yield f"{shape.task}: {shape.hidden} of {count} rows do not say which choice is right, so their chance is unknown."
    if shape.contradicted:
        yield (
            f"{shape.task}: in {shape.contradicted} of {count} rows the stored score contradicts the highest log-likelihood; "
            "the score counts, and the chosen option is unknown there."
        )
    if shape.unresolved:
        yield (
            f"{shape.task}: --k {shape.k} leads to no number of options in {shape.unresolved} of {count} rows; "
            "their chance stays unknown."
        )


def _notes_on_results(group: Group, logs: Sequence[Log]) -> Iterator[str]:
    troubles = dict.fromkeys(why for log in logs if (why := group.results[log.time].trouble) is not None)
    if troubles:
        more = f", and {len(troubles) - 1} more" if len(troubles) > 1 else ""
        yield f"{next(iter(troubles))}{more}: settings such as seed and dtype are unknown."
