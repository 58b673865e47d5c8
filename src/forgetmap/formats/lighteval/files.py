"""Which files of a folder are details of lighteval, and which results belong to them.

lighteval writes OUTPUT/details/MODEL/TIME/details_TASK|SHOTS_TIME.parquet and OUTPUT/results/MODEL/results_TIME.json; published
logs of 2023 have TIME/details_….parquet and results_TIME.json beside that folder.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.lighteval.details import is_details
from forgetmap.formats.lines import DAMAGED, open_bytes, parse_json

_TIME = r"\d{4}[-_]\d\d[-_]\d\dT\d\d[-_:]\d\d[-_:]\d\d(?:\.\d+)?"
_DETAILS = re.compile(rf"details_(?P<full>.+?)(?:_(?P<time>{_TIME}))?\.parquet")
_FULL = re.compile(r"(?P<task>.+?)\|(?P<shots>\d{1,6})(?:\|\d+)?")
_IS_TIME = re.compile(_TIME)
_LEVELS = 6
"""Folders upwards from details in which results are looked for."""


class Log(NamedTuple):
    """One file of details."""

    path: Path
    full: str
    """Task and shots as the results spell them."""
    task: str
    shots: int | None
    time: str

    @property
    def model(self) -> Path:
        """The folder of the model: above that of the time where there is one."""
        folder = self.path.parent
        return folder.parent if _IS_TIME.fullmatch(folder.name) else folder


class Results(NamedTuple):
    """The results of one time, or why there are none."""

    name: str | None
    content: Mapping[str, Any]
    trouble: str | None


def log_of(path: Path) -> Log:
    """Task, shots and time from a file's name; of any other name all but the suffix is the task.

    >>> log_of(Path("details_community|law:old|5|0_2026-01-02T03-04-05.678.parquet"))[1:]
    ('community|law:old|5|0', 'community|law:old', 5, '2026-01-02T03-04-05.678')
    """
    named = _DETAILS.fullmatch(path.name)
    full = named["full"] if named else path.name.removesuffix(".parquet")
    parts = _FULL.fullmatch(full)
    time = (named["time"] if named else None) or (path.parent.name if _IS_TIME.fullmatch(path.parent.name) else "")
    return Log(path, full, parts["task"] if parts else full, int(parts["shots"]) if parts else None, time)


def logs_in(folder: Path) -> Iterator[Log]:
    """Every file below a folder that is called details, in the order of names."""
    for path in sorted(folder.rglob("details_*.parquet")):
        if path.is_file():
            yield log_of(path)


def has_details(folder: Path) -> bool:
    return any(is_details(log.path) for log in logs_in(folder))


def results_of(log: Log) -> Results:
    """The results written at the time of some details."""
    found = next((path for path in _candidates(log) if path.is_file()), None)
    if found is None:
        return Results(None, {}, f"{log.path.name} has no results of its time beside it")
    return load_results(found)


def load_results(path: Path) -> Results:
    try:
        with open_bytes(path) as file:
            content = parse_json(file.read())
    except (FormatError, *DAMAGED, ValueError) as error:
        return Results(None, {}, f"{path.name} cannot be read ({error})")
    if not isinstance(content, Mapping):
        return Results(None, {}, f"{path.name} holds no results")
    return Results(path.name, content, None)


def _candidates(log: Log) -> Iterator[Path]:
    """Where the results may lie: beside the details, above, or in the folder `results` that stands beside `details`."""
    if not log.time:
        return
    name, model = f"results_{log.time}.json", Path(log.model).resolve()
    yield log.path.parent / name
    yield model / name
    for above in list(model.parents)[:_LEVELS]:
        yield above / "results" / model.relative_to(above) / name
        yield above.parent / "results" / model.relative_to(above) / name
