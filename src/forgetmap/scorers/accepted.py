"""What an online judge said of a program."""

import re

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.judging import Judge, same_text

VERSION = "1"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_VERDICT = re.compile(
    r"^\W*(accepted|wrong answer|(?:runtime|compile|presentation) error|(?:time|memory|output) limit exceeded)\b",
    re.IGNORECASE | re.MULTILINE,
)
_JUDGE = Judge("accepted", VERSION, same_text)


def accepted(item: Item, answer: str) -> Score:
    """Whether a judge's report (LeetCode) begins with "Accepted"; failed where it holds no verdict, as after an error of the network.

    The text is the report, not the program.

    >>> accepted(Item("t"), "  ✔ Accepted\\n  ✔ 20/20 cases passed").value
    1.0
    """
    verdict = _VERDICT.search(_COLOUR.sub("", answer[:10_000]))
    if verdict is None:
        return _JUDGE.failed("the judge's report holds no verdict")
    said = verdict[1].lower()
    return _JUDGE.scored(said == "accepted", f"the verdict {said}")
