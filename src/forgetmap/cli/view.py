"""`forgetmap view`: a study in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from forgetmap.cli.options import UnpairedOption


def view(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="The study folder.")] = Path(),
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 takes one that is free.")] = 0,
    open_it: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    allow_unpaired: UnpairedOption = False,
) -> None:
    """Look at a study in the browser, down to each item.

    Any pair of its runs can be compared. Only this machine is answered. Ctrl-C ends it.
    """
    from forgetmap.view.serving import view as serve

    def ready(address: str) -> None:
        print(f"The study is at {address} (Ctrl-C ends it)", flush=True)
        if open_it:
            typer.launch(address)

    serve(study, port=port, allow_unpaired=allow_unpaired, ready=ready)
