"""The answers of one log, each with the requests it took, in the order of their items."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from forgetmap.formats.closed import Golds
from forgetmap.formats.helm.elements import Part, parts
from forgetmap.formats.helm.keys import Key, key_of_state, order
from forgetmap.formats.helm.names import perturbation_name
from forgetmap.formats.helm.offered import asked_in
from forgetmap.formats.inspect_log.plain import mapping, whole
from forgetmap.formats.lines import open_seekable, parse_json
from forgetmap.records.schema import Problem

_STATES = "request_states"


class Answered(NamedTuple):
    """One answer to one item: the requests it took, and which try it is."""

    place: str
    key: Key
    kind: str | None
    """What the item's perturbation is called."""
    draw: int
    states: list[Mapping[str, Any]]
    several: bool
    """Whether items were tried several times with the same examples, which stats do not tell apart."""
    closed: bool
    """Whether the golds of all items form a closed set."""


class Span(NamedTuple):
    """Where a request stands in its file."""

    number: int
    start: int
    size: int


class Unit(NamedTuple):
    """What makes requests one answer: the item and its try; those that take one request each are told apart by `request`."""

    key: Key
    kind: str | None
    seed: str
    request: int


class Index(NamedTuple):
    """What a scenario state holds, without the texts."""

    units: dict[Unit, list[Span]]
    tries: Mapping[str, int]
    """The number of each try with the same examples, by its seed."""
    golds: Golds
    """What is right for the items that show no options."""


class Source(NamedTuple):
    """A file of a log, and what to call it."""

    path: Path
    name: str

    def place(self, what: str, number: int) -> str:
        return f"{self.name} {what} {number}"


def entries_of(source: Source, problems: list[Problem]) -> Iterator[tuple[str, Any]]:
    """Where each entry of a list stands and what it holds; what cannot be read is a problem."""
    with _opened(source, problems) as found:
        for part in found:
            place = source.place("entry", part.number or 0)
            if part.key is None and part.number is not None:
                try:
                    yield place, parse_json(part.raw)
                except ValueError as error:
                    problems.append(Problem(place, str(error)))


def answers_in(source: Source, problems: list[Problem]) -> Iterator[Answered]:
    """The answers of a scenario state. It is read once to find what it holds, then request by request."""
    with _opened(source, problems) as found:
        index = _index(source, found, problems)
        for unit in sorted(index.units, key=_order):
            spans = index.units[unit]
            draw = unit.key.trial * len(index.tries) + index.tries[unit.seed]
            states = [_at(found.file, span) for span in spans]
            place = source.place("request", spans[0].number)
            several, closed = len(index.tries) > 1, index.golds.closed
            yield Answered(place, unit.key, unit.kind, draw, states, several, closed)


class _Opened:
    """A file that is open: its parts up to where it is damaged, which is one problem however it shows."""

    def __init__(self, source: Source, file: IO[bytes], problems: list[Problem], *, damaged: bool) -> None:
        self.file = file
        self._source, self._problems, self._damaged = source, problems, damaged

    def __iter__(self) -> Iterator[Part]:
        count = 0
        try:
            for part in parts(self.file):
                count += part.number is not None
                yield part
        except ValueError as error:
            if not self._damaged:
                read = f"; only the {count} entries before that are read" if count else ""
                self._problems.append(Problem(self._source.name, f"{error}: was it written to its end?{read}"))


@contextmanager
def _opened(source: Source, problems: list[Problem]) -> Iterator[_Opened]:
    found = list[Problem]()
    with open_seekable(source.path, found) as file:
        problems += [problem._replace(where=source.name) for problem in found]
        yield _Opened(source, file, problems, damaged=bool(found))


def _index(source: Source, found: _Opened, problems: list[Problem]) -> Index:
    units: dict[Unit, list[Span]] = {}
    tries: dict[str, int] = {}
    seen, golds = set[tuple[Unit, Any, Any]](), Golds()
    for part in found:
        if part.key != _STATES or part.number is None:
            continue
        try:
            state = parse_json(part.raw)
            unit = _unit(state, part.number)
            once = unit, state.get("reference_index"), str(state.get("request_mode"))
            if once in seen:
                raise ValueError("asks for a reference of its item once more")
        except ValueError as error:
            problems.append(Problem(source.place("request", part.number), str(error)))
            continue
        seen.add(once)
        tries.setdefault(unit.seed, len(tries))
        units.setdefault(unit, []).append(Span(part.number, part.start, len(part.raw)))
        if not state.get("output_mapping"):
            golds.add(unit.key.item, asked_in(mapping(state.get("instance"))).golds)
    return Index(units, tries, golds)


def _unit(state: Any, number: int) -> Unit:
    if not isinstance(state, Mapping):
        raise ValueError(f"is no JSON object but a {type(state).__name__}")
    key, perturbation = key_of_state(state), mapping(state.get("instance")).get("perturbation")
    seed = mapping(state.get("request")).get("random")
    reference = state.get("reference_index")
    if reference is not None and whole(reference) is None:
        raise ValueError("has a reference_index that is no number")
    request = number if reference is None else 0
    return Unit(key, perturbation_name(perturbation), "" if seed is None else str(seed), request)


def _at(file: IO[bytes], span: Span) -> Mapping[str, Any]:
    file.seek(span.start)
    return mapping(parse_json(file.read(span.size)))


def _order(unit: Unit) -> tuple[Any, ...]:
    return unit.kind or "", order(unit.key.instance), unit.key, unit.seed, unit.request
