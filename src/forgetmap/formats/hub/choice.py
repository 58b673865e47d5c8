"""Which files of a dataset are read: of several runs of a checkpoint the one that covers all tasks, has most rows, is the latest."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple, Protocol

from forgetmap.errors import HubError
from forgetmap.formats.hub.address import Address
from forgetmap.formats.hub.dataset import Dataset
from forgetmap.formats.hub.names import Named, below, data, fits, named, strange, sums
from forgetmap.tables import load

_NAMED_BY = {
    "lighteval": "forgetmap.formats.lighteval.info:checkpoint_of",
    "lm_eval": "forgetmap.formats.lm_eval.info:checkpoint_of",
}
"""How the results of each harness name the checkpoint."""
_SAID = 6
_SAID_OF_NAME = 60
_COUNTED = 5
"""Files of a run whose rows are counted, those of the largest tasks: where a run is cut short, it shows there."""
_ALIKE = 2.0
"""Logs of as many rows whose sizes differ by less than this may well be as long: prompts take more or less room."""


class Peek(Protocol):
    """A look into files before they are fetched."""

    def sums(self, path: str) -> Mapping[str, Any]: ...
    def rows(self, path: str) -> int: ...


class Chosen(NamedTuple):
    """The files that an address stands for."""

    paths: tuple[str, ...]
    run: str | None
    """What is left of ::RUN for the reader to find."""
    notes: tuple[str, ...]


class Evaluation(NamedTuple):
    """All logs of one checkpoint from one time."""

    time: str
    logs: tuple[Named, ...]
    sums: str | None
    """Path of its results."""

    @property
    def tasks(self) -> frozenset[str]:
        return frozenset(log.task for log in self.logs)


def chosen(address: Address, dataset: Dataset, sizes: Mapping[str, int], peek: Peek) -> Chosen:
    """The files to read; a sentence where there are none."""
    odd = strange(sizes)
    sizes = {path: size for path, size in sizes.items() if path not in odd}
    within, left_out = below(sizes, address.path), _left_out(dataset, below(sorted(odd), address.path))
    if not within:
        raise HubError(". ".join([_nothing(dataset, address.path, sizes), *left_out]) + ".")
    found = _among(address, dataset, within, sizes, peek)
    return found._replace(notes=(*left_out, *found.notes))


def _among(address: Address, dataset: Dataset, within: Sequence[str], sizes: Mapping[str, int], peek: Peek) -> Chosen:
    found = [log for path in within if (log := named(path)) is not None]
    logs = _of_one_kind(found)
    if not logs:
        return _of_data(address, dataset, within)
    wanted = [log for log in logs if fits(log.task, address.tasks)]
    if not wanted:
        tasks = sorted({log.task for log in logs})
        raise HubError(f"no task of {dataset.name} is called {', '.join(address.tasks)}; there are: {_some(tasks)}.")
    times = {log.time for log in wanted}
    time = address.run if address.run in times else None
    if address.model is not None and address.run is not None and time is None:
        raise HubError(f"{dataset.name} has no run of {address.run}; there are: {_some(sorted(times, reverse=True))}.")
    folders = _evaluations(wanted, sizes, time)
    taken, notes = list[str](), list(_others(dataset.name, found, logs))
    for evaluations in folders.values():
        best, said = _best(evaluations, sizes, peek)
        taken += [path for one in best for path in (*(log.path for log in one.logs), one.sums) if path is not None]
        notes += said
    return Chosen(tuple(dict.fromkeys(taken)), None if time else address.run, tuple(notes))


def _of_one_kind(logs: Sequence[Named]) -> list[Named]:
    """One reader reads a folder: that of the harness with more logs."""
    kinds = [log.kind for log in logs]
    return [log for log in logs if log.kind == max(set(kinds), key=lambda kind: (kinds.count(kind), kind))]


def _others(name: str, found: Sequence[Named], taken: Sequence[Named]) -> Iterator[str]:
    for kind in sorted({log.kind for log in found} - {log.kind for log in taken}):
        paths = [log.path for log in found if log.kind == kind]
        yield (
            f"{name} also holds logs of {kind}, which are left aside: {_some(paths)}; "
            f"hub:datasets/{name}/PATH reads them."
        )


def _of_data(address: Address, dataset: Dataset, within: Sequence[str]) -> Chosen:
    found = data(within, address.path)
    if not found:
        raise HubError(
            f"{dataset.name} holds no logs{f' at {address.path}' if address.path else ''} that are known: "
            f"its files are {_some(within)}."
        )
    return Chosen(tuple(found), address.run, ())


def _evaluations(logs: Sequence[Named], sizes: Mapping[str, int], time: str | None) -> dict[str, list[Evaluation]]:
    """By the folder of a checkpoint."""
    together: dict[tuple[str, str], list[Named]] = defaultdict(list)
    for log in logs:
        if time in (None, log.time):
            together[log.folder, log.time].append(log)
    found: dict[str, list[Evaluation]] = defaultdict(list)
    for (folder, when), own in together.items():
        results = sums(sizes, folder, when) if when else []
        found[folder].append(Evaluation(when, tuple(own), results[0] if results else None))
    return found


def _best(
    evaluations: Sequence[Evaluation], sizes: Mapping[str, int], peek: Peek
) -> tuple[list[Evaluation], list[str]]:
    """The evaluation that counts, and of others of the same checkpoint the tasks that it lacks."""
    if len(evaluations) == 1:
        return list(evaluations), []
    order = _ordered(evaluations, sizes, peek)
    first, *others = order
    taken, tasks = [first], set(first.tasks)
    own = _checkpoint(first, peek)
    for other in others:
        lacking = tuple(log for log in other.logs if log.task not in tasks)
        if lacking and _checkpoint(other, peek) == own:
            taken.append(other._replace(logs=lacking))
            tasks |= {log.task for log in lacking}
    return taken, list(_said(taken, order))


def _ordered(evaluations: Sequence[Evaluation], sizes: Mapping[str, int], peek: Peek) -> list[Evaluation]:
    """Most tasks first, then most rows, then the latest."""
    most = max(len(one.tasks) for one in evaluations)
    full = [one for one in evaluations if len(one.tasks) == most]
    rest = sorted((one for one in evaluations if one not in full), key=lambda one: (len(one.tasks), one.time))
    if len(full) > 1:
        rows = _rows(full, sizes, peek)
        full = [one for _, one in sorted(zip(rows, full, strict=True), key=lambda pair: (pair[0], pair[1].time))]
    return [*rest, *full][::-1]


def _rows(evaluations: Sequence[Evaluation], sizes: Mapping[str, int], peek: Peek) -> list[int]:
    """Rows of each, as far as they tell which is cut short: said by the results, counted in Parquet, else by size."""
    common = frozenset.intersection(*(one.tasks for one in evaluations))
    said = [_rows_said(peek.sums(one.sums) if one.sums else {}, common) for one in evaluations]
    if all(rows is not None for rows in said):
        return [rows or 0 for rows in said]
    largest = sorted(common, key=lambda task: -max(_bytes(one, [task], sizes) for one in evaluations))[:_COUNTED]
    if evaluations[0].logs[0].kind == "lighteval":
        return [sum(peek.rows(log.path) for log in one.logs if log.task in largest) for one in evaluations]
    lengths = [_bytes(one, largest, sizes) for one in evaluations]
    return [int(length * _ALIKE >= max(lengths)) for length in lengths]


def _rows_said(results: Mapping[str, Any], tasks: frozenset[str]) -> int | None:
    counts = results.get("n-samples")
    own = [counts.get(task) for task in tasks] if isinstance(counts, Mapping) else []
    told = [one["effective"] for one in own if isinstance(one, Mapping) and isinstance(one.get("effective"), int)]
    return sum(told) if told and len(told) == len(tasks) else None


def _bytes(evaluation: Evaluation, tasks: Sequence[str], sizes: Mapping[str, int]) -> int:
    return sum(sizes[log.path] for log in evaluation.logs if log.task in tasks)


def _checkpoint(evaluation: Evaluation, peek: Peek) -> str | None:
    """The weights that were asked, as the results name them."""
    if evaluation.sums is None:
        return None
    name: str | None = load(_NAMED_BY, evaluation.logs[0].kind, group="formats")(peek.sums(evaluation.sums))
    return name


def _said(taken: Sequence[Evaluation], order: Sequence[Evaluation]) -> Iterator[str]:
    first, *more = taken
    name = PurePosixPath(first.logs[0].folder).name.removeprefix("details_") or "its folder"
    others = [f"{one.time or 'no time'} ({len(one.tasks)} tasks)" for one in order if one not in (first, *more)]
    added = "".join(f", with {len(one.logs)} tasks that it lacks from {one.time}" for one in more)
    rest = [text for text in others if text.partition(" ")[0] not in {one.time for one in more}]
    also = f"; also there: {_some(rest)}, to be had as ::TIME" if rest else ""
    yield (
        f"{name} was evaluated {len(order)} times: that of {first.time or 'no time'} is taken "
        f"({len(first.tasks)} tasks){added}{also}."
    )


def _nothing(dataset: Dataset, path: str, sizes: Mapping[str, int]) -> str:
    tops = sorted({path.partition("/")[0] + ("/" if "/" in path else "") for path in sizes})
    return f"{dataset.name} has {f'nothing at {path}' if path else 'no files'}{f': there are {_some(tops)}' if tops else ''}"


def _left_out(dataset: Dataset, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    said = _some([repr(name[:_SAID_OF_NAME]) for name in names])
    return [f"Left out of {dataset.name}, because no file here can have such a name: {said}"]


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SAID} more" if len(names) > _SAID else ""
    return ", ".join(names[:_SAID]) + more
