"""`forgetmap stages`: the paths of items from stage to stage."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forgetmap.cli.fetching import UpToOption, YesOption, fetching
from forgetmap.cli.options import (
    ADDRESS,
    By,
    ConfidenceOption,
    FormatOption,
    JsonOption,
    KOption,
    MapOption,
    MarkdownOption,
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
    from forgetmap.measure.path_items import PathItem
    from forgetmap.measure.stages import Stages


RunsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RUN",
        help=f"The stages in their order, each {ADDRESS}. "
        "Without them: [[stages]] of study.toml, else the lineage of the study's runs.",
    ),
]
ByOption = Annotated[
    By | None, typer.Option("--by", help="Rows of capabilities; by default categories, else tasks or domains.")
]
AllOption = Annotated[bool, typer.Option("--all", help="Show every path and every row.")]
ShowOption = Annotated[
    str | None,
    typer.Option(
        "--show",
        metavar="PATH",
        help="Show the items of a path with all answers: a letter a stage, K right and U not, such as KUK; "
        "or a name, such as 'lost, regained'.",
    ),
]
InOption = Annotated[
    str | None, typer.Option("--in", metavar="NAME", help="With --show: only items of this task, domain or category.")
]
MostOption = Annotated[int, typer.Option("-n", metavar="N", min=1, help="With --show: how many items.")]
FullOption = Annotated[bool, typer.Option("--full", help="With --show: do not shorten long texts.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print one line a capability and path.")]


def stages(
    runs: RunsArgument = None,
    study: StudyOption = None,
    by: ByOption = None,
    every: AllOption = False,
    path: ShowOption = None,
    name: InOption = None,
    most: MostOption = 20,
    full: FullOption = False,
    scorer: ScorerOption = None,
    taxonomy: TaxonomyOption = None,
    allow_unpaired: UnpairedOption = False,
    confidence: ConfidenceOption = 0.95,
    json: JsonOption = False,
    csv: CsvOption = False,
    markdown: MarkdownOption = False,
    format: FormatOption = None,
    map: MapOption = None,
    k: KOption = None,
    yes: YesOption = False,
    up_to: UpToOption = UP_TO,
) -> None:
    """Say what became of the items from stage to stage.

    Any number of runs in an order, such as base, sft, rl: which items were kept, lost, lost and regained, gained, each path with its
    share and interval, and what every step forgot and gained.
    """
    from forgetmap.cli import console
    from forgetmap.measure.stages import stages as paths_of

    only_one(json=json, csv=csv, markdown=markdown)
    only_one(show=path is not None, csv=csv)
    only_one(show=path is not None, markdown=markdown)
    reading: dict[str, Any] = {"study": home(study), "format": format, "scorers": scorer or ()}
    asked: dict[str, Any] = {"allow_unpaired": allow_unpaired, "taxonomy": taxonomy, "confidence": confidence}
    with console.progress(silent=json) as told:
        reading["hints"] = fetching(hints(map, k), told, yes=yes, up_to=up_to)
        found = paths_of(*(runs or ()), progress=told, **asked, **reading)
        items = None if path is None else found.items(path, name=name, limit=most)
    if items is not None:
        print(_items_json(found, items)) if json else _show(found, items, str(path), full=full)
    elif json:
        print(found.to_json())
    elif csv:
        _print_csv(found)
    else:
        from forgetmap.pages.stages_page import stages_page

        console.show(stages_page(found, by=by, everything=every), markdown=markdown)


def _show(found: "Stages", items: "list[PathItem]", path: str, *, full: bool) -> None:
    from forgetmap.cli import console
    from forgetmap.cli.drawn.path_items import draw_path_items

    names = [stage.name for stage in found.stages]
    if not items:
        print(f"No item's right answers follow {path} in {' → '.join(names)}.")
    draw_path_items(items, names, console.console(), full=full)


def _print_csv(found: "Stages") -> None:
    from io import BytesIO

    from pyarrow.csv import write_csv

    text = BytesIO()
    write_csv(found.to_arrow(), text)
    sys.stdout.write(text.getvalue().decode())


def _items_json(found: "Stages", items: "list[PathItem]") -> str:
    import orjson

    told = [
        {**item._asdict(), "answers": {run: said._asdict() for run, said in item.answers.items()}} for item in items
    ]
    page = {"schema": 1, "stages": [stage._asdict() for stage in found.stages], "items": told}
    return orjson.dumps(page, option=orjson.OPT_INDENT_2).decode()
