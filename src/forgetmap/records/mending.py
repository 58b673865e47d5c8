"""Chance where the log did not tell it and the user does: `[tasks."PATTERN"] k = 4` in study.toml, or `--k PATTERN=4`."""

import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import cache

from forgetmap.errors import SettingError
from forgetmap.records.schema import Item

Rules = Sequence[tuple[str, str]]
"""Patterns on tasks with a number of options, "open", or a path into the log, which is of no use once the log is stored."""
Said = int | str | None
"""What a rule says: the number of options, `OPEN`, a path, or nothing."""

OPEN = "open"
MOST_OPTIONS = 100_000
_PATH = re.compile(r"[^\W\d][^.\s]*(\.[^.\s]+)+")


def k_said(rules: Rules, task: str) -> Said:
    """What the first rule whose pattern matches a task says; SettingError where that is nothing a rule can say.

    >>> rules = [("quiz*", " 4 "), ("essay", "Open"), ("law", "doc.options")]
    >>> k_said(rules, "quiz_1"), k_said(rules, "essay"), k_said(rules, "law"), k_said(rules, "other")
    (4, 'open', 'doc.options', None)
    """
    pattern, value = next((rule for rule in rules if fnmatchcase(task, rule[0])), ("", None))
    if value is None:
        return None
    said = value.strip() if is_path(value) else k_in(value.strip())
    if not said:
        raise SettingError(
            f'--k {pattern}={value}: a number of options from 1 to {MOST_OPTIONS} is wanted, or "open", '
            "or a path into the sample such as doc.options."
        )
    return said


def k_in(text: str) -> int | str | None:
    """A number of options as written, or `OPEN`; null where a text is neither.

    >>> k_in("4"), k_in("4.0"), k_in("OPEN"), k_in("many")
    (4, 4, 'open', None)
    """
    whole = text.removesuffix(".0")
    if whole.isdecimal() and len(whole) <= len(str(MOST_OPTIONS)) and int(whole) <= MOST_OPTIONS:
        return int(whole)
    return OPEN if text.lower() == OPEN else None


def is_path(value: str) -> bool:
    """Whether a rule leads to where the log lists the options."""
    return _PATH.fullmatch(value.strip()) is not None


def mender(rules: Rules) -> Callable[[Item], Item]:
    """What fills in k and chance of items whose chance is unknown; of several patterns that match a task the first counts.

    >>> mend = mender([("quiz*", "4"), ("*", "open")])
    >>> mend(Item("quiz_1", golds=("a",))).chance, mend(Item("essay")).chance, mend(Item("quiz", k=2, chance=0.5)).chance
    (0.25, 0.0, 0.5)
    """
    usable = [(pattern, value) for pattern, value in rules if not is_path(value)]
    said = cache(lambda task: k_said(usable, task))
    return lambda item: item if item.chance is not None else mended(item, said(item.task))


def mended(item: Item, said: Said) -> Item:
    """The item with its chance filled in. What is known stays: its chance, else its number of options.

    >>> mended(Item("t", k=3), 4).chance == 1 / 3, mended(Item("t", k=3), OPEN).chance
    (True, None)
    """
    if item.chance is not None:
        return item
    if said == OPEN:
        return item if item.k is not None else item._replace(chance=0.0)
    return _guessable(item, item.k or said) if isinstance(said, int) else item


def _guessable(item: Item, k: int) -> Item:
    """The item with k options; one with more right answers than options stays as it is."""
    right = max(1, len(set(item.golds)))
    return item if right > k else item._replace(k=k, chance=right / k)
