"""What a reader should know about how the comparisons came about: what differs, what did not pair, what could not be read."""

from collections import Counter
from collections.abc import Iterator, Sequence

from forgetmap.measure.cell import Cell
from forgetmap.measure.map import Comparison, Map
from forgetmap.measure.words import listed, plural
from forgetmap.pages.blocks import Bullets, Section
from forgetmap.records.schema import Problem

MOST = 12
SHOWN_PROBLEMS = 3


def flags(map: Map) -> list[Section]:
    """One section, or none where there is nothing to say."""
    said: dict[str, list[str]] = {}
    steps = len({pair.after for pair in map.comparisons}) < len(map.comparisons)
    for pair in map.comparisons:
        for line in [*_of_comparison(pair), *_of_cells(map, pair)]:
            said.setdefault(line, []).append(f"{pair.before} → {pair.after}" if steps else pair.after)
    of = "step" if steps else "after"
    lines = [line + where(names, len(map.comparisons), of) for line, names in said.items()]
    lines += list(_unreadable(map))
    return [Section("Flagged", [Bullets(cut(lines))])] if lines else []


def cut(lines: Sequence[str]) -> list[str]:
    """The first dozen, and how many more there are."""
    more = len(lines) - MOST
    return [*lines[:MOST], f"and {more} more; --json has all"] if more > 1 else list(lines)


def where(names: list[str], comparisons: int, of: str = "after") -> str:
    """Of which AFTERs (or steps, where several lead to one AFTER) a line is true, unless of all."""
    return "" if len(names) == comparisons else f" ({of}: {listed(names, 3)})"


def _of_comparison(pair: Comparison) -> Iterator[str]:
    yield from (f"Besides the weights this differs: {line}." for line in pair.differs)
    if pair.only_before or pair.only_after:
        yield (
            f"Without a partner, so left out: {plural(pair.only_before, 'item')} only before, "
            f"{plural(pair.only_after, 'item')} only after."
        )
    if pair.content_differs:
        yield (
            f"The id of {plural(pair.content_differs, 'item')} without a partner stands for another question, other options or another "
            "gold on the other side: the two logs come from different versions of the task."
        )
    if pair.tasks_only_before:
        yield f"Only before: {plural(len(pair.tasks_only_before), 'task')} ({listed(pair.tasks_only_before)})."
    if pair.tasks_only_after:
        yield f"Only after: {plural(len(pair.tasks_only_after), 'task')} ({listed(pair.tasks_only_after)})."
    if pair.duplicate:
        yield f"Left out: {plural(pair.duplicate, 'row')} with an item, draw and scorer that came before."
    yield from map_notes(pair.notes)


def map_notes(notes: Sequence[str]) -> Iterator[str]:
    """Notes with a full stop. They may begin with a name, so their first letter stays."""
    for note in notes:
        yield note + ("" if note.endswith((".", "!", "?")) else ".")


def _of_cells(map: Map, pair: Comparison) -> Iterator[str]:
    overall = [
        cell for cell in map.cells if cell.level == "all" and (cell.before, cell.after) == (pair.before, pair.after)
    ]
    failed = sum(cell.dropped.get("failed", 0) for cell in overall)
    if failed:
        yield f"Left out: {plural(failed, 'item')} that failed on one side (the evaluation broke off, or nothing says what is right)."
    one = sum(cell.dropped.get("chance_one", 0) for cell in overall)
    if one:
        yield f"In accuracy but not in forgetting: {plural(one, 'item')} with nothing but right options, where anybody scores."
    band = sum(cell.dropped.get("band_only", 0) for cell in overall)
    if band:
        yield (
            f"In accuracy but not in the forgetting of all: {plural(band, 'item')} with one wrong option, or without a chosen option "
            "in the log."
        )
    yield from _one_side_of_noise(overall)


def _one_side_of_noise(overall: Sequence[Cell]) -> Iterator[str]:
    for cell in overall:
        if cell.excess is not None and "noise_floor" in cell.notes:
            yield f"Noise floor: {cell.notes['noise_floor']}."


def _unreadable(map: Map) -> Iterator[str]:
    """Rows that could not be read, run by run, with the first few of each."""
    told = 0
    for name, run in map.sources.items():
        if run.problems:
            told += len(run.problems)
            yield unreadable(name, run.problems)
    counted = sum(pair.problems for pair in map.comparisons)
    if counted and not told:
        yield f"Left out: {plural(counted, 'row')} that could not be read."


def unreadable(name: str, problems: Sequence[Problem]) -> str:
    """How many rows of a run could not be read, and the first few."""
    first = "; ".join(f"{problem.where}: {problem.why}" for problem in problems[:SHOWN_PROBLEMS])
    more = len(problems) - SHOWN_PROBLEMS
    return f"Left out: {plural(len(problems), 'row')} of {name} that could not be read: {first}" + (
        f"; and {more} more" if more > 0 else ""
    )


def weights(map: Map) -> list[str]:
    """How items weigh, where it is not as usual."""
    return (
        ["Macro: every domain counts the same, whatever its number of items; counts are sums over items."]
        if map.macro
        else []
    )


def scorers(map: Map) -> list[str]:
    """Which scorer was taken, in one line; several tasks of one scorer are counted."""
    taken: dict[str, set[str]] = {}
    for pair in map.comparisons:
        for task, scorer in pair.scorers.items():
            other = pair.scorers_after.get(task, scorer)
            taken.setdefault(scorer if other == scorer else f"{scorer} / {other}", set()).add(task)
    largest = Counter({scorer: len(tasks) for scorer, tasks in taken.items()}).most_common()
    said = [f"{scorer} ({_tasks(taken[scorer])})" for scorer, _ in largest]
    return ["Scored by " + listed(said, 4) + "; another can be chosen with --scorer."] if said else []


def _tasks(names: set[str]) -> str:
    return next(iter(names)) if len(names) == 1 else plural(len(names), "task")
