"""Whether the golds of a task form a closed set, such as yes, no and maybe: then its answers can be guessed, and nobody said how often.

One verdict a task, from its golds alone, for logs that list no options.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from forgetmap.records.ids import collapse
from forgetmap.records.schema import Item

_LABEL = re.compile(
    r"\(?[a-z]\)?\.?|yes|no|maybe|true|false|valid|invalid|correct|incorrect|uncertain|unknown|undetermined"
    r"|positive|negative|neutral|mixed|entailment|contradiction|not[ _]entailment|(?:im)?plausible|(?:un)?acceptable"
    r"|support(?:s|ed)|refute[sd]|not enough info(?:rmation)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-−+$]?[\d,]*\.?\d+%?")
_DIGIT = re.compile(r"[-−]?\d")
_FEW = 30
"""The most golds that can be a closed set."""
_FEW_DIGITS = 6
"""The most of them that may be numbers, each of one digit: counts of things take more values than that."""
_LONGEST = 40
"""Characters of a label."""
_OFTEN = 3
"""Items that share a gold that is repeated."""
_ITEMS_A_GOLD = 5
_STRAY = 100
"""One item in so many may have a gold that is not repeated."""


def is_label(golds: Sequence[str]) -> bool:
    """Whether the golds of one item look like labels of options that are hidden; also where none is told.

    >>> is_label(["18"]), is_label(["(B)"]), is_label(["Maybe"]), is_label(["a long walk"])
    (False, True, True, False)
    """
    said = [gold.strip() for gold in golds if gold.strip()]
    return all(len(gold) <= _LONGEST and _LABEL.fullmatch(collapse(gold)) for gold in said)


class Golds:
    """The golds of one task, counted once an item."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._labels = self._others = 0
        self._kinds: Counter[tuple[str, ...]] = Counter()

    def add(self, item: Hashable, golds: Sequence[str]) -> None:
        """What is right for an item; further draws and filters of one item say nothing new, and neither does an item without a gold."""
        known = tuple(sorted({collapse(gold).casefold() for gold in golds if gold.strip()}))
        if not known or self.open or hash(item) in self._seen:
            return
        self._seen.add(hash(item))
        label = is_label(known)
        self._labels, self._others = self._labels + label, self._others + (not label)
        self._kinds[known] += 1

    @property
    def open(self) -> bool:
        """Whether more golds are known than a closed set has, and most are no labels: the rest of the task cannot change the verdict."""
        return len(self._kinds) > _FEW and self._others > self._labels

    @property
    def closed(self) -> bool:
        """Whether at least half of the items have a label for a gold, or few golds are repeated over many items."""
        count = self._labels + self._others
        return count > 0 and not self.open and (2 * self._labels >= count or self._repeats(count))

    def _repeats(self, count: int) -> bool:
        """Two to thirty short golds, at most six of them numbers and these of one digit, each in three items or more, five on average."""
        often = [said for said, times in self._kinds.items() if times >= _OFTEN]
        stray = count - sum(self._kinds[said] for said in often)
        numbers = [gold for said in often for gold in said if _NUMBER.fullmatch(gold)]
        return (
            1 < len(often) <= _FEW
            and count >= _ITEMS_A_GOLD * len(often)
            and _STRAY * stray <= count
            and all(len(gold) <= _LONGEST for said in often for gold in said)
            and len(numbers) <= _FEW_DIGITS
            and all(_DIGIT.fullmatch(gold) for gold in numbers)
        )


def golds_of(told: Iterable[tuple[Hashable, Sequence[str]]]) -> Golds:
    """The golds of a task, item by item, looked at no longer than it takes to see that they are open.

    >>> golds_of((number, ["yes", "no", "maybe"][number % 3]) for number in range(30)).closed
    True
    >>> golds_of((number, [str(number * 7)]) for number in range(30)).closed
    False
    """
    found = Golds()
    for item, golds in told:
        found.add(item, golds)
        if found.open:
            break
    return found


def settled(items: Sequence[Item]) -> list[Item]:
    """All items of one task; where the golds form a closed set, one that was taken for open has no known chance.

    >>> [item.chance for item in settled([Item("t", native_id="1", golds=("maybe",), chance=0.0)])]
    [None]
    """
    golds = golds_of(((item.native_id, item.question), item.golds) for item in items if _is_open(item))
    closed = golds.closed
    return [item._replace(chance=None) if closed and _is_open(item) else item for item in items]


def _is_open(item: Item) -> bool:
    return item.chance == 0.0 and item.k is None and item.choices is None
