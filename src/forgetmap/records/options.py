"""Options of items: which of them are one, and what an option is called whose text is not known."""

from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import NamedTuple


class Distinct(NamedTuple):
    """Options without repeats, in the order first shown."""

    texts: tuple[str, ...]
    """Each as it was first shown."""
    places: Sequence[int]
    """For each option shown, its index among these."""
    by_text: Mapping[str, int]
    """The same index by text, white space collapsed."""


def distinct(shown: Iterable[str]) -> Distinct:
    """Those of equal text, but for white space, are one option.

    >>> distinct(["yes", "no", "yes "])
    Distinct(texts=('yes', 'no'), places=(0, 1, 0), by_text={'yes': 0, 'no': 1})
    """
    texts = tuple(shown)
    # Most options come once, so they would only push others out of the cache of `collapse`.
    keys = [" ".join(text.split()) for text in texts]
    first = dict(zip(reversed(keys), reversed(texts), strict=True))
    if len(first) == len(texts):
        return Distinct(texts, range(len(texts)), {key: place for place, key in enumerate(keys)})
    by_text = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    return Distinct(tuple([first[key] for key in by_text]), tuple([by_text[key] for key in keys]), by_text)


def letter(place: int) -> str:
    """How an option is called where its text is not known: by its letter, beyond Z by its index from 0.

    >>> letter(1), letter(26)
    ('B', '26')
    """
    return ascii_uppercase[place] if place < len(ascii_uppercase) else str(place)
