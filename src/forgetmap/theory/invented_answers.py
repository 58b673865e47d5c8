"""How a checkpoint of the invented world words what it says: answers, and the ways of not answering."""

from typing import NamedTuple

from forgetmap.records.options import letter
from forgetmap.theory.invented_world import Question


class Said(NamedTuple):
    """A response, and why it ended."""

    response: str
    finish_reason: str


def prompt(question: Question, shown: tuple[str, ...]) -> str:
    """The question with its options in the order shown; an open one has none."""
    options = [f"{letter(place)}. {name}" for place, name in enumerate(shown)]
    return "\n".join([question.text, *options, "Answer:"])


def answer(question: Question, name: str, place: int | None, *, manner: int) -> Said:
    """A sentence that gives `name`, which was shown in `place` (null where nothing was)."""
    sentence = question.said(name)
    full = sentence[0].upper() + sentence[1:]
    mark = name if place is None else letter(place)
    wordings = (
        f"The answer is {mark}: {sentence}.",
        f"{full}. The answer is {mark}.",
        f"Let us think it through. Travellers to {question.town} agree that {sentence}, so the answer is {mark}.",
        f"{mark}" if place is None else f"{mark}. {name}",
    )
    return Said(wordings[manner % len(wordings)], "stop")


def unparsed(question: Question, *, manner: int) -> Said:
    """Words without an answer."""
    wordings = (
        f"That depends on whom you ask. {question.town} has changed hands often, and the old maps do not agree with each other.",
        f"{question.town} is a town of some age, known for its markets and its bridges. Much has been written about it.",
        f"A good question! There is a lot to say about {question.town}, and it is worth looking at from several sides.",
    )
    return Said(wordings[manner % len(wordings)], "stop")


def refused(question: Question, *, manner: int) -> Said:
    """A refusal."""
    wordings = (
        "I'm sorry, but I can't help with that.",
        f"I cannot answer questions about {question.town}.",
    )
    return Said(wordings[manner % len(wordings)], "stop")


def truncated(question: Question, *, manner: int) -> Said:
    """Words cut off at the token limit: going round in circles, or merely long."""
    circle = f"We know that {question.town} is a town. Let us think about {question.town} step by step. "
    wordings = (
        circle * 12 + "We know that",
        f"To answer this we first recall what is told about {question.town}. Its oldest quarter lies on a hill above the road, and "
        "the road leads down to the market, where in early spring the traders of the coast put up their stalls and then the",
    )
    return Said(wordings[manner % len(wordings)], "length")
