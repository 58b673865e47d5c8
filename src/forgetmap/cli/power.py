"""`forgetmap power`: how many items it takes."""

from typing import TYPE_CHECKING, Annotated

import typer

from forgetmap.cli.options import JsonOption
from forgetmap.errors import SettingError

if TYPE_CHECKING:
    from forgetmap.stats.power import Plan

Answer = dict[str, int | float | None]


def power(
    k: Annotated[
        str, typer.Option("--k", metavar="K", help="Options of an item, or open for answers without options.")
    ] = "4",
    forgetting: Annotated[
        float | None, typer.Option("--forgetting", metavar="SHARE", help="The forgetting to show, such as 0.02.")
    ] = None,
    exclude: Annotated[
        float | None,
        typer.Option("--exclude", metavar="SHARE", help="The forgetting to exclude; by default twice that."),
    ] = None,
    items: Annotated[
        int | None, typer.Option("--items", metavar="N", help="The other way round: what so many items can show.")
    ] = None,
    draws: Annotated[int, typer.Option("--draws", metavar="R", help="Draws of each item on each side.")] = 1,
    noise: Annotated[
        float,
        typer.Option(
            "--noise", metavar="SHARE", help="Items known and yet lost from one draw to the next, luck apart."
        ),
    ] = 0.0,
    known: Annotated[float, typer.Option("--known", metavar="SHARE", help="Share of the items known before.")] = 0.6,
    repeated_luck: Annotated[
        float, typer.Option("--repeated-luck", metavar="SHARE", help="How often a second guess repeats the first.")
    ] = 0.5,
    confidence: Annotated[
        float, typer.Option("--confidence", metavar="SHARE", help="Confidence of the intervals.")
    ] = 0.95,
    power: Annotated[
        float, typer.Option("--power", metavar="SHARE", help="Share of studies that are to find what is there.")
    ] = 0.8,
    json: JsonOption = False,
) -> None:
    """Say how many items show or exclude a forgetting.

    Or, with --items, the smallest forgetting that so many items show and exclude.
    """
    from forgetmap.stats.power import Plan

    plan = Plan(
        k=_options(k),
        known=known,
        repeated_luck=repeated_luck,
        noise=noise,
        draws=draws,
        confidence=confidence,
        power=power,
    )
    answer = (
        _for_items(plan, items, forgetting or 0.0, exclude) if items is not None else _for(plan, forgetting, exclude)
    )
    print(_json(plan, answer)) if json else _show(plan, answer)


def _options(said: str) -> int | None:
    if said == "open":
        return None
    if not said.isdecimal():
        raise SettingError(f"--k wants a number of options, such as 4, or open; got {said!r}.")
    return int(said)


def _for(plan: "Plan", forgetting: float | None, exclude: float | None) -> Answer:
    from forgetmap.stats.power import items_to_exclude, items_to_show

    if forgetting is None:
        raise SettingError("power wants --forgetting SHARE, such as 0.02, or --items N for the other way round.")
    if forgetting == 0 and exclude is None:
        raise SettingError(
            "--forgetting 0 leaves nothing to show: say with --exclude SHARE, such as 0.02, what is to be excluded where nothing is "
            "forgotten, or give --forgetting a share above 0."
        )
    excluded = min(2 * forgetting, plan.known) if exclude is None else exclude
    return {
        "forgetting": forgetting,
        "exclude": excluded,
        "items_to_show": items_to_show(plan, forgetting),
        "items_to_exclude": items_to_exclude(plan, forgetting, excluded),
    }


def _for_items(plan: "Plan", items: int, forgetting: float, exclude: float | None) -> Answer:
    from forgetmap.stats.power import smallest_excluded, smallest_shown

    if exclude is not None:
        raise SettingError("--exclude goes with --forgetting, not with --items: with --items it is the answer.")
    return {
        "items": items,
        "forgetting": forgetting,
        "smallest_shown": smallest_shown(plan, items),
        "smallest_excluded": smallest_excluded(plan, items, forgetting),
    }


def _show(plan: "Plan", answer: Answer) -> None:
    from forgetmap.cli import console
    from forgetmap.pages.power_page import power_page

    console.show(power_page(plan, answer))


def _json(plan: "Plan", answer: Answer) -> str:
    from dataclasses import asdict

    import orjson

    return orjson.dumps({"schema": 1, "plan": asdict(plan), **answer}, option=orjson.OPT_INDENT_2).decode()
