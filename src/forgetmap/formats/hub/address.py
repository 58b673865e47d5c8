"""What a `hub:` address names: a model whose logs are published, or a dataset of logs.

    hub:ORG/MODEL[/TASKS][@REVISION][::TIME]
    hub:datasets/ORG/NAME[/PATH][@REVISION][::RUN]

TASKS are parts of names or patterns, separated by commas. PATH is a folder, a file or a pattern. The revision may also stand behind
the name of the dataset, as in addresses of the Hub's own tools.
"""

import re
from typing import NamedTuple

from forgetmap.errors import SettingError

PREFIX = "hub:"
_DATASETS = "datasets/"
_NAME = re.compile(r"(?!.*(?:--|\.\.|\.git$))\w(?:[\w.-]{0,94}\w)?", re.ASCII)
"""What the Hub allows; two hyphens would let two names share a folder here."""
_SIGN = r"[^\x00-\x20\x7f\s~^:?*\[\\\ud800-\udfff]"
_REVISION = re.compile(rf"(?![-./])(?!.*(?:\.\.|@\{{|//|/\.)){_SIGN}+")
"""What git allows: no step out of a folder, no sign of its own."""
_WANTED = "hub:ORG/MODEL or hub:datasets/ORG/NAME (behind either @REVISION and ::RUN, if need be)"


class Address(NamedTuple):
    """One address in its parts."""

    text: str
    model: str | None
    """ORG/MODEL, where a model is named."""
    dataset: str | None
    """ORG/NAME, where a dataset is."""
    path: str
    """Folder, file or pattern within the dataset; "" for all of it."""
    tasks: tuple[str, ...]
    revision: str | None
    run: str | None


def is_address(source: object) -> bool:
    """Whether a source is meant for the Hub rather than for this disk."""
    return isinstance(source, str) and source.startswith(PREFIX)


def parsed(text: str) -> Address:
    """The parts of an address; one that has no such form is an error.

    >>> parsed("hub:org/model/*bbh*::2024-06-17T17-37-25")[1:]
    ('org/model', None, '', ('*bbh*',), None, '2024-06-17T17-37-25')
    >>> parsed("hub:datasets/org/name/logs/a.csv@1a2b3c")[1:]
    (None, 'org/name', 'logs/a.csv', (), '1a2b3c', None)
    """
    rest, found, run = text.removeprefix(PREFIX).rpartition("::")
    rest, run = (rest, run) if found else (run, "")
    is_dataset = rest.startswith(_DATASETS)
    parts = rest.removeprefix(_DATASETS).strip("/").split("/")
    if len(parts) < 2:
        raise _malformed(text)
    organisation, (name, _, revision), below = parts[0], parts[1].partition("@"), "/".join(parts[2:])
    if not revision:
        below, _, revision = below.rpartition("@") if "@" in below else (below, "", "")
    if not (_NAME.fullmatch(organisation) and _NAME.fullmatch(name)):
        raise _malformed(text)
    repository, below = f"{organisation}/{name}", below.strip("/")
    revision = revision.replace("%2F", "/")
    if ".." in below.split("/") or (revision and not _REVISION.fullmatch(revision)):
        raise _malformed(text)
    tasks = () if is_dataset else tuple(part.strip() for part in below.split(",") if part.strip())
    return Address(
        text,
        model=None if is_dataset else repository,
        dataset=repository if is_dataset else None,
        path=below if is_dataset else "",
        tasks=tasks,
        revision=revision or None,
        run=run or None,
    )


def _malformed(text: str) -> SettingError:
    return SettingError(f"an address on the Hub is {_WANTED}, and {text} is neither.")
