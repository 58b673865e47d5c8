"""A row of a file of answers as records: the item, one sample a generation, and a score where a letter decides."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from forgetmap.formats.captrack import values
from forgetmap.formats.captrack.files import GOLD, OUTPUTS, Cells
from forgetmap.formats.captrack.tasks import ALIASES, GUESSED, LETTERED, PASSAGES, STRUCTURED, known
from forgetmap.records.ids import collapse, content_id, prompt_id
from forgetmap.records.mending import Rules, k_said, mended
from forgetmap.records.options import Distinct, distinct, letter
from forgetmap.records.schema import Item, Row, Sample, Score
from forgetmap.scorers.choice import choice

FIELDS = frozenset(
    {
        "id",
        "family",
        "prompt",
        "formatted_prompt",
        "ctx",
        "choices",
        "gold",
        "meta",
        "schema",
        "tool_spec",
        "task",
        "seed",
    }
    | {OUTPUTS, "turn1_response"}
)
_META = ("family", "ctx", "schema", "tool_spec")


class Shown(NamedTuple):
    """The options of a row: texts, or how many letters."""

    texts: tuple[str, ...]
    letters: int | None
    distinct: Distinct | None


@dataclass(slots=True)
class TaskRows:
    """Turns the rows of one task, in the order of their ids, into records."""

    task: str
    rules: Rules
    unjudged: int = 0
    """Rows that ask for a letter and do not say which one is right."""
    again: int = 0
    """Rows that ask an item once more."""
    _draws: Counter[tuple[Any, ...]] = field(default_factory=Counter)

    def rows(self, cells: Cells) -> Iterator[Row]:
        """One row a generation; ValueError says why there is none."""
        if OUTPUTS not in cells:
            raise ValueError(f"has no {OUTPUTS}")
        task = known(values.text(cells.get("task")) or "") or self.task
        shown = _shown(cells.get("choices"))
        item, judged = self._item(task, cells, shown)
        if item.question is None and item.native_id is None:
            raise ValueError("has neither id nor prompt, so nothing says which item it is")
        first = self._draw(item)
        for number, answer in enumerate(said := values.answers(cells[OUTPUTS])):
            sample = Sample(first + number, _seed(cells, len(said)), _asked(cells), response=answer)
            yield Row(item, sample, (_score(item, shown, answer),) if judged else ())
        self._count(item, len(said))

    def _item(self, task: str, cells: Cells, shown: Shown) -> tuple[Item, bool]:
        """The item, and whether an answer to it is judged by its letter."""
        native = values.text(cells.get("id"))
        golds = values.golds(cells.get(GOLD), structured=task in STRUCTURED, several=task in ALIASES)
        golds, fits = _lettered(golds, shown) if task in LETTERED else (golds, False)
        item = Item(
            task,
            native_id=None if native is None or not native.strip() else native,
            question=values.question(cells.get("prompt")),
            choices=shown.distinct.texts if shown.distinct else None,
            golds=golds,
            cluster=_passage(cells) if task in PASSAGES else None,
            source=_source(cells),
            meta=_meta(cells, golds),
        )
        item = mended(_guessed(item, shown), k_said(self.rules, task))
        judged = fits and item.k is not None
        self.unjudged += task in LETTERED and not judged
        return item, judged

    def _draw(self, item: Item) -> int:
        """The next draw of an item: a row that comes again is a further one."""
        seen = self._draws[_key(item)] if item.native_id is not None else 0
        self.again += seen > 0
        return seen

    def _count(self, item: Item, draws: int) -> None:
        self._draws[_key(item)] += draws


def order(cells: Cells) -> tuple[int, int, str]:
    """Rows come in the order of their ids: numbers, then texts; those without one come last, as they stand."""
    native = values.text(cells.get("id"))
    if native is None:
        return (2, 0, "")
    digits = native.removeprefix("-")
    return (0, int(native), "") if digits.isdecimal() and len(digits) <= 18 else (1, 0, native)


def _shown(cell: object) -> Shown:
    texts = values.options(cell)
    if texts and [text.strip().upper() for text in texts] == [letter(place) for place in range(len(texts))]:
        return Shown((), len(texts), None)
    return Shown(texts, None, distinct(texts) if texts else None)


def _lettered(golds: Sequence[str], shown: Shown) -> tuple[tuple[str, ...], bool]:
    """The gold by its text, or by its letter where no text is known; and whether it is one of the options."""
    gold = golds[0].strip() if len(golds) == 1 else ""
    place = ord(gold.upper()) - ord("A") if len(gold) == 1 and gold.isascii() and gold.isalpha() else None
    if shown.distinct is None:
        fits = place is not None and place < (shown.letters or 26)
        return ((letter(place),) if fits and place is not None else tuple(golds)), fits
    by_text = shown.distinct.by_text.get(collapse(gold))
    if by_text is not None:
        return (shown.distinct.texts[by_text],), True
    if place is not None and place < len(shown.texts):
        return (shown.distinct.texts[shown.distinct.places[place]],), True
    return tuple(golds), False


def _score(item: Item, shown: Shown, answer: str | None) -> Score:
    """What the option that an answer names is worth. Letters stand for the options as shown, of which some may be one."""
    if shown.distinct is None:
        score = choice(item, answer or "")
        named = score.choice is not None and item.k is not None and score.choice < item.k
        return score if named else score._replace(choice=None)
    score = choice(item._replace(choices=shown.texts), answer or "")
    return score if score.choice is None else score._replace(choice=shown.distinct.places[score.choice])


def _guessed(item: Item, shown: Shown) -> Item:
    """The item with its chance: an option is guessed where one is asked for; whatever else is asked has none."""
    if item.task not in GUESSED:
        return item._replace(chance=0.0)
    k = len(shown.distinct.texts) if shown.distinct else shown.letters
    return item._replace(k=k, chance=1 / k if k else None)


def _key(item: Item) -> tuple[Any, ...]:
    return (item.task, item.native_id, content_id(item))


def _asked(cells: Cells) -> str | None:
    """The prompt as it was sent; of two turns with the answer to the first between them."""
    formatted = values.question(cells.get("formatted_prompt"))
    if formatted is not None:
        return formatted
    turns, reply = values.turns_of(cells.get("prompt")), values.text(cells.get("turn1_response"))
    if len(turns) > 1 and reply is not None:
        return "\n\n".join([turns[0], reply, *turns[1:]])
    return "\n\n".join(turns) or None


def _seed(cells: Cells, draws: int) -> int | None:
    """The seed of a row belongs to its one generation."""
    said = values.text(cells.get("seed")) if draws == 1 else None
    return int(said) if said is not None and said.removeprefix("-").isdecimal() and len(said) < 19 else None


def _passage(cells: Cells) -> str | None:
    said = values.text(cells.get("ctx"))
    return prompt_id(said) if said and said.strip() else None


def _source(cells: Cells) -> str | None:
    meta = values.decoded(cells.get("meta"))
    return values.text(meta.get("source")) if isinstance(meta, dict) else None


def _meta(cells: Cells, golds: Sequence[str]) -> dict[str, Any] | None:
    """What else the data set says of an item: what a later scorer needs."""
    told = values.decoded(cells.get("meta"))
    meta = (
        {str(name): values.kept(value) for name, value in told.items() if name != "source"}
        if isinstance(told, dict)
        else {}
    )
    meta |= {name: values.kept(cells[name]) for name in _META if _is_said(cells.get(name))}
    gold = values.decoded(cells.get(GOLD))
    if isinstance(gold, dict) or (isinstance(gold, list) and not golds):
        meta["gold"] = values.kept(gold)
    return meta or None


def _is_said(cell: object) -> bool:
    return not (cell is None or (isinstance(cell, str | list | dict) and not cell) or cell != cell)
