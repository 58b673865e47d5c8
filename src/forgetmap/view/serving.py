"""The verb `view`: the server on this machine alone, until Ctrl-C."""

import socket
from collections.abc import Callable
from pathlib import Path

from forgetmap.errors import SettingError
from forgetmap.records.study import Study

LOOPBACK = "127.0.0.1"


def view(
    study: Study | str | Path, *, port: int = 0, allow_unpaired: bool = False, ready: Callable[[str], None] = print
) -> None:
    """Serve a study until the program is told to end; `ready` hears the address. Port 0 takes one that is free."""
    home = study if isinstance(study, Study) else Study.open(study)
    try:
        import uvicorn

        from forgetmap.view.app import app
    except ModuleNotFoundError as missing:
        raise SettingError(
            f"the view needs {missing.name}, which is not installed: pip install 'forgetmap[view]'."
        ) from missing
    from forgetmap.view.desk import Desk

    with bound(port) as listening:
        taken = listening.getsockname()[1]
        how = uvicorn.Config(
            app(Desk(home, allow_unpaired=allow_unpaired), taken), log_level="error", lifespan="off", ws="none"
        )
        ready(f"http://{LOOPBACK}:{taken}/")
        uvicorn.Server(how).run(sockets=[listening])


def bound(port: int) -> socket.socket:
    """A socket on this machine alone."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        raise SettingError(
            f"port {port} cannot be used ({error}): choose another with --port, or 0 for any."
        ) from error
    return listening
