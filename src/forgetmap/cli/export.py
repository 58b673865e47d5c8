"""`forgetmap export`: every item as a row, for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from forgetmap.cli.compare import AfterArguments
from forgetmap.cli.fetching import UpToOption, YesOption, fetching
from forgetmap.cli.options import (
    BeforeArgument,
    FormatOption,
    KOption,
    MapOption,
    ScorerOption,
    StudyOption,
    TaxonomyOption,
    hints,
    home,
)
from forgetmap.formats.contract import UP_TO

OutOption = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write: a name that ends in .parquet or .csv.")
]


def export(
    before: BeforeArgument,
    after: AfterArguments,
    out: OutOption,
    study: StudyOption = None,
    scorer: ScorerOption = None,
    taxonomy: TaxonomyOption = None,
    format: FormatOption = None,
    map: MapOption = None,
    k: KOption = None,
    yes: YesOption = False,
    up_to: UpToOption = UP_TO,
) -> None:
    """Write every item as a row of Parquet or CSV.

    One row an item and comparison: draws right and wrong on either side, kept, lost, gained, never, and the cause.
    """
    from forgetmap.cli import console
    from forgetmap.measure.item_table import check_ending, item_table, save

    check_ending(out)
    with console.progress() as told:
        found = item_table(
            before,
            *after,
            taxonomy=taxonomy,
            study=home(study),
            hints=fetching(hints(map, k), told, yes=yes, up_to=up_to),
            format=format,
            scorers=scorer or (),
            progress=told,
        )
    save(found, out)
    print(f"{found.num_rows:,} rows of {found.num_columns} columns are in {out}.")
