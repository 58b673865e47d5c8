"""What pairs and what does not, without any estimate: the page and the JSON of `--dry-run`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from forgetmap.measure.flat import percent
from forgetmap.measure.words import count, listed, plural
from forgetmap.pages.blocks import Bullets, Column, Entry, Page, Part, Section, Sentences, Table
from forgetmap.pages.flags import cut, map_notes, unreadable

if TYPE_CHECKING:
    from forgetmap.measure.pair import Pairing, TaskPairs

MOST_IDS = 3


def coverage_page(pairings: "Sequence[Pairing]") -> Page:
    """One section a comparison: a table of tasks, then why items have no partner."""
    return [_section(pairing) for pairing in pairings]


def _section(pairing: "Pairing") -> Section:
    before, after = pairing.before.info.run_id, pairing.after.info.run_id
    alone = pairing.only_before + pairing.only_after
    share = percent(alone / (pairing.paired + alone)) if alone else ""
    said = f"{plural(pairing.paired, 'item')} pair; {plural(alone, 'item')} of common tasks do not ({share} %)."
    parts: list[Part] = [
        Sentences([said if alone else f"All {plural(pairing.paired, 'item')} of common tasks pair."]),
        _table(pairing),
    ]
    why = [
        *_alone(pairing),
        *_tasks(pairing),
        *(f"Besides the weights this differs: {line}." for line in pairing.differs),
        *_rows(pairing),
    ]
    return Section(f"{before} → {after}", [*parts, *([Bullets(cut(why))] if why else [])])


def _table(pairing: "Pairing") -> Table:
    titles = ("items before", "items after", "paired", "only before", "only after", "other content")
    columns = (
        Column("task", "left"),
        *(Column(title, spare=1 if title.startswith("items") else 0) for title in titles),
        Column("scorer", "left", 2),
    )
    return Table(columns, [_row(task) for task in pairing.tasks])


def _row(task: "TaskPairs") -> tuple[Entry, ...]:
    numbers = _numbers(task)
    alone = {"only_before", "only_after", "content_differs"}
    entries = [Entry(count(number), "bad" if name in alone and number else "plain") for name, number in numbers.items()]
    return (Entry(task.task), *entries, Entry(_scorer(task)))


def _numbers(task: "TaskPairs") -> dict[str, int]:
    return {
        "items_before": len(task.before.item_ids),
        "items_after": len(task.after.item_ids),
        "paired": len(task.rows_before),
        "only_before": len(task.only_before),
        "only_after": len(task.only_after),
        "content_differs": task.content_differs,
    }


def _scorer(task: "TaskPairs") -> str:
    one, two = task.before.scorer, task.after.scorer
    return one if one == two else f"{one} / {two}"


def _alone(pairing: "Pairing") -> list[str]:
    lines = []
    for task in pairing.tasks:
        for side, ids, columns in (("before", task.only_before, task.before), ("after", task.only_after, task.after)):
            if ids:
                place = {item: row for row, item in enumerate(columns.item_ids)}
                natives = [columns.natives[place[item]] or item for item in ids]
                lines.append(f"{task.task}: {plural(len(ids), 'item')} only {side} ({listed(natives, MOST_IDS)}).")
        if task.content_differs:
            lines.append(
                f"{task.task}: the id of {plural(task.content_differs, 'item')} of these stands for another question, other options or "
                "another gold on the other side, so the two logs come from different versions of the task."
            )
    return lines


def _tasks(pairing: "Pairing") -> list[str]:
    sides = (("before", pairing.tasks_only_before), ("after", pairing.tasks_only_after))
    said = "If one of them is a task of the other side under another name, say so with [aliases] in study.toml."
    return [f"Only {side}: {plural(len(tasks), 'task')} ({listed(tasks)}). {said}" for side, tasks in sides if tasks]


def _rows(pairing: "Pairing") -> list[str]:
    lines = [unreadable(run.info.run_id, run.problems) for run in (pairing.before, pairing.after) if run.problems]
    if pairing.duplicates:
        lines.append(f"Left out: {plural(pairing.duplicates, 'row')} with an item, draw and scorer that came before.")
    return [*lines, *map_notes(list(dict.fromkeys([*pairing.before.notes, *pairing.after.notes, *pairing.apart])))]


def coverage_json(pairings: "Sequence[Pairing]") -> str:
    """The same for other programs."""
    import orjson

    return orjson.dumps(
        {"schema": 1, "comparisons": [_plain(pairing) for pairing in pairings]}, option=orjson.OPT_INDENT_2
    ).decode()


def _plain(pairing: "Pairing") -> dict[str, Any]:
    return {
        "before": pairing.before.info.run_id,
        "after": pairing.after.info.run_id,
        "paired": pairing.paired,
        "only_before": pairing.only_before,
        "only_after": pairing.only_after,
        "content_differs": pairing.content_differs,
        "duplicate": pairing.duplicates,
        "tasks_only_before": pairing.tasks_only_before,
        "tasks_only_after": pairing.tasks_only_after,
        "differs": pairing.differs,
        "problems": {
            run.info.run_id: [list(problem) for problem in run.problems] for run in (pairing.before, pairing.after)
        },
        "tasks": [
            {
                "task": task.task,
                "task_before": task.before.task,
                "task_after": task.after.task,
                **_numbers(task),
                "scorer_before": task.before.scorer,
                "scorer_after": task.after.scorer,
            }
            for task in pairing.tasks
        ],
    }
