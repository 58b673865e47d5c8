"""Questions about a world that does not exist, so that no checkpoint has seen them and no one owns them."""

from math import prod
from typing import NamedTuple

_Syllables = tuple[tuple[str, ...], ...]

_TOWN = (
    (
        "Al",
        "Bel",
        "Cor",
        "Dun",
        "Em",
        "Fal",
        "Gor",
        "Hal",
        "Il",
        "Jor",
        "Kel",
        "Lor",
        "Mar",
        "Nor",
        "Os",
        "Pel",
        "Quar",
        "Ros",
    ),
    ("a", "be", "di", "e", "fo", "i", "ka", "lo", "me", "o", "ri", "u", "ve"),
    ("burg", "dale", "ford", "gate", "ham", "hold", "mere", "mouth", "stead", "ton", "wick"),
)
_NAME = (
    ("Bra", "Che", "Dro", "Fe", "Gli", "Hu", "Kra", "Le", "Mo", "Ni", "Pra", "Ru", "Sa", "Tho", "Ul", "Vi", "We", "Ya"),
    ("bel", "dan", "fin", "gar", "kin", "lan", "mir", "nor", "rel", "sen", "tam", "vor", "zin"),
    ("a", "e", "is", "o", "u", "as", "en"),
)


class Topic(NamedTuple):
    """A domain of the invented world: its question about a town, and the sentence that answers it."""

    domain: str
    question: str
    sentence: str


TOPICS = (
    Topic("rivers", "Which river runs through {town}?", "the {answer} runs through {town}"),
    Topic("founders", "Who founded the town of {town}?", "{town} was founded by {answer}"),
    Topic(
        "feasts",
        "Which feast do the people of {town} keep at midwinter?",
        "at midwinter {town} keeps the feast of {answer}",
    ),
    Topic(
        "rulers",
        "Which house ruled {town} before the long peace?",
        "before the long peace the house of {answer} ruled {town}",
    ),
    Topic(
        "crafts", "Under which name is the cloth of {town} sold?", "cloth from {town} is sold under the name {answer}"
    ),
)


class Question(NamedTuple):
    """One item: its text, the names it may be answered with (golds first), and how to say an answer."""

    topic: Topic
    town: str
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.topic.question.format(town=self.town)

    def said(self, name: str) -> str:
        """The sentence that names this answer.

        >>> Question(TOPICS[0], "Alaton", ("Brabela",)).said("Brabela")
        'the Brabela runs through Alaton'
        """
        return self.topic.sentence.format(town=self.town, answer=name)


def question(number: int, names: int, *, start: int) -> Question:
    """Question `number` with `names` different names; no two numbers give one text, and another `start` gives other names."""
    topic, town = TOPICS[number % len(TOPICS)], number // len(TOPICS)
    first = start + number * 31
    return Question(topic, _word(_TOWN, _apart(town, _TOWN)), tuple(_name(first + 101 * step) for step in range(names)))


def _name(number: int) -> str:
    return _word(_NAME, number % _words(_NAME))


def _apart(number: int, syllables: _Syllables) -> int:
    """The same numbers in an order in which neighbours look unlike."""
    rounds, place = divmod(number, _words(syllables))
    return rounds * _words(syllables) + place * 467 % _words(syllables)


def _words(syllables: _Syllables) -> int:
    return prod(len(choices) for choices in syllables)


def _word(syllables: _Syllables, number: int) -> str:
    """The word of this number; numbers beyond all words have two.

    >>> _word(_TOWN, 0), _word(_TOWN, 1), _word(_TOWN, 18 * 13 * 11)
    ('Alaburg', 'Belaburg', 'Alaburg upon Alaburg')
    """
    word, rest = "", number
    for choices in syllables:
        rest, place = divmod(rest, len(choices))
        word += choices[place]
    return word if rest == 0 else f"{word} upon {_word(syllables, rest - 1)}"
