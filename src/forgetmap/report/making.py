"""From a study to the file that one shows to others: the verb `report`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import SettingError
from forgetmap.measure.compare import compare
from forgetmap.measure.lineage import order
from forgetmap.measure.map import Map
from forgetmap.records import disk
from forgetmap.records.study import Study
from forgetmap.report.page import page
from forgetmap.report.samples import SINGLE_FILE, Samples, samples

DRAWN_ITEMS = 40
"""Comparisons whose lost items are embedded; of a map of more, none are."""


class Made(NamedTuple):
    """What a report came to."""

    page: Path
    json: Path
    bytes: int
    map: Map
    items: Mapping[int, Samples]
    """The lost items that lie in the page, by the place of their comparison."""


def report(
    study: Study | str | Path,
    out: str | Path,
    *,
    before: str | None = None,
    after: Sequence[str] = (),
    budget: int = SINGLE_FILE,
    **how: Any,
) -> Made:
    """Write one HTML file about a study, and the full JSON of its map beside it.

    Without `before` the runs are those of `[[stages]]` in study.toml, or of the lineage; all are compared with the first. At most `budget`
    bytes of lost items lie in the file. Further keywords are those of `compare`.
    """
    home = study if isinstance(study, Study) else Study.open(study)
    first, others = chosen(home, before, after)
    found = compare(first, *others, study=home, **how)
    kept, target = _items(found, budget), Path(out)
    named = [word for run in others for word in ("--after", run)]
    command = ["forgetmap", "report", str(home.folder), "--before", first, *named, "-o", str(target)]
    text = page(found, samples=kept, command=command, study=str(home.folder))
    beside = target.with_suffix(".json")
    with disk.writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        disk.replace(beside, found.to_json().encode())
        disk.replace(target, text.encode())
    return Made(target, beside, len(text.encode()), found, kept)


def chosen(study: Study, before: str | None, after: Sequence[str]) -> tuple[str, list[str]]:
    """Which runs are compared: those that are named, else those of the declared stages, else those of the lineage."""
    if before is not None:
        others = list(after) or [run for run in study.runs() if run != before]
        if not others:
            raise SettingError(f"{study.folder} holds no run but {before}: a report compares at least two.")
        return before, others
    if after:
        raise SettingError("a report that names an AFTER names its BEFORE too: give --before RUN.")
    stages = study.settings().stages
    runs = [run for stage in stages for run in stage.runs] if stages else _ordered(study)
    return runs[0], runs[1:]


def _ordered(study: Study) -> list[str]:
    found = study.runs()
    if len(found) < 2:
        held = f"only {next(iter(found))}" if found else "none"
        raise SettingError(
            f"a report compares at least two runs, and {study.folder} holds {held}: bring in more with `forgetmap read`."
        )
    try:
        return order({name: one.info for name, one in found.items()})
    except SettingError as error:
        known = ", ".join(found)
        raise SettingError(
            f"name the run that came before with --before RUN (there are: {known}), for {error}"
        ) from error


def _items(map: Map, budget: int) -> dict[int, Samples]:
    """Lost items of every comparison, each with an equal share of the bytes."""
    if not 0 < len(map.comparisons) <= DRAWN_ITEMS or budget <= 0:
        return {}
    share = budget // len(map.comparisons)
    return {place: samples(map, pair, share) for place, pair in enumerate(map.comparisons)}
