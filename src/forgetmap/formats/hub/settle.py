"""From `hub:` addresses to folders on this disk: planned for all of them together, agreed upon, fetched."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from forgetmap.errors import HubError
from forgetmap.formats.contract import Fetched, Hints, Talk
from forgetmap.formats.hub.address import Address, is_address, parsed
from forgetmap.formats.hub.choice import Chosen, chosen
from forgetmap.formats.hub.client import Client
from forgetmap.formats.hub.dataset import Dataset, find, sizes
from forgetmap.formats.hub.fetch import Files
from forgetmap.formats.hub.names import named
from forgetmap.formats.hub.place import place
from forgetmap.formats.hub.published import Model, in_one_layout

_MEGA = 1_000_000
_SHORT = 8
_LARGE = 10_000_000
"""Bytes from which the largest file is named."""


class Part(NamedTuple):
    """What one address stands for."""

    address: Address
    files: Files
    chosen: Chosen

    @property
    def bytes(self) -> int:
        """At most so much is to be fetched."""
        return sum(self.files.sizes[path] for path in self.files.missing(self.chosen.paths))

    def __str__(self) -> str:
        dataset, missing = self.files.dataset, self.files.missing(self.chosen.paths)
        at = f"{dataset.name} at commit {dataset.commit[:_SHORT]}"
        if not missing:
            return f"{self.address.text}: {_files(len(self.chosen.paths))} of {at}, all here already"
        largest = max(missing, key=self.files.sizes.__getitem__)
        size = self.files.sizes[largest]
        said = f", of which {megabytes(size)} are {_task(largest)}" if size > _LARGE and missing[1:] else ""
        here = len(self.chosen.paths) - len(missing)
        kept = f" ({here} more are here already)" if here else ""
        return f"{self.address.text}: {_files(len(missing))} of {at}, {megabytes(self.bytes)}{said}{kept}"


class Plan(NamedTuple):
    """What is to be fetched for some addresses."""

    parts: tuple[Part, ...]
    client: Client

    @property
    def bytes(self) -> int:
        return sum(part.bytes for part in self.parts)

    @property
    def is_done(self) -> bool:
        return not any(part.files.missing(part.chosen.paths) for part in self.parts)

    def lines(self) -> list[str]:
        """One for each address, and what to know of their size."""
        paths = [path for part in self.parts for path in part.files.missing(part.chosen.paths)]
        less = any(path.endswith(".parquet") for path in paths)
        return [
            *map(str, self.parts),
            *(["Of Parquet files only the columns that are needed are fetched, so it may be less."] if less else []),
        ]


def plan(sources: Iterable[object], hints: Hints) -> Plan | None:
    """What the `hub:` addresses among some sources want from the Hub; null where there is no such address."""
    texts = dict.fromkeys(str(one) for one in sources if is_address(str(one)) and str(one) not in hints.fetched)
    if not texts:
        return None
    addresses = [parsed(text) for text in texts]
    client = Client(place(), hints.talk.progress if hints.talk else _silent)
    datasets = _datasets(client, addresses)
    return Plan(tuple(_part(client, one, datasets[one.text]) for one in addresses), client)


def settled(sources: Iterable[object], hints: Hints) -> Hints:
    """The hints with all that the `hub:` addresses among some sources lead to, fetched as far as it was not here."""
    found = plan(sources, hints)
    if found is None:
        return hints
    if not found.is_done:
        _agree(found, hints)
        _fetch(found, hints.talk)
    return replace(hints, fetched={**hints.fetched, **{part.address.text: _fetched(part) for part in found.parts}})


def megabytes(size: float) -> str:
    """
    >>> megabytes(380_400_000), megabytes(13_000_000), megabytes(1_200)
    ('380 MB', '13.0 MB', '0.1 MB')
    """
    return f"{size / _MEGA:,.0f} MB" if size >= 100 * _MEGA else f"{max(size / _MEGA, 0.1 if size else 0):.1f} MB"


def _datasets(client: Client, addresses: Sequence[Address]) -> dict[str, Dataset]:
    """The dataset of each address; models are found together."""
    models = {one.text: Model(one.model, one.revision) for one in addresses if one.model is not None}
    found = in_one_layout(client, list(models.values())) if models else {}
    return {
        one.text: found[models[one.text]] if one.dataset is None else find(client, one.dataset, one.revision)
        for one in addresses
    }


def _part(client: Client, address: Address, dataset: Dataset) -> Part:
    files = Files(client, dataset, sizes(client, dataset))
    return Part(address, files, chosen(address, dataset, files.sizes, files))


def _agree(found: Plan, hints: Hints) -> None:
    """Say what is to be fetched, and ask where it is more than goes without asking."""
    if hints.talk is not None:
        for line in found.lines():
            hints.talk.say(line)
    if hints.up_to is None or found.bytes <= hints.up_to * _MEGA:
        return
    size = megabytes(found.bytes)
    agreed = hints.talk.agree(f"Fetch {size} from the Hub?") if hints.talk is not None else None
    if agreed is None:
        each = "" if hints.talk else f" ({'; '.join(found.lines())})"
        raise HubError(
            f"{size} are to be fetched from the Hub{each}, and only {hints.up_to:g} MB go without asking: "
            "say --yes (in Python Hints(up_to=None)), or name the tasks that you want, as in hub:ORG/MODEL/TASK,TASK."
        )
    if not agreed:
        raise HubError("nothing was fetched, as you wished.")


def _fetch(found: Plan, talk: Talk | None) -> None:
    missing = [(part, path) for part in found.parts for path in part.files.missing(part.chosen.paths)]
    told = _Told(found, len(missing), talk)
    found.client.on_bytes = told.bytes
    for part in found.parts:
        part.files.fetch(part.chosen.paths, told.file)
    if talk is not None:
        talk.progress("")


class _Told:
    """How much has come, told from several threads."""

    def __init__(self, found: Plan, files: int, talk: Talk | None) -> None:
        self._talk, self._all, self._files = talk, found.bytes, files
        self._lock, self._done, self._came = threading.Lock(), 0, 0

    def bytes(self, count: int) -> None:
        with self._lock:
            self._came += count
            self._tell()

    def file(self, path: str) -> None:
        with self._lock:
            self._done += 1
            self._tell()

    def _tell(self) -> None:
        if self._talk is not None:
            came = f"{megabytes(self._came)} of at most {megabytes(self._all)}"
            self._talk.progress(f"from the Hub: {self._done} of {_files(self._files)}, {came}")


def _fetched(part: Part) -> Fetched:
    address, dataset = part.address, part.files.dataset
    folder = address.path if any(path.startswith(f"{address.path}/") for path in part.chosen.paths) else ""
    single = address.path if address.path in part.chosen.paths else ""
    name = PurePosixPath(dataset.name).name
    view = part.files.shelf.view(dataset.commit, part.chosen.paths, name)
    below = f"/{address.path}" if address.path else ""
    return Fetched(
        path=view / (single or folder),
        run=part.chosen.run,
        model=address.model,
        origin=f"hub:datasets/{dataset.name}{below}@{dataset.commit}",
        notes=(*dataset.notes, *part.chosen.notes),
    )


def _task(path: str) -> str:
    log = named(path)
    return log.task if log else PurePosixPath(path).name


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def _silent(line: str) -> None:
    """Nobody is told."""
