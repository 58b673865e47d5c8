"""What a question of lighteval says: its text without frame, and its options.

lighteval stores the finished query, such as "Question: …", lines "A. …" and "Answer:", where the data set had columns. The frame is
taken off again, so that an item has the name it has in logs that keep the columns.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from forgetmap.formats.lighteval.details_row import Details
from forgetmap.formats.lm_eval.content import columns, option_lists
from forgetmap.formats.lm_eval.options import Options, letter
from forgetmap.records.ids import collapse
from forgetmap.records.options import distinct

_OPTION = re.compile(r"[ \t]*\(?([A-Za-z])[).:][ \t]*(.*)")
_BEFORE = re.compile(r"(?:Question|Q)[ \t]*\d*[ \t]*[:.][ \t]*", re.IGNORECASE)
_BEHIND = re.compile(r"\n[ \t]*(?:Answer[ \t]*:?|A[ \t]*:)\s*\Z|[ \t]+(?:Answer|A):\s*\Z", re.IGNORECASE)
_ANNOUNCED = re.compile(r"The following (?:is|are) [^\n]*\bquestions?\b[^\n]*\n\s*", re.IGNORECASE)
_OPTIONS_BEGIN = re.compile(r"\n[ \t]*(?:Choices|Options|Answer choices)[ \t]*:\s*\Z", re.IGNORECASE)
_ANSWERED = re.compile(r"^[ \t]*Answer[ \t]*:[ \t]*\S.*$", re.IGNORECASE | re.MULTILINE)
_ANSWER_LINE = re.compile(r"[ \t]*(?:(?:final|your|the|correct)[ \t]+)?answer\b|[ \t]*A:", re.IGNORECASE)


class Asked(NamedTuple):
    """The question, and the options where the row has any."""

    question: str
    options: Options | None


class Block(NamedTuple):
    """Options that stand as lettered lines in a query."""

    head: str
    """What stands before them."""
    texts: list[str]


def asked(row: Details, offered: Sequence[str]) -> Asked:
    """What was asked; `offered` are the row's own choices, texts or letters. ValueError where there is no question."""
    if not isinstance(row.query, str) or not row.query.strip():
        raise ValueError("has no question")
    labels = are_labels(offered)
    block = lettered_block(row.query, len(offered)) if labels else None
    told = row.original if isinstance(row.original, str) and row.original.strip() else None
    question = _told(row.specific, row.query) or _unframed(
        told or (block.head if block else row.query), row.instruction
    )
    return Asked(question, _options(row, offered, labels, block) if offered else None)


def are_labels(offered: Sequence[str]) -> bool:
    """Whether options are the letters from A on.

    >>> are_labels([" A", " B"]), are_labels(["(A)", "(C)"]), are_labels(["yes", "no"])
    (True, False, False)
    """
    return len(offered) > 1 and [letter(text) for text in offered] == list(range(len(offered)))


def lettered_block(query: str, count: int) -> Block | None:
    """The last options of a query that stand on lines "A. …", "B) …", "(C) …", from A on; null where some is missing.

    >>> lettered_block("Which?\\nA. this\\nB. that\\nAnswer:", 2)
    Block(head='Which?', texts=['this', 'that'])
    """
    lines = query.split("\n")
    places = [_place(line) for line in lines]
    starts = [number for number, place in enumerate(places) if place == 0]
    for start in reversed(starts):
        at = _follow(places, start, count)
        if at is not None:
            return _block(lines, at)
    return None


def letters_shown(query: str) -> int:
    """How many options the last lettered lines of a query offer, from A on; 0 where there are no two.

    >>> letters_shown("Which?\\nA. this\\nB. that\\nC. both\\nAnswer:"), letters_shown("A. Lincoln was born when?")
    (3, 0)
    """
    places = [_place(line) for line in query.split("\n")]
    start = max((number for number, place in enumerate(places) if place == 0), default=len(places))
    count = 0
    for place in places[start:]:
        count += place == count
    return count if count > 1 and lettered_block(query, count) else 0


def _place(line: str) -> int:
    found = _OPTION.match(line)
    return ord(found[1].upper()) - ord("A") if found else -1


def _follow(places: Sequence[int], start: int, count: int) -> list[int] | None:
    """Numbers of the lines on which the options begin."""
    at = [start]
    for place in range(1, count):
        found = next((number for number in range(at[-1] + 1, len(places)) if places[number] == place), None)
        if found is None:
            return None
        at.append(found)
    return at


def _block(lines: list[str], at: list[int]) -> Block | None:
    end = at[-1] + 1
    while end < len(lines) and lines[end].strip() and not _ANSWER_LINE.match(lines[end]):
        end += 1
    spans = [lines[start:stop] for start, stop in zip(at, [*at[1:], end], strict=True)]
    texts = ["\n".join([_OPTION.sub(r"\2", span[0], count=1), *span[1:]]).strip() for span in spans]
    return Block("\n".join(lines[: at[0]]), texts) if all(texts) else None


def _told(specific: Any, query: str) -> str | None:
    """The question that the row's own columns hold, where it is part of the query."""
    known = columns(specific)
    texts = [text for name in known.question if isinstance(text := specific[name], str) and text.strip()]
    return texts[0] if texts and not known.context and collapse(texts[0]) in collapse(query) else None


def last_question(prompt: str) -> str:
    """The part of a prompt that holds its last question: its last block, or all where examples before it are answered."""
    plain = prompt.rstrip()
    return plain if _ANSWERED.search(plain) else plain.rpartition("\n\n")[2]


def _unframed(text: str, instruction: Any) -> str:
    """A question without instruction, examples, and the words that announce question, options and answer."""
    plain = text.strip()
    if isinstance(instruction, str) and instruction.strip():
        plain = plain.removeprefix(instruction.strip()).strip()
    plain = _OPTIONS_BEGIN.sub("", _BEHIND.sub("", _without_examples(plain))).strip()
    for frame in (_ANNOUNCED, _BEFORE):
        found = frame.match(plain)
        plain = plain[found.end() :] if found else plain
    return plain.strip() or text.strip()


def _without_examples(text: str) -> str:
    """What follows the last example that is answered."""
    answered = list(_ANSWERED.finditer(text))
    if not answered:
        return text
    rest = text[answered[-1].end() :]
    found = rest.partition("\n\n")[2] if "\n\n" in rest else rest
    return found if found.strip() else text


def _options(row: Details, offered: Sequence[str], labels: bool, block: Block | None) -> Options:
    texts: Sequence[str] | None = offered
    if labels:
        listed = (texts for texts in option_lists(row.specific, columns(row.specific)) if len(texts) == len(offered))
        texts = block.texts if block else next(listed, None)
    found = distinct(offered if texts is None else texts)
    return Options(offered, texts, tuple([text.strip() for text in found.texts]), found.places)
