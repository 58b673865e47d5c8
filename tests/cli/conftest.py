"""How tests run a command line: in this process, as the installed command would."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from forgetmap.cli import main


class Ran(NamedTuple):
    """What a command line printed, and how it ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line without a terminal, 100 wide."""
    for name in ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)

    def command(*words: object) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        said = capsys.readouterr()
        return Ran(int(end.value.code or 0), said.out, said.err)

    return command
