"""Rows of LLMDrift: the item, which scorer its answer is for, and the scores."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from forgetmap.formats.lettered import shown
from forgetmap.formats.lighteval.content import lettered_block, letters_shown
from forgetmap.formats.scoring import ran_out, scored
from forgetmap.records.options import distinct
from forgetmap.records.schema import Item, Sample, Score
from forgetmap.scorers.boxed import contents
from forgetmap.scorers.judging import letter, option

KEYS = ("model", "trail", "dataset", "id", "query", "ref_answer", "answer")
MORE = ("temperature", "max_tokens", "latency", "answer_token")
REPORTS = {"Code_Submit": "", "Clean_Code_Submit": ",clean"}
"""Columns with the report of a judge, and what is added to the scorer's name: as answered, and with what is no code taken off."""
RATES = ("Response Rate", "Answer Rate")
ANSWERED = "response_rate"
_NO_RIGHT_ANSWER = ("opinionqa",)
_WHOLE = re.compile(r"\d{1,9}(?:\.0)?")

Cells = Mapping[str, str | None]


class Asked(NamedTuple):
    """An item, how its answer is scored, its options as shown, and the cells of its row."""

    item: Item
    scorers: tuple[str, ...]
    shown: tuple[str, ...]
    cells: Cells
    draw: int


def asked(cells: Cells) -> Asked:
    """What a row asks; ValueError says what it lacks."""
    dataset, query, native = cells["dataset"], cells["query"], cells["id"]
    if dataset is None or (query is None and native is None):
        raise ValueError("names no dataset" if dataset is None else "has neither a query nor an id")
    trial = cells["trail"] or "0"
    if not _WHOLE.fullmatch(trial):
        raise ValueError(f"has the trial {trial!r:.40}, which is no number")
    item = Item(dataset, native_id=native, question=query)
    found = _kind(item, cells)
    return Asked(*found, cells, int(float(trial)))


def _kind(item: Item, cells: Cells) -> tuple[Item, tuple[str, ...], tuple[str, ...]]:
    """The item with its gold and options, the scorers of its answers, and its options as shown."""
    if not cells.keys().isdisjoint((*REPORTS, *RATES)):
        return item._replace(chance=0.0), (), ()
    gold = (cells["ref_answer"] or "").strip()
    asked, options = _shown(item.question or "")
    bare = gold.removeprefix("[").removesuffix("]").strip().lower()
    if not gold or item.task in _NO_RIGHT_ANSWER:
        return _with(item, options, None), ("choice" if options else "exact",), options
    box = contents(gold)
    if box is not None:
        return item._replace(golds=(box.strip(),), chance=0.0), ("boxed",), ()
    if bare in ("yes", "no"):
        return _with(item, ("yes", "no"), bare), ("yes_no",), ()
    if options and option(gold, options) is not None:
        return _with(item._replace(question=asked), options, gold), ("choice",), options
    if letter(gold) is not None:
        # In brackets, as letters of hidden options are told from open answers.
        return item._replace(golds=(f"({gold.strip('()[].:')})",)), ("choice",), ()
    return item._replace(golds=(gold,), chance=0.0), ("quasi_exact_match",), ()


def _shown(question: str) -> tuple[str, tuple[str, ...]]:
    """The question without its options, and these: on lines "(A) …", "- …", or "A. …"."""
    asked, options = shown(question)
    block = None if options else lettered_block(question, letters_shown(question))
    return (block.head.strip(), tuple(block.texts)) if block and len(block.texts) > 1 else (asked, options)


def _with(item: Item, options: Sequence[str], gold: str | None) -> Item:
    """The item with options, of which `gold` names the right one."""
    if not options:
        return item
    texts = distinct(options).texts
    item = item._replace(choices=texts, k=len(texts))
    place = None if gold is None else option(gold, options)
    return item if place is None else item._replace(golds=(options[place],), chance=1 / len(texts))


def sample_of(one: Asked) -> Sample:
    """What was said, in how many tokens and seconds."""
    cells = one.cells
    return Sample(
        draw=one.draw,
        prompt=cells["query"],
        response=cells["answer"],
        tokens=_whole(cells.get("answer_token")),
        seconds=_seconds(cells.get("latency")),
    )


def _whole(cell: str | None) -> int | None:
    return int(float(cell)) if cell is not None and _WHOLE.fullmatch(cell) else None


def _seconds(cell: str | None) -> float | None:
    return float(cell) if cell is not None and re.fullmatch(r"\d{1,9}(?:\.\d{1,30})?", cell) else None


def scores_of(one: Asked, sample: Sample) -> tuple[Score, ...]:
    """By the scorers of its kind; by the report of a judge, or a published mark, where the table has such a column."""
    if one.scorers:
        text = one.cells["answer"] or ""
        out = ran_out(text, _whole(one.cells.get("max_tokens")), sample.tokens)
        return scored(one.scorers, one.item, text, shown=one.shown, ran_out=out)
    reports = {f"accepted{end}": one.cells[name] or "" for name, end in REPORTS.items() if name in one.cells}
    scores = [scored(("accepted",), one.item, said)[0]._replace(scorer=name) for name, said in reports.items()]
    rates = [one.cells[name] for name in RATES if name in one.cells]
    return tuple(scores) if scores else (_answered(rates[0]),)


def _answered(rate: str | None) -> Score:
    value = {"0": 0.0, "1": 1.0}.get((rate or "").removesuffix(".0"))
    found = "the published mark" if value is not None else "no mark of 0 or 1"
    return Score(ANSWERED, "failed" if value is None else "scored", value, found=found)


def note(one: Asked) -> str | None:
    """What the user should know of the task of a row."""
    if not one.cells.keys().isdisjoint(RATES):
        return (
            f"{one.item.task}: 1 means that a question was answered, 0 that it was not; neither is right or wrong, "
            "so a change is one of what the model is willing to do."
        )
    if one.scorers and not one.item.golds:
        return f"{one.item.task}: the table holds no right answers, so its answers are kept without a score."
    return None
