"""A study: a folder of the user's with runs below it. Runs are found by looking, and nothing here writes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from forgetmap.errors import SettingError, StudyError
from forgetmap.records import journal, summary
from forgetmap.records.mending import Rules
from forgetmap.records.plain_json import load
from forgetmap.records.run import Run
from forgetmap.records.settings import Settings
from forgetmap.records.stored import stored_run
from forgetmap.records.study_toml import FILE, read_settings
from forgetmap.records.summary import RunSummary, check_files, read_summary

RUNS = "runs"
_LONGEST = 200


class Unfinished(NamedTuple):
    """A run whose writing was cut off, or is going on."""

    folder: Path
    rows: int
    """Rows that are safe on the disk."""


@dataclass(frozen=True, slots=True)
class Study:
    """The folder that holds runs beside a `study.toml` of the user's."""

    folder: Path

    @classmethod
    def open(cls, path: str | Path) -> "Study":
        """The study at a path; a StudyError where there is none."""
        study = cls.at(path)
        if not study.folder.is_dir():
            raise StudyError(
                f"there is no study at {study.folder}: check the path, or begin one with `forgetmap read LOG --study {study.folder}`."
            )
        if not is_study(study.folder):
            raise StudyError(
                f"{study.folder} is no study: it has neither a folder {RUNS} nor a {FILE}. "
                f"Logs are brought into one with `forgetmap read LOG --study {study.folder}`."
            )
        return study

    @classmethod
    def at(cls, path: str | Path) -> "Study":
        """The study at a path, to be written to; its folder is made with its first run."""
        folder = Path(path)
        if folder.exists() and not folder.is_dir():
            raise StudyError(f"a study is a folder, and {folder} is a file: choose another path.")
        return cls(folder)

    def settings(self) -> Settings:
        """What the user's `study.toml` says; nothing where there is none."""
        return read_settings(self.folder / FILE)

    @property
    def taxonomy(self) -> Path | None:
        """The user's own taxonomy, where `study.toml` names one."""
        return self.settings().taxonomy

    @property
    def aliases(self) -> dict[str, str]:
        """Tasks that `study.toml` wants to be read as other tasks."""
        return self.settings().aliases

    @property
    def k(self) -> Rules:
        """What `study.toml` says of the number of options."""
        return self.settings().k

    def run_folder(self, run_id: str) -> Path:
        """Where a run of this id stands or would stand."""
        return self.folder / RUNS / folder_name(run_id)

    def folders(self) -> dict[str, Path]:
        """Every folder below `runs` by the id of the run that stands in it, if one does."""
        return {_run_id(path): path for path in _listed(self.folder / RUNS)}

    def runs(self) -> dict[str, RunSummary]:
        """Every whole run by its id, which is the name of its folder."""
        return {run_id: found for run_id, found in self._found() if isinstance(found, RunSummary)}

    def unfinished(self) -> dict[str, Unfinished]:
        """Every run whose writing has not ended."""
        return {run_id: found for run_id, found in self._found() if isinstance(found, Unfinished)}

    def damaged(self) -> dict[str, StudyError]:
        """Every run that cannot be read, and why."""
        return {run_id: found for run_id, found in self._found() if isinstance(found, StudyError)}

    def run(self, run_id: str) -> Run:
        """A stored run; its rows are those that were written, with the same item ids."""
        found = look(self.run_folder(run_id)) or dict(self._found()).get(run_id)
        if found is None:
            raise StudyError(self._unknown(run_id))
        if isinstance(found, StudyError):
            raise found
        if isinstance(found, Unfinished):
            raise StudyError(
                f"run {run_id} of {self.folder} is unfinished ({found.rows} rows so far): "
                "give the command that was writing it again, and it goes on from there."
            )
        return whole_run(found, self.k)

    def _found(self) -> Iterator[tuple[str, RunSummary | Unfinished | StudyError]]:
        for path in _listed(self.folder / RUNS):
            found = look(path)
            if found is not None:
                yield _run_id(path), found

    def _unknown(self, run_id: str) -> str:
        known = sorted(run_id for run_id, _ in self._found())
        close = get_close_matches(run_id, known, n=1)
        meant = f" Is {close[0]} meant?" if close else ""
        return f"{self.folder} has no run {run_id}; it has: {', '.join(known) or 'none'}.{meant}"


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _unreadable(folder, error) from error


def _unreadable(path: Path, error: OSError) -> StudyError:
    return StudyError(f"{path} cannot be read: {error.strerror or error}.")


def is_study(folder: Path) -> bool:
    """Whether a folder is a study: it has a `study.toml`, or a folder `runs` that is empty or holds a run of ours."""
    if (folder / FILE).is_file():
        return True
    runs = folder / RUNS
    inside = list(runs.iterdir()) if runs.is_dir() else None
    return inside is not None and (not inside or any(is_run(path) for path in inside))


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run of ours, whole or not, be it damaged or of another version."""
    return (folder / journal.NAME).is_file() or _is_ours(folder / summary.NAME)


def look(folder: Path) -> RunSummary | Unfinished | StudyError | None:
    """What a folder below `runs` holds; null where it is nothing of ours."""
    try:
        if (folder / summary.NAME).is_file():
            found = read_summary(folder)
            return found._replace(info=replace(found.info, run_id=_run_id(folder)))
        if (folder / journal.NAME).is_file():
            left = journal.find(folder)
            return None if left is None else Unfinished(folder, left.rows)
    except StudyError as error:
        return error
    except OSError as error:
        return _unreadable(folder, error)
    return None


def _is_ours(path: Path) -> bool:
    """Whether a `run.json` is one of forgetmap; what cannot be read as JSON stands where ours would stand, and is told as damaged."""
    if not path.is_file():
        return False
    try:
        page = load(path.read_bytes())
    except (OSError, ValueError):
        return bool(list(path.parent.glob("*-*.parquet")))
    return isinstance(page, dict) and "schema" in page and "forgetmap" in page


def whole_run(found: RunSummary, rules: Rules) -> Run:
    """The run to a summary, after a look at its files; `rules` say the number of options where the log did not."""
    check_files(found.folder, found.shards)
    return stored_run(found, rules)


def folder_name(run_id: str) -> str:
    """The name of a run's folder: its id, with what a file system may refuse as %XX; a leading dot would hide it.

    >>> folder_name("org/model v1.2"), folder_name(".."), folder_name("模型")
    ('org%2Fmodel v1.2', '%2E%2E', '模型')
    """
    plain = re.sub(r"[^\w .+=@,()-]|^[ .]|[ .]$", lambda found: _code(found[0]), run_id)
    if not plain or len(plain.encode()) > _LONGEST:
        raise SettingError(
            f"a run's name has 1 to {_LONGEST} characters, and this one has {len(run_id)}: choose another with `--as NAME`."
        )
    return plain


def _run_id(folder: Path) -> str:
    return unquote(folder.name, errors="surrogatepass")


def _code(character: str) -> str:
    found = quote(character, safe="", errors="surrogatepass")
    return found if found.startswith("%") else f"%{ord(character):02X}"
