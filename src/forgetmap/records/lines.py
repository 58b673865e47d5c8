"""A row as one line of each table, and back.

A line of items, samples or scores begins with task and item id; the number of the row is put before it where it is stored.
"""

from array import array
from collections.abc import Sequence
from math import isfinite, isnan
from typing import Any, NamedTuple

from forgetmap.errors import InternalError
from forgetmap.records.ids import prompt_id
from forgetmap.records.plain_json import dump, load
from forgetmap.records.schema import OUTCOMES, Item, Row, Sample, Score
from forgetmap.records.surrogates import spell, unspell

Line = tuple[Any, ...]


class Lines(NamedTuple):
    """What one row adds to the tables."""

    item: Line
    prompt: Line | None
    sample: Line
    scores: tuple[Line, ...]


def lines_of(row: Row) -> Lines:
    """The row in plain values. NaN that would stand as a value or a chance is a bug of the writer; elsewhere it is absent."""
    item, sample, name = row.item, row.sample, (row.item.task, row.item_id)
    _check(row)
    chance = None if item.chance is None else float(item.chance)
    meta = None if item.meta is None else dump(item.meta).decode()
    prompt = None if sample.prompt is None else (prompt_id(sample.prompt), sample.prompt)
    return Lines(
        item=(*name, *item[1:7], chance, item.cluster, item.source, meta),
        prompt=prompt,
        sample=(
            *(*name, sample.draw, prompt and prompt[0], sample.seed, sample.permutation, _finite(sample.weight)),
            *(sample.response, sample.reasoning, sample.finish_reason, sample.tokens),
            *(_finite(sample.seconds), sample.error),
        ),
        scores=tuple(_score_line((*name, sample.draw), score) for score in row.scores),
    )


def text_of(lines: Lines) -> bytes:
    """The one JSON text of a row: what the journal holds and what the content hash is made of."""
    prompt = lines.prompt and lines.prompt[1]
    content = (lines.item, prompt, lines.sample[2:], [score[3:] for score in lines.scores])
    return dump(content, infinite=any(_infinite(score) for score in lines.scores))


def row_of(text: Any) -> Row:
    """The row of a JSON text of `text_of`, parsed."""
    item, prompt, sample, scores = text
    return Row(
        item_from(item),
        sample_from((None, None, *sample), prompt),
        tuple(score_from((None, None, None, *score)) for score in scores),
        item[1],
    )


def item_from(line: Sequence[Any]) -> Item:
    """The item of a line."""
    task, _, native_id, domain, question, choices, golds, k, chance, cluster, source, meta = line
    texts = None if choices is None else tuple(choices)
    return Item(
        *(task, native_id, domain, question, texts, tuple(golds), k, chance, cluster, source),
        meta=None if meta is None else load(meta.encode()),
    )


def sample_from(line: Sequence[Any], prompt: str | None) -> Sample:
    """The sample of a line, with the text of its prompt."""
    _, _, draw, _, seed, permutation, *rest = line
    return Sample(draw, seed, prompt, None if permutation is None else tuple(permutation), *rest)


def score_from(line: Sequence[Any]) -> Score:
    """The score of a line."""
    _, _, _, scorer, version, outcome, value, choice, found, margin, logprobs = line
    numbers = None if logprobs is None else tuple(logprobs)
    return Score(scorer, outcome, value, choice, version, found, margin, numbers)


def spelled(value: Any) -> Any:
    """The same with every half character spelled out."""
    if isinstance(value, str):
        return spell(value)
    return tuple(spelled(inner) for inner in value) if isinstance(value, tuple | list) else value


def unspelled(value: Any) -> Any:
    """The same as it was before `spelled`."""
    if isinstance(value, str):
        return unspell(value)
    return [unspelled(inner) for inner in value] if isinstance(value, list) else value


def _score_line(name: Line, score: Score) -> Line:
    value = None if score.value is None else float(score.value)
    margin = None if score.margin is None or isnan(score.margin) else float(score.margin)
    return (
        *(*name, score.scorer, score.version, score.outcome, value, score.choice, score.found),
        *(margin, _single(score.logprobs)),
    )


def _single(numbers: tuple[float, ...] | None) -> Line | None:
    """Numbers in the single precision in which they are kept; one NaN among them makes all of them unknown."""
    if numbers is None or any(map(isnan, numbers)):
        return None
    return tuple(array("f", numbers))


def _finite(number: float | None) -> float | None:
    return None if number is None or not isfinite(number) else float(number)


def _infinite(score: Line) -> bool:
    margin, logprobs = score[-2:]
    return not isfinite(sum(logprobs or (), margin or 0.0))


def _check(row: Row) -> None:
    """Only what is scored has a value, and a value and a chance are numbers."""
    chance = row.item.chance
    wrong = None if chance is None or isfinite(chance) else f"a chance of {chance}"
    for score in row.scores:
        if score.outcome not in OUTCOMES:
            wrong = f"the outcome {score.outcome!r} of scorer {score.scorer}"
        elif (score.value is not None) != (score.outcome == "scored"):
            wrong = f"the value {score.value} where {score.scorer} says {score.outcome}"
        elif score.value is not None and not isfinite(score.value):
            wrong = f"the value {score.value} of scorer {score.scorer}"
    if wrong is not None:
        raise InternalError(
            f"a reader of logs gave {wrong} for item {row.item.native_id or row.item_id} of task {row.item.task}, "
            "which no record can hold: please report this."
        )
