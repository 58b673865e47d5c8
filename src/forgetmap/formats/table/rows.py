"""Rows of a table: cells in, one record out, or a sentence why not."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple, cast

from forgetmap.formats.table.choices import LETTERS, OPEN, REMEMBERED, UNKNOWN, Found, Options, find, golds
from forgetmap.formats.table.writing import OptionsOf, RowError, Writing, quoted
from forgetmap.records.options import letter
from forgetmap.records.schema import OUTCOMES, Item, Outcome, Row, Sample, Score

MARKS = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0, "nan": None, "none": None, "null": None}
WHOLE = re.compile(r"([+-]?[0-9]{1,18})(?:\.0+)?")
HIGHEST_DRAW = 1_000_000
CONTRADICTS = "correct, which choice and gold contradict"
NO_MARK = "correct is empty"


class Cells(NamedTuple):
    """One row as text, null where absent. `source` is the number of its file among those of the run, `place` where it stands there."""

    source: int
    place: int
    task: str | None = None
    item_id: str | None = None
    question: str | None = None
    choices: str | None = None
    gold: str | None = None
    k: str | None = None
    domain: str | None = None
    category: str | None = None
    cluster: str | None = None
    choice: str | None = None
    correct: str | None = None
    outcome: str | None = None
    draw: str | None = None
    seed: str | None = None
    scorer: str | None = None
    prompt: str | None = None
    response: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read the rows of one file in one run: how the file writes, and the draw that each seed of the run stands for."""

    writing: Writing
    options_of: OptionsOf
    draws: Mapping[int, int]

    def row(self, cells: Cells) -> Row:
        """One record; `RowError` where the cells make none."""
        if cells.task is None:
            raise RowError("names no task")
        if cells.item_id is None and not cells.question:
            raise RowError("has neither item_id nor question")
        options = self.options_of(cells.choices, cells.k, cells.task)
        right = self._golds(cells.gold, options)
        score = self._score(cells, options, right)
        seed = whole(cells.seed, "seed")
        sample = Sample(
            self._draw(cells.draw, seed),
            seed,
            cells.prompt or None,
            response=cells.response,
            error=NO_MARK if score.outcome == "failed" and cells.outcome is None else None,
        )
        return Row(self._item(cells, options, right), sample, (score,))

    def _golds(self, gold: str | None, options: Options) -> tuple[Found, ...]:
        if gold is None:
            return ()
        found = golds(gold, options, self.writing.gold)
        if not found:
            raise RowError(
                f"gold is {quoted(gold)}, none of the item's {options.k} options: "
                "a letter, an index from 0, or the text of an option is wanted"
            )
        return found

    def _item(self, cells: Cells, options: Options, right: tuple[Found, ...]) -> Item:
        return Item(
            cast(str, cells.task),
            cells.item_id,
            cells.domain,
            cells.question or None,
            options.texts,
            _gold_texts(right, options, self.writing.lettered),
            options.k,
            _chance(options, len(right)),
            cells.cluster,
            meta=None if cells.category is None else _meta(cells.category),
        )

    def _score(self, cells: Cells, options: Options, right: tuple[Found, ...]) -> Score:
        outcome = None if cells.outcome is None else _outcome(cells.outcome)
        judged = cells.task in self.writing.judged
        scorer = cells.scorer or ("correct" if judged else "choice")
        if outcome is not None and outcome != "scored":
            return Score(scorer, outcome)
        chosen = None if cells.choice is None else self._chosen(cells.choice, options)
        score = _judged(scorer, cells.correct, chosen, right) if judged else _compared(scorer, chosen, right)
        if outcome == "scored" and score.value is None:
            raise RowError("has the outcome scored, but nothing that says whether it is right")
        return score if score.choice is None or self._is_option(options) else score._replace(choice=None)

    def _chosen(self, choice: str, options: Options) -> Found | None:
        found = find(choice, options, self.writing.choice)
        if found is None or options is not UNKNOWN or not self.writing.lettered:
            return found
        return found if isinstance(found.answer, int) and found.answer < LETTERS else None

    def _is_option(self, options: Options) -> bool:
        """Whether a number stands for an option, or may be the answer itself."""
        return options.k is not None or (options is UNKNOWN and self.writing.lettered)

    def _draw(self, draw: str | None, seed: int | None) -> int:
        if draw is None:
            return 0 if seed is None else self.draws.get(seed, 0)
        number = whole(draw, "draw")
        if number is None or not 0 <= number <= HIGHEST_DRAW:
            raise RowError(f"draw is {draw}: a number from 0 to {HIGHEST_DRAW} is wanted")
        return number


def whole(cell: str | None, name: str) -> int | None:
    """A whole number, or `RowError`.

    >>> whole("7", "seed"), whole("7.0", "seed"), whole(None, "seed")
    (7, 7, None)
    """
    if cell is None:
        return None
    number = WHOLE.fullmatch(cell)
    if number is None:
        raise RowError(f"{name} is {quoted(cell)}: a whole number is wanted")
    return int(number[1])


@lru_cache(REMEMBERED)
def _gold_texts(right: tuple[Found, ...], options: Options, lettered: bool) -> tuple[str, ...]:
    """Golds by their texts; by their letters where no texts are known and a number can only be that of an option."""
    if options.texts is not None:
        return tuple(options.texts[gold.answer] for gold in right if isinstance(gold.answer, int))
    as_letters = options.k is not None or (options is UNKNOWN and lettered)
    return tuple(letter(g.answer) if as_letters and isinstance(g.answer, int) else g.word for g in right)


@lru_cache(REMEMBERED)
def _compared(scorer: str, chosen: Found | None, right: tuple[Found, ...]) -> Score:
    if not right:
        raise RowError("has no gold to compare its choice with")
    if chosen is None:
        return Score(scorer, "unparsed")
    return Score(scorer, "scored", float(_is_right(chosen, right)), _option(chosen), found=chosen.how)


def _judged(scorer: str, correct: str | None, chosen: Found | None, right: tuple[Found, ...]) -> Score:
    """`correct` decides; choice and gold only tell the option, and no option where they say otherwise."""
    value = None if correct is None else _mark(correct)
    if value is None:
        return Score(scorer, "failed")
    option = None if chosen is None else _option(chosen)
    if chosen is None or option is None:
        return Score(scorer, "scored", value)
    if right and value in (0.0, 1.0) and _is_right(chosen, right) != bool(value):
        return Score(scorer, "scored", value, found=CONTRADICTS)
    return Score(scorer, "scored", value, option, found=chosen.how)


def _is_right(chosen: Found, right: tuple[Found, ...]) -> bool:
    return any(chosen.answer == gold.answer for gold in right)


def _option(chosen: Found) -> int | None:
    return chosen.answer if isinstance(chosen.answer, int) else None


def _chance(options: Options, right: int) -> float | None:
    if options.k is None:
        return 0.0 if options is OPEN else None
    return max(right, 1) / options.k


@lru_cache(1 << 14)
def _mark(correct: str) -> float | None:
    if correct.lower() in MARKS:
        return MARKS[correct.lower()]
    try:
        value = float(correct)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise RowError(f"correct is {quoted(correct)}: 0 or 1, true or false, or a number between 0 and 1 is wanted")
    return value


@cache
def _outcome(cell: str) -> Outcome:
    for outcome in OUTCOMES:
        if cell.lower() == outcome:
            return outcome
    raise RowError(f"outcome is {quoted(cell)}: one of {', '.join(OUTCOMES)} is wanted")


@lru_cache(1 << 12)
def _meta(category: str) -> dict[str, Any]:
    return {"category": category}
