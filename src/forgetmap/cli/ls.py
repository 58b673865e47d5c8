"""`forgetmap ls`: what is in a study."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forgetmap.cli.options import JsonOption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forgetmap.pages.blocks import Page, Table
    from forgetmap.records.study import Study
    from forgetmap.records.summary import RunSummary


def ls(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="The study folder.")] = Path(),
    json: JsonOption = False,
) -> None:
    """List what is in a study, unfinished and damaged runs too."""
    from forgetmap.cli import console
    from forgetmap.records.study import Study

    found = Study.open(study)
    if json:
        print(_json(found))
    else:
        console.show(_page(found))


def _page(study: "Study") -> "Page":
    from forgetmap.pages.blocks import Bullets, Column, Entry, Part, Section, Sentences, Table

    whole = study.runs()
    broken = [*_unscored(whole), *_unfinished(study), *(str(error) for error in study.damaged().values())]
    if not whole and not broken:
        return [Section("", [Sentences(["No run yet: bring logs in with forgetmap read LOG --study DIR."])])]
    columns = (
        *(
            Column("run", "left"),
            Column("checkpoint", "left", 1),
            Column("parent", "left", 2),
            Column("stage", "left", 2),
            Column("step", spare=2),
            Column("tasks", "left", 4),
            Column("items"),
            Column("draws", spare=3),
        ),
        *(Column("harness", "left", 5), Column("created", "left", 2)),
    )
    rows = [tuple(Entry(text) for text in (name, *_shown(run))) for name, run in whole.items()]
    parts: list[Part] = [_telling(Table(columns, rows))] if rows else []
    return [Section("", [*parts, *([Bullets(broken)] if broken else [])])]


def _telling(table: "Table") -> "Table":
    """Without the columns that say nothing: absent in every row, or the row's name once more."""
    from forgetmap.measure.words import ABSENT

    telling = [
        place
        for place in range(len(table.columns))
        if place == 0 or any(row[place].text not in (ABSENT, row[0].text) for row in table.rows)
    ]
    return table._replace(
        columns=tuple(table.columns[place] for place in telling),
        rows=[tuple(row[place] for place in telling) for row in table.rows],
    )


def _shown(run: "RunSummary") -> tuple[str, ...]:
    from forgetmap.measure.words import ABSENT, count, listed, plural

    info = run.info
    tasks = listed(run.tasks) if len(run.tasks) <= 2 else plural(len(run.tasks), "task")
    harness = " ".join(part for part in (info.harness, info.harness_version) if part)
    return (
        info.checkpoint,
        listed(info.parents) or ABSENT,
        info.stage or ABSENT,
        count(info.step),
        tasks,
        count(run.items),
        count(_draws(run)),
        harness or ABSENT,
        (info.created or ABSENT)[:16].replace("T", " "),
    )


def _unscored(runs: "Mapping[str, RunSummary]") -> list[str]:
    """A sentence for each run with tasks that nobody has judged yet."""
    from forgetmap.measure.words import listed, plural

    tasks = {name: [task for task, held in run.tasks.items() if not held.scorers] for name, run in runs.items()}
    return [
        f"{name} holds answers without a score: {plural(len(bare), 'task')} ({listed(bare, 3)}). They are kept, and not compared."
        for name, bare in tasks.items()
        if bare
    ]


def _unfinished(study: "Study") -> list[str]:
    from forgetmap.measure.words import plural

    return [
        f"{name} is unfinished ({plural(found.rows, 'row')} so far): give the command that was writing it again, and it goes on from there."
        for name, found in study.unfinished().items()
    ]


def _draws(run: "RunSummary") -> int:
    """The most draws an item of any task has, as far as samples and items tell."""
    return max((-(-task.samples // task.items) for task in run.tasks.values() if task.items), default=0)


def _json(study: "Study") -> str:
    import orjson

    runs = {name: _plain(run) for name, run in study.runs().items()}
    unfinished = {name: found.rows for name, found in study.unfinished().items()}
    damaged = {name: str(error) for name, error in study.damaged().items()}
    page = {"schema": 1, "runs": runs, "unfinished": unfinished, "damaged": damaged}
    return orjson.dumps(page, option=orjson.OPT_INDENT_2).decode()


def _plain(run: "RunSummary") -> dict[str, Any]:
    info = run.info
    return {
        "checkpoint": info.checkpoint,
        "parents": list(info.parents),
        "stage": info.stage,
        "step": info.step,
        "tasks": {name: task._asdict() for name, task in run.tasks.items()},
        "items": run.items,
        "rows": run.rows,
        "draws": _draws(run),
        "harness": info.harness,
        "harness_version": info.harness_version,
        "created": info.created,
        "problems": len(run.problems),
        "duplicates": run.duplicates,
        "content_hash": run.content_hash,
    }
