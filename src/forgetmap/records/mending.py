"""Chance where the log did not tell it and the user does: `[tasks."PATTERN"] k = 4` in study.toml, or `--k PATTERN=4`."""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from forgetmap.records.schema import Item

Rules = Sequence[tuple[str, str]]
"""Patterns on tasks with a number of options, "open", or a path into the log, which is of no use once the log is stored."""

OPEN = "open"


def mender(rules: Rules) -> Callable[[Item], Item]:
    """What fills in k and chance of items whose chance is unknown; of several patterns that match a task the first counts.

    >>> mend = mender([("quiz*", "4"), ("*", "open")])
    >>> mend(Item("quiz_1", golds=("a",))).chance, mend(Item("essay")).chance, mend(Item("quiz", k=2, chance=0.5)).chance
    (0.25, 0.0, 0.5)
    """
    usable = [(pattern, value) for pattern, value in rules if value == OPEN or value.isdecimal()]

    def mend(item: Item) -> Item:
        if item.chance is not None:
            return item
        value = next((value for pattern, value in usable if fnmatchcase(item.task, pattern)), None)
        if value is None:
            return item
        return item._replace(k=None, chance=0.0) if value == OPEN else _guessable(item, int(value))

    return mend


def _guessable(item: Item, k: int) -> Item:
    """The item with k options; one with more right answers than options stays as it is."""
    right = max(1, len(set(item.golds)))
    return item if right > k else item._replace(k=k, chance=right / k)
