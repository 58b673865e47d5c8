"""The number of options as the user gives it, where that is a path into the sample, such as "doc.options"."""

from collections.abc import Mapping
from typing import Any

from forgetmap.formats.lm_eval.content import literal
from forgetmap.records.mending import OPEN, Said
from forgetmap.records.options import distinct


def resolve(said: Said, entry: Mapping[str, Any]) -> Said:
    """The number of options (or `OPEN`) that the user's word means for one sample; null where a path leads to none.

    >>> resolve(4, {}), resolve("doc.options", {"doc": {"options": ["yes", "no", "no "]}})
    (4, 2)
    """
    if not isinstance(said, str) or said == OPEN:
        return said
    found: Any = entry
    for name in said.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    if isinstance(found, str):
        found = int(found) if found.isdecimal() and len(found) < 8 else literal(found)
    if isinstance(found, list | tuple | Mapping):
        values = found.values() if isinstance(found, Mapping) else found
        return len(distinct(map(str, values)).texts) or None
    return int(found) if isinstance(found, int) and 1 <= found < 10**7 else None
