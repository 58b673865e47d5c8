"""What a dataset row inside an lm-eval sample says: question, options, gold, domain, passage.

Datasets name their columns as they please; these tables hold the names in use, the surest first. A new name is one more word here.
"""

import ast
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import takewhile
from typing import Any, NamedTuple

from forgetmap.formats.lines import to_json
from forgetmap.records.ids import collapse

Content = dict[str, Any]
Names = tuple[str, ...]


def _names(listed: str) -> Names:
    return tuple(listed.split())


QUESTION = _names(
    "question query problem Problem Question question_stem question_text input inputs prompt goal ctx sentence "
    "text instruction"
)
PASSAGE = _names("passage context article story narrative paragraph dialogue conversation document")
"""Texts that several questions may share: they make clusters."""
CONTEXT = PASSAGE + _names("premise hypothesis support sentence1 sentence2 question1 question2 word fact1")
DOMAIN = _names("subject category domain subject_name discipline field")
OPTIONS = _names("choices options endings mc1_targets mc2_targets candidates answer_choices alternatives")
OPTION_TEXTS = _names("text texts choices")
"""Where the texts stand in a column that is itself a set of columns."""
NUMBERED = {"option": 1, "sol": 1, "choice": 1, "ending": 0, "mc_answer": 1}
"""Columns that count the options, and from which number."""
_NUMBERS = 26
OPTION_SERIES = tuple(
    _names(listed)
    for listed in (
        "opa opb opc opd",
        "answerA answerB answerC answerD",
        "answerA answerB answerC",
        "A B C D E",
        "A B C D",
    )
)
COUNTED_FROM_ONE = "option1"
GOLD = _names(
    "answer_index gold_index answerKey answer label gold target cop correct correct_answer answer_idx answers targets "
    "mc1_targets mc2_targets solution correct_answers answer_number"
)
IDS = _names("id idx index ind question_id qid source_id doc_id uuid guid example_id problem_id task_id")
META = _names("category level difficulty")
_NOT_THE_QUESTION = frozenset([*GOLD, *IDS, *OPTIONS, *(name for series in OPTION_SERIES for name in series)]) | {
    f"{stem}{number}" for stem, first in NUMBERED.items() for number in range(first, first + _NUMBERS)
}
_LONGEST_LITERAL = 20_000
_TEXT_ONLY = {str}


class Columns(NamedTuple):
    """The columns of a row that have a meaning here, each kind in its order above."""

    question: Names
    context: Names
    passage: Names
    domain: Names
    options: Names
    series: tuple[Names, ...]
    meta: Names


@lru_cache(maxsize=256)
def _columns(names: tuple[Any, ...]) -> Columns:
    """All rows of a task have the same columns, so this is asked once."""
    present = frozenset(names)
    kinds = [
        tuple(name for name in table if name in present)
        for table in (QUESTION, CONTEXT, PASSAGE, DOMAIN, OPTIONS, META)
    ]
    numbered = tuple(_counted(stem, first, present) for stem, first in NUMBERED.items())
    lettered = (series for series in OPTION_SERIES if present.issuperset(series))
    series = (*(series for series in numbered if len(series) > 1), *lettered)
    question, context, passage, domain, options, meta = kinds
    return Columns(question, context, passage, domain, options, series, meta)


def _counted(stem: str, first: int, present: frozenset[Any]) -> Names:
    """The columns of a stem from its first number on, up to the first that is missing.

    >>> _counted("choice", 1, frozenset({"choice1", "choice2", "choice3", "choice5"}))
    ('choice1', 'choice2', 'choice3')
    """
    names = [f"{stem}{number}" for number in range(first, first + _NUMBERS)]
    return tuple(takewhile(present.__contains__, names))


def columns(content: Any) -> Columns:
    return _columns(tuple(content)) if isinstance(content, dict) else _columns(())


def question(content: Any, known: Columns) -> str | None:
    """What is asked: passage and question where columns are known, else the row's own columns less gold, options and ids."""
    asked = _first(content, known.question)
    told = [text for name in known.context if _is_text(text := content[name])] if known.context else []
    if told:
        return "\n\n".join(told if asked is None else [*told, asked])
    if asked is not None:
        return asked
    if isinstance(content, str):
        return content or None
    return _canonical(content) if isinstance(content, dict) else None


def domain(content: Any, known: Columns) -> str | None:
    return _first(content, known.domain)


def cluster(content: Any, known: Columns) -> str | None:
    """A short hash of the passage, the same for all questions on it."""
    passage = _first(content, known.passage)
    if passage is None:
        return None
    return blake2b(collapse(passage).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def meta(content: Any, known: Columns) -> dict[str, Any] | None:
    """The few columns worth keeping beside the item."""
    return {name: content[name] for name in known.meta if isinstance(content[name], str | int)} or None


def option_lists(content: Any, known: Columns) -> Iterator[list[str]]:
    """Every list of option texts in the row, the surest first."""
    for name in known.options:
        if texts := _texts(content[name]):
            yield texts
    for series in known.series:
        # Rows of a table with more columns than a question has options leave the last ones empty.
        texts = [content[name] for name in takewhile(lambda name: _is_text(content[name]), series)]
        if len(texts) > 1 and not any(_is_text(content[name]) for name in series[len(texts) + 1 :]):
            yield texts


def gold_values(content: Any) -> Iterator[Any]:
    """Values of the columns that may name the gold: an index, a letter or a text."""
    if isinstance(content, dict):
        yield from (content[name] for name in GOLD if isinstance(content.get(name), str | int))


def counts_from_one(content: Any) -> bool:
    """Whether a gold that is a number counts the options from 1, as their names do."""
    return isinstance(content, dict) and COUNTED_FROM_ONE in content


def literal(text: str) -> list[Any] | None:
    """The list that a text spells, or null.

    >>> literal("[0, 2]"), literal("[sic]")
    ([0, 2], None)
    """
    if not (text.startswith("[") and text.endswith("]") and len(text) <= _LONGEST_LITERAL):
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _first(content: Any, names: Names) -> str | None:
    for name in names:
        if _is_text(text := content[name]):
            found: str = text
            return found
    return None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != "" and not value.isspace()


def _texts(value: Any) -> list[str] | None:
    """Option texts from a list, a list of objects, an object of lists, letters with texts, or a list spelled as text."""
    if isinstance(value, str):
        value = literal(value)
    if isinstance(value, dict):
        return _texts_of_columns(value)
    kinds = set(map(type, value)) if isinstance(value, list | tuple) else set()
    if kinds == _TEXT_ONLY:
        return list(value)
    if not kinds:
        return None
    if kinds == {dict}:
        value = [option.get("text", option.get("value")) for option in value]
    return _strings([str(option) if isinstance(option, int | float) else option for option in value])


def _texts_of_columns(value: Content) -> list[str] | None:
    for name in OPTION_TEXTS:
        if isinstance(value.get(name), list | tuple):
            return _strings(list(value[name]))
    letters = [name for name in value if isinstance(name, str) and len(name) == 1 and value[name]]
    return _strings([value[name] for name in letters]) if len(letters) > 1 else None


def _strings(values: list[Any]) -> list[str] | None:
    return values if set(map(type, values)) == _TEXT_ONLY else None


def _canonical(content: Content) -> str | None:
    """A row of unknown columns as JSON with sorted names; columns that are no plain data are left out."""
    names = sorted(name for name in content if isinstance(name, str) and name not in _NOT_THE_QUESTION)
    told = [f"{to_json(name)}: {text}" for name in names if (text := to_json(content[name]))]
    return "{" + ", ".join(told) + "}" if told else None
