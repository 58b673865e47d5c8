"""Runs with made-up items, the same for the same arguments."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Problem, Row, RunInfo, Sample, Score

WORDS = [
    "river",
    "stone",
    "lantern",
    "seven",
    "quiet",
    "market",
    "copper",
    "window",
    "orchard",
    "signal",
    "harbour",
    "thread",
    "winter",
    "candle",
    "bridge",
]


def run_of(rows: Iterable[Row], run_id: str = "made-up", *, problems: Iterable[Problem] = ()) -> Run:
    """A run of these rows that can be read again."""
    kept, unread = list(rows), list(problems)

    def read(problems: list[Problem]) -> Iterator[Row]:
        problems.extend(unread)
        yield from kept

    info = RunInfo(
        run_id=run_id,
        checkpoint="org/made-up",
        parents=("org/before",),
        shots={"quiz_0": 5},
        decoding={"temperature": 0.0, "stop": ["\n"]},
        seeds=(1, 2),
        source=("samples_quiz.jsonl",),
        hashes={"weights": "0f"},
    )
    return Run(info, read, notes=["of two files the later was taken"])


def rows(items: int = 60, *, draws: int = 1, seed: int = 0) -> list[Row]:
    """Rows of three tasks with shared prompts, repeated contents, unanswered items, two scorers and texts of any kind."""
    rng = random.Random(seed)
    questions = [(item, row_item(item, items)) for item in range(items)]
    return [row_of(item, number, draw, rng) for number, item in questions for draw in range(draws)]


def row_item(number: int, items: int) -> Item:
    """Every seventh question repeats the one before under another native id."""
    rng = random.Random(number - (number % 7 == 6))
    choices = tuple(f"{rng.choice(WORDS)} {n}" for n in range(4))
    return Item(
        task=f"quiz_{number * 3 // items}",
        native_id=str(number),
        domain=rng.choice((None, "land", "sea")),
        question=" ".join(rng.choices(WORDS, k=12)) + "?",
        choices=choices,
        golds=(choices[number % 4],) if number % 7 != 6 else (choices[(number - 1) % 4],),
        k=4,
        chance=0.25,
        meta={"place": number} if number % 5 == 0 else None,
    )


def row_of(item: Item, number: int, draw: int, rng: random.Random) -> Row:
    """An answer to an item."""
    choice = rng.randrange(4)
    logprobs = tuple(-(rng.randrange(1, 800) / 64) for _ in range(4))
    scores = (
        Score("acc", value=float(choice == number % 4), choice=choice, version="1", margin=0.25, logprobs=logprobs),
        Score("strict", outcome="truncated" if choice == 3 else "unparsed", found="no letter"),
    )
    sample = Sample(
        draw=draw,
        seed=rng.choice((None, 7)),
        prompt=f"{item.task}: answer with a letter.\n\n{item.question if number % 2 else ''}",
        permutation=rng.choice((None, (3, 2, 1, 0))),
        response=f" {'ABCD'[choice]} " + " ".join(rng.choices(WORDS, k=rng.randrange(8))),
        finish_reason="stop",
        tokens=rng.randrange(900),
        seconds=rng.random(),
    )
    return Row(item, sample, scores)


def without_item_id(found: Iterable[Row]) -> list[Row]:
    """Rows as a format yields them."""
    return [row._replace(item_id="") for row in found]


def renamed(run: Run, run_id: str) -> Run:
    """The same run under another id."""
    return Run(replace(run.info, run_id=run_id), run.read, notes=run.notes)


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its content."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
