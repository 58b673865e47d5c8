"""A file of a dataset as bytes that can be asked for in part: on the Hub, or whole in the cache of huggingface_hub."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from forgetmap.formats.hub.client import Client
from forgetmap.formats.hub.dataset import Dataset
from forgetmap.formats.hub.place import Place, library
from forgetmap.formats.hub.refusals import Wanted

_BLOCK = 1 << 18
_TAIL = 1 << 16
"""Bytes at the end of a file that are asked for first: the list of columns stands there."""
_GAP = 1 << 14
"""Bytes between two parts for which a request of its own does not pay."""


class Source(Protocol):
    """Where the bytes of one file come from."""

    @property
    def size(self) -> int: ...
    def blocks(self, start: int, stop: int) -> Iterator[bytes]: ...


class OnHub:
    """A file that is not here."""

    def __init__(self, client: Client, dataset: Dataset, path: str, size: int) -> None:
        self.size = size
        self._client, self._wanted = client, Wanted(dataset.name, path)
        self._url = library().hf_hub_url(
            dataset.name, path, repo_type="dataset", revision=dataset.commit, endpoint=client.place.endpoint
        )

    def blocks(self, start: int, stop: int) -> Iterator[bytes]:
        return self._client.stream(self._url, start, stop, self._wanted)


class OnDisk:
    """A file that is here."""

    def __init__(self, path: Path) -> None:
        self.size = path.stat().st_size
        self._path = path

    def blocks(self, start: int, stop: int) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            file.seek(start)
            while start < stop and (block := file.read(min(_BLOCK, stop - start))):
                start += len(block)
                yield block


def kept_whole(place: Place, dataset: Dataset, path: str) -> Path | None:
    """The file in the cache of huggingface_hub, where another tool has put it."""
    found = library().try_to_load_from_cache(
        dataset.name, path, cache_dir=place.hub_cache, revision=dataset.commit, repo_type="dataset"
    )
    return Path(found) if isinstance(found, str) else None


class Parts(io.RawIOBase):
    """A file of which only the parts that were announced are fetched, neighbours together; all else when it is read."""

    def __init__(self, source: Source) -> None:
        self.size = source.size
        self._source, self._at = source, 0
        start = max(0, source.size - _TAIL)
        self._held = [(start, _all(source, start, source.size))]

    def announce(self, spans: Sequence[tuple[int, int]]) -> None:
        """Fetch these parts and forget the parts of before; the end of the file stays."""
        tail = self._held[0]
        self._held = [tail]
        for start, stop in _joined([(start, min(stop, tail[0])) for start, stop in spans if start < tail[0]]):
            self._held.append((start, _all(self._source, start, stop)))

    def blocks(self, start: int, stop: int) -> Iterator[bytes]:
        """The same file as a source, the end of which is not fetched again."""
        tail, held = self._held[0]
        if start < min(stop, tail):
            yield from self._source.blocks(start, min(stop, tail))
        if tail < stop:
            yield held[max(0, start - tail) : stop - tail]

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self.size}[whence]
        return self._at

    def read(self, size: int | None = -1) -> bytes:
        stop = self.size if size is None or size < 0 else min(self._at + size, self.size)
        found = b"".join(self._pieces(self._at, stop))
        self._at += len(found)
        return found

    def _pieces(self, at: int, stop: int) -> Iterator[bytes]:
        while at < stop:
            for start, held in self._held:
                if start <= at < start + len(held):
                    piece = held[at - start : stop - start]
                    break
            else:
                ends = [start for start, _ in self._held if at < start]
                piece = _all(self._source, at, min([stop, *ends]))
            if not piece:
                return
            yield piece
            at += len(piece)


def _all(source: Source, start: int, stop: int) -> bytes:
    return b"".join(source.blocks(start, stop))


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if joined and start <= joined[-1][1] + _GAP:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined
