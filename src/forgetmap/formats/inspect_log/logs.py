"""One log of Inspect: its header, and its samples one after another."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.inspect_log.archive import member_json, members
from forgetmap.formats.inspect_log.plain import mapping, text
from forgetmap.formats.lines import DAMAGED, open_bytes, parse_json
from forgetmap.records.schema import Problem

ENDINGS = (".eval", ".json", ".json.gz")
_HEAD = 1 << 16
_KEYS = (b'"version"', b'"status"', b'"task"')
_EVAL = re.compile(rb'"eval"\s*:\s*\{')
_SAMPLE = re.compile(r"samples/(?P<native>.*)_epoch_(?P<number>\d+)\.json", re.DOTALL)
_ZIP = b"PK"
_HEADERS = ("header.json", "_journal/start.json")
"""The second is all there is of a log that was never finished."""


class Log(NamedTuple):
    """One log file and what its header says."""

    path: Path
    header: Mapping[str, Any]

    @property
    def said(self) -> Mapping[str, Any]:
        """What was evaluated: task, dataset, model, settings."""
        return mapping(self.header.get("eval"))

    @property
    def task(self) -> str:
        return text(self.said.get("task")) or self.path.stem

    @property
    def status(self) -> str:
        return text(self.header.get("status")) or "started"

    @property
    def created(self) -> str:
        return text(self.said.get("created")) or ""


def logs_in(path: Path) -> Iterator[Path]:
    """The files that begin like a log of Inspect: a file itself, or those below a folder."""
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.name.endswith(ENDINGS))
    return (file for file in files if file.is_file() and is_log(file))


def is_log(file: Path) -> bool:
    """Whether a file is a zip with the members of a log, or begins like the JSON of one."""
    try:
        with open_bytes(file) as stream:
            head = stream.read(_HEAD)
        if head.startswith(_ZIP):
            found = members(file)
            return any(name in found for name in _HEADERS)
    except (FormatError, *DAMAGED):
        return False
    is_object = head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    return is_object and all(key in head for key in _KEYS) and _EVAL.search(head) is not None


def read_log(path: Path) -> Log:
    """A log with its header; FormatError where there is none to be read."""
    header = _zip_header(path) if _is_zip(path) else _json_log(path)
    if not isinstance(header.get("eval"), Mapping):
        raise FormatError(f"{path} should be a log of Inspect, but its header does not say what was evaluated (eval).")
    return Log(path, {name: value for name, value in header.items() if name not in ("samples", "reductions")})


def samples(path: Path, problems: list[Problem]) -> Iterator[tuple[str, Any]]:
    """Where each sample stands and what it holds, in the order of their ids and draws; what cannot be read is a problem."""
    if not _is_zip(path):
        yield from _json_samples(path)
        return
    found = members(path)
    for name in sorted(filter(_SAMPLE.fullmatch, found), key=_place_of_name):
        try:
            yield f"{path.name} {name}", member_json(path, found[name])
        except ValueError as error:
            problems.append(Problem(f"{path.name} {name}", str(error)))


def order(native: Any) -> tuple[int, int, str]:
    """Ids that are numbers come in their order, others behind them.

    >>> sorted(["b", "10", 9, "a"], key=order)
    [9, '10', 'a', 'b']
    """
    said = str(native)
    return (0, int(said), "") if re.fullmatch(r"[0-9]{1,18}", said) else (1, 0, said)


def _place_of_name(name: str) -> Any:
    found = _SAMPLE.fullmatch(name)
    return (order(found["native"]), order(found["number"])) if found else ((2, 0, name), order(0))


def _place_of_entry(entry: Any) -> Any:
    said = mapping(entry)
    return order(said.get("id")), order(said.get("epoch"))


def _is_zip(path: Path) -> bool:
    if path.suffix == ".eval":
        return True
    with open_bytes(path) as file:
        return file.read(2) == _ZIP


def _zip_header(path: Path) -> Mapping[str, Any]:
    found = members(path)
    name = next((name for name in _HEADERS if name in found), None)
    if name is None:
        raise FormatError(f"{path} should be a log of Inspect, but it has no {_HEADERS[0]}.")
    try:
        header = mapping(member_json(path, found[name]))
    except ValueError as error:
        raise FormatError(f"{path} should be a log of Inspect, but its {name} {error}: fetch it again.") from error
    return header


def _json_log(path: Path) -> Mapping[str, Any]:
    try:
        with open_bytes(path) as file:
            found = parse_json(file.read())
    except DAMAGED as error:
        raise FormatError(f"{path} is damaged or cut off ({error}): fetch it again.") from error
    except ValueError as error:
        raise FormatError(f"{path} should hold one log of Inspect, but {error}: was it written to its end?") from error
    if not isinstance(found, dict):
        raise FormatError(f"{path} should hold one log of Inspect, but holds a JSON {type(found).__name__}.")
    return found


def _json_samples(path: Path) -> Iterator[tuple[str, Any]]:
    found = _json_log(path).get("samples")
    entries = found if isinstance(found, list) else []
    numbered = sorted(enumerate(entries, start=1), key=lambda pair: _place_of_entry(pair[1]))
    return ((f"{path.name} sample {number}", entry) for number, entry in numbered)
