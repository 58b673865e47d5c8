"""What an instance of HELM asks: its item, and the options with their letters where it has any."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from forgetmap.formats.closed import is_label
from forgetmap.formats.helm.keys import Key
from forgetmap.formats.inspect_log.plain import listed, mapping, text
from forgetmap.records.ids import collapse
from forgetmap.records.options import distinct, letter
from forgetmap.records.schema import Item

JOINT, SEPARATE = "multiple_choice_joint", "multiple_choice_separate"
_CORRECT = "correct"


class Options(NamedTuple):
    """Options as shown, and which of the distinct ones are gold."""

    texts: tuple[str, ...]
    places: Sequence[int]
    """For each reference, the index of its text."""
    letters: Mapping[str, int]
    """The index of the text that each letter stands for."""
    golds: tuple[int, ...]


class Asked(NamedTuple):
    """One instance: references are texts in their order, with the golds among them."""

    question: str | None
    references: tuple[str, ...]
    golds: tuple[str, ...]


def asked_in(instance: Mapping[str, Any]) -> Asked:
    """What an instance asks; texts stood bare in files of 2022, and in objects since."""
    entries = [mapping(entry) for entry in listed(instance.get("references"))]
    texts = [_text(entry.get("output")) for entry in entries]
    golds = [
        said
        for entry, said in zip(entries, texts, strict=True)
        if _CORRECT in listed(entry.get("tags")) and said.strip()
    ]
    question = _text(instance.get("input"))
    return Asked(question if question.strip() else None, tuple(texts), tuple(dict.fromkeys(golds)))


def _text(told: Any) -> str:
    if isinstance(told, str):
        return told
    known = mapping(told)
    return text(known.get("text")) or _last_message(known) or _parts(known)


def _last_message(known: Mapping[str, Any]) -> str:
    of_user = [entry for entry in map(mapping, listed(known.get("messages"))) if entry.get("role") == "user"]
    return text(of_user[-1].get("content")) or "" if of_user else ""


def _parts(known: Mapping[str, Any]) -> str:
    """The texts among the pieces of an input with pictures or sound."""
    pieces = listed(mapping(known.get("multimedia_content")).get("media_objects"))
    return "\n".join(said for piece in map(mapping, pieces) if (said := text(piece.get("text"))) is not None)


def options_of(asked: Asked, method: str, shown: Any, letters: Sequence[str]) -> Options | None:
    """The options among which an answer was to choose; null where it was free.

    `shown` is the table of letters and texts that was asked with, `letters` what stood before the references. An answer that was free is
    one of the references where some of these are wrong and the golds are labels such as yes and no.
    """
    lettered = {name: said for name, said in mapping(shown).items() if isinstance(said, str)}
    if not lettered and method.startswith(JOINT):
        lettered = dict(zip(_letters(letters, len(asked.references)), asked.references, strict=True))
    if not lettered and not method.startswith(SEPARATE) and not _labels(asked):
        return None
    texts = list(lettered.values()) or list(asked.references)
    if not texts:
        return None
    found = distinct(texts)
    by_text = {collapse(said): place for place, said in enumerate(found.texts)}
    golds = sorted({by_text[collapse(gold)] for gold in asked.golds if collapse(gold) in by_text})
    places = [by_text.get(collapse(reference), -1) for reference in asked.references]
    named = {name: by_text[collapse(said)] for name, said in lettered.items()}
    return Options(found.texts, places, named, tuple(golds))


def _letters(given: Sequence[str], count: int) -> list[str]:
    return [given[place] if place < len(given) else letter(place) for place in range(count)]


def _labels(asked: Asked) -> bool:
    """Whether the references of a free answer are all the labels it may give."""
    wrong = {collapse(said) for said in asked.references} - {collapse(gold) for gold in asked.golds}
    return bool(asked.golds) and bool(wrong) and is_label(asked.golds)


def item_of(task: str, key: Key, asked: Asked, options: Options | None, instance: Mapping[str, Any]) -> Item:
    """The item; its chance is unknown where golds are hidden. Without options it is open, unless the task knows better."""
    item = Item(
        task,
        native_id=" ".join(part for part in key.item if part),
        domain=text(instance.get("sub_split")),
        question=asked.question,
        golds=asked.golds,
        meta=_meta(instance),
    )
    if options is None:
        return item._replace(chance=0.0 if asked.golds else None)
    k, golds = len(options.texts), tuple(options.texts[place] for place in options.golds)
    return item._replace(
        choices=options.texts, golds=golds or asked.golds, k=k, chance=len(golds) / k if golds else None
    )


def _meta(instance: Mapping[str, Any]) -> dict[str, Any] | None:
    split = text(instance.get("split"))
    return {"split": split} if split else None
