"""Which category a task or domain belongs to: an opinion, kept outside the records and joined when a map is made."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from forgetmap.errors import SettingError

UNPLACED = "unplaced"
DEFAULT = Path(__file__).with_name("categories.toml")


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Categories in order, each with the patterns of the tasks and domains that belong to it."""

    name: str
    categories: Mapping[str, Sequence[str]]
    own: bool
    """Made by the user: it overrides a log's own categories; the built-in one only fills what a log leaves open."""

    def place(self, task: str, domain: str | None, *, said: str | None = None) -> str:
        """The category of a task's domain; `said` is the log's own word for it.

        >>> read_taxonomy().place("mmlu_high_school_physics", None)
        'science_technology_engineering'
        >>> read_taxonomy().place("mmlu_pro", "computer science")
        'science_technology_engineering'
        """
        found = self._find(_plain(task), _plain(domain or ""))
        return (found or said or UNPLACED) if self.own else (said or found or UNPLACED)

    def _find(self, task: str, domain: str) -> str | None:
        """The category whose pattern fits most closely; of equals the first."""
        fits = [
            (-_closeness(pattern, task, domain), place, category)
            for place, (category, patterns) in enumerate(self.categories.items())
            for pattern in patterns
        ]
        closest = min(fits, default=(0, 0, UNPLACED))
        return closest[2] if closest[0] < 0 else None


def read_taxonomy(path: Path | None = None) -> Taxonomy:
    """The built-in taxonomy, or the user's own TOML file: a table `[categories]` of category = list of patterns.

    A pattern with * ? [ is matched against the task, and against task/domain; "family/domain" as the built-in ones; anything else is the
    name of a task or domain.
    """
    source = path or DEFAULT
    try:
        content = tomllib.loads(source.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingError(
            f"the taxonomy {source} does not exist; give a TOML file with a [categories] table."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingError(f"the taxonomy {source} could not be read as TOML: {error}.") from None
    categories = content.get("categories")
    if not isinstance(categories, dict) or not categories or not all(map(_is_patterns, categories.values())):
        raise SettingError(
            f'the taxonomy {source} needs a table [categories] of lists, such as chemistry = ["mmlu*chemistry", "mmlu_pro/chemistry"].'
        )
    return Taxonomy(str(content.get("name", source.stem)), categories, own=path is not None)


def _is_patterns(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(pattern, str) for pattern in value)


def _plain(name: str) -> str:
    """Lower case, without a trailing number of shots, every run of other signs one underscore, one name for one family."""
    shotless = re.sub(r"\|\d+(\|\d+)?$", "", name.lower())
    return re.sub(r"[^a-z0-9]+", "_", shotless).strip("_").replace("hendryckstest", "mmlu")


def _closeness(pattern: str, task: str, domain: str) -> int:
    """0 = does not fit; a name beats a pattern, a whole name beats the end of one, and a longer end beats a shorter."""
    if any(sign in pattern for sign in "*?["):
        plain = pattern.lower()
        return int(any(fnmatchcase(name, plain) for name in (task, domain, f"{task}/{domain}") if name))
    family, _, leaf = (_plain(part) for part in pattern.rpartition("/"))
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
