"""`forgetmap published`: the tables of the post-training forgetting study, over one's own logs."""

from pathlib import Path
from typing import Annotated, Any

import typer

from forgetmap.cli.options import (
    ADDRESS,
    BeforeArgument,
    ConfidenceOption,
    FormatOption,
    JsonOption,
    MapOption,
    MarkdownOption,
    ScorerOption,
    StudyOption,
    UnpairedOption,
    hints,
    home,
    only_one,
)
from forgetmap.errors import SettingError

_SWITCHES = ("code", "true")


AfterArguments = Annotated[list[str], typer.Argument(metavar="AFTER", help=f"The checkpoints after, each {ADDRESS}.")]
DividedOption = Annotated[
    list[str] | None,
    typer.Option(
        "--k",
        metavar="true|code|TASK=K",
        help="Divide by the items' own numbers of options (true, the default) or the constants of the study's code; "
        "or say a number where a log does not; may be repeated.",
    ),
]
HiddenOption = Annotated[
    bool,
    typer.Option(
        "--hidden-category/--no-hidden-category",
        help="Whether Total counts categories that are not shown, as the study's code does with ARC.",
    ),
]
BaseOption = Annotated[
    bool, typer.Option("--base", help="Show no Safety and Instruction, as plots of pairs with a base model do.")
]
RowsOption = Annotated[
    Path, typer.Option("--taxonomy", metavar="NAME|FILE", help="Rows: paper, default, or your own as a TOML file.")
]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print both tables as CSV.")]
LatexOption = Annotated[bool, typer.Option("--latex", help="Print both tables as LaTeX (booktabs).")]


def published(
    before: BeforeArgument,
    after: AfterArguments,
    study: StudyOption = None,
    k: DividedOption = None,
    hidden_category: HiddenOption = True,
    base: BaseOption = False,
    scorer: ScorerOption = None,
    taxonomy: RowsOption = Path("paper"),
    allow_unpaired: UnpairedOption = False,
    confidence: ConfidenceOption = 0.95,
    json: JsonOption = False,
    csv: CsvOption = False,
    markdown: MarkdownOption = False,
    latex: LatexOption = False,
    format: FormatOption = None,
    map: MapOption = None,
) -> None:
    """Print the tables of the post-training forgetting study.

    Categories, order of means, clipping and ceilings are those of arXiv 2510.17776 as its code has them; seeds are draws.
    Below them stand the same items read rightly, with intervals.
    """
    from forgetmap.cli import console
    from forgetmap.measure.published_tables import published as tables_of

    only_one(json=json, csv=csv, markdown=markdown, latex=latex)
    said = {one for one in k or () if one in _SWITCHES}
    if len(said) > 1:
        raise SettingError("--k true and --k code exclude each other: one number of options is divided by.")
    reading: dict[str, Any] = {
        "study": home(study),
        "hints": hints(map, [one for one in k or () if one not in _SWITCHES]),
        "format": format,
        "scorers": scorer or (),
    }
    asked: dict[str, Any] = {"hidden_category": hidden_category, "base": base, "taxonomy": taxonomy}
    asked |= {"k": said.pop() if said else "true", "allow_unpaired": allow_unpaired, "confidence": confidence}
    with console.progress(silent=json) as told:
        found = tables_of(before, *after, progress=told, **asked, **reading)
    if json or csv or latex:
        print(found.to_json() if json else found.to_csv() if csv else found.to_latex(), end="\n" if json else "")
        return
    from forgetmap.pages.published_page import published_page

    console.show(published_page(found), markdown=markdown)
