"""`forgetmap demo`: the whole way on outcomes that come with the package."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetmap.cli.options import JsonOption

if TYPE_CHECKING:
    from forgetmap.pages.blocks import Page
    from forgetmap.studies.demo import Demo


def demo(
    study: Annotated[Path, typer.Option("--study", "-s", metavar="DIR", help="Where the demo writes its runs.")] = Path(
        "forgetmap-demo"
    ),
    json: JsonOption = False,
) -> None:
    """Go the whole way on data that comes along, offline.

    Two maps: of the published outcomes of a real pair of checkpoints, and of a simulated pair whose lost items can be read.
    """
    from forgetmap.cli import console
    from forgetmap.studies.demo import demo as build

    with console.progress(silent=json) as told:
        made = build(study, progress=told)
    if json:
        print(_json(made))
    else:
        _show(made)


def _show(made: "Demo") -> None:
    from forgetmap.cli import console
    from forgetmap.cli.drawn.items import draw_items
    from forgetmap.cli.drawn.terminal import draw
    from forgetmap.pages.map_page import map_page

    out = console.console()
    pair = made.simulated.comparisons[0]
    draw([*_opening(), *map_page(made.real)], out)
    out.print()
    draw(_simulated(made), out)
    out.print()
    draw_items(made.lost, (pair.before, pair.after), out)
    out.print()
    draw(_next(made), out)


def _opening() -> "Page":
    from forgetmap.pages.blocks import Section, Sentences

    real = "The outcomes of two published checkpoints on MMLU-Pro, before and after instruction tuning, item by item:"
    return [Section("1. A real pair", [Sentences([real], "dim")])]


def _simulated(made: "Demo") -> "Page":
    """What was put into the simulated pair, and what the map finds."""
    from forgetmap.measure.flat import percent
    from forgetmap.measure.words import estimate
    from forgetmap.pages.blocks import Section, Sentences

    found = made.simulated.cell()
    said = [
        "The real outcomes come without texts. These items and answers are made up by a law, so the truth is known: "
        f"{percent(made.truth.forgetting)} % of what can be asked was forgotten, and the map finds {estimate(found.forgetting, ' %')}; "
        f"{percent(made.truth.gain)} % was gained, and it finds {estimate(found.gain, ' %')}. Three of the lost items:",
    ]
    return [Section("2. A simulated pair, with texts", [Sentences(said, "dim")])]


def _next(made: "Demo") -> "Page":
    import shlex

    from forgetmap.pages.blocks import Command, Section

    pair, where = made.simulated.comparisons[0], ["--study", str(made.study)]
    lost = shlex.join(["forgetmap", "lost", pair.before, pair.after, *where])
    commands = [
        Command("The study lies open in its folder:", shlex.join(["forgetmap", "ls", str(made.study)])),
        Command("More lost items:", lost),
        Command("The same for logs of your own:", "forgetmap compare BEFORE AFTER"),
    ]
    return [Section("3. What to type next", list(commands))]


def _json(made: "Demo") -> str:
    import orjson

    page = {
        "schema": 1,
        "study": str(made.study),
        "real": made.real.to_dict(),
        "simulated": made.simulated.to_dict(),
        "truth": {"forgetting": made.truth.forgetting, "gain": made.truth.gain},
        "lost": [item.item_id for item in made.lost],
    }
    return orjson.dumps(page, option=orjson.OPT_INDENT_2).decode()
