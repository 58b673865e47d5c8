"""TruthfulQA: its choices are two sets one behind the other, of which only the first has one right answer among its options.

`mc1` is scored on the first set and `mc2`, a share of probability, on the second. `len_mc1` says where the first ends.
"""

import re
from typing import Any

from forgetmap.formats.lighteval.details_row import Details

LENGTH = "len_mc1"
_FIRST_SET = re.compile(r"(?:^|_)mc1$")


def first_set(row: Details) -> Details:
    """The row with the options of the first set alone; other rows as they are. Where its end is not told, no options are known."""
    if not isinstance(row.metrics, dict) or not any(map(_FIRST_SET.search, row.metrics)):
        return row
    count = row.specific.get(LENGTH) if isinstance(row.specific, dict) else None
    if not isinstance(row.choices, list) or not isinstance(count, int) or not 1 < count <= len(row.choices):
        return row._replace(choices=None, gold_index=None, gold=None, logprobs=None)
    golds = row.gold_index if isinstance(row.gold_index, list) else [row.gold_index]
    within = [place for place in golds if isinstance(place, int) and place < count]
    return row._replace(choices=row.choices[:count], gold_index=within, logprobs=_until(row.logprobs, count))


def _until(values: Any, count: int) -> Any:
    return values[:count] if isinstance(values, list) else values
