"""From two logs, runs or results to a map: the verb `compare`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap import __version__
from forgetmap.errors import SettingError
from forgetmap.formats.contract import Hints
from forgetmap.formats.opening import open_run
from forgetmap.measure import ESTIMATORS
from forgetmap.measure.cell import Wanted
from forgetmap.measure.cells import cells
from forgetmap.measure.evidence import gather
from forgetmap.measure.fold import Folded, demand_answers
from forgetmap.measure.map import Comparison, Map
from forgetmap.measure.more_draws import with_null
from forgetmap.measure.pair import Pairing, demand_coverage, pair
from forgetmap.measure.side_by_side import Progress, bytes_at, fold_all
from forgetmap.records.run import Run
from forgetmap.records.settings import Settings
from forgetmap.records.study import Study
from forgetmap.tables import names
from forgetmap.taxonomy.place import read_taxonomy

Source = str | Path | Run | Mapping[str, Any]
"""A run of the study, a path to logs (`PATH` or `PATH::RUN`), a run in hand, or the dict of `lm_eval.simple_evaluate`."""


class Reading(NamedTuple):
    """How sources are found and joined: everything but the sources themselves."""

    study: Study | None
    hints: Hints
    format: str | None
    scorers: Sequence[str]
    settings: Settings
    progress: Progress | None


def compare(
    before: Source,
    *after: Source,
    estimators: Sequence[str] = (),
    null: Source | None = None,
    allow_unpaired: bool = False,
    taxonomy: str | Path | None = None,
    confidence: float = 0.95,
    **reading: Any,
) -> Map:
    """The map of what each AFTER forgot and gained since BEFORE.

    `estimators` names further estimators to show beside the default; `null` is a second run of one of the checkpoints and gives the
    noise floor; further keywords say how sources are read: `study`, `hints`, `format`, `scorers` (names, or "TASK=NAME"), `progress`.
    More than 1 % of items without a partner stops, unless `allow_unpaired`.
    """
    _check(after, estimators, confidence)
    found = _reading(**reading)
    placed = read_taxonomy(Path(taxonomy) if taxonomy else found.settings.taxonomy)
    pairings, sources = _pairings(before, after, null, found)
    if not allow_unpaired:
        for pairing in pairings:
            demand_coverage(pairing)
    wanted = [Wanted(p.before.info.run_id, p.after.info.run_id, confidence, tuple(estimators)) for p in pairings]
    return Map(
        version=__version__,
        confidence=confidence,
        taxonomy=placed.name,
        estimator="option",
        estimators=tuple(estimators),
        runs={run.info.run_id: run.info for p in pairings for run in (p.before, p.after)},
        draws={run.info.run_id: _draws(run) for p in pairings for run in (p.before, p.after)},
        comparisons=[_comparison(pairing) for pairing in pairings],
        cells=[
            cell
            for pairing, want in zip(pairings, wanted, strict=True)
            for cell in cells(gather(pairing, placed), want)
        ],
        placed=placed,
        sources=sources,
        aliases=found.settings.aliases,
    )


def coverage(before: Source, *after: Source, null: Source | None = None, **reading: Any) -> list[Pairing]:
    """What pairs and what does not, without estimating anything: one pairing for each AFTER."""
    _check(after, (), 0.95)
    return _pairings(before, after, null, _reading(**reading))[0]


def resolve(
    source: Source, *, study: Study | Path | str | None = None, hints: Hints | None = None, format: str | None = None
) -> Run:
    """The run that a source names: a run of the study first, then a path."""
    if isinstance(source, Run):
        return source
    if isinstance(source, Mapping):
        from forgetmap.formats.lm_eval import from_results

        return from_results(source)
    home = study if isinstance(study, Study) or study is None else Study.open(Path(study))
    if home is not None and str(source) in home.runs():
        return home.run(str(source))
    if home is not None and not Path(str(source).partition("::")[0]).exists():
        raise SettingError(
            f"{source} is neither a run of the study {home.folder} nor a path; its runs are: {', '.join(home.runs()) or 'none yet'}."
        )
    return open_run(source, hints or Hints(), format=format)


def _check(after: Sequence[Source], estimators: Sequence[str], confidence: float) -> None:
    if not after:
        raise SettingError("a comparison needs a BEFORE and at least one AFTER; only one run was given.")
    if not 0.5 <= confidence < 1:
        raise SettingError(f"confidence must lie between 0.5 and 1, got {confidence}; 0.95 is usual.")
    known = sorted(names(ESTIMATORS, group="estimators"))
    for name in estimators:
        if name not in known:
            raise SettingError(
                f"there is no estimator called {name!r}; besides the default (option) there are: {', '.join(known)}."
            )


def _reading(
    study: Study | Path | str | None = None,
    hints: Hints | None = None,
    format: str | None = None,
    scorers: Sequence[str] = (),
    progress: Progress | None = None,
) -> Reading:
    home = study if isinstance(study, Study) or study is None else Study.open(Path(study))
    hints, settings = hints or Hints(), home.settings() if home is not None else Settings()
    hints = replace(hints, k=(*hints.k, *settings.k))
    return Reading(home, hints, format, scorers, settings, progress)


def _pairings(
    before: Source, after: Sequence[Source], null: Source | None, found: Reading
) -> tuple[list[Pairing], dict[str, Run]]:
    sources = [before, *after, *([] if null is None else [null])]
    runs = _told_apart(
        [(one, resolve(one, study=found.study, hints=found.hints, format=found.format)) for one in sources]
    )
    once = {run.info.run_id: (run, bytes_at(source)) for run, source in zip(runs, sources, strict=True)}
    columns = demand_answers(
        fold_all([run for run, _ in once.values()], [size for _, size in once.values()], found.progress)
    )
    by_name = dict(zip(once, columns, strict=True))
    first, *others = [by_name[run.info.run_id] for run in runs]
    if null is not None:
        first, others = with_null(first, others[:-1], others[-1])
    pairings = [pair(first, other, scorers=found.scorers, aliases=found.settings.aliases) for other in others]
    return pairings, {name: run for name, (run, _) in once.items()}


def _told_apart(runs: Sequence[tuple[Source, Run]]) -> list[Run]:
    """The same runs, with another name for a run that is not the first of its name, unless it comes from the same source."""
    taken: dict[str, str] = {}
    named = []
    for source, run in runs:
        name, number = run.info.run_id, 2
        while taken.setdefault(name, str(source)) != str(source):
            name, number = f"{run.info.run_id}-{number}", number + 1
        named.append(Run(replace(run.info, run_id=name), run.read, notes=run.notes))
    return named


def _draws(run: Folded) -> int:
    return max(len(columns.seeds) for columns in run.columns.values())


def _comparison(pairing: Pairing) -> Comparison:
    before, after = pairing.before, pairing.after
    return Comparison(
        before=before.info.run_id,
        after=after.info.run_id,
        paired=pairing.paired,
        only_before=pairing.only_before,
        only_after=pairing.only_after,
        duplicate=pairing.duplicates,
        content_differs=pairing.content_differs,
        tasks_only_before=pairing.tasks_only_before,
        tasks_only_after=pairing.tasks_only_after,
        differs=pairing.differs,
        scorers={task.task: task.before.scorer for task in pairing.tasks},
        problems=len(before.problems) + len(after.problems),
        notes=list(dict.fromkeys([*before.notes, *after.notes])),
    )
