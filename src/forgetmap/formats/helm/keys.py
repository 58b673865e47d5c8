"""What names an answer in all files of a log: instance, perturbation, and trial."""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from forgetmap.formats.helm.names import perturbation_name
from forgetmap.formats.inspect_log.plain import mapping, whole

_NUMBERED = re.compile(r"(\D*)(\d{1,18})")
_SAID_OF_ALL = ("name", "robustness", "fairness", "computed_on")


class Key(NamedTuple):
    """Instance, perturbation, and set of examples."""

    instance: str
    perturbation: str
    """With all it was told to do; empty where the item is as it was."""
    trial: int

    @property
    def item(self) -> tuple[str, str]:
        return self.instance, self.perturbation


def key_of(instance: Any, perturbation: Any, trial: Any) -> Key:
    """
    >>> key_of("id7", {"name": "typos", "prob": 0.1, "robustness": True}, 1)
    Key(instance='id7', perturbation='typos {"prob": 0.1}', trial=1)
    """
    if not isinstance(instance, str | int) or isinstance(instance, bool) or instance == "":
        raise ValueError("has no instance id")
    number = 0 if trial is None else whole(trial)
    if number is None or number < 0:
        raise ValueError("has a train_trial_index that is no number from 0")
    return Key(str(instance), _perturbation(perturbation), number)


def _perturbation(described: Any) -> str:
    name = perturbation_name(described)
    if name is None:
        return ""
    more = {word: value for word, value in mapping(described).items() if word not in _SAID_OF_ALL and value is not None}
    return name + (f" {json.dumps(more, sort_keys=True, ensure_ascii=False)}" if more else "")


def key_in(entry: Mapping[str, Any]) -> Key:
    """The key of an entry of stats, predictions or requests."""
    return key_of(entry.get("instance_id"), entry.get("perturbation"), entry.get("train_trial_index"))


def key_of_state(state: Mapping[str, Any]) -> Key:
    instance = mapping(state.get("instance"))
    return key_of(instance.get("id"), instance.get("perturbation"), state.get("train_trial_index"))


def order(native: str) -> tuple[str, int, str]:
    """Ids that end in a number come in its order.

    >>> sorted(["id10", "id9", "b"], key=order)
    ['b', 'id9', 'id10']
    """
    found = _NUMBERED.fullmatch(native)
    return (found[1], int(found[2]), native) if found else (native, -1, native)
