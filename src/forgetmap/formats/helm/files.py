"""Which files of a folder are logs of HELM, and which of them belong together.

HELM writes a folder for each run spec; a scenario state of any other name is a log of its own.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.helm.elements import parts
from forgetmap.formats.inspect_log.plain import mapping, text
from forgetmap.formats.lines import DAMAGED, open_bytes, parse_json

STATE, STATS = "scenario_state", "per_instance_stats"
PREDICTIONS, REQUESTS, INSTANCES = "display_predictions", "display_requests", "instances"
RUN_SPEC, SCENARIO = "run_spec", "scenario"
_KINDS = (STATE, STATS, PREDICTIONS, REQUESTS, INSTANCES, RUN_SPEC, SCENARIO)
_ENDINGS = (".json", ".json.gz")
_HEAD = 1 << 16
_LARGEST_SPEC = 1 << 24
_STATE_KEY = re.compile(rb'"(?:adapter_spec|request_states)"\s*:')
_BOM = b"\xef\xbb\xbf"
_LISTED = {
    STATS: (b'"instance_id"', b'"stats"', b'"count"'),
    PREDICTIONS: (b'"instance_id"', b'"predicted_text"'),
}
_EMPTY = re.compile(rb"\[\s*\]\s*")


class Log(NamedTuple):
    """The files of one run spec, or one scenario state that lies alone."""

    folder: Path
    files: Mapping[str, Path]
    """By kind."""
    name: str | None
    """What the run spec is called; null where neither a file nor the folder tells."""
    spec: Mapping[str, Any]
    """How the run was specified; empty where that was not kept."""
    alone: bool
    """Whether this is a scenario state with a name of its own, not a folder of HELM's."""

    @property
    def adapter(self) -> Mapping[str, Any]:
        return mapping(self.spec.get("adapter_spec"))

    @property
    def suite(self) -> Path:
        """The folder that holds the logs of a checkpoint: the suite, or that of the file that lies alone."""
        return self.folder if self.alone else self.folder.parent

    @property
    def main_kind(self) -> str:
        """The kind of file that tells which answers there are."""
        return next(kind for kind in (STATE, STATS, PREDICTIONS) if kind in self.files)

    def called(self, kind: str) -> str:
        """A file's name, with its folder where that tells files of one name apart."""
        return self.files[kind].name if self.alone else f"{self.folder.name}/{self.files[kind].name}"


def has_logs(path: Path) -> bool:
    return next(_mains(path), None) is not None


def logs_in(path: Path) -> Iterator[Log]:
    """The logs at a path: a file (with those that belong to it), or all below a folder."""
    folders = set[Path]()
    for file in _mains(path):
        if _kind_of(file) is None:
            yield _alone(file)
        elif file.parent not in folders:
            folders.add(file.parent)
            yield _log(file.parent, asked=path if path.is_dir() else file.parent)


def _mains(path: Path) -> Iterator[Path]:
    """Files that tell answers, by content; of a file and its compressed twin the plain one."""
    named = [path] if path.is_file() else sorted(file for file in path.rglob("*.json*") if _plain(file) is not None)
    files = dict[tuple[Path, str], Path]()
    for file in named:
        files.setdefault((file.parent, _plain(file) or file.name), file)
    return (file for file in files.values() if _tells(file))


def _plain(file: Path) -> str | None:
    """A file's name without ending; null where it has another."""
    ending = next((ending for ending in reversed(_ENDINGS) if file.name.endswith(ending)), None)
    return file.name.removesuffix(ending) if ending else None


def _kind_of(file: Path) -> str | None:
    """Which of HELM's files this is, by name."""
    plain = _plain(file)
    return plain if plain in _KINDS else None


def _tells(file: Path) -> bool:
    """Whether a file begins like a scenario state, or like a list of stats or predictions."""
    try:
        if not file.is_file():
            return False
        with open_bytes(file) as stream:
            head = stream.read(_HEAD).removeprefix(_BOM).lstrip()
    except (FormatError, *DAMAGED):
        return False
    if head.startswith(b"{"):
        return len({found.group().split(b'"')[1] for found in _STATE_KEY.finditer(head)}) == 2
    kind = _kind_of(file)
    if not head.startswith(b"[") or kind not in _LISTED:
        return False
    return all(key in head for key in _LISTED[kind]) or _EMPTY.fullmatch(head) is not None


def _alone(file: Path) -> Log:
    spec = {"adapter_spec": adapter_in(file)}
    return Log(file.parent, {STATE: file}, _plain(file) or file.stem, spec, alone=True)


def _log(folder: Path, *, asked: Path) -> Log:
    files = {kind: file for kind in _KINDS if (file := _file(folder, kind)) is not None}
    spec = _small(files.get(RUN_SPEC))
    if not mapping(spec.get("adapter_spec")) and STATE in files:
        spec = {**spec, "adapter_spec": adapter_in(files[STATE])}
    return Log(folder, files, text(spec.get("name")) or _name(folder, files, asked), spec, alone=False)


def _file(folder: Path, kind: str) -> Path | None:
    """A file of a kind, plain or compressed; one that tells answers must look like it."""
    found = (folder / f"{kind}{ending}" for ending in _ENDINGS)
    return next((file for file in found if file.is_file() and (kind not in (STATE, *_LISTED) or _tells(file))), None)


def _name(folder: Path, files: Mapping[str, Path], asked: Path) -> str | None:
    """The name of a run spec that was not kept: its folder's, where that is not just what the user calls a run; else its scenario's."""
    if folder != asked or re.search(r"[:=]", folder.resolve().name):
        return folder.resolve().name
    return text(_small(files.get(SCENARIO)).get("name"))


def _small(file: Path | None) -> Mapping[str, Any]:
    """The object in a small file; empty where there is none that can be read, for all it says is beside the point."""
    try:
        if file is None or file.stat().st_size > _LARGEST_SPEC:
            return {}
        with open_bytes(file) as stream:
            return mapping(parse_json(stream.read()))
    except (FormatError, ValueError, *DAMAGED):
        return {}


def adapter_in(state: Path) -> Mapping[str, Any]:
    """How a scenario state says that its items were asked; it stands before them."""
    try:
        with open_bytes(state) as file:
            found = (parse_json(part.raw) for part in parts(file) if part.key == "adapter_spec" and part.number is None)
            return mapping(next(found, None))
    except (FormatError, ValueError, *DAMAGED):
        return {}
