"""Names under which harnesses know one task or one scorer: what `aliases.toml` says, applied."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("aliases.toml")
_SHOTS = re.compile(r"(\|\d+)+$")
_ARGUMENTS = re.compile(r"(?P<task>[^=(]*?)[:(](?P<said>[^:()=]+=.*?)\)?")
_PASSES = 10
"""More than any name needs; a circle among the patterns must not hang a comparison."""


class _Pattern(NamedTuple):
    """A name that is known as another; a * stands for any text, which the other name may have too."""

    fits: re.Pattern[str]
    other: str

    def applied(self, name: str) -> str | None:
        found = self.fits.fullmatch(name)
        return found and self.other.replace("*", "".join(found.groups()))


class _Aliases(NamedTuple):
    choosing: frozenset[str]
    asking: frozenset[str]
    willing: frozenset[str]
    tasks: Sequence[_Pattern]
    scorers: Sequence[Sequence[str]]


@cache
def plain_task(name: str) -> str:
    """The one name of a task that harnesses call differently.

    >>> plain_task("harness|mmlu:abstract_algebra|5"), plain_task("hendrycksTest-abstract_algebra")
    ('mmlu_abstract_algebra', 'mmlu_abstract_algebra')
    >>> plain_task("mmlu:subject=anatomy,method=multiple_choice_joint"), plain_task("bbh_cot_fewshot_navigate")
    ('mmlu_anatomy', 'bbh_navigate')
    """
    plain = "_".join(part for part in map(_plain, _parts(name.lower())) if part)
    for _ in range(_PASSES):
        other = next((found for pattern in _aliases().tasks if (found := pattern.applied(plain)) is not None), plain)
        if other == plain:
            break
        plain = other
    return plain or name


def alike(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """For each kind of scorer that both sides have, the names of either side, the kind asked for first before others.

    >>> list(alike(["acc", "acc_norm"], ["acc_norm,none", "acc,none"]))
    [(['acc'], ['acc,none']), (['acc_norm'], ['acc_norm,none'])]
    """
    for kind in _aliases().scorers:
        here, there = ([name for name in side if _is_of(name, kind)] for side in (before, after))
        if here and there:
            yield here, there


def same_kind(scorer: str, other: str) -> bool:
    """Whether two names are of scorers that ask the same of an answer.

    >>> same_kind("em", "exact_match,strict-match"), same_kind("acc", "acc_norm")
    (True, False)
    """
    return scorer == other or any(alike([scorer], [other]))


def is_of_will(scorer: str) -> bool:
    """Whether a scorer tells what a model is willing to do, and not what it knows.

    >>> is_of_will("response_rate"), is_of_will("acc")
    (True, False)
    """
    return scorer in _aliases().willing


def _is_of(scorer: str, kind: Sequence[str]) -> bool:
    return scorer in kind or scorer.partition(",")[0] in kind


def _parts(name: str) -> Iterator[str]:
    """The name of a task without its suite and shots, and what of its arguments says which items it holds."""
    bare = _SHOTS.sub("", name)
    bare = bare.partition("|")[2] or bare
    found = _ARGUMENTS.fullmatch(bare)
    if found is None:
        yield bare
        return
    yield found["task"]
    for argument in found["said"].split(","):
        key, _, value = (part.strip() for part in argument.partition("="))
        if key in _aliases().choosing:
            yield "" if value == "all" else value
        elif key not in _aliases().asking:
            yield f"{key}_{value}"


def _plain(part: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", part).strip("_")


@cache
def _aliases() -> _Aliases:
    said = tomllib.loads(SOURCE.read_text("utf-8"))
    rows: Mapping[str, list[str]] = said["tasks"]
    return _Aliases(
        frozenset(said["choosing"]),
        frozenset(said["asking"]),
        frozenset(said["willing"]),
        [_Pattern(_fitting(known), name) for name, names in rows.items() for known in names],
        list(said["scorers"].values()),
    )


def _fitting(known: str) -> re.Pattern[str]:
    return re.compile("(.+)".join(map(re.escape, known.split("*"))))
