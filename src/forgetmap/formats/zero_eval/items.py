"""Entries of ZeroEval: the item, the texts answered, and the scorers of a task."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from forgetmap.formats.scoring import ran_out, scored
from forgetmap.records.options import distinct
from forgetmap.records.schema import Item, Sample, Score
from forgetmap.scorers.judging import letter
from forgetmap.scorers.number import value

FIELDS = (
    "id", "session_id", "dataset", "config", "question", "puzzle", "instruction", "chat_history", "model_input", "output",
    "configs", "answer", "choices", "correct_answer", "source",
)  # fmt: skip
_BLOCKED = re.compile(r"Error: (?:content filtered|this query is blocked)")
_BEFORE_GOLD = re.compile(r"^[#$\s]+|\s+$")
_NUMBER = re.compile(r"[-−+\d.,/ %]+")
_NO_INPUT = "n/a"
_LITERALS = "crux"


class Told(NamedTuple):
    """One entry that could be read."""

    item: Item
    sample: Sample
    texts: list[str]
    shown: Sequence[str]
    """Options as the question letters them."""
    limit: Any
    """The most tokens that an answer could have."""


def told(entry: Mapping[str, Any], task: str) -> Told:
    """One entry; ValueError says what it lacks."""
    texts, item = _texts(entry["output"]), _item(entry, task)
    limit = entry["configs"].get("max_tokens") if isinstance(entry["configs"], dict) else None
    return Told(item, Sample(prompt=_prompt(entry)), texts, entry["choices"] or (), limit)


def _texts(output: Any) -> list[str]:
    texts = [output] if isinstance(output, str) else output
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError("has no output: a list of texts is wanted")
    return texts


def _item(entry: Mapping[str, Any], task: str) -> Item:
    question = next(
        (entry[name] for name in ("question", "puzzle", "instruction") if isinstance(entry[name], str)), None
    )
    native = entry["id"] if entry["id"] is not None else entry["session_id"]
    item = Item(
        task,
        native_id=None if native is None else str(native),
        domain=entry["config"] if isinstance(entry["config"], str) else None,
        question=question if question is not None else _prompt(entry),
        source=entry["source"] if isinstance(entry["source"], str) else None,
    )
    if item.question is None and item.native_id is None:
        raise ValueError("has neither a question nor an id")
    return _with_options(item, entry) if entry["choices"] is not None else _open(item, entry["answer"])


def _open(item: Item, answer: Any) -> Item:
    if answer is None:
        return item
    golds = answer if isinstance(answer, list) else [answer]
    return item._replace(golds=tuple(map(str, golds)), chance=0.0) if golds else item


def _with_options(item: Item, entry: Mapping[str, Any]) -> Item:
    choices = entry["choices"]
    if not isinstance(choices, list) or not choices or not all(isinstance(choice, str) for choice in choices):
        raise ValueError("has choices that are no list of texts")
    options = distinct(choices)
    item = item._replace(choices=options.texts, k=len(options.texts))
    gold = entry["correct_answer"] if entry["correct_answer"] is not None else entry["answer"]
    if gold is None:
        return item
    place = _place(gold, choices)
    if place is None:
        raise ValueError(f"has the right answer {gold!r:.40}, which is none of its choices")
    return item._replace(golds=(choices[place],), chance=1 / len(options.texts))


def _place(gold: Any, choices: Sequence[str]) -> int | None:
    """The right option by its text, its letter or its index."""
    if isinstance(gold, str):
        place = choices.index(gold) if gold in choices else letter(gold)
    else:
        place = gold if isinstance(gold, int) and not isinstance(gold, bool) else None
    return place if place is not None and 0 <= place < len(choices) else None


def _prompt(entry: Mapping[str, Any]) -> str | None:
    if isinstance(entry["model_input"], str) and entry["model_input"] != _NO_INPUT:
        return str(entry["model_input"])
    chat = entry["chat_history"]
    said = [turn for turn in chat if isinstance(turn, str)] if isinstance(chat, list) else []
    return "\n\n".join(said) or None


def scorers(task: str, items: Sequence[Item]) -> tuple[str, ...]:
    """By what the golds of a task are: options, values of programs, numbers, or texts."""
    if any(item.choices is not None for item in items):
        return ("json_answer",)
    if _LITERALS in task.lower():
        return "json_answer", "json_literal"
    golds = [_BEFORE_GOLD.sub("", gold) for item in items for gold in item.golds]
    return ("json_number",) if golds and all(_is_number(gold) for gold in golds) else ("json_answer",)


def _is_number(gold: str) -> bool:
    return value(gold) is not None and _NUMBER.fullmatch(gold) is not None


def answers(names: Sequence[str], one: Told) -> Iterator[tuple[Sample, tuple[Score, ...]]]:
    """Every text of an entry as a draw, with its scores."""
    for draw, text in enumerate(one.texts):
        scores = scored(names, one.item, text, shown=one.shown, ran_out=ran_out(text, one.limit))
        if one.item.golds and _BLOCKED.match(text):
            scores = tuple([_refused(score) for score in scores])
        yield one.sample._replace(draw=draw, response=text), scores


def _refused(score: Score) -> Score:
    return Score(score.scorer, "refused", version=score.version, found="the word of a content filter")
