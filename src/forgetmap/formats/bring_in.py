"""Bring logs into a study: what `forgetmap read` calls."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from forgetmap.errors import InputError, SettingError
from forgetmap.fan_out import FAN_OUTS, FanOut
from forgetmap.formats.contract import Hints
from forgetmap.formats.hub.address import is_address
from forgetmap.formats.opening import NO_HINTS, open_runs
from forgetmap.records.run import Run
from forgetmap.records.store import Progress, Written, add_lineage, write
from forgetmap.records.study import Study
from forgetmap.tables import load


def read(
    paths: str | Path | Iterable[str | Path],
    *,
    study: Study | str | Path,
    hints: Hints = NO_HINTS,
    format: str | None = None,
    progress: Progress | None = None,
    fan_out: str = "local",
) -> list[Written]:
    """Store every run found at these paths in a study, which is begun where there is none.

    Several runs are stored side by side: in processes of this machine, or by Ray (`fan_out="ray"`). Given again after a kill it goes on
    where it was; what is stored already stays as it is, and a run that cannot be stored keeps none of the others from being stored.
    What the study's `study.toml` says of options (`[tasks."PATTERN"] k = ...`) is added behind the hints. `hints.name` and the lineage
    (`parent`, `stage`, `step`) need exactly one run; a lineage that is said of a run already stored is added to it.
    """
    into = study if isinstance(study, Study) else Study.at(study)
    hints = replace(hints, k=(*hints.k, *into.settings().k))
    addresses = [paths] if isinstance(paths, str | Path) else list(paths)
    if any(is_address(str(address)) for address in addresses):
        from forgetmap.formats.hub.settle import settled

        hints = settled(addresses, hints)
    runs = [run for address in addresses for run in open_runs(address, hints, format=format)]
    _refuse_one_name_for_several(runs, hints.name)
    lineage = _lineage(runs, hints)
    for run in runs:
        run.info = replace(run.info, **lineage)
    side_by_side: FanOut = load(FAN_OUTS, fan_out, group="fan_outs")
    written = _all_written(side_by_side(runs, partial(_stored, into), progress))
    return [add_lineage(one, lineage) for one in written] if lineage else written


def _stored(study: Study, run: Run, progress: Progress) -> Written | InputError:
    try:
        return write(study, run, progress=progress)
    except InputError as error:
        return error


def _all_written(found: list[Written | InputError]) -> list[Written]:
    """The runs, if all of them were stored; else why the first was not, and what became of the others."""
    written = [run for run in found if isinstance(run, Written)]
    failed = [error for error in found if isinstance(error, InputError)]
    if not failed:
        return written
    others = f" Of {len(found)} runs {len(written)} are stored." if len(found) > 1 else ""
    raise type(failed[0])(f"{failed[0]}{others}")


def _lineage(runs: list[Run], hints: Hints) -> dict[str, Any]:
    """What the user says of where the one run comes from."""
    said = {"parents": (hints.parent,) if hints.parent else None, "stage": hints.stage, "step": hints.step}
    lineage = {name: value for name, value in said.items() if value is not None}
    if lineage and len(runs) != 1:
        raise SettingError(
            f"--parent, --stage and --step say where one run comes from, but {len(runs)} are to be read: read them one at a time."
        )
    if lineage and hints.parent == runs[0].info.run_id:
        raise SettingError(f"{hints.parent} cannot be its own parent: name the run that it was trained from.")
    return lineage


def _refuse_one_name_for_several(runs: list[Run], name: str | None) -> None:
    """Each run needs a name of its own, or the second could not be stored beside the first."""
    if name is not None and len(runs) != 1:
        raise SettingError(f"--as {name} names one run, but {len(runs)} are to be read: read them one at a time.")
    run_id, count = Counter(run.info.run_id for run in runs).most_common(1)[0] if runs else ("", 1)
    if count > 1:
        sources = " and ".join(", ".join(run.info.source[:2]) for run in runs if run.info.run_id == run_id)
        raise SettingError(
            f"{count} of the runs to be read are called {run_id} ({sources}): "
            "read them one at a time, each with a name of its own (`--as NAME`)."
        )
