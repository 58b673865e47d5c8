"""Which category a task or domain belongs to: an opinion, kept outside the records and joined when a map is made."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from forgetmap.errors import SettingError
from forgetmap.tables import load, names
from forgetmap.taxonomy import TAXONOMIES

UNPLACED = "unplaced"
DEFAULT = Path(__file__).with_name("categories.toml")
_MANNER = re.compile(r"(_(generative|chat|cot|(zero|few|n|\d+)_?shot))+$")
"""How a task is asked, at the end of its name: mmlu_anatomy_generative, gpqa_diamond_cot_zeroshot."""


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Categories in order, each with the patterns of the tasks and domains that belong to it."""

    name: str
    categories: Mapping[str, Sequence[str]]
    own: bool
    """It overrides a log's own categories; the default one only fills what a log leaves open."""
    strict: bool = False
    """Names fit only tasks of their own family: mmlu/law places the law of MMLU, not every domain that is called law."""
    excluded: Sequence[str] = ()
    """Patterns of tasks that it says nothing of, though they are called like some that it places."""

    def place(self, task: str, domain: str | None, *, said: str | None = None) -> str:
        """The category of a task's domain; `said` is the log's own word for it.

        >>> read_taxonomy().place("mmlu_high_school_physics", None)
        'science_technology_engineering'
        >>> read_taxonomy().place("mmlu_pro", "computer science")
        'science_technology_engineering'
        """
        fit = self.fit(task, domain)
        found = None if fit is None else fit[0]
        return (found or said or UNPLACED) if self.own else (said or found or UNPLACED)

    def fit(self, task: str, domain: str | None) -> tuple[str, str] | None:
        """The category whose pattern fits most closely, and that pattern; of equals the first; null where none fits."""
        plain, part = _plain(task), _plain(domain or "")
        if any(fnmatchcase(plain, pattern) for pattern in self.excluded):
            return None
        # Where every task has its family, an unknown domain (of GPQA, Biology) is a part of a task that may be known.
        return self._closest(plain, part) or (self._closest(plain, "") if self.strict else None)

    def _closest(self, plain: str, part: str) -> tuple[str, str] | None:
        fits = [
            (-_closeness(pattern, plain, part, strict=self.strict), place, (category, pattern))
            for place, (category, pattern) in enumerate(self._entries())
            if not part or _may_fit(pattern, plain, part)
        ]
        closest = min(fits, default=(0, 0, ("", "")))
        return closest[2] if closest[0] < 0 else None

    def _entries(self) -> Iterator[tuple[str, str]]:
        yield from ((category, pattern) for category, patterns in self.categories.items() for pattern in patterns)


def read_taxonomy(source: str | Path | None = None) -> Taxonomy:
    """A built-in taxonomy by name, or the user's own TOML file: a table `[categories]` of category = list of patterns.

    A pattern with * ? [ is matched against the task, and against task/domain; "family/domain" as the built-in ones; anything else is the
    name of a task or domain.
    """
    if source is None:
        return default()
    built_in = sorted(names(TAXONOMIES, group="taxonomies"))
    if str(source) in built_in and not Path(source).is_file():
        found: Taxonomy = load(TAXONOMIES, str(source), group="taxonomies")()
        return found
    return _from_file(Path(source), built_in)


def default() -> Taxonomy:
    """Categories of common tasks."""
    return replace(_from_file(DEFAULT), own=False)


def _from_file(source: Path, built_in: Sequence[str] = ()) -> Taxonomy:
    try:
        content = tomllib.loads(source.read_text("utf-8"))
    except (FileNotFoundError, IsADirectoryError):
        raise SettingError(
            f"the taxonomy {source} is neither a file nor a built-in one ({', '.join(built_in)}); "
            "give one of these names, or a TOML file with a [categories] table."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingError(f"the taxonomy {source} could not be read as TOML: {error}.") from None
    categories = content.get("categories")
    if not isinstance(categories, dict) or not categories or not all(map(_is_patterns, categories.values())):
        raise SettingError(
            f'the taxonomy {source} needs a table [categories] of lists, such as chemistry = ["mmlu*chemistry", "mmlu_pro/chemistry"].'
        )
    return Taxonomy(str(content.get("name", source.stem)), categories, own=True)


def _is_patterns(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(pattern, str) for pattern in value)


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    """Lower case, without how it is asked at its end, every run of other signs one underscore, one name for one family."""
    shotless = re.sub(r"\|\d+(\|\d+)?$", "", name.lower())
    plain = re.sub(r"[^a-z0-9]+", "_", shotless).strip("_").replace("hendryckstest", "mmlu")
    return _MANNER.sub("", re.sub(r"big_?bench_hard", "bbh", plain))


@lru_cache(maxsize=4096)
def _parts(pattern: str) -> tuple[str | None, str]:
    """Family and name of a pattern; null and the pattern itself where it has signs that stand for others."""
    if any(sign in pattern for sign in "*?["):
        return None, pattern.lower()
    family, _, leaf = pattern.rpartition("/")
    return _plain(family), _plain(leaf)


def _may_fit(pattern: str, task: str, domain: str) -> bool:
    """Whether a pattern can fit a domain at all: only whole names do, and signs that stand for others. A quick look, for most cannot."""
    family, leaf = _parts(pattern)
    return family is None or leaf in (domain, task)


def _closeness(pattern: str, task: str, domain: str, *, strict: bool) -> int:
    """0 = does not fit; a name beats a pattern, a whole name beats the end of one, and a longer end beats a shorter."""
    family, leaf = _parts(pattern)
    if family is None:
        return int(any(fnmatchcase(name, leaf) for name in (task, domain, f"{task}/{domain}") if name))
    if strict and task != leaf and f"_{family}_" not in f"_{task}_":
        return 0
    if leaf in (task, domain):
        return 1000 + (family in task)
    if (
        family
        and not domain
        and family in task
        and (task.endswith("_" + leaf) or (family == leaf and task.startswith(leaf + "_")))
    ):
        return len(leaf) + 1
    return 0
