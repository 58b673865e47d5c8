"""Open runs by address: a file, a folder, or PATH::RUN where a path holds several; or logs on the Hub (`hub:…`)."""

import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from forgetmap.errors import FormatError, SettingError
from forgetmap.formats import FORMATS
from forgetmap.formats.beside import tell_beside
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.hub.address import is_address
from forgetmap.formats.lines import DAMAGED, open_bytes, parse_json
from forgetmap.formats.overruled import tell_overruled
from forgetmap.records.run import Run
from forgetmap.tables import load, names

NO_HINTS = Hints()
_RUN = "::"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_SEEN_FILES = 10_000
_SAID_RUNS = 12


def open_runs(address: str | Path, hints: Hints = NO_HINTS, *, format: str | None = None) -> list[Run]:
    """Every run at an address; one for PATH::RUN. The format is found by content unless it is named."""
    if is_address(str(address)):
        return _from_hub(str(address), hints, format)
    path, wanted = _split(address)
    return _opened(path, wanted, hints, format)


def _opened(path: Path, wanted: str | None, hints: Hints, format: str | None) -> list[Run]:
    reader, others = _reader(path, format)
    runs = list(reader.read(path, hints if wanted is None else replace(hints, name=None)))
    if path.is_dir() and (reader.logs or others):
        tell_beside(runs, path, reader, {name: load(FORMATS, name, group="formats") for name in others})
    if wanted is not None:
        runs = [_named(path, wanted, reader, hints, runs)]
    if not runs:
        raise _unreadable(path)
    if hints.name is not None:
        _rename(runs, hints.name, path)
    if hints.columns and not reader.takes_columns:
        _note_columns(runs, hints)
    for run in runs:
        tell_overruled(run, hints.k)
    return runs


def _from_hub(address: str, hints: Hints, format: str | None) -> list[Run]:
    """The runs at an address on the Hub, which say where they come from; that of a model has the model's name."""
    from forgetmap.formats.hub.settle import settled

    found = settled([address], hints).fetched[address]
    try:
        runs = _opened(found.path, found.run, hints, format)
    except FormatError as error:
        raise FormatError(str(error).replace(str(found.path), address.rpartition(_RUN)[0] or address)) from error
    for run in runs:
        info = replace(run.info, source=(found.origin, *run.info.source))
        if found.model is not None and len(runs) == 1:
            named = info.checkpoint if info.checkpoint.startswith(found.model) else found.model
            info = replace(info, checkpoint=named, run_id=slug(hints.name or found.model))
        run.info = info
        run.notes[:0] = [f"{info.run_id} comes from {found.origin}", *found.notes]
    return runs


def open_run(address: str | Path, hints: Hints = NO_HINTS, *, format: str | None = None) -> Run:
    """The one run at an address; more than one is an error that names them."""
    runs = open_runs(address, replace(hints, name=None), format=format)
    if len(runs) > 1:
        raise FormatError(
            f"one run is wanted, but {address} holds {len(runs)}: {_listed(runs)}. "
            f"Name one of them, as in {address}{_RUN}{runs[0].info.run_id}."
        )
    if hints.name is not None:
        _rename(runs, hints.name, Path(address))
    return runs[0]


def slug(text: str) -> str:
    """A name that can stand as a folder: letters, digits, dot, dash and underscore; a slash becomes two underscores.

    >>> slug("org/a model"), slug(".."), slug("")
    ('org__a-model', 'run', 'run')
    """
    plain = re.sub(r"[^\w.-]+", "-", text.strip("/").replace("/", "__"), flags=re.ASCII)
    return plain.strip(".-")[:120] or "run"


def _split(address: str | Path) -> tuple[Path, str | None]:
    if not str(address).strip():
        raise FormatError("a log is wanted, but the path is empty: name a file or a folder (. is the one you are in).")
    path, wanted = Path(address), None
    if not _exists(path):
        before, found, after = str(address).rpartition(_RUN)
        path, wanted = (Path(before), after) if found and before else (path, None)
    if not _exists(path):
        raise FormatError(f"a log is wanted, but there is no file or folder {path}: check the path.")
    if not path.is_file() and not path.is_dir():
        raise FormatError(f"a log is wanted, but {path} is neither a file nor a folder: save what it gives as a file.")
    return path, wanted


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _reader(path: Path, format: str | None) -> tuple[Format, list[str]]:
    """The format that is named, or the first that knows the path; and the names of those that were not asked."""
    if path.is_file() and path.stat().st_size == 0:
        raise FormatError(f"{path} is empty: was it written to its end?")
    if format is not None:
        reader: Format = load(FORMATS, format, group="formats")
        return reader, []
    known = list(names(FORMATS, group="formats"))
    for place, name in enumerate(known, start=1):
        reader = load(FORMATS, name, group="formats")
        if reader.sniff(path):
            return reader, known[place:]
    raise _unreadable(path)


