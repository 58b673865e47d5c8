"""Reading `study.toml`. The file is the user's: it is read and never written."""

import tomllib
from pathlib import Path

from forgetmap.errors import SettingError
from forgetmap.records.settings import Settings

FILE = "study.toml"


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
