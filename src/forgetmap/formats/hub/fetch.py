"""Files of a dataset onto this disk, each whole or not at all; a kill costs the last few megabytes of the lines in flight."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from forgetmap.formats.hub import slim
from forgetmap.formats.hub.cache import Shelf, writing
from forgetmap.formats.hub.client import Client, StoppedError
from forgetmap.formats.hub.dataset import Dataset
from forgetmap.formats.hub.sources import OnDisk, OnHub, Parts, Source, kept_whole
from forgetmap.formats.lines import parse_json
from forgetmap.records import disk
from forgetmap.records.lock import sole_writer
from forgetmap.records.plain_json import dump, load

_AT_ONCE = 4
_MARK = 1 << 22
"""Bytes of a file after which it is noted how far it is."""
_LONGEST_LINE = 1 << 26
_LINES = (".json", ".jsonl")


class Files:
    """The files of one dataset at one commit, here or on the Hub."""

    def __init__(self, client: Client, dataset: Dataset, sizes: Mapping[str, int]) -> None:
        self.client, self.dataset, self.sizes = client, dataset, sizes
        self.shelf = Shelf(client.place.cache, dataset.name)

    def here(self, path: str) -> Path:
        """Where a file stands, or will."""
        return self.shelf.file(self.dataset.commit, path)

    def missing(self, paths: Iterable[str]) -> list[str]:
        return [path for path in paths if not self.here(path).is_file()]

    def source(self, path: str) -> Source:
        found = kept_whole(self.client.place, self.dataset, path)
        return OnDisk(found) if found else OnHub(self.client, self.dataset, path, self.sizes[path])

    def sums(self, path: str) -> Mapping[str, Any]:
        """The results of a run, fetched to stay; nothing where they cannot be read."""
        self.fetch([path])
        try:
            found = parse_json(self.here(path).read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def rows(self, path: str) -> int:
        """Rows of a Parquet file, by its end; 0 where it has none. Counted once."""
        if self.here(path).is_file():
            return _rows(OnDisk(self.here(path)))
        known = self.shelf.rows(self.dataset.commit).get(path)
        if known is None:
            known = _rows(self.source(path))
            self.shelf.keep_rows(self.dataset.commit, path, known)
        return known

    def fetch(self, paths: Sequence[str], done: Callable[[str], None] = lambda path: None) -> None:
        """Fetch what is missing, several at once; the first that fails ends the others."""
        missing = self.missing(paths)
        if not missing:
            return
        with writing(self.shelf.folder):
            self.shelf.folder.mkdir(parents=True, exist_ok=True)
        with sole_writer(self.shelf.folder), ThreadPoolExecutor(_AT_ONCE) as pool:
            work = [pool.submit(self._fetch, path, done) for path in self.missing(missing)]
            try:
                wait(work, return_when=FIRST_EXCEPTION)
            finally:
                if not all(one.done() and one.exception() is None for one in work):
                    self.client.stop.set()
                    pool.shutdown(wait=True, cancel_futures=True)
            _raise_first(one.exception() for one in work if not one.cancelled())

    def _fetch(self, path: str, done: Callable[[str], None]) -> None:
        self.client.check()
        target, source = self.here(path), self.source(path)
        with writing(self.shelf.folder):
            target.parent.mkdir(parents=True, exist_ok=True)
        parts = Parts(source) if path.endswith(".parquet") else None
        if parts is None or not self._fetch_columns(parts, target):
            _Part(target, source.size, slims=path.endswith(_LINES)).fetch(parts or source)
        done(path)

    def _fetch_columns(self, parts: Parts, target: Path) -> bool:
        """Whether columns were enough."""
        with writing(self.shelf.folder):
            try:
                if self.client.ignores_ranges or not slim.parquet(parts, disk.temporary(target)):
                    return False
            except (pa.ArrowException, OSError) as error:
                if isinstance(error, OSError) and error.errno is not None:
                    raise
                return False  # damaged: it is fetched as it is, and the reader says so
            disk.sync(disk.temporary(target))
            disk.take_name(target)
        return True


def _rows(source: Source) -> int:
    import pyarrow.parquet as pq

    try:
        return int(pq.ParquetFile(Parts(source)).metadata.num_rows)
    except pa.ArrowException:
        return 0


def _raise_first(errors: Iterable[BaseException | None]) -> None:
    found = [error for error in errors if error is not None]
    for error in sorted(found, key=lambda error: isinstance(error, StoppedError)):
        raise error


class _Part:
    """A file on its way: what is written of it, and how much of the whole that stands for."""

    def __init__(self, target: Path, size: int, *, slims: bool) -> None:
        self.target, self.size = target, size
        self._part, self._mark = target.with_name(f"{target.name}.part"), target.with_name(f"{target.name}.part.json")
        self._read, self._written, self._slims = 0, 0, slims
        with suppress(OSError, ValueError, KeyError, TypeError):
            said = load(self._mark.read_bytes())
            if said["size"] == size and said["written"] <= self._part.stat().st_size:
                self._read, self._written, self._slims = said["read"], said["written"], said["slims"]

    def fetch(self, source: Source) -> None:
        with writing(self.target.parent):
            self._part.touch()
            with self._part.open("rb+") as out:
                out.truncate(self._written)
                out.seek(self._written)
                for piece, read in _pieces(source.blocks(self._read, self.size), self):
                    out.write(piece)
                    self._note(out, read)
            disk.sync(self._part)
            self._part.replace(self.target)
            self._mark.unlink(missing_ok=True)

    @property
    def read(self) -> int:
        return self._read

    def slims(self, first: bytes) -> bool:
        """Whether lines are made slim; a file that begins as something else stays as it is."""
        if self._read == 0 and first.lstrip()[:1] != b"{":
            self._slims = False
        return self._slims

    def stay(self) -> None:
        """From here on the file is taken as it is."""
        self._slims = False

    def _note(self, out: IO[bytes], read: int) -> None:
        if read - self._read < _MARK:
            return
        out.flush()
        self._read, self._written = read, out.tell()
        disk.replace(
            self._mark,
            dump({"size": self.size, "read": self._read, "written": self._written, "slims": self._slims}),
        )


def _pieces(blocks: Iterator[bytes], part: _Part) -> Iterator[tuple[bytes, int]]:
    """What to write, and up to where of the whole file that goes."""
    read, line = part.read, bytearray()
    slims: bool | None = None
    for block in blocks:
        slims = part.slims(block) if slims is None else slims
        line += block
        read += len(block)
        if slims and len(line) > _LONGEST_LINE and b"\n" not in block:
            part.stay()
            slims = False
        if not slims:
            yield bytes(line), read
            line.clear()
        elif b"\n" in block:
            whole, _, rest = bytes(line).rpartition(b"\n")
            yield b"".join(slim.line(one) + b"\n" for one in whole.split(b"\n")), read - len(rest)
            line = bytearray(rest)
    if line:
        yield slim.line(bytes(line)), read
