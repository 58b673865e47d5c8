"""The options an lm-eval sample offered, and which of them are gold."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Any, NamedTuple

from forgetmap.formats.lm_eval.content import Columns, counts_from_one, gold_values, literal, option_lists
from forgetmap.formats.lm_eval.requests import Requests, number
from forgetmap.records.ids import collapse
from forgetmap.records.options import distinct

_LABELS = frozenset(
    tuple(pattern.format(letter) for letter in letters[:count])
    for letters in (ascii_uppercase, ascii_uppercase.lower())
    for pattern in ("{}", "({})", "{}.", "{})")
    for count in range(2, 27)
)
_LETTER = re.compile(r"\(?([A-Za-z])[).:]?")

DigitsAreIndexes = Callable[[], bool]


class Options(NamedTuple):
    """Options in the order of the requests."""

    shown: Sequence[str]
    """What was scored: text or label; its length is what normalises a log-likelihood."""
    texts: Sequence[str] | None
    """What the options say; null where the log knows labels only."""
    choices: tuple[str, ...]
    """Distinct options in the order first shown."""
    places: Sequence[int]
    """For each request, the index of its option in `choices`."""

    @property
    def k(self) -> int:
        return len(self.choices)


def offered(asked: Requests, content: Any, known: Columns) -> Options | None:
    """What the requests of a multiple-choice sample offer; null where neither they nor the row say."""
    if not asked.continuations:
        listed = next(option_lists(content, known), None)
        return None if listed is None else options_of(listed)
    scored = _scored(tuple(asked.continuations[: conditional(asked)]))
    count = len(scored.shown)
    lists = [texts for texts in option_lists(content, known) if len(texts) == count]
    if scored.all_same and len(set(map(str, asked.prompts))) > 1:
        differing = _differing(list(map(str, asked.prompts)))
        return _options(differing, lists[0] if lists else differing)
    if scored.are_labels:
        return _options(scored.shown, lists[0] if lists else None)
    return _options(scored.shown, _texts(scored.shown, lists))


class Scored(NamedTuple):
    """The continuations of a sample without their delimiter."""

    shown: tuple[str, ...]
    are_labels: bool
    all_same: bool


@lru_cache(maxsize=256)
def _scored(continuations: tuple[str, ...]) -> Scored:
    """Labels are the same for all samples of a task, so they are looked at once."""
    shown = _without_delimiter(continuations)
    are_labels = tuple(map(str.strip, shown)) in _LABELS
    return Scored(shown, are_labels, len(shown) > 1 and len(set(shown)) == 1)


def options_of(texts: Sequence[str]) -> Options:
    """Options that stand in the row alone."""
    return _options(texts, texts)


@lru_cache(maxsize=256)
def lettered(k: int) -> Options:
    """Options of which the letters are all that is known; beyond Z there are no letters."""
    return options_of(ascii_uppercase[:k])


def conditional(asked: Requests) -> int:
    """How many requests come first; with mutual information the second half asks for the same continuations after nothing."""
    prompts, continuations = asked
    half = len(prompts) // 2
    if half < 2 or prompts[half] != "" or 2 * half != len(prompts):
        return len(prompts)
    nothing = all(prompt == "" for prompt in prompts[half:]) and any(prompts[:half])
    return half if nothing and continuations[:half] == continuations[half:] else len(prompts)


def golds(target: Any, options: Options, digits_are_indexes: DigitsAreIndexes) -> tuple[int, ...]:
    """Places of the golds that a target names: an index, a label, a text, or a list of these."""
    if isinstance(target, str):
        listed = literal(target)
        if listed is None:
            return _of_text(target, options, digits_are_indexes)
        target = listed
    if isinstance(target, list | tuple):
        places = {place for one in target for place in golds(one, options, digits_are_indexes)}
        return tuple(sorted(places))
    index = number(target)
    return _within(int(index), options) if index is not None and index.is_integer() else ()


def golds_of_row(content: Any, options: Options) -> tuple[int, ...]:
    """Places of the golds as the row itself tells, where the target does not: the first column that names an option."""
    less = 1 if counts_from_one(content) else 0
    for value in gold_values(content):
        if isinstance(value, str) and value.strip().isdecimal():
            value = int(value) if len(value) < 10 else -1
        named = _within(value - less, options) if isinstance(value, int) else golds(value, options, lambda: True)
        if named:
            return named
    return ()


def is_ambiguous(target: Any, options: Options) -> bool:
    """Whether a target of digits names one option as an index and another as a text."""
    readings = _readings(target.strip(), tuple(options.shown)) if isinstance(target, str) else ((), ())
    return all(readings) and options.places[readings[0][0]] != options.places[readings[1][0]]


@lru_cache(maxsize=256)
def _readings(plain: str, shown: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Places named when digits are an index, and when they are a text."""
    place = int(plain) if plain.isdecimal() and len(plain) < 10 else len(shown)
    return (place,) if place < len(shown) else (), _equal(plain, shown)


