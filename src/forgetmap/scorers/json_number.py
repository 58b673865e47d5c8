"""The field "answer" of a JSON object, as a number."""

from forgetmap.records.schema import Item, Score
from forgetmap.scorers.json_answer import field, judged_field
from forgetmap.scorers.judging import NO_GOLD, Judge
from forgetmap.scorers.number import same_number, value

VERSION = "2"
_JUDGE = Judge("json_number", VERSION, same_number)


def json_number(item: Item, answer: str) -> Score:
    """Whether the first number in the field "answer" is the gold's; a field without a number is unparsed.

    >>> json_number(Item("t", golds=("1200",)), '{"answer": "$1,200.00"}').value
    1.0
    """
    if item.golds and all(value(gold) is None for gold in item.golds):
        return _JUDGE.failed(f"{NO_GOLD} that is a number")
    said = field(answer)
    if said.found is not None and value(said.found.text) is None:
        return _JUDGE.unparsed() if item.golds else _JUDGE.failed(NO_GOLD)
    return judged_field(_JUDGE, item._replace(choices=None, k=None), said)
