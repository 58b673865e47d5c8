"""The command line: every verb is a thin coat over one call of the library."""

import os
import sys

import typer

from forgetmap import __version__
from forgetmap.cli.compare import compare
from forgetmap.cli.demo import demo
from forgetmap.cli.export import export
from forgetmap.cli.gate import gate
from forgetmap.cli.lost import lost
from forgetmap.cli.ls import ls
from forgetmap.cli.power import power
from forgetmap.cli.published import published
from forgetmap.cli.read import read
from forgetmap.cli.report import report
from forgetmap.cli.stages import stages
from forgetmap.cli.view import view
from forgetmap.errors import InputError

app = typer.Typer(
    name="forgetmap",
    help="What did it forget? A map of what a language model lost and gained in post-training, item by item.",
    epilog="Start with: forgetmap demo. Then, with logs of your own: forgetmap compare BEFORE AFTER.",
    add_completion=False,
    no_args_is_help=True,
    # Plain pages: the rich ones would load rich for --help, and colour foreign text by its own markup.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)
for verb in (demo, compare, lost, stages, gate, power, published, report, view, export, read, ls):
    app.command()(verb)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"forgetmap {__version__}")
        raise typer.Exit()


@app.callback()
def forgetmap(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and end."
    ),
) -> None:
    """What did it forget? A map of what a language model lost and gained in post-training, item by item."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command line; bad input ends with one sentence and exit code 2, anything unforeseen with the request to report it."""
    _encodable()
    try:
        try:
            app(arguments, prog_name="forgetmap")
        finally:
            sys.stdout.flush()
    except InputError as error:
        _refuse(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        _silence()
        sys.exit(0)
    except OSError as error:
        if error.filename is None:
            raise
        _refuse(f"{error.filename} cannot be used: {error.strerror or error}.")
    except Exception as error:
        error.add_note(
            "This is a bug in forgetmap: please report it with the lines above and the command that led to it."
        )
        raise


def _refuse(sentence: str) -> None:
    from forgetmap.measure.visible import visible

    print(f"forgetmap: {visible(sentence, lines=True)}", file=sys.stderr)
    sys.exit(2)


def _encodable() -> None:
    """Where the output cannot hold a sign such as an arrow, a question mark stands for it instead of an error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and not (stream.encoding or "").lower().startswith("utf"):
            stream.reconfigure(errors="replace")


def _silence() -> None:
    """Nobody reads on: what is still buffered must not raise once more when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
