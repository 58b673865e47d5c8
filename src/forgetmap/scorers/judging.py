"""What a found answer is worth: held against the options of an item, or against its golds."""

import re
from collections import deque
from collections.abc import Callable, Sequence
from string import ascii_uppercase
from typing import NamedTuple

from forgetmap.records.options import distinct
from forgetmap.records.schema import Item, Score

_LETTER = re.compile(r"[(\[]?([A-Za-z])[)\]]?[.:]?")
BEYOND = "a letter beyond the options"
NO_GOLD = "the item has no gold"


class Found(NamedTuple):
    """An answer in a text: what it says, and how it was found."""

    text: str
    how: str


class Judge(NamedTuple):
    """The scorer that speaks, and the rule by which it holds an open answer against a gold."""

    scorer: str
    version: str
    same: Callable[[str, str], bool]

    def unparsed(self) -> Score:
        return Score(self.scorer, "unparsed", version=self.version)

    def truncated(self) -> Score:
        return Score(self.scorer, "truncated", version=self.version)

    def failed(self, why: str) -> Score:
        return Score(self.scorer, "failed", version=self.version, found=why)

    def scored(self, right: bool, how: str, choice: int | None = None) -> Score:
        return Score(self.scorer, "scored", float(right), choice, self.version, how)

    def score(self, item: Item, found: Found | None) -> Score:
        """By the item's options where it has some; by letter where its golds are letters of options not told; else by `same`."""
        if not item.golds:
            return self.failed(NO_GOLD)
        if found is None or not found.text.strip():
            return self.unparsed()
        if item.choices is not None:
            return self._of_options(item, found)
        if golds_are_letters(item):
            return self._of_letters(item, found)
        return self.scored(any(self.same(found.text, gold) for gold in item.golds), found.how)

    def _of_options(self, item: Item, found: Found) -> Score:
        choices = item.choices or ()
        place = option(found.text, choices)
        if place is None:
            return self.unparsed() if letter(found.text) is None else self.scored(False, BEYOND)
        known = distinct(item.golds).by_text
        return self.scored(plain(choices[place]) in known, found.how, place)

    def _of_letters(self, item: Item, found: Found) -> Score:
        place = letter(found.text)
        if place is None:
            return self.unparsed()
        return self.scored(place in [letter(gold) for gold in item.golds], found.how, place)


def last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Where a pattern is found for the last time."""
    return next(iter(deque(pattern.finditer(text), maxlen=1)), None)


def plain(text: str) -> str:
    """A text with its white space collapsed."""
    return " ".join(text.split())


def same_text(answer: str, gold: str) -> bool:
    """Whether two texts are equal but for white space."""
    return plain(answer) == plain(gold)


def golds_are_letters(item: Item) -> bool:
    """Whether the item hides its options: every gold is a letter in brackets, or a letter of an item of known k."""
    bare = item.k is not None
    return bool(item.golds) and all(
        letter(gold) is not None and (bare or gold.strip().startswith("(")) for gold in item.golds
    )


def letter(text: str) -> int | None:
    """Place of the option that a text names by its letter alone; null where it says anything else.

    >>> letter("(C)"), letter(" b. "), letter("a cat")
    (2, 1, None)
    """
    found = _LETTER.fullmatch(text.strip()[:8])
    return None if found is None else ascii_uppercase.index(found[1].upper())


def option(text: str, choices: Sequence[str]) -> int | None:
    """Place of the option that a text is, by letter ("(B)"), by letter and text ("(B) this"), or by text in any case.

    >>> option("(B)", ["yes", "no"]), option("B. no", ["yes", "no"]), option("YES", ["yes", "no"]), option("so", ["yes"])
    (1, 1, 0, None)
    """
    said = plain(text)
    texts = [plain(choice) for choice in choices]
    for one, all_ in ((said, texts), (said.casefold(), [choice.casefold() for choice in texts])):
        if one in all_ and letter(said) is None:
            return all_.index(one)
    place = letter(said)
    if place is not None:
        return place if place < len(choices) else None
    head, _, rest = said.partition(" ")
    place = letter(head) if head != head.strip("()[].:") else None
    if (
        place is not None
        and place < len(choices)
        and rest.strip(" .").casefold() == texts[place].strip(" .").casefold()
    ):
        return place
    bare = said.strip(" .*`'\"").casefold()
    return option(bare, choices) if bare and bare != said.casefold() else None
