"""Where words go: the answer to standard output, progress to standard error."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

    from forgetmap.pages.blocks import Page

PIPED_WIDTH = 100
NARROWEST = 40
PATIENCE = 1.0
"""Seconds of work after which progress is shown."""


def console() -> "Console":
    """Standard output, as wide as the terminal; without one, $COLUMNS or 100 wide."""
    from rich.console import Console

    out = Console(highlight=False, markup=False, emoji=False)
    if not out.is_terminal:
        said = os.environ.get("COLUMNS", "")
        out.width = int(said) if said.isdecimal() else PIPED_WIDTH
    out.width = max(out.width, NARROWEST)
    return out


def show(page: "Page", *, markdown: bool = False) -> None:
    """Draw a page on standard output, or print it as Markdown."""
    if markdown:
        from forgetmap.pages.markdown import markdown as marked_down

        print(marked_down(page), end="")
        return
    from forgetmap.cli.drawn.terminal import draw

    draw(page, console())


@contextmanager
def progress(*, silent: bool = False) -> "Iterator[Meter | None]":
    """Something to call with what is being done and how far it is; null where nobody would see it."""
    if silent or not sys.stderr.isatty():
        yield None
        return
    meter = Meter()
    try:
        yield meter
    finally:
        meter.close()


class Meter:
    """One line on standard error, from the second second on, gone when the work is done."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self._start = self._told = time.monotonic()
        self._status: Status | None = None

    def __call__(self, what: str, rows: int) -> None:
        self.show(f"{what}: {rows:,} rows")

    def show(self, said: str) -> None:
        """Put this in place of what was shown before."""
        from rich.status import Status
        from rich.text import Text

        from forgetmap.measure.visible import visible

        now = time.monotonic()
        if now - self._start < PATIENCE or now - self._told < 0.1:
            return
        self._told = now
        line = Text(visible(said), no_wrap=True, overflow="ellipsis")
        if self._status is None:
            self._status = Status(line, console=self._console)
            self._status.start()
        else:
            self._status.update(line)

    def close(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None
