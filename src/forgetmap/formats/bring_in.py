"""Bring logs into a study: what `forgetmap read` calls."""

import os
from collections.abc import Iterable, Mapping
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
    where it was; what is stored already stays as it is, and a path that cannot be opened or a run that cannot be stored keeps none of the
    others from being stored. A path that is given twice is read once.
    What the study's `study.toml` says of options (`[tasks."PATTERN"] k = ...`) is added behind the hints. `hints.name` and the lineage
    (`parent`, `stage`, `step`) need exactly one run; a lineage that is said of a run already stored is added to it.
    """
    into = study if isinstance(study, Study) else Study.at(study)
    hints = replace(hints, k=(*hints.k, *into.settings().k))
    addresses = _distinct([paths] if isinstance(paths, str | Path) else paths)
    if any(is_address(str(address)) for address in addresses):
        from forgetmap.formats.hub.settle import settled

        hints = settled(addresses, hints)
    found = [_opened(address, hints, format) for address in addresses]
    failed = [one for one in found if isinstance(one, InputError)]
    opened = {address: one for address, one in zip(addresses, found, strict=True) if not isinstance(one, InputError)}
    runs = [run for one in opened.values() for run in one]
    if not runs:
        raise failed[0]
    _refuse_one_name_for_several(opened, len(runs) + len(failed), hints.name)
    lineage = _lineage(runs, len(runs) + len(failed), hints)
    for run in runs:
        run.info = replace(run.info, **lineage)
    side_by_side: FanOut = load(FAN_OUTS, fan_out, group="fan_outs")
    written = _all_written([*failed, *side_by_side(runs, partial(_stored, into), progress)])
    return [add_lineage(one, lineage) for one in written] if lineage else written


def _distinct(addresses: Iterable[str | Path]) -> list[str | Path]:
    """Each address once, however it is spelled."""
    return list(
        {str(one) if is_address(str(one)) else os.path.realpath(one): one for one in reversed(list(addresses))}.values()
    )[::-1]


def _opened(address: str | Path, hints: Hints, format: str | None) -> list[Run] | InputError:
    try:
        return open_runs(address, hints, format=format)
    except SettingError:
        raise
    except InputError as error:
        return error


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


def _lineage(runs: list[Run], count: int, hints: Hints) -> dict[str, Any]:
    """What the user says of where the one run comes from."""
    said = {"parents": (hints.parent,) if hints.parent else None, "stage": hints.stage, "step": hints.step}
    lineage = {name: value for name, value in said.items() if value is not None}
    if lineage and count != 1:
        raise SettingError(
            f"--parent, --stage and --step say where one run comes from, but {count} are to be read: read them one at a time."
        )
    if lineage and hints.parent == runs[0].info.run_id:
        raise SettingError(f"{hints.parent} cannot be its own parent: name the run that it was trained from.")
    return lineage


def _refuse_one_name_for_several(opened: Mapping[str | Path, list[Run]], count: int, name: str | None) -> None:
    """Each run needs a name of its own, or the second could not be stored beside the first."""
    if name is not None and count != 1:
        raise SettingError(f"--as {name} names one run, but {count} are to be read: read them one at a time.")
    places: dict[str, list[str]] = {}
    for address, runs in opened.items():
        for run in runs:
            places.setdefault(run.info.run_id, []).append(_said(run, address))
    run_id, own = max(places.items(), key=lambda pair: len(pair[1]))
    if len(own) > 1:
        raise SettingError(
            f"{len(own)} of the runs to be read are called {run_id} ({' and '.join(own)}): "
            "read them one at a time, each with a name of its own (`--as NAME`)."
        )


def _said(run: Run, address: str | Path) -> str:
    """A run's files, and the folder that was named, or that of the file."""
    files = ", ".join(run.info.source[:2])
    if is_address(str(address)):
        return f"{files} in {address}"
    return f"{files} in {Path(address).parent if Path(address).is_file() else address}"
