"""The options of a sample, named by letters: in its target, and in what a scorer found."""

import re
from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple

from forgetmap.records.ids import collapse
from forgetmap.records.options import distinct

_SEVERAL = re.compile(r"[,\s]+")


class Options(NamedTuple):
    """Options as shown, and which of the distinct ones are gold."""

    texts: tuple[str, ...] | None
    """The distinct ones; null where only their letters are known."""
    places: Sequence[int]
    """For each option shown, the index of its text."""
    golds: tuple[int, ...]

    @property
    def k(self) -> int:
        return len(set(self.places))

    def place(self, answer: str) -> int | None:
        """The option that an answer names by letter or by text; null for none or several."""
        shown = _shown(answer, len(self.places))
        if shown is not None:
            return self.places[shown]
        texts = [collapse(known) for known in self.texts or ()]
        return texts.index(collapse(answer)) if collapse(answer) in texts else None


def options_of(choices: Any, target: Any) -> Options | None:
    """The options a sample offers with the gold ones its target names; null where it offers none."""
    if not isinstance(choices, list) or not choices or not all(isinstance(choice, str) for choice in choices):
        return None
    found = distinct(choices)
    offered = Options(found.texts, found.places, ())
    return offered._replace(golds=_golds(target, offered))


def lettered(k: int, golds: Sequence[str]) -> Options | None:
    """Options of which the user said how many there are and the log shows letters alone; null where the golds are no such letters."""
    places = [_shown(gold, k) for gold in golds]
    named = [place for place in places if place is not None]
    return Options(None, range(k), tuple(named)) if named and len(named) == len(places) else None


def _golds(target: Any, offered: Options) -> tuple[int, ...]:
    """Places of the golds: letters alone, several in one word ("AC"), or texts; none where any part names no option."""
    named = target if isinstance(target, list) else [target]
    words = [word for one in named for word in _words(one, offered)]
    places = [offered.place(word) for word in words]
    return tuple(sorted({place for place in places if place is not None})) if None not in places else ()


def _words(target: Any, offered: Options) -> list[str]:
    if not isinstance(target, str) or not target.strip():
        return [""] if not isinstance(target, str) else []
    if offered.place(target) is not None:
        return [target]
    parts = [part for part in _SEVERAL.split(target) if part]
    return list(parts[0]) if len(parts) == 1 else parts


def _shown(name: str, count: int) -> int | None:
    """Index of the option shown under a name: A to Z, then 1, 2, ... for the 27th and on.

    >>> _shown("c", 4), _shown("E", 4), _shown("2", 30)
    (2, None, 27)
    """
    plain = name.strip().upper()
    if len(plain) == 1 and plain in ascii_uppercase:
        place = ascii_uppercase.index(plain)
    elif re.fullmatch(r"[1-9][0-9]{0,5}", plain):
        place = len(ascii_uppercase) - 1 + int(plain)
    else:
        return None
    return place if place < count else None
