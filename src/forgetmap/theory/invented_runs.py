"""Answers drawn from a law, written as records: two runs on questions about an invented world."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from forgetmap.measure.columns import NO_CHOICE, REFUSED, RIGHT, STATE_OF, TRUNCATED, WRONG
from forgetmap.records.options import letter
from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Outcome, Problem, Row, RunInfo, Sample, Score
from forgetmap.stats.arrays import Ints
from forgetmap.theory.drawn import Drawn
from forgetmap.theory.fates import ItemClass
from forgetmap.theory.invented_answers import Said, answer, prompt, refused, truncated, unparsed
from forgetmap.theory.invented_world import Question, question

TASK, SCORER = "invented_world", "exact_match"
OUTCOME_OF: dict[int, Outcome] = {STATE_OF[outcome]: outcome for outcome in ("unparsed", "refused", "truncated")}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Book:
    """What both runs share: the items, and how they are told."""

    drawn: Drawn
    options_told: bool
    seed: int
    texts: bool


def invented_runs(drawn: Drawn, *, options_told: bool, seed: int, texts: bool) -> tuple[Run, Run]:
    """The runs before and after. Without `texts` items are known by their numbers, and nothing is worded."""
    book = _Book(drawn=drawn, options_told=options_told, seed=seed, texts=texts)
    draws = drawn.before.shape[1]
    sides = (
        _info("simulated-before", draws, parents=()),
        _info("simulated-after", draws, parents=("simulated-before",)),
    )
    before, after = (
        Run(info, partial(_read, book, answers, number))
        for number, (info, answers) in enumerate(zip(sides, (drawn.before, drawn.after), strict=True))
    )
    return before, after


def _info(name: str, draws: int, *, parents: tuple[str, ...]) -> RunInfo:
    return RunInfo(
        run_id=name,
        checkpoint=name,
        parents=parents,
        engine="law",
        prompt="0-shot",
        shots={TASK: 0},
        seeds=tuple(range(draws)),
        harness="forgetmap.theory",
    )


def _read(book: _Book, answers: Ints, side: int, _problems: list[Problem]) -> Iterator[Row]:
    for number, said in enumerate(answers):
        shape = book.drawn.classes[book.drawn.which[number]]
        asked = question(number, max(shape.options, 2), start=book.seed)
        # The same on both sides: where each numbered option stands among the item's choices.
        place = np.random.default_rng([book.seed, number]).permutation(shape.options)
        item, manner = _item(book, number, asked, place), np.random.default_rng([book.seed, number, side])
        for draw, one in enumerate(said):
            sample, score = Sample(draw=draw, seed=draw), _score(shape, int(one), place, told=book.options_told)
            if book.texts:
                order = _shown(len(place), book.seed, number, draw)
                sample = _worded(sample, (asked, item, order), (shape, int(one)), manner=int(manner.integers(60)))
            yield Row(item, sample, (score,))


def _shown(options: int, *where: int) -> tuple[int, ...]:
    """The order in which the choices are shown in one draw, the same on both sides; the first draw shows them as they come."""
    draw = where[-1]
    order = np.random.default_rng(where).permutation(options) if draw else np.arange(options)
    return tuple(order.tolist())


def _item(book: _Book, number: int, asked: Question, place: Ints) -> Item:
    shape = book.drawn.classes[book.drawn.which[number]]
    passage = int(book.drawn.passage[number])
    listed = [asked.names[option] for option in np.argsort(place)]
    golds = asked.names[: shape.golds] if book.texts else tuple(letter(int(spot)) for spot in place[: shape.golds])
    return Item(
        task=TASK,
        native_id=f"{number:06d}",
        domain=asked.topic.domain,
        question=asked.text if book.texts else None,
        choices=tuple(listed) if book.texts and listed else None,
        golds=golds,
        k=shape.options or None,
        chance=shape.chance,
        cluster=f"passage {passage}" if passage >= 0 else None,
        source="invented",
    )


def _score(shape: ItemClass, said: int, place: Ints, *, told: bool) -> Score:
    state, option = int(shape.state[said]), int(shape.choice[said])
    if state in OUTCOME_OF:
        return Score(SCORER, OUTCOME_OF[state])
    choice = int(place[option]) if told and option != NO_CHOICE else None
    return Score(SCORER, value=float(state == RIGHT), choice=choice, found="law")


def _worded(
    sample: Sample, told: tuple[Question, Item, tuple[int, ...]], said: tuple[ItemClass, int], *, manner: int
) -> Sample:
    """The sample with its prompt and its response."""
    asked, item, order = told
    shown = tuple((item.choices or ())[place] for place in order)
    response, finish_reason = _response(asked, shown, said, manner=manner)
    return sample._replace(
        prompt=prompt(asked, shown),
        permutation=order or None,
        response=response,
        finish_reason=finish_reason,
        tokens=len(response.split()),
    )


def _response(asked: Question, shown: tuple[str, ...], said: tuple[ItemClass, int], *, manner: int) -> Said:
    shape, number = said
    state = int(shape.state[number])
    if state == TRUNCATED:
        return truncated(asked, manner=manner)
    if state == REFUSED:
        return refused(asked, manner=manner)
    if state > WRONG:
        return unparsed(asked, manner=manner)
    name = asked.names[number if shape.options else int(state == WRONG)]
    return answer(asked, name, shown.index(name) if shown else None, manner=manner)
