"""How sources become pairings: found, read side by side, given further draws, joined."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import SettingError
from forgetmap.fan_out import Progress
from forgetmap.formats.contract import Hints
from forgetmap.formats.hub.address import is_address
from forgetmap.formats.opening import open_run
from forgetmap.measure.fold import Folded, demand_answers, knowledge
from forgetmap.measure.more_draws import with_null
from forgetmap.measure.pair import Pairing, pair
from forgetmap.measure.scorer_choice import Scorers
from forgetmap.measure.side_by_side import bytes_at, fold_all
from forgetmap.records.run import Run
from forgetmap.records.settings import Settings
from forgetmap.records.study import Study, whole_run

Source = str | Path | Run | Mapping[str, Any]
"""A run of the study, a path to logs (`PATH` or `PATH::RUN`), logs on the Hub (`hub:…`), a run in hand, or the dict of
`lm_eval.simple_evaluate`."""


IN_HAND = "\0"
"""Begins the address of a source that is no path."""


class Reading(NamedTuple):
    """How sources are found and joined: everything but the sources themselves."""

    study: Study | None
    hints: Hints
    format: str | None
    scorers: Scorers
    settings: Settings
    progress: Progress | None


def reading(
    study: Study | Path | str | None = None,
    hints: Hints | None = None,
    format: str | None = None,
    scorers: str | Scorers = (),
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> Reading:
    """What the keywords of `compare` say; a study's own settings are added to them."""
    home = study if isinstance(study, Study) or study is None else Study.open(Path(study))
    settings = settings or (home.settings() if home is not None else Settings())
    hints = hints or Hints()
    hints = replace(hints, k=(*hints.k, *settings.k))
    scorers = [scorers] if isinstance(scorers, str) else scorers
    return Reading(home, hints, format, scorers, settings, progress)


def resolve(
    source: Source, *, study: Study | Path | str | None = None, hints: Hints | None = None, format: str | None = None
) -> Run:
    """The run that a source names: a run of the study first, then a path."""
    if isinstance(source, Run):
        return source
    if isinstance(source, Mapping):
        from forgetmap.formats.lm_eval import from_results

        return from_results(source)
    if not isinstance(source, str | Path):
        raise SettingError(
            f"a source is a path, the name of a run, a Run or the dict of simple_evaluate, not {source!r:.60}."
        )
    home = study if isinstance(study, Study) or study is None else Study.open(Path(study))
    hints = hints or Hints()
    stored = home and _stored(home, str(source), hints)
    return stored or open_run(source, hints, format=format)


def _stored(home: Study, name: str, hints: Hints) -> Run | None:
    """The run of the study of that name; null where the name is a path, one sentence where it is neither."""
    runs = home.runs()
    if name in runs:
        return whole_run(runs[name], (*hints.k, *home.settings().k))
    if is_address(name) or Path(name.partition("::")[0]).exists():
        return None
    if name in home.unfinished() or name in home.damaged():
        return home.run(name)
    raise SettingError(
        f"{name} is neither a run of the study {home.folder} nor a path; its runs are: {', '.join(runs) or 'none yet'}."
    )


def settled(sources: Sequence[Source], hints: Hints) -> Hints:
    """The hints with what the sources on the Hub lead to, all of them together; without any, as they are."""
    if not any(isinstance(one, str) and is_address(one) for one in sources):
        return hints
    from forgetmap.formats.hub.settle import settled as on_the_hub

    return on_the_hub([one for one in sources if isinstance(one, str)], hints)


def _here(source: Source, hints: Hints) -> Source:
    """Where the logs of a source lie on this disk."""
    fetched = hints.fetched.get(source) if isinstance(source, str) else None
    return source if fetched is None else fetched.path


class Joined(NamedTuple):
    """Everything that was read and joined."""

    pairings: list[Pairing]
    """One for each AFTER."""
    null: Pairing | None
    """The run of its checkpoint with the null run."""
    runs: dict[str, Run]
    """By name, to be read again for their texts."""


class Told(NamedTuple):
    """Sources that were read."""

    folded: list[Folded]
    """One for each source, in their order; the same one where two sources are one run."""
    runs: dict[str, Run]
    """By name, to be read again for their texts."""


def read_all(sources: Sequence[Source], found: Reading) -> Told:
    """Read every source once, side by side; those on the Hub are fetched first, all of them together."""
    found = found._replace(hints=settled(sources, found.hints))
    runs = _told_apart(
        [(one, resolve(one, study=found.study, hints=found.hints, format=found.format)) for one in sources]
    )
    once = {
        run.info.run_id: (run, bytes_at(_here(source, found.hints))) for run, source in zip(runs, sources, strict=True)
    }
    columns = demand_answers(
        fold_all([run for run, _ in once.values()], [size for _, size in once.values()], found.progress)
    )
    by_name = dict(zip(once, map(knowledge, columns), strict=True))
    return Told([by_name[run.info.run_id] for run in runs], {name: run for name, (run, _) in once.items()})


def pairings(before: Source, after: Sequence[Source], null: Source | None, found: Reading) -> Joined:
    """Read all sources, give the null run's draws to the run of its checkpoint, and join BEFORE with each AFTER."""
    sources = [before, *after, *([] if null is None else [null])]
    if null is not None and _address(null) in [_address(source) for source in sources[:-1]]:
        raise SettingError(f"{null} cannot be its own second run: --null wants another run of the same checkpoint.")
    told = read_all(sources, found)
    first, *others = told.folded
    rules: dict[str, Any] = {"scorers": found.scorers, "aliases": found.settings.aliases}
    twice = None
    if null is not None:
        first, others, twice = with_null(first, others[:-1], others[-1], **rules)
    joined = [pair(first, other, **rules) for other in others]
    return Joined(joined, twice, told.runs)


def _told_apart(runs: Sequence[tuple[Source, Run]]) -> list[Run]:
    """The same runs; those of one name and different sources are named by where their paths part, or else by number."""
    sources: dict[str, list[str]] = {}
    for source, run in runs:
        known = sources.setdefault(run.info.run_id, [])
        if _address(source) not in known:
            known.append(_address(source))
    named = {
        (run_id, one): name
        for run_id, told in sources.items()
        for one, name in zip(told, _names(run_id, told), strict=True)
    }
    for source, run in runs:
        name = named[run.info.run_id, _address(source)]
        if name != run.info.run_id:
            run.info = replace(run.info, run_id=name)
    return [run for _, run in runs]


def _names(run_id: str, sources: list[str]) -> list[str]:
    """A name for each source of one run id."""
    if len(sources) == 1:
        return [run_id]
    parts = [() if source.startswith(IN_HAND) else Path(source).parts for source in sources]
    if all(parts) and len({len(one) for one in parts}) == 1:
        for place in zip(*parts, strict=True):
            if len(set(place)) == len(sources):
                return [Path(part).stem if Path(part).suffix else part for part in place]
    return [run_id, *(f"{run_id}-{number}" for number in range(2, len(sources) + 1))]


def _address(source: Source) -> str:
    """Where a source is, or something of its own for one that is no path."""
    return str(source) if isinstance(source, str | Path) else f"{IN_HAND}{id(source)}"
