"""`forgetmap lost`: the very items."""

from typing import TYPE_CHECKING, Annotated

import typer

from forgetmap.cli.fetching import UpToOption, YesOption, fetching
from forgetmap.cli.options import (
    ADDRESS,
    BeforeArgument,
    FormatOption,
    JsonOption,
    KOption,
    MapOption,
    ScorerOption,
    StudyOption,
    TaxonomyOption,
    hints,
    home,
)
from forgetmap.formats.contract import UP_TO

if TYPE_CHECKING:
    from forgetmap.measure.lost import Lost


def lost(
    before: BeforeArgument,
    after: Annotated[str, typer.Argument(metavar="AFTER", help=f"The checkpoint after: {ADDRESS}.")],
    name: Annotated[
        str | None, typer.Option("--in", metavar="NAME", help="Only items of this task, domain, category or cause.")
    ] = None,
    most: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many items to show.")] = 20,
    full: Annotated[bool, typer.Option("--full", help="Do not shorten long texts.")] = False,
    study: StudyOption = None,
    scorer: ScorerOption = None,
    taxonomy: TaxonomyOption = None,
    json: JsonOption = False,
    format: FormatOption = None,
    map: MapOption = None,
    k: KOption = None,
    yes: YesOption = False,
    up_to: UpToOption = UP_TO,
) -> None:
    """Show the lost items, both answers side by side.

    Items that were right BEFORE and are not AFTER, those lost in most draws first, each with its cause.
    """
    from forgetmap.cli import console
    from forgetmap.measure.lost import lost as lost_items

    with console.progress(silent=json) as told:
        found = lost_items(
            before,
            after,
            name=name,
            limit=most,
            taxonomy=taxonomy,
            study=home(study),
            hints=fetching(hints(map, k), told, yes=yes, up_to=up_to),
            format=format,
            scorers=scorer or (),
            progress=told,
        )
    if json:
        print(_json(found))
    else:
        _show(found, name, full=full)


def _show(found: "Lost", where: str | None, *, full: bool) -> None:
    from forgetmap.cli import console
    from forgetmap.cli.drawn.items import draw_items

    if not found.items:
        print(f"No item{f' of {where}' if where else ''} was right in {found.before} and is not in {found.after}.")
    draw_items(found.items, (found.before, found.after), console.console(), full=full)


def _json(found: "Lost") -> str:
    import orjson

    items = [{**item._asdict(), "before": item.before._asdict(), "after": item.after._asdict()} for item in found.items]
    return orjson.dumps(
        {"schema": 1, "before": found.before, "after": found.after, "items": items}, option=orjson.OPT_INDENT_2
    ).decode()