def _named(path: Path, wanted: str, reader: Format, hints: Hints, runs: list[Run]) -> Run:
    """Of the runs of a path the one called `wanted`, by its id, its checkpoint, or what else the format goes by."""
    for found in (
        [run for run in runs if run.info.run_id == wanted],
        [run for run in runs if run.info.checkpoint == wanted],
        _parts(path, wanted, reader, hints),
    ):
        if len(found) == 1:
            return found[0]
    raise FormatError(f"{path} holds no run called {wanted!r}; it holds {_listed(runs) or 'none'}.")


def _parts(path: Path, wanted: str, reader: Format, hints: Hints) -> list[Run]:
    found = reader.read(path, replace(hints, name=None, run=wanted))
    return [run for run in found if run.info.source and all(wanted in name for name in run.info.source)]


def _listed(runs: list[Run]) -> str:
    said = [run.info.run_id for run in islice(runs, _SAID_RUNS)]
    more = len(runs) - len(said)
    return ", ".join(said) + (f" and {more} more" if more else "")


def _rename(runs: list[Run], name: str, path: Path) -> None:
    if len(runs) > 1:
        raise SettingError(
            f"--as {name} names one run, but {path} holds {len(runs)}: {_listed(runs)}. Choose one with PATH{_RUN}RUN."
        )
    runs[0].info = replace(runs[0].info, run_id=slug(name))


def _note_columns(runs: list[Run], hints: Hints) -> None:
    given = " ".join(f"--map {theirs}={ours}" for theirs, ours in hints.columns.items())
    for run in runs:
        run.notes.append(
            f"{given} has no effect on {run.info.run_id}: columns are named in tables only, and its log is none."
        )


def _unreadable(path: Path) -> FormatError:
    return _unreadable_folder(path) if path.is_dir() else FormatError(f"{path} {_what_is_wrong(path)}")


def _unreadable_folder(path: Path) -> FormatError:
    files = [file for file in islice(path.rglob("*"), _SEEN_FILES) if file.is_file()]
    if not files:
        return FormatError(f"{path} holds no files: a folder with logs is wanted.")
    if any(_is_results(file) for file in files):
        return FormatError(
            f"{path} holds results of lm-evaluation-harness but no samples (samples_*.jsonl): "
            "run it again with --log_samples, for sums cannot be compared item by item."
        )
    kinds = Counter(file.suffix or "no suffix" for file in files)
    seen = ", ".join(f"{count} × {kind}" for kind, count in kinds.most_common(6))
    return FormatError(f"{path} holds no log of a known format ({_known()}); its files are: {seen}.")


def _is_results(file: Path) -> bool:
    """Whether this is the file of sums that lm-evaluation-harness writes."""
    if file.suffix != ".json" or file.name.startswith("samples_") or file.stat().st_size > 1 << 26:
        return False
    try:
        found = parse_json(file.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and "results" in found and ("n-shot" in found or "lm_eval_version" in found)


def _what_is_wrong(path: Path) -> str:
    """The rest of a sentence that begins with the path of a file no format knows."""
    try:
        with open_bytes(path) as file:
            head = file.read(512)
    except FormatError as error:
        return str(error).removeprefix(f"{path} ")
    except DAMAGED:
        return "is a damaged or cut gzip file: fetch it again."
    return "".join(_wrong_content(path, head))


def _wrong_content(path: Path, head: bytes) -> Iterator[str]:
    if not head.strip():
        yield "holds nothing but white space: was it written to its end?"
    elif head.startswith(_ZIP):
        yield _what_is_wrong_with_zip(path)
    elif head.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield "is UTF-16 text: save it as UTF-8."
    elif b"\0" in head:
        yield f"is a binary file of no known format ({_known()})."
    elif _is_results(path):
        yield "holds only sums of lm-evaluation-harness: name its samples_*.jsonl, written with --log_samples."
    else:
        start = head[:40].decode("utf-8", "replace")
        yield f"is no log of a known format ({_known()}); it begins with {start!r}. "
        yield "If it is a table, say what its columns are with --map, and --format table."


def _what_is_wrong_with_zip(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            files = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
            whole = archive.testzip() is None
    except (NotImplementedError, RuntimeError):
        return "is a zip file that cannot be opened without a password or another program: unpack it and name the log inside."
    except (zipfile.BadZipFile, *DAMAGED):
        whole = False
    if not whole:
        return "is a zip file that is cut off or damaged: fetch it again."
    if len(files) > 1:
        return f"is a zip file that holds {len(files)} files, where one log is wanted: unpack it and name one of them, or the folder."
    return f"is a zip file that no format knows ({_known()}): unpack it and name the log inside."


def _known() -> str:
    return ", ".join(names(FORMATS, group="formats"))
