"""`forgetmap compare`: the map."""

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from forgetmap.cli.fetching import UpToOption, YesOption, fetching, to_fetch
from forgetmap.cli.options import (
    ADDRESS,
    BeforeArgument,
    By,
    ConfidenceOption,
    FormatOption,
    JsonOption,
    KOption,
    MapOption,
    MarkdownOption,
    NullOption,
    ScorerOption,
    StudyOption,
    TaxonomyOption,
    UnpairedOption,
    hints,
    home,
    only_one,
)
from forgetmap.formats.contract import UP_TO

if TYPE_CHECKING:
    from forgetmap.formats.contract import Hints
    from forgetmap.measure.map import Map
    from forgetmap.pages.blocks import Page, Section

AfterArguments = Annotated[list[str], typer.Argument(metavar="AFTER", help=f"The checkpoints after, each {ADDRESS}.")]
ByOption = Annotated[
    By | None, typer.Option("--by", help="Rows of the map; by default categories, else tasks or domains.")
]
AllOption = Annotated[bool, typer.Option("--all", help="Show every domain too.")]
EstimatorOption = Annotated[
    list[str] | None,
    typer.Option(
        "--estimator", metavar="NAME", help="Show forgetting by table, score, published or raw too; may be repeated."
    ),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Say what pairs and what does not, and why; estimate nothing.")
]
MacroOption = Annotated[
    bool, typer.Option("--macro", help="Let every domain count the same in the cells above it, not every item.")
]
SeedsOption = Annotated[
    bool,
    typer.Option("--seeds", help="All AFTERs are seeds of one recipe: give their mean, and the error between them."),
]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print one line a cell, every number in its own column.")]


def compare(
    before: BeforeArgument,
    after: AfterArguments,
    study: StudyOption = None,
    by: ByOption = None,
    every: AllOption = False,
    scorer: ScorerOption = None,
    estimator: EstimatorOption = None,
    null: NullOption = None,
    seeds: SeedsOption = False,
    taxonomy: TaxonomyOption = None,
    dry_run: DryRunOption = False,
    allow_unpaired: UnpairedOption = False,
    confidence: ConfidenceOption = 0.95,
    macro: MacroOption = False,
    json: JsonOption = False,
    csv: CsvOption = False,
    markdown: MarkdownOption = False,
    format: FormatOption = None,
    map: MapOption = None,
    k: KOption = None,
    yes: YesOption = False,
    up_to: UpToOption = UP_TO,
) -> None:
    """Say what each AFTER forgot and gained since BEFORE."""
    from forgetmap.cli import console
    from forgetmap.measure.compare import compare as map_of

    only_one(json=json, csv=csv, markdown=markdown)
    only_one(dry_run=dry_run, csv=csv)
    reading: dict[str, Any] = {"study": home(study), "format": format, "scorers": scorer or (), "null": null}
    asked: dict[str, Any] = {"allow_unpaired": allow_unpaired, "taxonomy": taxonomy, "confidence": confidence}
    asked |= {"macro": macro}
    with console.progress(silent=json) as told:
        reading["hints"] = fetching(hints(map, k), told, yes=yes, up_to=up_to)
        if dry_run:
            planned = _planned(before, after, progress=told, **reading)
        else:
            asked |= {"estimators": estimator or (), "seeds": seeds}
            found = map_of(before, *after, progress=told, **asked, **reading)
    if dry_run:
        print(planned.json()) if json else console.show(planned.page(), markdown=markdown)
    elif json:
        print(found.to_json())
    elif csv:
        _print_csv(found)
    else:
        from forgetmap.pages.map_page import map_page

        page = map_page(found, by=by, everything=every)
        typed = lost_command(
            before, after[0], study=study, format=format, map=map, k=k, scorer=scorer, taxonomy=taxonomy
        )
        console.show(page if markdown else [*page, _next(typed)], markdown=markdown)


class _Planned(NamedTuple):
    """What a dry run has to say, for programs and for people."""

    json: Callable[[], str]
    page: Callable[[], "Page"]


def _planned(before: str, after: list[str], *, null: str | None, hints: "Hints", **reading: Any) -> _Planned:
    """What would be fetched, where that is not here yet; else what pairs."""
    from forgetmap.cli.fetching import plan_json, plan_page
    from forgetmap.measure.compare import coverage
    from forgetmap.pages.coverage import coverage_json, coverage_page

    plan = to_fetch([before, *after, null], hints)
    if plan is not None:
        return _Planned(partial(plan_json, plan), partial(plan_page, plan))
    pairings = coverage(before, *after, null=null, hints=hints, **reading)
    return _Planned(partial(coverage_json, pairings), partial(coverage_page, pairings))


def _print_csv(found: "Map") -> None:
    from io import BytesIO

    from pyarrow.csv import write_csv

    text = BytesIO()
    write_csv(found.to_arrow(), text)
    sys.stdout.write(text.getvalue().decode())


def lost_command(before: str, after: str, **reading: Any) -> str:
    """What to type in order to see the items themselves, with the options by which the logs were read."""
    import shlex

    given = [(name, value) for name, value in reading.items() if value is not None]
    options = [
        word
        for name, value in given
        for one in (value if isinstance(value, list) else [value])
        for word in (f"--{name}", str(one))
    ]
    return shlex.join(["forgetmap", "lost", before, after, *options])


def _next(typed: str) -> "Section":
    from forgetmap.pages.blocks import Command, Section

    return Section("", [Command("To read the lost items themselves:", typed)])
