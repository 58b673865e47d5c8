"""What the user says about a study in `study.toml`. The file is the user's: it is read and never written."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from forgetmap.errors import SettingError

FILE = "study.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The entries of a `study.toml`; all may be left out."""

    name: str | None = None
    taxonomy: Path | None = None
    """Where the user's own taxonomy stands; in the file, a path from the study's folder."""
    aliases: dict[str, str] = field(default_factory=dict)
    """Tasks that are to be read as other tasks."""
    k: tuple[tuple[str, str], ...] = ()
    """For tasks that match a pattern the number of options: an integer, "open", or a path such as "doc.options"."""


def read_settings(path: Path) -> Settings:
    """What a `study.toml` says; nothing where there is none; a SettingError where it says what cannot be understood."""
    if not path.is_file():
        return Settings()
    try:
        page = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError:
        raise SettingError(f"{path} is not UTF-8 text: save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{path} is not TOML: {error}.") from None
    # Checking takes longer to import than to do, and most studies have no study.toml.
    from forgetmap.records.study_file import settings_from

    return settings_from(page, path)
