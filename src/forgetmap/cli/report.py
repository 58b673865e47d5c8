"""`forgetmap report`: one file to look at, and to show."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetmap.cli.options import ConfidenceOption, JsonOption, NullOption, ScorerOption, TaxonomyOption, UnpairedOption
from forgetmap.errors import SettingError

if TYPE_CHECKING:
    from forgetmap.report.making import Made

StudyArgument = Annotated[Path, typer.Argument(metavar="STUDY", help="The study folder.")]
OutOption = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write the page.")]
BeforeOption = Annotated[
    str | None,
    typer.Option(
        "--before",
        metavar="RUN",
        help="The checkpoint before; by default [[stages]] of study.toml or the lineage say it.",
    ),
]
AfterOption = Annotated[
    list[str] | None,
    typer.Option("--after", metavar="RUN", help="A checkpoint after; may be repeated; by default all other runs."),
]
ItemsOption = Annotated[
    float, typer.Option("--items", metavar="MB", min=0, help="Megabytes of lost items in the file; 0 leaves all out.")
]


def report(
    study: StudyArgument = Path(),
    out: OutOption = Path("forgetmap-report.html"),
    before: BeforeOption = None,
    after: AfterOption = None,
    items: ItemsOption = 15.0,
    null: NullOption = None,
    scorer: ScorerOption = None,
    taxonomy: TaxonomyOption = None,
    allow_unpaired: UnpairedOption = False,
    confidence: ConfidenceOption = 0.95,
    json: JsonOption = False,
) -> None:
    """Write the map of a study as one HTML file.

    It opens anywhere without a network, with the lost items in it and the full numbers as JSON beside it.
    """
    from forgetmap.cli import console
    from forgetmap.report.making import report as make

    if out.suffix not in (".html", ".htm"):
        raise SettingError(f"a report is an HTML file, and {out} does not end in .html: name another with -o.")
    with console.progress(silent=json) as told:
        made = make(
            study,
            out,
            before=before,
            after=after or (),
            budget=int(items * 1e6),
            null=null,
            scorers=scorer or (),
            taxonomy=taxonomy,
            allow_unpaired=allow_unpaired,
            confidence=confidence,
            progress=told,
        )
    print(_json(made) if json else _said(made))


def _said(made: "Made") -> str:
    from forgetmap.measure.words import count

    lying, lost = (sum(getattr(one, name) for one in made.items.values()) for name in ("kept", "total"))
    left_out = f"; {count(lost - lying)} were left out to keep it small (--items MB)" if lost > lying else ""
    return (
        f"The report is in {made.page} ({made.bytes / 1e6:.1f} MB, {count(lying)} lost items in it{left_out}).\n"
        f"The full numbers are beside it in {made.json}."
    )


def _json(made: "Made") -> str:
    import orjson

    items = [
        {"before": pair.before, "after": pair.after, "kept": made.items[place].kept, "lost": made.items[place].total}
        for place, pair in enumerate(made.map.comparisons)
        if place in made.items
    ]
    page = {"schema": 1, "page": str(made.page), "json": str(made.json), "bytes": made.bytes, "items": items}
    return orjson.dumps(page, option=orjson.OPT_INDENT_2).decode()
