"""What the page asks for: maps of any pair of runs, their changed items, and single items. The last few answers are kept."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple

import orjson

from forgetmap.errors import InputError, SettingError
from forgetmap.front.blocks import html
from forgetmap.front.items import cut
from forgetmap.front.told import against, data, lead
from forgetmap.measure.compare import Asked, mapped
from forgetmap.measure.pair import Pairing, demand_coverage
from forgetmap.measure.reading import pairings, reading
from forgetmap.measure.visible import visible
from forgetmap.records.options import letter
from forgetmap.records.picked import Picked
from forgetmap.records.schema import Item, Row
from forgetmap.records.study import Study
from forgetmap.records.summary import RunSummary
from forgetmap.taxonomy.place import Taxonomy, read_taxonomy
from forgetmap.view.changed import Changed, changed
from forgetmap.view.shelf import Shelf

PAIRS, MAPS, RUNS = 4, 16, 4
"""Pairs, maps and runs that are kept in memory."""
MOST = 200
"""Items a page of the list holds at most."""


class Joined(NamedTuple):
    """One pair of runs, joined."""

    pairing: Pairing
    taxonomy: Taxonomy
    items: list[Changed]


class Kept:
    """The last few things made, by what they were made from; one is made at a time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Any, Any] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._found)

    def get(self, key: Any, make: Callable[[], Any]) -> Any:
        with self._lock:
            if key not in self._found:
                self._found[key] = make()
                if len(self._found) > self._most:
                    self._found.popitem(last=False)
            self._found.move_to_end(key)
            return self._found[key]


class NotThereError(InputError):
    """A run or an item that the study has not."""


class Desk:
    """Answers about one study."""

    def __init__(self, study: Study, *, allow_unpaired: bool = False) -> None:
        self.shelf = Shelf(study)
        self._unpaired = allow_unpaired
        self._maps, self._pairs, self._runs = Kept(MAPS), Kept(PAIRS), Kept(RUNS)

    def runs(self) -> dict[str, Any]:
        return self.shelf.told()

    def map(self, before: str, afters: Sequence[str]) -> bytes:
        """The packed map of these runs of the study, with what is said of it."""
        return bytes(self._maps.get(self._key(before, *afters), lambda: self._map(before, afters)))

    def items(self, before: str, after: str, wanted: Mapping[str, str]) -> dict[str, Any]:
        """One page of the changed items: `kind`, `level`, `name`, `cause` and `find` choose, `from` and `n` page."""
        joined = self._joined(before, after)
        kind, cause, words = (wanted.get(name, "") for name in ("kind", "cause", "find"))
        level, name = wanted.get("level", "all"), wanted.get("name", "")
        here = [one for one in joined.items if one.within(level, name) and _is(one, kind or "lost")]
        found = [one for one in here if not cause or one.cause == cause]
        if words:
            holding = self._picked(before).holding(words), self._picked(after).holding(words)
            found = [one for one in found if one.ids[0] in holding[0] or one.ids[1] in holding[1]]
        first = _whole(wanted, "from", 0)
        shown = found[first : first + min(_whole(wanted, "n", 20), MOST)]
        picked = self._picked(before)
        return {
            "total": len(found),
            "causes": sorted({one.cause for one in here if one.cause}),
            "items": [_told(one, picked.item(one.ids[0])) for one in shown],
        }

    def item(self, before: str, after: str, item_id: str, task: str = "") -> dict[str, Any]:
        """A changed item whole: what was asked, and every draw of both sides."""
        for one in self._joined(before, after).items:
            if one.ids[0][1] == item_id and task in ("", visible(one.places[0])):
                sides = [self._picked(run).rows(name) for run, name in zip((before, after), one.ids, strict=True)]
                item = self._picked(before).item(one.ids[0])
                return (
                    _told(one, item)
                    | _asked(item)
                    | {
                        side: _answers(rows, scorer)
                        for side, rows, scorer in zip(("before", "after"), sides, one.scorers, strict=True)
                    }
                )
        raise NotThereError(f"no item {item_id} changed between {before} and {after}: open one from the map.")

    def _key(self, *runs: str) -> tuple[Any, ...]:
        """What the answer about these runs depends on; a sentence where the study has none of that name."""
        stood = self.shelf.look()
        for run in runs:
            if run not in stood or not isinstance(stood[run].found, RunSummary):
                whole = [name for name, one in stood.items() if isinstance(one.found, RunSummary)]
                raise NotThereError(f"the study has no whole run {run!r}; it has: {', '.join(whole) or 'none yet'}.")
        return (self.shelf.settings(), *((run, stood[run].stamps) for run in runs))

    def _map(self, before: str, afters: Sequence[str]) -> bytes:
        if not afters or before in afters or len(set(afters)) < len(afters):
            raise SettingError("choose one run as BEFORE and at least one other, each once, as AFTER.")
        how = reading(study=self.shelf.study)
        joined = pairings(before, list(afters), None, how)
        for pairing in joined.pairings:
            self._demand(pairing)
        found = mapped(joined, how, read_taxonomy(how.settings.taxonomy), Asked(0.95))
        first, *others = lead(found)
        said = {"headline": visible(first), "lead": [visible(line) for line in others], "doubts": html(against(found))}
        return orjson.dumps(data(found) | said)

    def _demand(self, pairing: Pairing) -> None:
        if not self._unpaired:
            demand_coverage(pairing)

    def _joined(self, before: str, after: str) -> Joined:
        found: Joined = self._pairs.get(self._key(before, after), lambda: self._join(before, after))
        return found

    def _join(self, before: str, after: str) -> Joined:
        how = reading(study=self.shelf.study)
        pairing = pairings(before, [after], None, how).pairings[0]
        self._demand(pairing)
        placed = read_taxonomy(how.settings.taxonomy)
        return Joined(pairing, placed, changed(pairing, placed))

    def _picked(self, run: str) -> Picked:
        summary = self.shelf.look()[run].found
        assert isinstance(summary, RunSummary)
        found: Picked = self._runs.get(self._key(run), lambda: Picked(summary, self.shelf.study.k))
        return found


