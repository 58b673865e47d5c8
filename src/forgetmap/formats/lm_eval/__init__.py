"""Logs of lm-evaluation-harness 0.4.0 and later: samples_*.jsonl, with results_*.json beside them where they were kept.

A folder (searched to its depth), one samples file, one results file (for its time), or in Python the dict that `simple_evaluate`
returns. Before 0.4.3 the files had other names. The harness is not imported.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.lines import open_seekable
from forgetmap.formats.lm_eval.files import LOGS, Log, Shelf, is_results, is_samples, logs_in, samples_in
from forgetmap.formats.lm_eval.info import checkpoint_of, run_info
from forgetmap.formats.lm_eval.items import Setting, read_task
from forgetmap.formats.lm_eval.lines import Lines
from forgetmap.formats.lm_eval.memory import Memory
from forgetmap.formats.opening import NO_HINTS, slug
from forgetmap.formats.times import latest_of, notes_on_times
from forgetmap.records.mending import k_said
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row

_SAID = 5


class Group(NamedTuple):
    """Logs of one checkpoint in one folder."""

    folder: Path
    checkpoint: str
    logs: Sequence[Log]


def sniff(path: Path) -> bool:
    if path.is_dir():
        return next(samples_in(path), None) is not None
    return path.is_file() and (is_samples(path) or is_results(path))


def read(path: Path, hints: Hints) -> Iterator[Run]:
    """Runs below a path, one for each folder and checkpoint."""
    time = hints.run
    if path.is_dir():
        logs = [log for log in logs_in(path) if time is None or time == log.time]
    elif is_results(path):
        logs = [log for log in logs_in(path.parent) if log.sums.name == path.name and log.path.parent == path.parent]
        _check_for_samples(path, logs)
    else:
        logs = [Shelf().log_of(path)]
    groups = _grouped(logs)
    for name, group in zip(_run_names(groups, path), groups, strict=True):
        run = _run(group, hints.name if hints.name and len(groups) == 1 else name, hints)
        run.notes += _notes_on_lacking(group.logs) if all(log.path != path for log in group.logs) else []
        yield run


def from_results(results: Mapping[str, Any], name: str | None = None, hints: Hints = NO_HINTS) -> Run:
    """The run in the dict that `lm_eval.simple_evaluate` returns."""
    samples = results.get("samples") if isinstance(results, Mapping) else None
    if not isinstance(samples, Mapping) or not any(isinstance(found, list | tuple) for found in samples.values()):
        raise FormatError(
            "the dict that simple_evaluate returns is wanted, with its samples, but it holds none: "
            "call simple_evaluate with log_samples=True."
        )
    tasks = sorted(task for task, found in samples.items() if isinstance(task, str) and isinstance(found, list | tuple))
    settings = [_setting(task, results, hints) for task in tasks]
    info, notes = run_info(results, tasks, (), "model"), list[str]()

    def rows(problems: list[Problem]) -> Iterator[Row]:
        for setting in settings:
            yield from read_task(Memory(setting.task, samples[setting.task], problems), setting, problems, notes)

    return Run(replace(info, run_id=slug(name)) if name else info, rows, notes=notes)


FORMAT = Format(sniff=sniff, read=read, logs=LOGS)


def _check_for_samples(path: Path, logs: list[Log]) -> None:
    if not logs:
        raise FormatError(
            f"{path} holds sums only and there are no samples_*.jsonl of its run beside it: "
            "run lm-eval again with --log_samples."
        )


def _setting(task: str, results: Mapping[str, Any], hints: Hints) -> Setting:
    configs = results.get("configs")
    config = configs.get(task) if isinstance(configs, Mapping) else None
    return Setting(task, config if isinstance(config, Mapping) else {}, k_said(hints.k, task))


def _grouped(logs: Sequence[Log]) -> list[Group]:
    """Logs of one folder and checkpoint together."""
    together: dict[tuple[Path, str], list[Log]] = defaultdict(list)
    for log in logs:
        checkpoint = checkpoint_of(log.sums.results) or log.path.resolve().parent.name or "model"
        together[log.path.parent, checkpoint].append(log)
    return [Group(folder, checkpoint, found) for (folder, checkpoint), found in together.items()]


def _run_names(groups: Sequence[Group], path: Path) -> list[str]:
    """A name for each run: its checkpoint's; with its folder where several are called the same."""
    plain = [run_info({}, (), (), group.checkpoint).run_id for group in groups]
    return [
        name if plain.count(name) == 1 else slug("-".join([*_parts_below(group.folder, path), name]))
        for name, group in zip(plain, groups, strict=True)
    ]


def _parts_below(folder: Path, path: Path) -> tuple[str, ...]:
    """The folders between the path asked for and a log's folder, or the folder's own name."""
    return (folder.relative_to(path).parts if path.is_dir() else ()) or (folder.name,)


def _run(group: Group, name: str, hints: Hints) -> Run:
    logs = latest_of(group.logs)
    results = max(logs, key=lambda log: log.time).sums.results
    names = tuple(dict.fromkeys([*(log.path.name for log in logs), *_sums_names(logs)]))
    info = run_info(results, (log.task for log in logs), names, group.checkpoint)
    info = replace(info, run_id=slug(name), shots=_shots(logs))
    notes = [*notes_on_times(group.checkpoint, group.logs, logs), *_notes_on_sums(logs)]
    tasks = [(log, _setting(log.task, log.sums.results, hints)) for log in logs]
    return Run(info, partial(_rows, tasks, notes), notes=notes)


def _rows(tasks: list[tuple[Log, Setting]], notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    for log, setting in tasks:
        with open_seekable(log.path, problems) as file:
            lines = Lines(log.path, file)
            lines.scan(problems)
            yield from read_task(lines, setting, problems, notes)


def _shots(logs: Sequence[Log]) -> dict[str, int]:
    return {log.task: shots for log in logs for shots in run_info(log.sums.results, [log.task], (), "").shots.values()}


def _sums_names(logs: Sequence[Log]) -> Iterator[str]:
    return (name for log in logs if (name := log.sums.name) is not None)


def _notes_on_lacking(logs: Sequence[Log]) -> Iterator[str]:
    """Tasks that a results file lists and of which there are no samples."""
    here = {log.task for log in logs}
    for name, results in {log.sums.name: log.sums.results for log in latest_of(logs)}.items():
        configs = results.get("configs")
        if name is not None and (lacking := sorted(set(configs if isinstance(configs, Mapping) else ()) - here)):
            more = f" and {len(lacking) - _SAID} more" if len(lacking) > _SAID else ""
            yield f"{name} lists {', '.join(lacking[:_SAID])}{more}, of which no samples can be read here."


def _notes_on_sums(logs: Sequence[Log]) -> Iterator[str]:
    troubles = dict.fromkeys(why for log in logs if (why := log.sums.trouble) is not None)
    if troubles:
        more = f", and {len(troubles) - 1} more" if len(troubles) > 1 else ""
        yield f"{next(iter(troubles))}{more}: settings such as shots and template are unknown."
