"""Write a run into a study so that a kill at any moment loses at most the batch in flight, and the same call then goes on from there."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

from forgetmap.errors import FormatError, StudyError
from forgetmap.records import disk, journal
from forgetmap.records.batches import Cut, Reading, Sizes, content_hash
from forgetmap.records.journal import Journal
from forgetmap.records.lock import LOCK, sole_writer
from forgetmap.records.parquet import TABLES, save
from forgetmap.records.run import Run
from forgetmap.records.schema import Row
from forgetmap.records.study import Study, whole_run
from forgetmap.records.summary import NAME, RunSummary, Shard, TaskSummary, check_files, page, read_summary, shard_file

Progress = Callable[[str, int], None]
"""Told the id of a run and how many of its rows were read, now and then and at the end."""

How = Literal["written", "resumed", "already there", "lineage added"]
_SIZES = Sizes()
_OURS = re.compile(rf"({LOCK}|{NAME}|{journal.NAME}|({'|'.join(TABLES)})-\d+\.parquet)({disk.TEMPORARY})?")


class Written(NamedTuple):
    """What became of a run."""

    folder: Path
    run_id: str
    rows: int
    items: int
    problems: int
    duplicates: int
    content_hash: str
    how: How


class _OtherRows(Exception):  # noqa: N818  no error: writing starts again
    """The rows that come are not those that were written before the kill."""


def write(study: Study | str | Path, run: Run, *, progress: Progress | None = None, sizes: Sizes = _SIZES) -> Written:
    """Store every row of a run; from where a killed call left off if the rows are the same, and not at all if all of them are stored.

    The rows of a stored run are never overwritten: others under its id are a StudyError. Of a run without a single row nothing is written.
    """
    home = study if isinstance(study, Study) else Study.at(study)
    folder = home.run_folder(run.info.run_id)
    rows = _some(run, progress)
    if not (folder / NAME).exists():
        _make_room(folder)
        with sole_writer(folder):
            if not (folder / NAME).exists():
                return _Writing(folder, run, sizes, progress).all(rows)
    return _compared(read_summary(folder), run, rows)


def add_lineage(written: Written, lineage: Mapping[str, Any]) -> Written:
    """Put what is said of parents, stage or step into the `run.json` of a run that is stored already; what is not said stays."""
    stored = read_summary(written.folder)
    told = replace(stored.info, **lineage)
    if told == stored.info:
        return written
    with sole_writer(written.folder), disk.writing(written.folder):
        disk.replace(written.folder / NAME, page(stored._replace(info=told)))
    return written._replace(how="lineage added")


class _Writing:
    """The writing of one run into its folder, by its sole writer."""

    def __init__(self, folder: Path, run: Run, sizes: Sizes, progress: Progress | None) -> None:
        self._folder = folder
        self._run = run
        self._sizes = sizes
        self._progress = progress

    def all(self, rows: Iterable[Row]) -> Written:
        """Write all rows, from where an earlier call left off."""
        left = self._left_off()
        if left is not None:
            try:
                return _said(self._write(rows, left), self._run, "resumed" if left.rows else "written")
            except _OtherRows:
                rows = _some(self._run, self._progress)
        return _said(self._write(rows, self._afresh()), self._run, "written")

    def _left_off(self) -> Journal | None:
        """The journal of an earlier call for the same source, if what it counts as sealed is there."""
        found = journal.find(self._folder)
        if found is None or found.fingerprint != journal.fingerprint(self._run.info):
            return None
        try:
            check_files(self._folder, found.shards)
        except StudyError:
            return None
        journal.cut(found)
        return found

    def _afresh(self) -> Journal:
        begun = journal.begin(self._folder, self._run.info, ())
        self._sweep(())
        return begun

    def _write(self, rows: Iterable[Row], left: Journal) -> RunSummary:
        """One pass over all rows: what `left` says is safe is only compared with it."""
        reading, shards = Reading(rows, self._sizes), left.shards
        for cut in reading.cuts():
            if not _agree(left, cut):
                raise _OtherRows
            if cut.batch.end > left.rows:
                journal.append(self._folder, cut.batch)
            if cut.full and cut.batch.end > left.sealed:
                shards = self._seal(reading, shards)
        if not _reached(left, reading):
            raise _OtherRows
        if reading.shelves.rows > sum(shard.rows for shard in shards):
            shards = self._seal(reading, shards)
        return self._commit(reading, shards)

    def _seal(self, reading: Reading, shards: tuple[Shard, ...]) -> tuple[Shard, ...]:
        """Give the tables on the shelves their files, then let the journal begin anew behind them.

        Until the journal says so the shard does not count, so that a kill in between leads to the same files once more.
        """
        paths = {table: shard_file(self._folder, table, len(shards)) for table in TABLES}
        with disk.writing(self._folder):
            batches = reading.shelves.tables()
            sizes = {table: save(disk.temporary(path), table, batches[table]) for table, path in paths.items()}
            for path in paths.values():
                disk.take_name(path)
            disk.settle(self._folder)
        rows = reading.shelves.rows - sum(shard.rows for shard in shards)
        shards = (*shards, Shard(rows, reading.digest, reading.shelves.borrows, sizes))
        journal.begin(self._folder, self._run.info, shards)
        return shards

    def _commit(self, reading: Reading, shards: tuple[Shard, ...]) -> RunSummary:
        """Say that the run is whole; from here on readers see it."""
        self._sweep(shards)
        tallies = reading.shelves.tasks
        summary = RunSummary(
            info=self._run.info,
            folder=self._folder,
            rows=reading.shelves.rows,
            items=sum(tally.items for tally in tallies.values()),
            tasks={
                name: TaskSummary(tally.items, tally.samples, tuple(tally.scorers)) for name, tally in tallies.items()
            },
            problems=tuple(self._run.problems),
            duplicates=self._run.duplicates,
            notes=tuple(self._run.notes),
            content_hash=reading.digest,
            shards=shards,
        )
        with disk.writing(self._folder):
            disk.replace(self._folder / NAME, page(summary))
        _tidy(self._folder)
        return summary

    def _sweep(self, shards: tuple[Shard, ...]) -> None:
        """Remove what earlier calls left of other shards and of files that never took their names."""
        kept = {shard_file(self._folder, table, number) for number in range(len(shards)) for table in TABLES}
        kept |= {self._folder / name for name in (LOCK, NAME, journal.NAME)}
        with disk.writing(self._folder):
            for path in _ours(self._folder):
                if path not in kept:
                    path.unlink()


def _some(run: Run, progress: Progress | None) -> Iterator[Row]:
    """The rows of a run, told to `progress` on the way; a FormatError where there is none."""
    rows = run.rows()
    first = next(rows, None)
    if first is None:
        raise FormatError(_nothing(run))
    return _told(run.info.run_id, chain((first,), rows), progress)


def _told(run_id: str, rows: Iterable[Row], progress: Progress | None) -> Iterator[Row]:
    number = 0
    for number, row in enumerate(rows, start=1):
        yield row
        if progress is not None and number % _SIZES.batch == 0:
            progress(run_id, number)
    if progress is not None:
        progress(run_id, number)


def _agree(left: Journal, cut: Cut) -> bool:
    """Whether a batch is the one that was written before, or begins where writing ended."""
    batch = cut.batch
    if batch.end <= left.sealed:
        return not cut.full or left.sealed_digest(batch.end) == batch.digest
    if cut.shard_start < left.sealed:
        return False
    return batch.start >= left.rows or left.digests.get(batch.end) == batch.digest


def _reached(left: Journal, reading: Reading) -> bool:
    """Whether all that is sealed came again."""
    rows = reading.shelves.rows
    return rows > left.sealed or (rows == left.sealed and left.sealed_digest(rows) == reading.digest)


def _compared(stored: RunSummary, run: Run, rows: Iterable[Row]) -> Written:
    """The stored run if it is this one."""
    if content_hash(whole_run(stored, ()).rows()) != stored.content_hash:
        raise StudyError(
            f"{stored.folder} holds other rows than were written there: its files are damaged. Remove the folder and read the log again."
        )
    if content_hash(rows) != stored.content_hash:
        raise StudyError(
            f"{stored.folder.parent.parent} has a run {run.info.run_id} already, and its rows are not those of "
            f"{_source(run)}: give this one another name with `--as NAME`, or remove {stored.folder} first."
        )
    _tidy(stored.folder)
    return _said(stored, run, "already there")


def _said(stored: RunSummary, run: Run, how: How) -> Written:
    return Written(
        folder=stored.folder,
        run_id=run.info.run_id,
        rows=stored.rows,
        items=stored.items,
        problems=len(stored.problems),
        duplicates=stored.duplicates,
        content_hash=stored.content_hash,
        how=how,
    )


def _tidy(folder: Path) -> None:
    """Remove what a whole run needs no more; what cannot be removed does no harm."""
    for name in (journal.NAME, LOCK):
        with suppress(OSError):
            (folder / name).unlink()


def _make_room(folder: Path) -> None:
    """Make the run's folder, unless one is there that holds something else."""
    with disk.writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        strange = {path.name for path in folder.iterdir()} - {path.name for path in _ours(folder)}
    if strange and not (folder / journal.NAME).exists():
        raise StudyError(
            f"{folder} is wanted for a run, but it holds other files ({min(strange)}): "
            "choose another name for the run with `--as NAME`, or another study."
        )


def _ours(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if _OURS.fullmatch(path.name)]


def _source(run: Run) -> str:
    named = ", ".join(run.info.source[:2])
    more = len(run.info.source) - 2
    return (named or "what is to be written") + (f" and {more} more files" if more > 0 else "")


def _nothing(run: Run) -> str:
    """The sentence on a run of which no row could be read."""
    unread = len(run.problems)
    if not unread:
        return f"run {run.info.run_id} ({_source(run)}) holds no row: was it written to its end?"
    where, why = run.problems[0]
    return f"no row of run {run.info.run_id} ({_source(run)}) could be read; the first of {unread} problems, at {where}: {why}."
