"""Answers of a log whose scenario state was not kept, put together from stats, instances, predictions and requests."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from forgetmap.formats.closed import golds_of
from forgetmap.formats.helm.entries import Answered, Source, entries_of
from forgetmap.formats.helm.files import INSTANCES, PREDICTIONS, REQUESTS, Log
from forgetmap.formats.helm.keys import Key, key_in, key_of, order
from forgetmap.formats.helm.names import perturbation_name
from forgetmap.formats.helm.offered import JOINT, asked_in
from forgetmap.formats.helm.stats import CUT, PREDICTED, Stats
from forgetmap.formats.inspect_log.plain import mapping
from forgetmap.records.schema import Problem

Entries = Mapping[Key, Mapping[str, Any]]


class Kept(NamedTuple):
    """What is there beside the stats."""

    instances: Mapping[tuple[str, str], Mapping[str, Any]]
    predictions: Entries
    requests: Entries

    @property
    def adapter(self) -> Mapping[str, Any]:
        """How items were asked, as far as the predictions show: an answer that was mapped is the letter of an option."""
        return (
            {"method": JOINT}
            if any(told.get("mapped_output") is not None for told in self.predictions.values())
            else {}
        )


def kept(log: Log, problems: list[Problem]) -> Kept:
    """The files that are shown in HELM's pages, as far as they are there."""
    instances = dict[tuple[str, str], Mapping[str, Any]]()
    for _, entry in _entries(log, INSTANCES, problems):
        try:
            key = key_of(mapping(entry).get("id"), mapping(entry).get("perturbation"), 0)
        except ValueError:
            continue
        instances.setdefault(key.item, mapping(entry))
    return Kept(instances, _by_key(log, PREDICTIONS, problems), _by_key(log, REQUESTS, problems))


def answers_shown(log: Log, stats: Stats, found: Kept) -> Iterator[Answered]:
    """One answer for each key of the stats and predictions, in the order of their items."""
    golds = golds_of((item, asked_in(instance).golds) for item, instance in found.instances.items())
    keys = {**dict.fromkeys(stats.values), **dict.fromkeys(found.predictions)}
    for key in sorted(keys, key=lambda key: (key.perturbation, order(key.instance), key)):
        state = _state(key, stats, found)
        kind = perturbation_name(mapping(state["instance"]).get("perturbation")) or key.perturbation.partition(" {")[0]
        name = f"{log.folder.name} {' '.join(part for part in key.item if part)}"
        yield Answered(name, key, kind or None, key.trial, [state], several=False, closed=golds.closed)


def _entries(log: Log, kind: str, problems: list[Problem]) -> Iterator[tuple[str, Any]]:
    if kind in log.files:
        yield from entries_of(Source(log.files[kind], log.called(kind)), problems)


def _by_key(log: Log, kind: str, problems: list[Problem]) -> Entries:
    found = dict[Key, Mapping[str, Any]]()
    for place, entry in _entries(log, kind, problems):
        try:
            found.setdefault(key_in(mapping(entry)), mapping(entry))
        except ValueError as error:
            problems.append(Problem(place, str(error)))
    return found


def _state(key: Key, stats: Stats, found: Kept) -> Mapping[str, Any]:
    """What a scenario state would say. Where no text was kept the stats alone decide."""
    told, values = found.predictions.get(key, {}), stats.values.get(key, {})
    completion = {
        "text": told.get("predicted_text"),
        "thinking": {"text": told.get("thinking_text")},
        "finish_reason": "length" if values.get(CUT) == 1 else None,
    }
    ranked = values.get(PREDICTED) is not None or told.get("reference_index") is not None
    return {
        "instance": found.instances.get(key.item, {"id": key.instance}),
        "train_trial_index": key.trial,
        "reference_index": 0 if ranked else None,
        "request": {**mapping(found.requests.get(key, {}).get("request"))},
        "result": {"success": True, "completions": [completion]},
    }
