"""How a terminal is told and asked while logs are fetched from the Hub."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from forgetmap.cli.console import Meter
    from forgetmap.formats.contract import Hints
    from forgetmap.formats.hub.settle import Plan
    from forgetmap.pages.blocks import Page

YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Fetch logs from the Hub (hub:...) whatever their size.")]
UpToOption = Annotated[
    float,
    typer.Option("--up-to", metavar="MB", min=0, help="Megabytes to fetch from the Hub without asking."),
]


@dataclass(frozen=True, slots=True)
class Terminal:
    """Standard error, and whoever sits before it."""

    meter: "Meter | None"

    def say(self, line: str) -> None:
        from forgetmap.measure.visible import visible

        self._clear()
        print(visible(line), file=sys.stderr)

    def progress(self, line: str) -> None:
        if not line:
            self._clear()
        elif self.meter is not None:
            self.meter.show(line)

    def agree(self, question: str) -> bool | None:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return None
        self._clear()
        return typer.confirm(question, err=True)

    def _clear(self) -> None:
        if self.meter is not None:
            self.meter.close()


def fetching(hints: "Hints", meter: "Meter | None", *, yes: bool, up_to: float) -> "Hints":
    """The same hints, by which logs on the Hub are fetched under the eyes of the user."""
    return replace(hints, talk=Terminal(meter), up_to=None if yes else up_to)


def to_fetch(sources: Sequence[str | None], hints: "Hints") -> "Plan | None":
    """What the Hub would have to give for these sources; null where all is here."""
    from forgetmap.formats.hub.address import is_address

    addresses = [one for one in sources if is_address(one)]
    if not addresses:
        return None
    from forgetmap.formats.hub.settle import plan

    found = plan(addresses, hints)
    return None if found is None or found.is_done else found


def plan_page(plan: "Plan") -> "Page":
    """What would be fetched, line by line."""
    from forgetmap.formats.hub.settle import megabytes
    from forgetmap.pages.blocks import Bullets, Section, Sentences

    said = (
        f"Nothing was fetched yet: {megabytes(plan.bytes)} are on the Hub, and what pairs is seen when they are here."
    )
    return [Section("", [Sentences([said]), Bullets(plan.lines())])]


def plan_json(plan: "Plan") -> str:
    """The same for other programs."""
    import orjson

    parts: list[dict[str, Any]] = [
        {
            "address": part.address.text,
            "dataset": part.files.dataset.name,
            "commit": part.files.dataset.commit,
            "bytes": part.bytes,
            "files": {path: part.files.sizes[path] for path in part.files.missing(part.chosen.paths)},
            "notes": list(part.chosen.notes),
        }
        for part in plan.parts
    ]
    return orjson.dumps({"schema": 1, "bytes": plan.bytes, "to_fetch": parts}, option=orjson.OPT_INDENT_2).decode()
