"""What is kept of a dataset on this disk: files by commit, what a branch led to, and which files there are.

    FOLDER/datasets--ORG--NAME/refs/REVISION            the commit it led to when last asked
    FOLDER/datasets--ORG--NAME/COMMIT/files.json        paths and sizes of all files
    FOLDER/datasets--ORG--NAME/COMMIT/rows.json         paths and rows of files that were only counted
    FOLDER/datasets--ORG--NAME/COMMIT/slim-1/PATH       a file that is whole, as slim as the readers need it
    FOLDER/datasets--ORG--NAME/COMMIT/views/CHOICE/…    links to those that belong to one choice

A file has its name only when it is whole, so what has its name is never asked for again.
"""

import errno
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from forgetmap.errors import HubError
from forgetmap.records.disk import replace
from forgetmap.records.plain_json import dump, load

_SLIM = "slim-1"
"""Names what is left out of files; another rule needs another name."""
_COMMIT = re.compile("[0-9a-f]{40}")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_REMEDIES = {
    **dict.fromkeys(_FULL, "Make room or set HF_HOME to a folder with room"),
    errno.ENAMETOOLONG: "Set HF_HOME to a folder with a shorter name, on a disk that takes long ones",
}
_OTHERWISE = "Set HF_HOME to a folder that you may write in"
Counts = dict[str, int]
"""By the path in a dataset: how many bytes or rows it has there."""


def is_commit(text: object) -> bool:
    """Whether this names a commit; nothing else does, or becomes a folder's name here."""
    return isinstance(text, str) and _COMMIT.fullmatch(text) is not None


class Shelf:
    """The place of one dataset."""

    def __init__(self, cache: Path, dataset: str) -> None:
        self.dataset = dataset
        self.folder = cache / f"datasets--{dataset.replace('/', '--')}"

    def commit(self, revision: str) -> str | None:
        """What a revision led to when it was last asked for."""
        try:
            found = self._ref(revision).read_text(encoding="ascii")
        except (OSError, ValueError):
            return None
        return found if is_commit(found) else None

    def keep_commit(self, revision: str, commit: str) -> None:
        if self.commit(revision) != commit:
            self._keep(self._ref(revision), commit.encode())

    def sizes(self, commit: str) -> Counts | None:
        """The files of a commit, where they were asked for before."""
        return self._counts(commit, "files")

    def keep_sizes(self, commit: str, sizes: Counts) -> None:
        self._keep(self.folder / commit / "files.json", dump(sizes))

    def rows(self, commit: str) -> Counts:
        """What was counted before."""
        return self._counts(commit, "rows") or {}

    def keep_rows(self, commit: str, path: str, rows: int) -> None:
        self._keep(self.folder / commit / "rows.json", dump({**self.rows(commit), path: rows}))

    def _counts(self, commit: str, what: str) -> Counts | None:
        try:
            found = load((self.folder / commit / f"{what}.json").read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def file(self, commit: str, path: str) -> Path:
        """Where a file stands, or will."""
        return self.folder / commit / _SLIM / path

    def view(self, commit: str, paths: Sequence[str], name: str) -> Path:
        """A folder called `name` with links to these files and nothing else."""
        choice = blake2b("\n".join(sorted(paths)).encode(), digest_size=8).hexdigest()
        folder = self.folder / commit / "views" / choice / name
        with writing(self.folder):
            for path in paths:
                link, file = folder / path, self.file(commit, path)
                if not link.exists():
                    link.parent.mkdir(parents=True, exist_ok=True)
                    _link(file, link)
        return folder

    def _ref(self, revision: str) -> Path:
        return self.folder / "refs" / revision.replace("/", "%2F")

    def _keep(self, path: Path, content: bytes) -> None:
        with writing(self.folder):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace(path, content)


def _link(file: Path, link: Path) -> None:
    with suppress(FileNotFoundError):
        link.unlink()  # a link whose file was removed
    for way in (os.link, os.symlink):
        try:
            way(file, link)
            return
        except FileExistsError:
            return
        except OSError as error:
            if error.errno in _FULL:
                raise
    shutil.copyfile(file, link)


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Whatever the disk refuses within becomes a sentence."""
    try:
        yield
    except OSError as error:
        why = "the disk is full" if error.errno in _FULL else error.strerror or str(error)
        raise HubError(
            f"{folder} cannot be written: {why}. {_REMEDIES.get(error.errno or 0, _OTHERWISE)}; "
            "what was fetched is kept, and the same command goes on from there."
        ) from error
