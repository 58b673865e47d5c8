"""What a text shows of how it ended: repeating itself, or cut off at the token limit. Neither says whether it is right."""

import re

_PROBE = 24
"""Characters at the end of a text that must recur before a repetition is looked for."""
_TRIES = 12
_SPAN = 120
"""Characters a repetition must cover before it counts; a rule under a heading is shorter."""
_BLANK_SPAN = 400
"""The same for pieces without a letter or digit: tables and drawings repeat dashes, dots and spaces."""
_TIMES = 4
_PIECES = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_+")
_FINISHED = tuple(".!?…。！？।۔\"'”’»)]}>*`|;:、」』）】")


def looping(text: str) -> bool:
    """Whether the tail of a text repeats one piece, at least four times over at least 120 characters.

    Pieces that hold no letter or digit (dashes, dots, white space) must cover 400 characters. The last repetition may be cut.

    >>> looping("The answer is 7. " + "So it is 7. " * 20)
    True
    >>> looping("1. apples\\n2. pears\\n3. plums\\n" + "-" * 10)
    False
    """
    tail = text.rstrip()
    return len(text) - len(tail) >= _BLANK_SPAN or _repeats(tail)


def _repeats(tail: str) -> bool:
    """Try the distances at which the end of the text was said before, nearest first."""
    size = len(tail)
    if size < _SPAN:
        return False
    probe, end = tail[-_PROBE:], size - 1
    for _ in range(_TRIES):
        start = tail.rfind(probe, 0, end)
        period = size - _PROBE - start
        if start < 0 or period * _TIMES > size:
            return False
        if _has_period(tail, period):
            return True
        end = start + _PROBE - 1
    return False


def _has_period(tail: str, period: int) -> bool:
    """Whether the end of `tail` is one piece of `period` characters over and over, for as long as such a piece must be."""
    blank = not any(character.isalnum() for character in tail[-period:])
    span = max(_TIMES * period, _BLANK_SPAN if blank else _SPAN)
    return span <= len(tail) and tail[-span:-period] == tail[-span + period :]


def cut_off(text: str, limit: int) -> bool:
    """Whether an answer ran into its limit of tokens, judged from the text alone: long enough for it, and ending mid-sentence.

    Cautious: a text that may have had room left, or that ends like a sentence, is not called cut off.

    >>> cut_off("and then " * 300, 256), cut_off("and then " * 300 + "it ended.", 256), cut_off("and then", 256)
    (True, False, False)
    """
    end = text.rstrip()
    return limit > 0 and bool(end) and not end.endswith(_FINISHED) and _least_tokens(end, limit) >= limit


def _least_tokens(text: str, enough: int) -> int:
    """How many tokens a text surely takes, give or take a tenth: long words are split, digits come in threes at most.

    Counting stops at `enough`.
    """
    tokens = 0
    for piece in _PIECES.finditer(text):
        length = piece.end() - piece.start()
        tokens += 1 + (length - 1) // (3 if piece[0].isdigit() else 12)
        if tokens >= enough:
            break
    return tokens
