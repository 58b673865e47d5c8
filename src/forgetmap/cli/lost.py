"""`forgetmap lost`: the very items."""

from typing import TYPE_CHECKING, Annotated

import typer

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

if TYPE_CHECKING:
    from forgetmap.measure.lost import LostItem


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
) -> None:
    """Show the lost items, both answers side by side.

    Items that were right BEFORE and are not AFTER, those lost in most draws first, each with its cause.
    """
    from forgetmap.measure.compare import resolve
    from forgetmap.measure.lost import lost as lost_items
    from forgetmap.records.study import Study

    folder = home(study)
    opened = None if folder is None else Study.open(folder)
    said = None if opened is None else opened.settings()
    runs = [resolve(address, study=opened, hints=hints(map, k), format=format) for address in (before, after)]
    found = lost_items(
        *runs,
        name=name,
        limit=most,
        scorers=scorer or (),
        aliases=said.aliases if said else None,
        taxonomy=taxonomy or (said.taxonomy if said else None),
    )
    names = runs[0].info.run_id, runs[1].info.run_id
    if json:
        print(_json(found, names))
    else:
        _show(found, names, name, full=full)


def _show(found: "list[LostItem]", names: tuple[str, str], where: str | None, *, full: bool) -> None:
    from forgetmap.cli import console
    from forgetmap.cli.page.items import draw_items

    if not found:
        print(f"No item{f' of {where}' if where else ''} was right in {names[0]} and is not in {names[1]}.")
    draw_items(found, names, console.console(), full=full)


def _json(found: "list[LostItem]", names: tuple[str, str]) -> str:
    import orjson

    items = [{**item._asdict(), "before": item.before._asdict(), "after": item.after._asdict()} for item in found]
    return orjson.dumps(
        {"schema": 1, "before": names[0], "after": names[1], "items": items}, option=orjson.OPT_INDENT_2
    ).decode()
