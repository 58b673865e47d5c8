"""Names of tasks and runs, from names of files: less their endings, less the words that all share."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from pathlib import PurePath

from forgetmap.errors import FormatError

ONE_TASK = "items"
"""The task of a single file. Not its own name: before.csv and after.csv would have no task in common."""
ENDINGS = (".gz", ".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".parquet", ".pq")
SHARD = re.compile(r"[-_.]\d+-of-\d+$")
SEPARATOR = re.compile(r"([-_./ ]+)")


def stem(name: str) -> str:
    """A file's name without the endings of tables, and without its number where it is one of several shards.

    >>> stem("llama-3.1-8b.jsonl.gz"), stem("train-00000-of-00002.parquet")
    ('llama-3.1-8b', 'train')
    """
    while (ending := PurePath(name).suffix).lower() in ENDINGS:
        name = name[: -len(ending)]
    return SHARD.sub("", name)


def tasks(names: Sequence[str]) -> list[str]:
    """The task of each file: its path in the folder, less the words that all of them begin or end with.

    >>> tasks(["formal_logic_result.csv.gz", "econometrics_result.csv.gz"])
    ['formal_logic', 'econometrics']
    >>> tasks(["math/algebra.csv", "math/number_theory.csv"])
    ['algebra', 'number_theory']
    >>> tasks(["before.csv"])
    ['items']
    """
    stems = [stem(name) for name in names]
    if len(set(stems)) == 1:
        return [ONE_TASK] * len(stems)
    split = [SEPARATOR.split(name) for name in stems]
    last = _shared([words[::-1] for words in split], room=min(map(len, split)) - 1)
    first = _shared(split, room=min(map(len, split)) - 1 - last)
    return ["".join(words[first : len(words) - last]) for words in split]


def demand_distinct(names: Sequence[str]) -> None:
    """Two files that would be one task without being its shards are an error: their rows would count twice."""
    whole = [name for name in names if SHARD.sub("", _ended(name)) == _ended(name)]
    for name, count in Counter(map(stem, whole)).items():
        if count > 1:
            found = ", ".join(other for other in whole if stem(other) == name)
            raise FormatError(f"{found} are {count} files for one task; keep one of them, or give each a column task.")


def folders_are_runs(names: Sequence[str]) -> bool:
    """Whether folders in a folder hold files of the same names: one run each, told apart by the folder.

    >>> folders_are_runs(["step-0/a.csv", "step-0/b.csv", "step-50/a.csv", "step-50/b.csv"])
    True
    >>> folders_are_runs(["mmlu/a.csv", "mmlu/b.csv", "bbh/c.csv"])
    False
    """
    below = Counter(stem(name.partition("/")[2]) for name in {_ended(name) for name in names} if "/" in name)
    return any(count > 1 for count in below.values())


def _ended(name: str) -> str:
    while (ending := PurePath(name).suffix).lower() in ENDINGS:
        name = name[: -len(ending)]
    return name


def _shared(split: Sequence[Sequence[str]], room: int) -> int:
    """How many parts all begin with, in pairs of word and separator, so that a word is left at either end."""
    common = sum(1 for _ in takewhile(lambda parts: len(set(parts)) == 1, zip(*split, strict=False)))
    return min(common, room) // 2 * 2
