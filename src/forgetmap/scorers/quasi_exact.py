"""Quasi-exact match: an answer is right where it says what a gold says, but for case, punctuation, articles and white space.

The rule of SQuAD (Rajpurkar et al. 2016), which HELM uses too (Liang et al. 2022). Where nothing is left of a text, such as "+", it
is compared as it stands; where an item has options, the answer must name one of them.
"""

import re
import string
from collections.abc import Sequence

from forgetmap.records.ids import collapse
from forgetmap.records.schema import Item, Score

SCORER = "quasi_exact_match"
VERSION = "1"
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def quasi_exact_match(item: Item, answer: str) -> Score:
    """Right or wrong by text. An answer without words, or one that names no option, is unparsed; an item without gold judges nothing.

    >>> quasi_exact_match(Item("t", golds=("The Hague",)), " the hague. ").value
    1.0
    >>> quasi_exact_match(Item("t", choices=("red", "blue"), golds=("red",)), "Blue").choice
    1
    """
    if not answer.strip():
        return Score(SCORER, "unparsed", version=VERSION)
    if not item.golds:
        return Score(SCORER, "failed", version=VERSION, found="the item has no gold")
    if item.choices is None:
        said = plain(answer)
        right = any(plain(gold) == said for gold in item.golds)
        return Score(SCORER, "scored", float(right), version=VERSION, found="text")
    place = _option(answer, item.choices)
    if place is None:
        return Score(SCORER, "unparsed", version=VERSION)
    right = collapse(item.choices[place]) in {collapse(gold) for gold in item.golds}
    return Score(SCORER, "scored", float(right), place, VERSION, "text")


def _option(answer: str, options: Sequence[str]) -> int | None:
    """The one option that says the same: to the letter, else but for what does not count; null for none, or several."""
    said, bare = collapse(answer), plain(answer)
    exact = [place for place, option in enumerate(options) if collapse(option) == said]
    loose = [place for place, option in enumerate(options) if plain(option) == bare]
    return exact[0] if exact else loose[0] if len(loose) == 1 else None


def plain(text: str) -> str:
    """A text in lower case without punctuation, articles and needless white space; as it stands where that leaves nothing.

    >>> plain(" The  cat's tail. "), plain("?!")
    ('cats tail', '?!')
    """
    bare = collapse(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)))
    return bare or collapse(text)
