"""A browser for the tests: Debian's Chromium, without a network."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forgetmap import Study, read
from tests.cli.logs import quiz


class Opened:
    """A page in the browser, and all that it asked for, said or did wrong."""

    def __init__(self, browser: Any, path: Path, address: str = "", **how: Any) -> None:
        self.context = browser.new_context(offline=True, **{"viewport": {"width": 1280, "height": 900}, **how})
        self.page = self.context.new_page()
        self.asked: list[str] = []
        self.said: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.goto(path.as_uri() + address)
        self.page.wait_for_selector("body[data-ready]", timeout=20_000)


@pytest.fixture
def opened(chromium: Any) -> Iterator[Any]:
    """Open a file in the browser; every page is closed at the end."""
    pages: list[Opened] = []

    def open_page(path: Path, address: str = "", **how: Any) -> Opened:
        pages.append(Opened(chromium, path, address, **how))
        return pages[-1]

    yield open_page
    for page in pages:
        page.context.close()


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study of three runs: 40 items in two tasks and four domains, of which the later runs forget some."""
    lost: dict[str, tuple[int, ...]] = {"base": (), "sft": (1, 5, 9, 13), "rl": (2,)}
    logs = [quiz(tmp_path / "logs", name, forget=forgotten) for name, forgotten in lost.items()]
    read(logs, study=tmp_path / "study")
    return Study.open(tmp_path / "study")