def _of_text(target: str, options: Options, digits_are_indexes: DigitsAreIndexes) -> tuple[int, ...]:
    plain = target.strip()
    as_index, as_text = _readings(plain, tuple(options.shown))
    if as_index and as_text and as_index != as_text:
        return as_index if digits_are_indexes() else as_text
    return as_index or as_text or _equal(plain, options.texts or ()) or _within(letter(plain), options)


def letter(text: str) -> int:
    """Index that a letter names, with or without brackets; −1 where it is no letter.

    >>> letter("(C)"), letter("b."), letter("no")
    (2, 1, -1)
    """
    found = _LETTER.fullmatch(text.strip()) if len(text) < 64 else None
    return ord(found[1].upper()) - ord("A") if found else -1


def _within(place: int, options: Options) -> tuple[int, ...]:
    return (place,) if 0 <= place < len(options.places) else ()


def _equal(plain: str, texts: Sequence[str]) -> tuple[int, ...]:
    """The first place where this very text stands, but for white space."""
    if plain in texts:
        return (texts.index(plain),)
    spaced = plain.split()
    said = [*map(str.strip, texts)] if len(spaced) == 1 else [*map(collapse, texts)]
    wanted = " ".join(spaced)
    return (said.index(wanted),) if wanted in said else ()


def _without_delimiter(continuations: tuple[str, ...]) -> tuple[str, ...]:
    """Every continuation begins with the target delimiter, one white space, unless a chat template took it away."""
    firsts = {continuation[:1] for continuation in continuations}
    if len(firsts) == 1 and firsts.pop().isspace():
        return tuple([continuation[1:] for continuation in continuations])
    return continuations


def _texts(shown: Sequence[str], lists: list[list[str]]) -> Sequence[str]:
    """What was scored, or the row's own texts where it lists as many options in other words."""
    if not lists or list(shown) in lists:
        return shown
    plain = [*map(collapse, shown)]
    return shown if any(plain == [*map(collapse, texts)] for texts in lists) else lists[0]


def _differing(prompts: list[str]) -> list[str]:
    """What is left of the prompts from the first word on in which they differ."""
    least, most = min(prompts), max(prompts)
    same = next((place for place, pair in enumerate(zip(least, most, strict=False)) if len(set(pair)) > 1), len(least))
    start = least.rfind(" ", 0, same) + 1
    return [prompt[start:] for prompt in prompts]


def _options(shown: Sequence[str], texts: Sequence[str] | None) -> Options:
    found = distinct(shown if texts is None else texts)
    return Options(shown, texts, tuple([text.strip() for text in found.texts]), found.places)


def chosen(places: Iterable[int], options: Options) -> tuple[int, ...]:
    """Indexes in `choices` of some places, each once, in order."""
    found = {options.places[place] for place in places}
    return tuple(sorted(found)) if len(found) > 1 else tuple(found)
