"""Logs of HELM (crm-helm): the folder of a run spec, a suite of them, or scenario states alone, plain or gzipped.

Stats of each answer decide what is right where they were kept; that a request succeeded says nothing of it. The harness is not
imported.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.helm.display import answers_shown, kept
from forgetmap.formats.helm.entries import Answered, Source, answers_in, entries_of
from forgetmap.formats.helm.files import PREDICTIONS, STATE, STATS, Log, has_logs, logs_in
from forgetmap.formats.helm.info import checkpoint_of, deployment_of, run_info
from forgetmap.formats.helm.keys import Key
from forgetmap.formats.helm.names import subject, task_names
from forgetmap.formats.helm.rows import Setting, row
from forgetmap.formats.helm.stats import Stats, gathered
from forgetmap.formats.lm_eval.info import run_name
from forgetmap.formats.opening import slug
from forgetmap.records.mending import k_said
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row

_SAID = 5


class Group(NamedTuple):
    """Logs of one checkpoint in one suite and place, by the name of their task."""

    suite: Path
    checkpoint: str
    deployment: str
    logs: Mapping[str, Log]


def sniff(path: Path) -> bool:
    try:
        return (path.is_file() or path.is_dir()) and has_logs(path)
    except OSError:
        return False


def read(path: Path, hints: Hints) -> Iterator[Run]:
    """Runs at a path, one for each suite and checkpoint."""
    groups = _grouped(list(logs_in(path)))
    for name, group in zip(_run_names(groups, path), groups, strict=True):
        yield _run(group, hints.name if hints.name and len(groups) == 1 else name, hints)


FORMAT = Format(sniff=sniff, read=read, logs=r".*\.json(?:\.gz)?")


def _grouped(logs: Sequence[Log]) -> list[Group]:
    together: dict[tuple[Path, str, str], list[Log]] = defaultdict(list)
    for log in logs:
        together[log.suite, checkpoint_of(log), deployment_of(log)].append(log)
    return [
        Group(
            suite, checkpoint, deployment, dict(sorted(zip(task_names(found), found, strict=True), key=itemgetter(0)))
        )
        for (suite, checkpoint, deployment), found in together.items()
    ]


def _run_names(groups: Sequence[Group], path: Path) -> list[str]:
    """A name for each run: its checkpoint's; with its suite, then its deployment, where several are called the same."""
    plain = [run_name(group.checkpoint) for group in groups]
    with_suite = [
        name if plain.count(name) == 1 else slug("-".join([*_parts_below(group.suite, path), name]))
        for name, group in zip(plain, groups, strict=True)
    ]
    return [
        name if with_suite.count(name) == 1 else slug(f"{name}-{group.deployment}")
        for name, group in zip(with_suite, groups, strict=True)
    ]


def _parts_below(folder: Path, path: Path) -> tuple[str, ...]:
    below = folder.relative_to(path).parts if path.is_dir() and folder.is_relative_to(path) else ()
    return below or (folder.resolve().name,)


def _run(group: Group, name: str, hints: Hints) -> Run:
    info = replace(run_info(group.logs, group.checkpoint), run_id=slug(name))
    notes = list(_notes_on_files(group.logs))
    return Run(info, partial(_rows, group.logs, hints, notes), notes=notes)


def _rows(logs: Mapping[str, Log], hints: Hints, notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    left_out: dict[tuple[str, str], list[str]] = defaultdict(list)
    for task, log in logs.items():
        stats = _stats(log, problems)
        for reason in stats.left_out.items() if stats else ():
            left_out[reason].append(task)
        if stats is not None and not stats.scorers:
            said = f"{task}: none of its stats says how right an answer is, so its {len(stats.values)} answers are not read"
            problems.append(Problem(log.called(STATS), said))
            continue
        setting = Setting(task, subject(log), log.adapter, stats, None)
        yield from _rows_of_log(log, setting, hints, (notes, problems))
    _note(notes, _notes_on_stats(left_out))


def _stats(log: Log, problems: list[Problem]) -> Stats | None:
    """The stats of each answer: all of them, else those that HELM's pages show; null where none were kept."""
    for kind in (STATS, PREDICTIONS):
        if kind in log.files:
            found = gathered(entries_of(Source(log.files[kind], log.called(kind)), problems), problems)
            if found.scorers or (kind == STATS and found.values):
                return found
    return None


def _rows_of_log(log: Log, setting: Setting, hints: Hints, said: tuple[list[str], list[Problem]]) -> Iterator[Row]:
    """The rows of one log; answers that are told in one of its files only are problems."""
    notes, problems = said
    seen = set[Key]()
    answers, adapter = _answers(log, setting.stats, problems)
    setting = setting._replace(adapter={**adapter, **setting.adapter})
    for answered in answers:
        seen.add(answered.key)
        task = setting.task if answered.kind is None else _perturbed(setting.task, answered.kind)
        own = setting._replace(task=task, k=k_said(hints.k, task), closed=answered.closed)
        if answered.several and own.stats is not None:
            own = own._replace(stats=None)
            _note(
                notes,
                [
                    f"{setting.task} was asked several times with the same examples, which its stats do not tell apart: "
                    "answers are judged by quasi-exact match."
                ],
            )
        try:
            yield row(answered.states, answered.key, answered.draw, own)
        except ValueError as error:
            problems.append(Problem(answered.place, str(error)))
    without = [key for key in (setting.stats.values if setting.stats else ()) if key not in seen]
    problems += [
        Problem(log.called(STATE), f"holds no request for {_said_key(key)}, of which there are stats")
        for key in without
    ]


def _answers(log: Log, stats: Stats | None, problems: list[Problem]) -> tuple[Iterator[Answered], Mapping[str, Any]]:
    """The answers, and how their items were asked where only they show it."""
    if STATE in log.files:
        return answers_in(Source(log.files[STATE], log.called(STATE)), problems), {}
    # The predictions were read for their stats where there are no others, so what is wrong with them is known by now.
    found = kept(log, problems if STATS in log.files else [])
    return answers_shown(log, stats or Stats((), {}, {}), found), found.adapter


def _perturbed(task: str, kind: str) -> str:
    """The task of items that were changed on purpose: HELM never counts them with those that were not.

    >>> _perturbed("quiz", "typos"), _perturbed("mmlu:subject=law", "typos")
    ('quiz:perturbation=typos', 'mmlu:subject=law,perturbation=typos')
    """
    return f"{task}{',' if ':' in task else ':'}perturbation={kind}"


def _said_key(key: Key) -> str:
    return " ".join(part for part in key.item if part) + (f" (trial {key.trial})" if key.trial else "")


def _notes_on_files(logs: Mapping[str, Log]) -> Iterator[str]:
    bare = [task for task, log in logs.items() if STATS not in log.files and PREDICTIONS not in log.files]
    if bare:
        yield f"No stats were kept of {_listed(bare)}: answers are judged by quasi-exact match with the references."


def _notes_on_stats(left_out: Mapping[tuple[str, str], list[str]]) -> Iterator[str]:
    return (f"{_listed(tasks)}: the stat {name} is left out, for {why}." for (name, why), tasks in left_out.items())


def _listed(tasks: Sequence[str]) -> str:
    more = len(tasks) - _SAID
    return ", ".join(tasks[:_SAID]) + (f" and {more} more tasks" if more > 0 else "")


def _note(notes: list[str], said: Iterable[str]) -> None:
    notes += [one for one in said if one not in notes]
