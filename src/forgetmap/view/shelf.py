"""The runs of a study as they stand on disk now: looked at often, read only where something changed."""

from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from forgetmap.errors import StudyError
from forgetmap.measure.visible import visible
from forgetmap.records import journal, summary
from forgetmap.records.study import Study, Unfinished, look
from forgetmap.records.study_toml import FILE
from forgetmap.records.summary import RunSummary

Stamp = tuple[int, int]
"""When a file was last written, and its size."""


class Stood(NamedTuple):
    """What a folder held when it was last read."""

    stamps: tuple[Stamp | None, Stamp | None]
    found: RunSummary | Unfinished | StudyError | None


class Shelf:
    """The runs of a study by id."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._known: dict[str, Stood] = {}
        self._lock = Lock()

    def look(self) -> dict[str, Stood]:
        """Every run by its id, whole, unfinished or damaged."""
        with self._lock:
            self._known = {run_id: self._at(run_id, folder) for run_id, folder in self.study.folders().items()}
            return {run_id: one for run_id, one in self._known.items() if one.found is not None}

    def run(self, run_id: str) -> Stood | None:
        """A whole run of this id; null where the study has none."""
        found = self.look().get(run_id)
        return found if found is not None and isinstance(found.found, RunSummary) else None

    def settings(self) -> Stamp | None:
        """When the user last wrote to `study.toml`."""
        return _stamp(self.study.folder / FILE)

    def told(self) -> dict[str, Any]:
        """The runs as the page lists them."""
        return {
            "study": visible(self.study.folder.resolve().name),
            "runs": [_told(run_id, stood.found) for run_id, stood in self.look().items()],
        }

    def _at(self, run_id: str, folder: Path) -> Stood:
        stamps = _stamp(folder / summary.NAME), _stamp(folder / journal.NAME)
        known = self._known.get(run_id)
        return known if known is not None and known.stamps == stamps else Stood(stamps, look(folder))


def _stamp(path: Path) -> Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _told(run_id: str, found: RunSummary | Unfinished | StudyError | None) -> dict[str, Any]:
    told = {"id": run_id, "name": visible(run_id)}
    if isinstance(found, RunSummary):
        info = found.info
        return told | {
            "state": "whole",
            "rows": found.rows,
            "items": found.items,
            "checkpoint": visible(info.checkpoint),
        }
    if isinstance(found, Unfinished):
        return told | {"state": "unfinished", "rows": found.rows}
    return told | {"state": "damaged", "why": visible(str(found))}
