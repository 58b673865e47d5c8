"""The number of options as the user gives it: `--k PATTERN=VALUE` with an integer, "open", or a path such as "doc.options"."""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from forgetmap.errors import SettingError
from forgetmap.formats.contract import Hints
from forgetmap.formats.lm_eval.content import literal
from forgetmap.records.ids import collapse

OPEN = "open"
_VALUE = re.compile(r"[1-9][0-9]{0,6}|open|[^\W\d][^.\s]*(\.[^.\s]+)+")


def wanted_k(task: str, hints: Hints) -> str | None:
    """The value given for a task, of several patterns that match the first; a value that cannot be one is refused."""
    matching = [(pattern, value.strip()) for pattern, value in hints.k if fnmatchcase(task, pattern)]
    if not matching:
        return None
    pattern, value = matching[0]
    if not _VALUE.fullmatch(value):
        raise SettingError(
            f'--k {pattern}={value}: a number of options from 1 on is wanted, or "open", '
            "or a path into the sample such as doc.options."
        )
    return value


def resolve(value: str, entry: Mapping[str, Any]) -> int | None:
    """The number of options that a number or path means for one sample; null where the path leads to none.

    >>> resolve("4", {}), resolve("doc.options", {"doc": {"options": ["yes", "no", "no "]}})
    (4, 2)
    """
    if value.isdecimal():
        return int(value)
    found: Any = entry
    for name in value.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    if isinstance(found, str):
        found = int(found) if found.isdecimal() and len(found) < 8 else literal(found)
    if isinstance(found, list | tuple | Mapping):
        values = found.values() if isinstance(found, Mapping) else found
        return len({collapse(str(one)) for one in values}) or None
    return int(found) if isinstance(found, int) and 1 <= found < 10**7 else None
