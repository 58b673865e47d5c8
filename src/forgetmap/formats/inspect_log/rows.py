"""A sample of Inspect as a row: item, what was asked and answered, scores."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from forgetmap.formats.inspect_log.options import Options, lettered, options_of
from forgetmap.formats.inspect_log.plain import listed, mapping, said, text, thought, whole
from forgetmap.formats.inspect_log.scores import Ending, Scale, judged, score
from forgetmap.formats.lm_eval import content
from forgetmap.formats.lm_eval.answers import open_golds
from forgetmap.formats.lm_eval.hints import resolve
from forgetmap.records.mending import Said, mended
from forgetmap.records.schema import Item, Outcome, Row, Sample, Score
from forgetmap.scorers.text import cut_off

_STOPPED: Mapping[str, Outcome] = {
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "refused",
}
_LIMITS = frozenset({"context", "time", "working", "message", "token", "cost"})


class Setting(NamedTuple):
    """What the samples of one log share."""

    task: str
    scale: Scale
    k: Said
    """What the user says of the number of options."""
    limit: int | None
    """The most tokens an answer may have."""
    seed: int | None
    several: bool
    """Whether an answer must name all right options, of which there may be several."""
    closed: bool = False
    """Whether the golds of its items without options form a closed set."""


def row(entry: Any, setting: Setting) -> Row:
    """One sample as a row; ValueError says what is missing."""
    if not isinstance(entry, Mapping):
        raise ValueError(f"is no JSON object but a {type(entry).__name__}")
    native, number = entry.get("id"), whole(entry.get("epoch"))
    if not isinstance(native, str | int) or isinstance(native, bool) or native == "":
        raise ValueError("has no id")
    if number is None or number < 1:
        raise ValueError("does not say which try it is (`epoch`, from 1)")
    options = options_of(entry.get("choices"), entry.get("target"))
    item = _item(entry, options, setting)
    asked = _sample(entry, item.question, number - 1, setting)
    return Row(item, asked, _scores(entry, options or _letters(item), asked, setting))


def _item(entry: Mapping[str, Any], options: Options | None, setting: Setting) -> Item:
    metadata = entry.get("metadata")
    known = content.columns(metadata)
    item = Item(
        setting.task,
        native_id=str(entry["id"]),
        domain=content.domain(metadata, known),
        question=_question(entry),
        cluster=content.cluster(metadata, known),
        meta=content.meta(metadata, known),
    )
    golds = open_golds(entry.get("target"))
    if options is None:
        chance = 0.0 if any(map(str.strip, golds)) and not setting.closed else None
        return mended(item._replace(golds=golds, chance=chance), resolve(setting.k, entry))
    texts = options.texts or ()
    single = len(options.golds) == 1 and not setting.several
    item = item._replace(
        choices=texts,
        golds=tuple(texts[place] for place in options.golds) or golds,
        k=options.k,
        chance=1 / options.k if single else None,
    )
    return item if options.golds else mended(item, resolve(setting.k, entry))


def _letters(item: Item) -> Options | None:
    """Options known by letter only, once the user said how many there are."""
    return lettered(item.k, item.golds) if item.k is not None else None


def _question(entry: Mapping[str, Any]) -> str | None:
    """The input, or its last message of the user."""
    asked, attachments = entry.get("input"), mapping(entry.get("attachments"))
    return said(asked, attachments) if isinstance(asked, str) else _last_of_user(listed(asked), attachments)


def _last_of_user(messages: list[Any], attachments: Mapping[str, Any]) -> str | None:
    of_user = [message for message in map(mapping, messages) if message.get("role") == "user"]
    return said(of_user[-1].get("content"), attachments) if of_user else None


def _prompt(entry: Mapping[str, Any], attachments: Mapping[str, Any]) -> str | None:
    """What the user's message had become when the checkpoint first answered it."""
    messages = [mapping(message) for message in listed(entry.get("messages"))]
    answers = [place for place, message in enumerate(messages) if message.get("role") == "assistant"]
    generated = [place for place in answers if messages[place].get("source") == "generate"]
    end = generated[0] if generated else answers[-1] if answers else len(messages)
    return _last_of_user(messages[:end], attachments)


def _sample(entry: Mapping[str, Any], question: str | None, draw: int, setting: Setting) -> Sample:
    output, attachments = mapping(entry.get("output")), mapping(entry.get("attachments"))
    answered = mapping(next(iter(listed(output.get("choices"))), None))
    told = mapping(answered.get("message")).get("content")
    completion = output.get("completion")
    prompt, seconds = _prompt(entry, attachments), entry.get("total_time")
    return Sample(
        draw,
        seed=setting.seed,
        prompt=None if prompt == question else prompt,
        response=said(completion if isinstance(completion, str) else told, attachments),
        reasoning=thought(told, attachments),
        finish_reason=text(answered.get("stop_reason")),
        tokens=whole(mapping(output.get("usage")).get("output_tokens")),
        seconds=float(seconds) if isinstance(seconds, float) and math.isfinite(seconds) else None,
        error=_error(entry),
    )


def _error(entry: Mapping[str, Any]) -> str | None:
    error = entry.get("error")
    if error is None:
        return None
    return text(mapping(error).get("message")) or text(error) or "the log does not say which error"


def _scores(entry: Mapping[str, Any], options: Options | None, asked: Sample, setting: Setting) -> tuple[Score, ...]:
    ending = Ending(asked.error, _unanswered(entry, asked, setting), not (asked.response or "").strip())
    found = dict(judged(entry.get("scores")))
    scores = [score(name, found[name], ending, options) for name in setting.scale.scorers if name in found]
    if not scores and asked.error is not None:
        scores = [Score(name, "failed") for name in setting.scale.scorers]
    if not scores:
        raise ValueError("has no score from 0 to 1: score the log with `inspect score`, or see the notes")
    return tuple(scores)


def _unanswered(entry: Mapping[str, Any], asked: Sample, setting: Setting) -> Outcome:
    """What a sample without an answer is called."""
    if mapping(entry.get("limit")).get("type") in _LIMITS:
        return "truncated"
    ran_out = setting.limit is not None and cut_off(asked.response or "", setting.limit)
    return _STOPPED.get(asked.finish_reason or "", "truncated" if ran_out else "unparsed")
