"""Samples in memory, as `lm_eval.simple_evaluate` returns them, read like the lines of a file."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from forgetmap.formats.lm_eval.lines import Native, native_of
from forgetmap.formats.lm_eval.metrics import Metrics
from forgetmap.formats.lm_eval.requests import Entry, metric_values, prompt, requests
from forgetmap.records.schema import Problem


class Memory:
    """Samples of one task by position."""

    def __init__(self, task: str, samples: Sequence[Any], problems: list[Problem]) -> None:
        self.name = f"samples of {task}"
        self.metrics = Metrics()
        self.gaps = False
        """Whether some sample could not be read."""
        self._samples = samples
        self._natives: dict[int, Native] = {}
        for position, sample in enumerate(samples):
            try:
                self._natives[position] = _checked(sample)
            except ValueError as error:
                problems.append(Problem(self.where(position), str(error)))
                self.gaps = True
            else:
                self.metrics.add(metric_values(sample))

    def items(self) -> Iterator[tuple[Native, list[int]]]:
        """Each doc_id with the positions of its samples, numbers first and in their order."""
        together: dict[Native, list[int]] = {}
        for position, native in self._natives.items():
            together.setdefault(native, []).append(position)
        for native in sorted(together, key=lambda native: (isinstance(native, str), native)):
            yield native, together[native]

    def entry(self, position: int) -> Entry:
        sample: Entry = self._samples[position]
        return sample

    def entries(self) -> Iterator[Entry]:
        return (self._samples[position] for position in self._natives)

    def where(self, position: int) -> str:
        return f"{self.name}, number {position + 1}"


def _checked(sample: Any) -> Native:
    """The doc_id of a sample that is one and can be written as text; ValueError says why it is not."""
    if not isinstance(sample, dict):
        raise ValueError(f"is no dict but a {type(sample).__name__}")
    asked = requests(sample)
    told = {name: value for name, value in sample.items() if name != "arguments"}
    try:
        json.dumps([told, prompt(asked), asked.continuations], ensure_ascii=False, skipkeys=True, default=str).encode()
    except UnicodeEncodeError:
        raise ValueError("holds half a character (a lone surrogate)") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    return native_of(sample)
