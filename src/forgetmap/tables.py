"""Plain tables of things that can be added: a name and "module:attribute", resolved when asked for.

Every room that can grow keeps one such dict (`FORMATS`, `METRICS`, …). Other packages add rows through one entry-point group per
table, named `forgetmap.<table>`.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from forgetmap.errors import SettingError

Table = Mapping[str, str]


def load(table: Table, name: str, *, group: str) -> Any:
    """Resolve the row `name` of `table`, or of the entry-point group `forgetmap.<group>`.

    >>> load({"root": "math:sqrt"}, "root", group="roots")(9)
    3.0
    """
    if name in table:
        module, _, attribute = table[name].partition(":")
        return getattr(import_module(module), attribute)
    for entry in entry_points(group=f"forgetmap.{group}"):
        if entry.name == name:
            return entry.load()
    known = ", ".join(sorted(names(table, group=group)))
    raise SettingError(f"there is no {group.removesuffix('s')} called {name!r}; there are: {known}.")


def names(table: Table, *, group: str) -> Iterator[str]:
    """Every name in `table`, then those that other packages add."""
    yield from table
    yield from (entry.name for entry in entry_points(group=f"forgetmap.{group}") if entry.name not in table)
