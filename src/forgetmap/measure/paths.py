"""What one item's answers at every stage say about its path: at which stages it was known. The formulas; docs/explain/stages.md.

A path is a word with a letter a stage: K known and said, U not known or not answered. Luck falls evenly on the options, and guesses may
repeat in any way: guesses at an item fall into groups of equal guesses, and the groups into any different options alike. So an answer
pattern is told by which stages are right, which unanswered, and which wrong answers are equal. With m golds among k options, w = k − m,
b different wrong answers and rising and falling factorials, a pattern counts for the path that has the right stages and those of h of
its wrong answers known

    x = (−1)^h · m(m+1)…(m+h−1) · k(k−1)…(k−b+h+1) / w(w−1)…(w−b+1)

and for no other. The mean of x is the share of the path wherever w is at least the number of stages, and no other score of a pattern
has that mean. For two stages it is the score of forgetting, gain and known. Open answers have m = 0, and x is a plain count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, product
from math import perm, prod
from typing import NamedTuple

KNOWN, UNKNOWN = "K", "U"
RIGHT, SILENT = 0, -1
"""In a pattern: a right answer, and none; wrong answers are numbered from 1 in the order in which they first come."""
Pattern = tuple[int, ...]
MOST_STAGES = 6
"""Stages up to which paths are worked out: there are 2 to that power."""
BACK_AND_FORTH = "back and forth"
_NAMES = {
    "K": "kept",
    "KU": "lost",
    "KUK": "lost, regained",
    "UK": "gained",
    "UKU": "gained, lost",
    "": BACK_AND_FORTH,
    "U": "never",
}
"""By the turns of a path; any path with more is back and forth."""
NAMES = tuple(_NAMES.values())


class Shape(NamedTuple):
    """What chance says about an item: its golds among its options; 0 golds = open, where no guess is right."""

    golds: int
    options: int

    @property
    def wrong(self) -> int:
        return self.options - self.golds


OPEN = Shape(0, 0)


def all_paths(stages: int) -> list[str]:
    """
    >>> all_paths(2)
    ['KK', 'KU', 'UK', 'UU']
    """
    return ["".join(letters) for letters in product(KNOWN + UNKNOWN, repeat=stages)]


def name_of(path: str) -> str:
    """
    >>> [name_of(path) for path in ("KKK", "KKU", "KUUK", "UKU", "UUU", "KUKU")]
    ['kept', 'lost', 'lost, regained', 'gained, lost', 'never', 'back and forth']
    """
    turns = "".join(letter for place, letter in enumerate(path) if place == 0 or letter != path[place - 1])
    return _NAMES.get(turns, BACK_AND_FORTH)


@cache
def scores(pattern: Pattern, shape: Shape) -> Mapping[str, float]:
    """For each path what a pattern counts; paths that are not named count 0.

    >>> scores((RIGHT, 1), Shape(1, 4)) == {"KU": 4 / 3, "KK": -1 / 3}
    True
    >>> scores((RIGHT, 1, RIGHT), OPEN)
    {'KUK': 1.0}
    """
    right, wrong = _stages(pattern)
    if shape.golds == 0:
        return {_path(right, len(pattern)): 1.0}
    found = {}
    for known in _choices(wrong):
        h, b = len(known), len(wrong)
        weight = (-1) ** h * prod(range(shape.golds, shape.golds + h)) * perm(shape.options, b - h)
        found[_path(right.union(*known), len(pattern))] = weight / perm(shape.wrong, b)
    return found


@cache
def doubts(pattern: Pattern, shape: Shape) -> Sequence[Mapping[str, int]]:
    """Where there are fewer wrong options than stages: what a pattern's scores may leave out, one entry a way; one gold only.

    Guesses that fall on all k options, each way of doing so with a share δ of the items that no answers tell, make every path that
    has an even number of these groups known larger by δ and every other smaller. Such items show all wrong options and a right answer.
    """
    right, wrong = _stages(pattern)
    if shape.golds != 1 or len(wrong) < shape.wrong or not right:
        return ()
    ways = []
    for hit in _subsets(sorted(right)):
        rest = right.difference(hit)
        ways.append({_path(rest.union(*known), len(pattern)): (-1) ** len(known) for known in _choices([*wrong, hit])})
    return ways


def bounds(pattern: Pattern, shape: Shape, paths: Iterable[str]) -> tuple[float, float, float]:
    """What a pattern counts for these paths together: the score, and the least and most that it may stand for."""
    wanted = set(paths)
    found = scores(pattern, shape)
    value = sum(found.get(path, 0.0) for path in wanted)
    left_out = [sum(sign for path, sign in way.items() if path in wanted) for way in doubts(pattern, shape)]
    return value, value + min([0, *left_out]), value + max([0, *left_out])


def patterns(stages: int, shape: Shape) -> Iterator[Pattern]:
    """Every pattern of answers that an item of this shape can have when it is answered at all stages."""
    most = 1 if shape.golds == 0 else shape.wrong
    begun: list[Pattern] = [()]
    for _ in range(stages):
        begun = [(*one, answer) for one in begun for answer in range(min(max([0, *one]) + 1, most) + 1)]
    return iter(begun)


def identified(stages: int, shape: Shape) -> bool:
    """Whether the shares of paths are the means of their scores."""
    return shape.golds == 0 or shape.wrong >= stages


def _stages(pattern: Pattern) -> tuple[frozenset[int], list[frozenset[int]]]:
    """The stages that are right, and those of each wrong answer."""
    answered = [
        frozenset(stage for stage, said in enumerate(pattern) if said == answer) for answer in range(max(pattern) + 1)
    ]
    return (answered[0], answered[1:]) if answered else (frozenset(), [])


def _choices(groups: Sequence[frozenset[int]]) -> Iterator[tuple[frozenset[int], ...]]:
    """Any of these groups, none and all included."""
    return chain.from_iterable(combinations(groups, size) for size in range(len(groups) + 1))


def _subsets(stages: Sequence[int]) -> Iterator[frozenset[int]]:
    """Some of these stages, at least one."""
    return (frozenset(some) for size in range(1, len(stages) + 1) for some in combinations(stages, size))


def _path(known: Iterable[int], stages: int) -> str:
    at = set(known)
    return "".join(KNOWN if stage in at else UNKNOWN for stage in range(stages))
