"""The journal of a run that is being written: a header, then one line for each finished batch, on the disk before the next begins.

The header holds the run's info and the shards that are sealed; each line the rows of a batch and the hash of all rows up to its end.
When a shard is sealed, a journal with a new header and no lines takes the place of this one.
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import StudyError
from forgetmap.records import disk
from forgetmap.records.batches import Batch
from forgetmap.records.lines import row_of
from forgetmap.records.parquet import damaged, other_schema
from forgetmap.records.plain_json import dump, load
from forgetmap.records.schema import SCHEMA, Row, RunInfo
from forgetmap.records.summary import Shard, info_from, plain_info, plain_shard, shard_from

NAME = "journal.jsonl"
_CONTENT = b',"batch":'


class Journal(NamedTuple):
    """What a journal says."""

    path: Path
    info: RunInfo
    fingerprint: str
    shards: tuple[Shard, ...]
    digests: dict[int, str]
    """Hash of the run's rows up to a number of rows, one entry for each batch that is not sealed."""
    length: int
    """Bytes up to the end of the last whole line."""

    @property
    def sealed(self) -> int:
        """Rows in sealed shards."""
        return sum(shard.rows for shard in self.shards)

    @property
    def rows(self) -> int:
        """Rows that are safe."""
        return max(self.digests, default=self.sealed)

    def sealed_digest(self, rows: int) -> str | None:
        """Hash of the run's first rows where a sealed shard ends with them."""
        ends = accumulate(shard.rows for shard in self.shards)
        return dict(zip(ends, (shard.digest for shard in self.shards), strict=True)).get(rows)


def fingerprint(info: RunInfo) -> str:
    """A hash of all that is said about a run: another source has another one."""
    return sha256(dump(plain_info(info))).hexdigest()


def begin(folder: Path, info: RunInfo, shards: tuple[Shard, ...]) -> Journal:
    """Put a journal without lines in place, atomically."""
    path, name = folder / NAME, fingerprint(info)
    header = dump(
        {
            "schema": SCHEMA,
            "fingerprint": name,
            "run": plain_info(info),
            "shards": [plain_shard(shard) for shard in shards],
        }
    )
    with disk.writing(path):
        disk.replace(path, header + b"\n")
    return Journal(path, info, name, shards, {}, len(header) + 1)


def append(folder: Path, batch: Batch) -> None:
    """Add a batch to the journal in this folder, and return when it is on the disk."""
    path = folder / NAME
    head = dump({"rows": batch.end, "digest": batch.digest})[:-1]
    with disk.writing(path):
        disk.append(path, b"".join((head, _CONTENT, b"[", b",".join(batch.texts), b"]}\n")))


def find(folder: Path) -> Journal | None:
    """The journal in this folder up to its last whole line; null where there is none."""
    path = folder / NAME
    try:
        with path.open("rb") as file:
            header = file.readline()
            shell = _opened(path, header)
            digests, length = {}, len(header)
            for line in file:
                said = _batch(line)
                if said is None:
                    break
                digests[int(said["rows"])] = str(said["digest"])
                length += len(line)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StudyError(f"{path} cannot be read: {error.strerror or error}.") from error
    return shell._replace(digests=digests, length=length)


def cut(journal: Journal) -> None:
    """Cut off what stands behind the last whole line."""
    with disk.writing(journal.path):
        os.truncate(journal.path, journal.length)


def rows_in(journal: Journal) -> Iterator[Row]:
    """The rows that are in the journal and not yet sealed."""
    with journal.path.open("rb") as file:
        file.readline()
        while file.tell() < journal.length:
            yield from (row_of(text) for text in load(file.readline())["batch"])


def _opened(path: Path, header: bytes) -> Journal:
    """The journal of a header. A header is written whole or not at all, so another one is not ours to overwrite."""
    try:
        page = load(header)
        if page["schema"] != SCHEMA:
            raise other_schema(path, page["schema"])
        shards = tuple(shard_from(shard) for shard in page["shards"])
        return Journal(path, info_from(page["run"]), str(page["fingerprint"]), shards, {}, len(header))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise damaged(path, "it does not begin as a journal of forgetmap") from None


def _batch(line: bytes) -> dict[str, Any] | None:
    """What a line says; null for a line that was torn."""
    if not line.endswith(b"\n"):
        return None
    try:
        said = load(line, exact=False)
        return said if {"rows", "digest", "batch"} <= said.keys() else None
    except (ValueError, AttributeError):
        return None
