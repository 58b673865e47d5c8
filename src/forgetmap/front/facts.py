"""What a page shows of a map: the columns it displays, in per mille, packed so that thousands of cells stay small.

A column is a text: each number in base 44 with the least digit first, a digit that is followed by another shifted by 44; absent is a tilde.
Where some are negative the text begins with ! and numbers are folded to 0, −1, 1, −2, …. A column that is that of the first comparison is
one blank. An estimate is three columns: value, value − low, and by how much high is farther; where there is no value, low and high
themselves. Of what nearly follows from other columns only the rest is told: accuracy after from accuracy before, lost and gained; net
change from both accuracies; the smallest forgetting that can be shown from the width of the interval.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from forgetmap.measure.cell import Cell, Estimate
from forgetmap.measure.labels import Labels, at, chosen_level
from forgetmap.measure.map import Map
from forgetmap.measure.marks import BEYOND_NOISE, FELL, ROSE, marks
from forgetmap.measure.visible import visible

LEVELS = ("all", "category", "task", "domain", "capability")
ESTIMATES = ("forgetting", "gain", "net")
_BASE = 44
# Every sign of ASCII that means nothing in JSON or HTML, in order.
_SIGNS = "".join(chr(code) for code in range(0x23, 0x7E) if chr(code) not in "&<\\")[: 2 * _BASE]
_ABSENT = "~"


def facts(map: Map) -> dict[str, Any]:
    """Levels with their rows, and for each comparison one column a number; a column of nothing is left out."""
    labels = Labels(map.cells)
    return {
        "level": chosen_level(map.cells) if map.cells else "all",
        "pairs": [{"before": visible(pair.before), "after": visible(pair.after)} for pair in map.comparisons],
        "levels": {
            level: _level(map, level, found, labels)
            for level in LEVELS
            if (found := at(map.cells, level)) or level == "all"
        },
    }


def _level(map: Map, level: str, cells: Sequence[Cell], labels: Labels) -> dict[str, Any]:
    names = list(dict.fromkeys(_name(cell, labels) for cell in cells))
    rows: dict[tuple[str, str], dict[str, Cell]] = {(pair.before, pair.after): {} for pair in map.comparisons}
    for cell in cells:
        rows[cell.before, cell.after][_name(cell, labels)] = cell
    tables = [[found.get(name) for name in names] for found in rows.values()]
    columns = [_columns(table) for table in tables]
    first = columns[0] if columns else {}
    pairs = [first, *(_told_once(one, first) for one in columns[1:])] if columns else []
    return {"names": [visible(name) for name in names], "pairs": pairs}


def _told_once(columns: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
    return {name: " " if first.get(name) == column else column for name, column in columns.items()}


def _name(cell: Cell, labels: Labels) -> str:
    return labels.of(cell) if cell.level != "all" else "all items" + (" (graded)" if cell.metric == "graded" else "")


def _columns(table: Sequence[Cell | None]) -> dict[str, Any]:
    """The numbers of one comparison at one level."""
    told = [None if cell is None else _told(cell) for cell in table]
    columns: dict[str, Any] = {}
    for name in ESTIMATES:
        parts = [[None if one is None else one[f"{name}_{part}"] for one in told] for part in range(3)]
        if any(number is not None for part in parts for number in part):
            columns[name] = [pack(part) for part in parts]
    for name in (*_NUMBERS, *_RESTS):
        numbers = [None if one is None else one[name] for one in told]
        if any(number is not None and (number or name not in _MARKS) for number in numbers):
            columns[name] = pack(numbers)
    return columns


def _told(cell: Cell) -> dict[str, int | None]:
    """The numbers of one cell, less what follows from others."""
    said = {name: number(cell) for name, number in _NUMBERS.items()}
    after = per_mille(cell.accuracy_after)
    for name in ESTIMATES:
        found: Estimate | None = getattr(cell, name)
        said |= {f"{name}_{part}": number for part, number in enumerate(_three(found))}
    if said["net_0"] is not None and after is not None and said["before"] is not None:
        said["net_0"] -= after - said["before"]
    said["after"] = _less(after, expected_after(said["n"], said["before"], said["lost"], said["gained"]))
    said["detectable"] = _less(per_mille(cell.detectable), expected_detectable(cell.forgetting))
    return said


def expected_after(n: int | None, before: int | None, lost: int | None, gained: int | None) -> int:
    """Accuracy after, as it follows from the counts: exact but for rounding with one draw a side."""
    if not n or before is None or lost is None or gained is None:
        return 0
    return before + (2000 * (gained - lost) + n) // (2 * n)


def expected_detectable(found: Estimate | None) -> int:
    """The smallest forgetting that can be shown is about 1.43 times half the width of the interval."""
    value, below, farther = _three(found)
    return 0 if value is None or below is None or farther is None else 143 * (2 * below + farther) // 200


def _less(number: int | None, expected: int) -> int | None:
    return None if number is None else number - expected


def _three(found: Estimate | None) -> tuple[int | None, int | None, int | None]:
    value, low, high = (None if found is None else per_mille(getattr(found, end)) for end in ("value", "low", "high"))
    if value is None or low is None or high is None:
        return value, low, high
    return value, value - low, high - 2 * value + low


def pack(numbers: Sequence[int | None]) -> str:
    """A column as a text of one or two signs a number.

    >>> pack([0, 43, 44, None, 1000]), pack([0, -1, 1])
    ('#PQ$~r:', '!#$%')
    """
    if any(number is not None and number < 0 for number in numbers):
        return "!" + pack(
            [number if number is None else 2 * number if number >= 0 else -2 * number - 1 for number in numbers]
        )
    return "".join(_ABSENT if number is None else _digits(number) for number in numbers)


def _digits(number: int) -> str:
    said = ""
    while number >= _BASE:
        said += _SIGNS[_BASE + number % _BASE]
        number //= _BASE
    return said + _SIGNS[number]


def per_mille(share: float | None) -> int | None:
    """
    >>> per_mille(0.0844), per_mille(None)
    (84, None)
    """
    return None if share is None else round(1000 * share)


def _marks(cell: Cell) -> int:
    """Marks as bits."""
    return sum(bit for bit, mark in ((1, FELL), (2, ROSE), (4, BEYOND_NOISE)) if mark in marks(cell))


def _items(number: float | None) -> int | None:
    """A number of items; with several draws it may be broken, and is rounded here."""
    return None if number is None else round(number)


_NUMBERS: Mapping[str, Callable[[Cell], int | None]] = {
    "n": lambda cell: cell.n,
    "before": lambda cell: per_mille(cell.accuracy_before),
    "lost": lambda cell: _items(cell.n10),
    "gained": lambda cell: _items(cell.n01),
    "unanswered": lambda cell: per_mille(cell.unanswered_loss.value if cell.unanswered_loss else None),
    "noise": lambda cell: per_mille(cell.noise_floor.value if cell.noise_floor else None),
    "marks": _marks,
    "graded": lambda cell: int(cell.metric == "graded"),
}
_RESTS = ("after", "detectable")
_MARKS = ("marks", "graded")
"""Left out where they are 0 everywhere."""
