"""Lost items as they were asked and answered, both answers side by side."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from forgetmap.cli.drawn.terminal import STYLES, show, wrapped
from forgetmap.measure.flat import percent
from forgetmap.measure.lost import LostItem, Said
from forgetmap.measure.path_items import PathItem
from forgetmap.measure.visible import visible
from forgetmap.measure.words import count
from forgetmap.pages.blocks import Tone

STACKED = 60
"""Widths below this show the two answers one above the other."""
LONGEST_ANSWER, LONGEST_QUESTION, LONGEST_OPTION = 900, 1500, 300
GAP = 3


def draw_items(items: Sequence[LostItem], names: tuple[str, str], console: Console, *, full: bool = False) -> None:
    """Print each item under a rule; `names` are the checkpoints before and after."""
    for number, item in enumerate(items, 1):
        if number > 1:
            console.print()
        for line in _lines(item, number, names, console.width, full):
            show(line, console)


def _lines(item: LostItem, number: int, names: tuple[str, str], width: int, full: bool) -> Iterator[Text]:
    often = "" if item.share == 1 else f" · lost in {percent(item.share)} % of the draws"
    yield from heading(item, number, item.cause.replace("_", " ") + often, width)
    yield from asked(item, width, full)
    yield Text()
    yield from _answers(item, names, width, full)


def heading(item: LostItem | PathItem, number: int, told: str, width: int) -> Iterator[Text]:
    """Where an item belongs, its name, and what is told of it, over a rule."""
    place = [item.task] + ([item.domain] if item.domain not in (None, item.task) else [])
    name = item.native_id if item.native_id is not None else item.item_id
    yield from wrapped(f"{number}. {' · '.join(place)} · {name} · {told}", width, "strong")
    yield Text("─" * width, "dim")


def asked(item: LostItem | PathItem, width: int, full: bool) -> Iterator[Text]:
    """The question with its options."""
    question = item.question if item.question is not None else "The log does not hold the question."
    yield from _paragraphs(cut(question, LONGEST_QUESTION, full), width)
    yield from _options(item, width, full)


def _options(item: LostItem | PathItem, width: int, full: bool) -> Iterator[Text]:
    """Options with their letters, golds marked; without options the golds by themselves."""
    if not item.choices:
        golds = " or ".join(cut(gold, LONGEST_OPTION, full) for gold in item.golds)
        if golds:
            yield from _hanging("right: ", golds, width, "good")
        return
    for place, choice in enumerate(item.choices):
        letter = chr(ord("A") + place) if place < 26 else str(place)
        gold = choice in item.golds or (letter in item.golds and not set(item.golds) & set(item.choices))
        yield from _hanging(
            f"{'✓' if gold else ' '} {letter}  ", cut(choice, LONGEST_OPTION, full), width, "good" if gold else "plain"
        )


def _hanging(head: str, text: str, width: int, tone: Tone) -> Iterator[Text]:
    for place, line in enumerate(_paragraphs(text, width - len(head))):
        yield Text((" " * len(head) if place else head) + line.plain, STYLES[tone])


def _answers(item: LostItem, names: tuple[str, str], width: int, full: bool) -> Iterator[Text]:
    room = width if width < STACKED else (width - GAP) // 2
    sides = [
        list(answer(name, (said, item.graded), room, full))
        for name, said in zip(names, (item.before, item.after), strict=True)
    ]
    if width < STACKED:
        yield from sides[0]
        yield Text()
        yield from sides[1]
        return
    for place in range(max(map(len, sides))):
        left = sides[0][place] if place < len(sides[0]) else Text()
        right = sides[1][place] if place < len(sides[1]) else Text()
        left.pad_right(max(room - left.cell_len, 0))
        yield Text.assemble(left, (" │ ", "dim"), right)


def answer(name: str, given: tuple[Said, bool], width: int, full: bool) -> Iterator[Text]:
    """One answer: which checkpoint, what became of it (a score, where scores are graded), and its words."""
    said, graded = given
    tone: Tone = "plain" if graded else "good" if said.right == 1 else "bad" if said.right == 0 else "plain"
    yield from wrapped(name, width, "strong")
    yield from wrapped(_score(said) if graded else _verdict(said), width, tone)
    if said.response is not None and said.response.strip():
        yield from _paragraphs(cut(said.response.strip("\r\n"), LONGEST_ANSWER, full), width)
    elif said.response is not None:
        yield from wrapped("The answer is empty.", width, "dim")
    elif said.choice is None:
        yield from wrapped("The log does not hold the answer's words.", width, "dim")


def _score(said: Said) -> str:
    """
    >>> _score(Said("scored", None, "…", None, 2, 0.0, 0.25))
    'score 0.25, mean of 2'
    """
    score = said.outcome if said.score is None else f"score {said.score:.4g}"
    return score + (f", mean of {count(said.draws)}" if said.draws > 1 else "")


def _verdict(said: Said) -> str:
    """
    >>> _verdict(Said("scored", "Paris", "It is Paris.", "the first letter", 1, 1.0))
    'right: Paris (found by the first letter)'
    >>> _verdict(Said("truncated", None, None, None, 5, 0.6))
    'right in 3 of 5; this draw: truncated'
    """
    this = "wrong" if said.outcome == "scored" else said.outcome
    if said.draws == 1:
        this = "right" if said.right == 1 else this
        head = this
    else:
        head = f"right in {count(round(said.right * said.draws))} of {said.draws}"
        head += f"; this draw: {this}" if said.outcome != "scored" else ""
    choice = "" if said.choice is None else f": {cut(said.choice, LONGEST_OPTION, False)}"
    return head + choice + (f" (found by {said.found})" if said.found else "")


def _paragraphs(text: str, width: int) -> Iterator[Text]:
    """Foreign text, its own line ends kept, the rest wrapped."""
    for line in visible(text, lines=True).split("\n"):
        yield from wrapped(line, width)


def cut(text: str, most: int, full: bool) -> str:
    """A long text without its middle, and how much that was; its end is kept longer than a third, for answers stand there.

    >>> cut("x" * 10, 20, False), cut("x" * 40, 20, False)
    ('xxxxxxxxxx', 'xxxxxxxxxxxx [… 20 signs left out, --full shows them …] xxxxxxxx')
    """
    if full or len(text) <= most:
        return text
    head, tail = most * 3 // 5, most * 2 // 5
    return f"{text[:head]} [… {count(len(text) - head - tail)} signs left out, --full shows them …] {text[-tail:]}"