def _is(one: Changed, kind: str) -> bool:
    return kind == "all" or (one.gained if kind == "gained" else one.lost) > 1e-9


def _whole(wanted: Mapping[str, str], name: str, default: int) -> int:
    text = wanted.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise SettingError(f"{name} is a whole number from 0 on, and {text!r:.40} is none.")
    return int(text)


def _told(one: Changed, item: Item | None) -> dict[str, Any]:
    task, domain, _ = one.places
    return {
        "id": one.ids[0][1],
        "task": visible(task),
        "domain": visible(domain),
        "native": None if item is None else cut(item.native_id),
        "cause": one.cause or "gained",
        "question": None if item is None or item.question is None else cut(item.question[:400]),
    }


def _asked(item: Item | None) -> dict[str, Any]:
    if item is None:
        return {"question": None, "choices": None, "golds": []}
    return {
        "question": cut(item.question),
        "choices": None if item.choices is None else [cut(choice) for choice in item.choices],
        "golds": [cut(gold) for gold in item.golds],
    }


def _answers(rows: Sequence[Row], scorer: str) -> dict[str, Any]:
    """One side: the first draw, with all draws beside it."""
    draws = [_draw(row, scorer) for row in rows if any(score.scorer == scorer for score in row.scores)]
    right = sum(draw["right"] for draw in draws) / max(len(draws), 1)
    return (draws[0] if draws else _NOTHING) | {"right": round(right, 3), "draws": len(draws), "all": draws}


_NOTHING = {"outcome": "failed", "choice": None, "response": None, "found": None}


def _draw(row: Row, scorer: str) -> dict[str, Any]:
    score = next(score for score in row.scores if score.scorer == scorer)
    chosen = score.choice
    option = None if chosen is None else row.item.choices[chosen] if row.item.choices else letter(chosen)
    return {
        "outcome": score.outcome,
        "choice": cut(option),
        "response": cut(row.sample.response),
        "found": cut(score.found),
        "right": round(score.value or 0.0, 3),
    }
