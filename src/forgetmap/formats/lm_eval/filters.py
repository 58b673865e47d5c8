"""Names of filters for lines that have none: before 0.4.7 lm-eval wrote the lines of one filter after those of the other, unnamed.

The task's settings list the filters in the same order. Without them the filters of a task are numbered.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from forgetmap.formats.lines import to_json
from forgetmap.formats.lm_eval.lines import Native
from forgetmap.formats.lm_eval.placed import Placed, by_content
from forgetmap.formats.lm_eval.requests import Entry, metric_values

_ONE = ("none",)


class Grouped(Protocol):
    """Samples of one task, by position and item."""

    @property
    def gaps(self) -> bool: ...
    def items(self) -> Iterator[tuple[Native, list[int]]]: ...
    def entry(self, position: int) -> Entry: ...


def listed_filters(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The filters that a task's settings list.

    >>> listed_filters({"filter_list": [{"name": "strict"}, {"name": "loose"}]})
    ('strict', 'loose')
    """
    listed = config.get("filter_list")
    found = [one.get("name") for one in listed if isinstance(one, Mapping)] if isinstance(listed, list | tuple) else []
    return tuple(name for name in found if isinstance(name, str))


class Filters:
    """The filters of one task, for lines that do not name theirs."""

    def __init__(self, config: Mapping[str, Any], source: Grouped) -> None:
        self._known = listed_filters(config) or (_ONE if config else None)
        self._source = source
        self._blocks: _Blocks | None = None
        self.numbered = False
        """Whether names were made up, because nothing lists them."""

    def named(self, placed: list[Placed], positions: Sequence[int]) -> list[Placed] | None:
        """Lines of one item that names its filters; null where it cannot be told which line is whose."""
        if not placed or "filter" in placed[0].entry or self.names == _ONE:
            return placed
        groups = by_content(placed)
        if len(groups) == 1 and len(positions) == len(self.names):
            return _with(placed, [self.names[positions.index(one.position)] for one in placed])
        gaps = self._source.gaps or len(placed) < len(positions)
        found = [(group, self._short(group) if self._is_short(group, gaps) else self._all(group)) for group in groups]
        if any(names is None for _, names in found):
            return None
        return [one for group, names in found for one in _with(group, names or ())]

    def _is_short(self, group: Sequence[Placed], gaps: bool) -> bool:
        return len(group) < len(self.names) and not gaps

    def _all(self, group: Sequence[Placed]) -> list[str] | None:
        return assigned([one.entry for one in group], self.names)

    def _short(self, group: Sequence[Placed]) -> list[str] | None:
        """The filters of an item that lacks lines, by the blocks in which its lines stand; null where these do not tell."""
        if self._blocks is None:
            self._blocks = _blocks(self._source, len(self.names))
        places = [_block_of(one, self._blocks) for one in group]
        named = [self.names[place] for place in places if place is not None]
        return named if len(set(named)) == len(group) else None

    @property
    def names(self) -> tuple[str, ...]:
        if self._known is None:
            count = _count(self._source)
            self.numbered = count > 1
            self._known = tuple(f"filter-{number}" for number in range(1, count + 1)) if count > 1 else _ONE
        return self._known


def _with(placed: list[Placed], names: Sequence[str]) -> list[Placed]:
    return [one._replace(entry=one.entry | {"filter": name}) for one, name in zip(placed, names, strict=True)]


class _Blocks(NamedTuple):
    """First and last position of the lines of each filter, by the items that have them all; none where filters take turns."""

    spans: list[tuple[int, int]]
    last: Native | None
    """The last such item."""


def _blocks(source: Grouped, count: int) -> _Blocks:
    full = {native: sorted(positions) for native, positions in source.items() if len(positions) == count}
    spans = [(min(column), max(column)) for column in zip(*full.values(), strict=True)]
    apart = all(one[1] < other[0] for one, other in pairwise(spans))
    return _Blocks(spans if apart else [], next(reversed(full), None))


def _block_of(one: Placed, blocks: _Blocks) -> int | None:
    """The filter in whose block a line stands. Between two blocks stand the last items of a log that was cut, else nobody knows whose."""
    begun = [place for place, (first, _) in enumerate(blocks.spans) if first <= one.position]
    if not blocks.spans or not begun:
        return 0 if blocks.spans else None
    place, native = begun[-1], one.entry.get("doc_id")
    if one.position <= blocks.spans[place][1] or place == len(blocks.spans) - 1:
        return place
    behind = isinstance(native, int) and isinstance(blocks.last, int) and native > blocks.last
    return place if behind else None


def assigned(lines: Sequence[Entry], names: Sequence[str]) -> list[str] | None:
    """The filter of each line of one item that lacks none, in the order of the log; null where it cannot be told.

    >>> assigned([{"a": 1}, {"a": 2}], ["x", "y"]), assigned([{"a": 1}], ["x", "y"])
    (['x', 'y'], None)
    """
    count, all_ = len(lines), len(names)
    if all_ == 1 or count == all_:
        return [names[min(place, all_ - 1)] for place in range(count)]
    if count < all_:
        return None
    again, over = divmod(count, all_)
    if over:
        return None
    # A log that was joined to itself, or each of its lines written several times.
    if all(lines[place] == lines[place % all_] for place in range(count)):
        return [names[place % all_] for place in range(count)]
    if all(lines[place] == lines[place - place % again] for place in range(count)):
        return [names[place // again] for place in range(count)]
    return None


def _count(source: Grouped) -> int:
    """How many filters there are: lines of the first item where the same answers were made into something else."""
    for _, positions in source.items():  # noqa: PERF102 - no dict
        if len(positions) > 1 and _are_filters(lines := _readable(source, positions)):
            return len(lines)
    return 1


def _readable(source: Grouped, positions: Sequence[int]) -> list[Entry]:
    found = []
    for position in positions:
        try:
            found.append(source.entry(position))
        except ValueError:
            continue
    return found


def _are_filters(lines: Sequence[Entry]) -> bool:
    asked = {to_json([line.get("doc"), line.get("arguments"), line.get("resps")]) for line in lines}
    made = {to_json([line.get("filtered_resps"), metric_values(line)]) for line in lines}
    return len(asked) == 1 and len(made) > 1 and not any("filter" in line for line in lines)
