"""Numbers of options that the user gives and a log contradicts: the log counts, and it is said."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, partial

from forgetmap.formats.contract import Read
from forgetmap.records.mending import Rules, is_path, k_said
from forgetmap.records.run import Run
from forgetmap.records.schema import Problem, Row


def tell_overruled(run: Run, rules: Rules) -> None:
    """Have a run note, once it is read, for which tasks `--k` says another number of options than its items show."""
    usable = [(pattern, value) for pattern, value in rules if not is_path(value)]
    if usable and run.tables is None:
        run.read = partial(_rows, run.read, usable, run.notes)


def _rows(read: Read, rules: Rules, notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    said = cache(lambda task: k_said(rules, task))
    others: dict[str, set[int]] = defaultdict(set)
    for row in read(problems):
        task, k = row.item.task, row.item.k
        if k is not None and said(task) not in (None, k):
            others[task].add(k)
        yield row
    for task, shown in others.items():
        numbers = " or ".join(map(str, sorted(shown)))
        note = f"{task}: --k says {said(task)}, but the log itself shows {numbers} options, and the log counts."
        notes += [] if note in notes else [note]
