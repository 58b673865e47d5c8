"""Generations of ZeroEval: one JSON list a checkpoint and task, with texts and no scores.

Each entry has id, question, answer (or choices and correct_answer), output (a list of texts, each a draw), generator, configs and
dataset. The texts should hold a JSON object with the field "answer". Files of one generator are one run; a task that it answered in
several ways (greedy, sampling) is a run for each folder.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.closed import settled
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.json_list import entries, files_at, first_entry, is_any_at, name_below
from forgetmap.formats.opening import slug
from forgetmap.formats.scoring import natural
from forgetmap.formats.zero_eval.items import FIELDS, Told, answers, scorers, told
from forgetmap.records.mending import mender
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row, RunInfo

_KEYS = {"output", "generator", "configs"}
_TASK_OF_ID = re.compile(r"(?P<task>.+?)(?:-(?:test|train|validation|dev|main))*-?#?\d+")


def sniff(path: Path) -> bool:
    return is_any_at(path, _is_ours)


def _is_ours(file: Path) -> bool:
    first = first_entry(file)
    return first is not None and first.keys() >= _KEYS and isinstance(first["configs"], dict)


class _Part(NamedTuple):
    """One file: what its first entry says about all."""

    path: Path
    name: str
    generator: str
    task: str
    configs: Mapping[str, Any]


def read(path: Path, hints: Hints) -> Iterator[Run]:
    """A run for each generator; one more for each further file in which it answers the same task."""
    files = list(files_at(path, _is_ours))
    if not files:
        raise FormatError(
            f"{path} holds no generations of ZeroEval: a JSON list with id, output and generator is wanted."
        )
    runs: dict[str, list[_Part]] = {}
    for file in files:
        part = _part(file, name_below(file, path))
        runs.setdefault(_run_of(part, runs), []).append(part)
    return (_run(run_id, parts, hints) for run_id, parts in runs.items())


FORMAT = Format(sniff=sniff, read=read, logs=r".*\.json(?:\.gz)?")


def _part(file: Path, name: str) -> _Part:
    first = first_entry(file) or {}
    generator = first.get("generator")
    named = generator if isinstance(generator, str) and generator.strip() else file.name.partition(".json")[0]
    return _Part(file, name, named, _task(first, file), first["configs"])


def _task(entry: Mapping[str, Any], file: Path) -> str:
    if isinstance(entry.get("dataset"), str):
        return str(entry["dataset"])
    named = _TASK_OF_ID.fullmatch(str(entry.get("id") or entry.get("session_id") or ""))
    return named["task"] if named else file.resolve().parent.name


def _run_of(part: _Part, runs: Mapping[str, Sequence[_Part]]) -> str:
    """The generator's own name; with that of the folder where it answered the task before."""
    name = slug(part.generator.rpartition("/")[2])
    folder = slug(part.path.resolve().parent.name)
    tries = [name, f"{name}-{folder}", *(f"{name}-{folder}-{number}" for number in range(2, 10_000))]
    return next(one for one in tries if all(_may_join(part, other) for other in runs.get(one, ())))


def _may_join(part: _Part, other: _Part) -> bool:
    return part.generator == other.generator and part.task != other.task


def _run(run_id: str, parts: Sequence[_Part], hints: Hints) -> Run:
    first = parts[0]
    decoding = {name: said for name, said in first.configs.items() if name != "engine"}
    info = RunInfo(
        run_id=run_id,
        checkpoint=first.generator,
        engine=first.configs.get("engine") if isinstance(first.configs.get("engine"), str) else None,
        decoding=decoding,
        harness="ZeroEval",
        source=tuple(part.name for part in parts),
    )
    notes: list[str] = []
    return Run(info, partial(_rows, parts, hints, notes), notes=notes)


def _rows(parts: Sequence[_Part], hints: Hints, notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    mend = mender(hints.k)
    for part in sorted(parts, key=lambda part: part.task):
        found = sorted(_told(part, problems), key=lambda one: natural(one.item.native_id))
        items = settled([one.item for one in found])
        found = [one._replace(item=mend(item)) for one, item in zip(found, items, strict=True)]
        names = scorers(part.task, [one.item for one in found])
        if found and not any(one.item.golds for one in found):
            said = f"{part.task}: the files hold no right answers, so its answers are kept without a score."
            notes.extend([] if said in notes else [said])
        for one in _with_domains(found):
            for sample, scores in answers(names, one):
                yield Row(one.item, sample, scores)


def _told(part: _Part, problems: list[Problem]) -> Iterator[Told]:
    for number, entry in entries(part.path, part.name, FIELDS, problems):
        try:
            one = told(entry, part.task)
        except ValueError as error:
            problems.append(Problem(f"{part.name} entry {number}", str(error)))
        else:
            yield one


def _with_domains(found: Sequence[Told]) -> Iterator[Told]:
    """The configs of a dataset are its domains where there are several."""
    several = len({one.item.domain for one in found}) > 1
    return (one if several else one._replace(item=one.item._replace(domain=None)) for one in found)
