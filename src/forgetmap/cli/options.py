"""Arguments and options that several verbs share, and what becomes of them."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forgetmap.errors import SettingError

if TYPE_CHECKING:
    from forgetmap.formats.contract import Hints


class By(StrEnum):
    """Rows of a map."""

    category = "category"
    task = "task"
    domain = "domain"


class FanOut(StrEnum):
    """Where several runs are worked on side by side."""

    local = "local"
    ray = "ray"


ADDRESS = "a run of the study, a path to logs (PATH, or PATH::RUN where it holds several), or hub:ORG/MODEL"
BeforeArgument = Annotated[str, typer.Argument(metavar="BEFORE", help=f"The checkpoint before: {ADDRESS}.")]
StudyOption = Annotated[
    Path | None,
    typer.Option("--study", "-s", metavar="DIR", help="The study folder; by default this folder, where it is one."),
]
FormatOption = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="Format of the logs; found by content if not given.")
]
NullOption = Annotated[
    str | None,
    typer.Option("--null", metavar="RUN", help="A second run of one checkpoint: tells loss from sampling noise."),
]
UnpairedOption = Annotated[bool, typer.Option("--allow-unpaired", help="Compare what pairs, however much does not.")]
ConfidenceOption = Annotated[float, typer.Option("--confidence", metavar="SHARE", help="Confidence of the intervals.")]
MarkdownOption = Annotated[bool, typer.Option("--markdown", help="Print tables as GitHub writes them.")]
MapOption = Annotated[
    list[str] | None,
    typer.Option(
        "--map", metavar="THEIRS=OURS", help="For tables: which of their columns is which of ours; may be repeated."
    ),
]
KOption = Annotated[
    list[str] | None,
    typer.Option(
        "--k",
        metavar="TASK=K",
        help="Options an item has, where a log does not say: a number, open, or a path such as doc.options.",
    ),
]
ScorerOption = Annotated[
    list[str] | None,
    typer.Option("--scorer", metavar="NAME", help="Scorer to take, for all tasks or as TASK=NAME; may be repeated."),
]
TaxonomyOption = Annotated[
    Path | None,
    typer.Option("--taxonomy", metavar="NAME|FILE", help="Categories: default, paper, or your own as a TOML file."),
]
FanOutOption = Annotated[
    FanOut,
    typer.Option("--fan-out", help="Work on several runs side by side: in processes of this machine, or by Ray."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]


def hints(columns: list[str] | None, k: list[str] | None, **said: Any) -> "Hints":
    """What the user says about a log that the log itself does not say."""
    from forgetmap.formats.contract import Hints

    return Hints(
        columns=dict(halves(text, "--map", "THEIRS=OURS") for text in columns or ()),
        k=tuple(halves(text, "--k", "TASK=K") for text in k or ()),
        **said,
    )


def halves(text: str, option: str, wanted: str) -> tuple[str, str]:
    """Both sides of the last = of an option's text."""
    left, sign, right = text.rpartition("=")
    if not (left and sign and right):
        raise SettingError(f"{option} wants {wanted}, such as {_EXAMPLES[option]}, and got {text!r}.")
    return left, right


_EXAMPLES = {"--map": "prediction=choice", "--k": "'mmlu*=4'", "--budget": "physics=0.02"}


def home(study: Path | None) -> Path | None:
    """The study named, or this folder where it is one; a folder `runs` of another program's does not make it one."""
    from forgetmap.records.study import is_study

    return study if study is not None else Path() if is_study(Path()) else None


def only_one(**switches: bool) -> None:
    """Refuse ways of printing that exclude each other."""
    given = [f"--{name.replace('_', '-')}" for name, on in switches.items() if on]
    if len(given) > 1:
        raise SettingError(f"{' and '.join(given)} exclude each other: one form of output is wanted.")
