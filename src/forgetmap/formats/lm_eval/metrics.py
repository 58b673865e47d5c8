"""Which metrics of a task say something item by item: numbers between 0 and 1."""

from collections.abc import Mapping
from typing import Any

from forgetmap.formats.lm_eval.requests import number


class Metrics:
    """What a task's metrics held, over all its samples."""

    def __init__(self) -> None:
        self._numbers: set[str] = set()
        self._others: dict[str, str] = {}
        self._outside: dict[str, float] = {}

    def add(self, values: Mapping[str, Any]) -> None:
        """Take in the values of one sample."""
        for name, value in values.items():
            if type(value) is float and 0.0 <= value <= 1.0:
                self._numbers.add(name)
            else:
                self._add_unusual(name, value)

    def _add_unusual(self, name: str, value: Any) -> None:
        plain = number(value)
        if plain is None:
            self._others.setdefault(name, "texts" if isinstance(value, str) else "lists")
            return
        self._numbers.add(name)
        if not (0.0 <= plain <= 1.0) and plain == plain:
            self._outside.setdefault(name, plain)

    def left_out(self, name: str) -> str | None:
        """Why a metric is no score of single items; null where it is one."""
        if name in self._outside:
            return f"it holds numbers outside 0 to 1, such as {self._outside[name]:.6g}"
        if name not in self._numbers:
            return f"it holds {self._others.get(name, 'no values')}, and a number from 0 to 1 is wanted for each item"
        return None
