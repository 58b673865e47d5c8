"""Items of a path as they were asked, with every stage's answer one below the other."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from forgetmap.cli.drawn.items import answer, asked, heading
from forgetmap.cli.drawn.terminal import show
from forgetmap.measure.flat import percent
from forgetmap.measure.path_items import PathItem
from forgetmap.pages.stages_page import in_words


def draw_path_items(items: Sequence[PathItem], names: Sequence[str], console: Console, *, full: bool = False) -> None:
    """Print each item under a rule; `names` are the stages."""
    for number, item in enumerate(items, 1):
        if number > 1:
            console.print()
        for line in _lines(item, (number, names), console.width, full):
            show(line, console)


def _lines(item: PathItem, told: tuple[int, Sequence[str]], width: int, full: bool) -> Iterator[Text]:
    number, names = told
    often = "" if item.share == 1 else f" · in {percent(item.share)} % of the draws and seeds"
    yield from heading(item, number, in_words(item.path, names) + often, width)
    yield from asked(item, width, full)
    for run, said in item.answers.items():
        yield Text()
        yield from answer(run, (said, False), width, full)
