"""`forgetmap gate`: may this checkpoint be released?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forgetmap.cli.fetching import UpToOption, YesOption, fetching
from forgetmap.cli.options import (
    ADDRESS,
    BeforeArgument,
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
    halves,
    hints,
    home,
    only_one,
)
from forgetmap.errors import SettingError
from forgetmap.formats.contract import UP_TO

if TYPE_CHECKING:
    from forgetmap.measure.gate import Verdict
    from forgetmap.measure.map import Map


def gate(
    before: BeforeArgument,
    after: Annotated[str, typer.Argument(metavar="AFTER", help=f"The checkpoint after: {ADDRESS}.")],
    max_forgetting: Annotated[
        float | None,
        typer.Option("--max-forgetting", metavar="SHARE", help="How much of all items may be forgotten, such as 0.02."),
    ] = None,
    budget: Annotated[
        list[str] | None,
        typer.Option(
            "--budget",
            metavar="NAME=SHARE",
            help="The same for a category, a task or a domain (also as TASK/DOMAIN); may be repeated.",
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="End with 1 on anything but PASS.")] = False,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the verdicts as JUnit XML too.")
    ] = None,
    study: StudyOption = None,
    scorer: ScorerOption = None,
    null: NullOption = None,
    taxonomy: TaxonomyOption = None,
    allow_unpaired: UnpairedOption = False,
    confidence: ConfidenceOption = 0.95,
    json: JsonOption = False,
    markdown: MarkdownOption = False,
    format: FormatOption = None,
    map: MapOption = None,
    k: KOption = None,
    yes: YesOption = False,
    up_to: UpToOption = UP_TO,
) -> None:
    """Say whether AFTER forgot more than it may.

    PASS, WARN, INCONCLUSIVE or BLOCK for every budget. Ends with 0, or with 1 on BLOCK.
    Budgets may stand in a study's study.toml, under [gate].
    """
    from forgetmap.cli import console
    from forgetmap.measure.compare import compare
    from forgetmap.measure.gate import gate as verdicts_on

    only_one(json=json, markdown=markdown)
    budgets = _budgets(budget or ())
    reading: dict[str, Any] = {
        "study": home(study),
        "format": format,
        "scorers": scorer or (),
        "null": null,
    }
    asked: dict[str, Any] = {"allow_unpaired": allow_unpaired, "taxonomy": taxonomy, "confidence": confidence}
    with console.progress(silent=json) as told:
        reading["hints"] = fetching(hints(map, k), told, yes=yes, up_to=up_to)
        found = compare(before, after, progress=told, **asked, **reading)
    _show(found, verdicts_on(found, max_forgetting=max_forgetting, budgets=budgets), strict, junit, (json, markdown))


def _budgets(said: Sequence[str]) -> dict[str, float]:
    return dict(_budget(text) for text in said)


def _budget(text: str) -> tuple[str, float]:
    name, share = halves(text, "--budget", "NAME=SHARE")
    try:
        return name, float(share)
    except ValueError:
        raise SettingError(f"--budget wants NAME=SHARE, such as physics=0.02, and got {text!r}.") from None


def _show(found: "Map", verdicts: "list[Verdict]", strict: bool, junit: Path | None, form: tuple[bool, bool]) -> None:
    """Print and write the verdicts; end with 1 where the answer is no."""
    from forgetmap.measure.gate import worst

    json, markdown = form
    if junit is not None:
        from forgetmap.pages.junit import junit_xml

        junit.write_bytes(junit_xml(verdicts, strict=strict))
    if json:
        print(_json(found, verdicts))
    else:
        from forgetmap.cli import console
        from forgetmap.pages.gate_page import gate_page

        console.show(gate_page(found, verdicts), markdown=markdown)
    decision = worst(verdicts)
    if decision == "BLOCK" or (strict and decision != "PASS"):
        raise typer.Exit(1)


def _json(found: "Map", verdicts: "list[Verdict]") -> str:
    import orjson

    from forgetmap.measure.gate import worst

    page = {
        "schema": 1,
        "forgetmap": found.version,
        "confidence": found.confidence,
        "decision": worst(verdicts),
        "verdicts": [verdict.to_dict() for verdict in verdicts],
    }
    return orjson.dumps(page, option=orjson.OPT_INDENT_2).decode()
