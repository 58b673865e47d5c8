"""What lies in a folder besides the logs that are read: files that should be logs and are damaged, and logs of other formats."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from os import SEEK_END
from pathlib import Path, PurePath
from zipfile import is_zipfile

from forgetmap.errors import FormatError
from forgetmap.formats.contract import Format, Hints, Read
from forgetmap.formats.lines import BOM, DAMAGED, open_bytes, parse_json
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row

Formats = Mapping[str, Format]

_SEEN, _LOOKED_AT = 100_000, 3_000
"""Files of a folder whose names, and whose content, are looked at."""
_HEAD = 1 << 22
_SAID = 3
_PARQUET, _MAGIC = (".parquet", ".pq"), b"PAR1"
_DATA = re.compile(r".*\.(?:jsonl?|ndjson|csv|tsv|parquet|pq|eval|zip)(?:\.gz)?", re.IGNORECASE)


def tell_beside(runs: Sequence[Run], folder: Path, reader: Format, others: Formats) -> None:
    """Tell the runs of a folder what its reader passes over in silence.

    A file that is named like a log of this format, begins like one of none, and is damaged is a problem: of the runs with files in the
    nearest folder around it. Files of the other formats are a note on every run.
    """
    files, left = _files(folder)
    homes, claimed = _Homes(folder, files, runs), defaultdict[str, list[str]](list)
    for file in files:
        if reader.sniff(file):
            continue
        below = file.relative_to(folder).as_posix()
        other = next((name for name, reads in others.items() if _claims(reads, file)), None)
        if other is not None:
            claimed[other].append(below)
        elif re.fullmatch(reader.logs, file.name) and (damage := damage_of(file)) is not None:
            for run in homes.of(file):
                run.read = partial(_read_with, run.read, Problem(below, damage))
    for run in runs:
        run.notes += [*_notes_on_others(folder, claimed), *left]


def damage_of(file: Path) -> str | None:
    """Why nothing of a file can be read; null where it is whole, or too large to tell, whatever it holds."""
    try:
        if not file.stat().st_size:
            return "is empty: was it written to its end?"
        if is_zipfile(file):
            return None
        if file.suffix in _PARQUET:
            return None if _is_whole_parquet(file) else "is a damaged or cut Parquet file: fetch it again"
        with open_bytes(file) as stream:
            head = stream.read(_HEAD)
    except FormatError as error:
        return str(error).removeprefix(f"{file} ").rstrip(".")
    except DAMAGED:
        return "the compressed data is damaged or cut off: fetch it again"
    return _damage_in(head, is_json=".json" in file.name.lower())


def _is_whole_parquet(file: Path) -> bool:
    with file.open("rb") as stream:
        begins = stream.read(len(_MAGIC)) == _MAGIC
        stream.seek(-len(_MAGIC), SEEK_END)
        return begins and stream.read() == _MAGIC


def _damage_in(head: bytes, *, is_json: bool) -> str | None:
    plain = head.removeprefix(BOM).strip()
    if not plain:
        return "holds nothing but white space: was it written to its end?"
    if plain.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "is UTF-16 text: save it as UTF-8"
    if b"\0" in plain:
        return "is no text: it holds bytes of zero"
    if not is_json:
        return None if b"\n" in plain else "holds one line: was it written to its end?"
    wrong = _wrong_json(plain.partition(b"\n")[0]) and (len(head) < _HEAD) and _wrong_json(plain)
    return f"{wrong}: was it written to its end?" if wrong else None


def _wrong_json(text: bytes) -> str | None:
    try:
        parse_json(text)
    except ValueError as error:
        return str(error)
    return None


def _files(folder: Path) -> tuple[list[Path], list[str]]:
    """The files below a folder that may be logs by their names, as many as are looked at, and a note where there are more."""
    found = (file for file in islice(folder.rglob("*"), _SEEN) if _DATA.fullmatch(file.name) and file.is_file())
    ours = (file for file in found if not any(part.startswith(".") for part in file.relative_to(folder).parts))
    files = list(islice(ours, _LOOKED_AT + 1))
    left = f"{folder} holds very many files: only {_LOOKED_AT:,} were looked at for damaged logs and those of other formats."
    return sorted(files[:_LOOKED_AT]), [left] if len(files) > _LOOKED_AT else []


def _claims(format: Format, file: Path) -> bool:
    """Whether a file is a log of a format; a table must also say what its columns are, for sums beside logs are tables too."""
    if not format.sniff(file):
        return False
    try:
        return not format.takes_columns or next(format.read(file, Hints()), None) is not None
    except FormatError:
        return False


class _Homes:
    """Which runs have files in a folder, told by the names of their sources."""

    def __init__(self, folder: Path, files: Sequence[Path], runs: Sequence[Run]) -> None:
        self._folder, self._runs = folder, runs
        self._names = defaultdict[Path, set[str]](set)
        for file in files:
            for above in file.parents:
                self._names[above].add(file.name)

    def of(self, file: Path) -> Sequence[Run]:
        """The runs that a damaged file may belong to: those of its folder, else of the next one around it, else all."""
        for above in file.parents:
            if above == self._folder:
                break
            names = self._names[above] - {file.name}
            for some in (all, any):
                if own := [run for run in self._runs if some(PurePath(one).name in names for one in run.info.source)]:
                    return own
        return self._runs


def _read_with(read: Read, known: Problem, problems: list[Problem]) -> Iterator[Row]:
    problems.append(known)
    yield from read(problems)


def _notes_on_others(folder: Path, claimed: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for name, files in claimed.items():
        more = f" and {len(files) - _SAID} more" if len(files) > _SAID else ""
        yield (
            f"{folder} also holds logs of the format {name}, which are left aside: {', '.join(files[:_SAID])}{more}; "
            f"--format {name} reads them."
        )
