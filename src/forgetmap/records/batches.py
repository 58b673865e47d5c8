"""The rows of a run in batches and shards: where they end depends on the rows alone, so that a resumed run ends like an undisturbed one."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from forgetmap.records.lines import lines_of, text_of
from forgetmap.records.schema import Row
from forgetmap.records.shelves import Shelves


class Sizes(NamedTuple):
    """Rows a batch of the journal; rows, and bytes of JSON, at which a shard is sealed."""

    batch: int = 500
    shard: int = 10_000
    bytes: int = 1 << 26


class Batch(NamedTuple):
    """Some rows of a run, as JSON."""

    start: int
    end: int
    """Rows of the run before this batch, and to its end."""
    digest: str
    """Hash of all rows to the end of this batch."""
    texts: tuple[bytes, ...]


class Cut(NamedTuple):
    """A batch and its place: the row at which its shard starts, and whether the shard is full with it."""

    batch: Batch
    shard_start: int
    full: bool


class Reading:
    """One pass over the rows of a run: into batches, into one hash, and onto the shelves of the present shard."""

    def __init__(self, rows: Iterable[Row], sizes: Sizes) -> None:
        self.shelves = Shelves()
        self.digest = ""
        self._rows = iter(rows)
        self._sizes = sizes
        self._hash = sha256()

    def cuts(self) -> Iterator[Cut]:
        """The batches in order. The shelves hold the shard of the batch last given, until the next one is asked for."""
        shard_start = held = 0
        while chunk := list(islice(self._rows, self._sizes.batch)):
            batch = self._batch(chunk)
            held += sum(map(len, batch.texts))
            full = batch.end - shard_start >= self._sizes.shard or held >= self._sizes.bytes
            yield Cut(batch, shard_start, full)
            if full:
                self.shelves.next_shard()
                shard_start, held = batch.end, 0

    def _batch(self, chunk: list[Row]) -> Batch:
        start = self.shelves.rows
        texts = tuple(self.shelves.put(lines_of(row)) for row in chunk)
        self.shelves.pack()
        self._hash.update(b"".join(text + b"\n" for text in texts))
        self.digest = self._hash.hexdigest()
        return Batch(start, self.shelves.rows, self.digest, texts)


def content_hash(rows: Iterable[Row]) -> str:
    """The hash of rows alone, whatever the batches and shards they are written in."""
    found = sha256()
    for row in rows:
        found.update(text_of(lines_of(row)) + b"\n")
    return found.hexdigest()
