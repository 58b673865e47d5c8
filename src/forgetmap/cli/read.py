"""`forgetmap read`: logs into a study."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgetmap.cli.fetching import UpToOption, YesOption, fetching
from forgetmap.cli.options import (
    FanOut,
    FanOutOption,
    FormatOption,
    JsonOption,
    KOption,
    MapOption,
    StudyOption,
    hints,
    home,
)
from forgetmap.errors import SettingError
from forgetmap.formats.contract import UP_TO

if TYPE_CHECKING:
    from forgetmap.pages.blocks import Page
    from forgetmap.records.store import Written


def read(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH", help="Logs: files or folders, PATH::RUN where one holds several runs, or hub:ORG/MODEL."
        ),
    ],
    study: StudyOption = None,
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="What to call the run, where the path holds one.")
    ] = None,
    parent: Annotated[
        str | None,
        typer.Option("--parent", metavar="RUN", help="The run it was trained from, where the path holds one."),
    ] = None,
    stage: Annotated[
        str | None, typer.Option("--stage", metavar="NAME", help="The training it comes out of, such as sft.")
    ] = None,
    step: Annotated[int | None, typer.Option("--step", metavar="N", min=0, help="Where in that training.")] = None,
    json: JsonOption = False,
    format: FormatOption = None,
    map: MapOption = None,
    k: KOption = None,
    fan_out: FanOutOption = FanOut.local,
    yes: YesOption = False,
    up_to: UpToOption = UP_TO,
) -> None:
    """Bring logs of any known format into a study. Killed half-way, the same command goes on from there."""
    from forgetmap.cli import console
    from forgetmap.formats.bring_in import read as bring_in

    folder = home(study)
    if folder is None:
        raise SettingError(
            "read wants a study to write into: name its folder with --study DIR (it is made if it is not there)."
        )
    with console.progress(silent=json) as told:
        asked = hints(map, k, name=name, parent=parent, stage=stage, step=step)
        said = fetching(asked, told, yes=yes, up_to=up_to)
        written = bring_in(paths, study=folder, hints=said, format=format, progress=told, fan_out=fan_out)
    if json:
        print(_json(written))
    else:
        console.show(_page(written, folder))


def _page(written: "list[Written]", folder: Path) -> "Page":
    from forgetmap.measure.words import count
    from forgetmap.pages.blocks import Column, Command, Entry, Section, Table

    titles = ("items", "rows", "repeated", "unreadable")
    columns = (Column("run", "left"), *(Column(title, spare=1) for title in titles), Column("", "left"))
    rows = [
        (
            Entry(run.run_id),
            *(Entry(count(number)) for number in (run.items, run.rows, run.duplicates)),
            Entry(count(run.problems), "bad" if run.problems else "plain"),
            Entry(run.how),
        )
        for run in written
    ]
    return [Section("", [Table(columns, rows)]), Section("", [Command("Next:", _next(written, folder))])]


def _next(written: "list[Written]", folder: Path) -> str:
    """What to type next. Which run came before is the user's to say: the order of files says nothing."""
    import shlex

    if len(written) < 2:
        return shlex.join(["forgetmap", "ls", *([] if folder == Path() else [str(folder)])])
    return "forgetmap compare BEFORE AFTER" + ("" if folder == Path() else f" --study {shlex.quote(str(folder))}")


def _json(written: "list[Written]") -> str:
    import orjson

    runs = [{**run._asdict(), "folder": str(run.folder)} for run in written]
    return orjson.dumps({"schema": 1, "runs": runs}, option=orjson.OPT_INDENT_2).decode()
