"""The command line changes on purpose or not at all, and every verb is documented."""

import re
import sys

import pytest

from tests.house.cli_snapshot import SNAPSHOT, command_line, commands, parameters
from tests.house.source import ROOT, modules_loaded_by
from tests.house.test_docs import CODE, code_in_docs

HELP = """
import sys
{load}
sys.argv = ["forgetmap", "--help"]
try:
    {call}
except SystemExit as end:
    assert not end.code
"""
EMPTY_APP = "import typer; app = typer.Typer(); app.command('one')(lambda: None); app.command('two')(lambda: None)"
VERBS = (
    re.findall(r"^forgetmap (\S+)$", SNAPSHOT.read_text(encoding="utf-8"), re.MULTILINE) if SNAPSHOT.exists() else []
)


def test_the_command_line_equals_its_snapshot() -> None:
    said = "changed on purpose? then run `python -m tests.house.cli_snapshot` and name the change in CHANGELOG.md"

    assert command_line() == SNAPSHOT.read_text(encoding="utf-8"), said


def test_every_verb_argument_and_option_has_its_help() -> None:
    unhelped = [path for path, command in commands() if not command.help]
    for path, command in commands():
        unhelped += [f"{path} {each.name}" for each in parameters(command) if not getattr(each, "help", None)]

    assert unhelped == []


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_shown_in_the_documentation(verb: str) -> None:
    assert re.search(rf"\bforgetmap {verb}\b", code_in_docs()), f"docs/ never shows `forgetmap {verb}`"


def packages_behind_help(load: str, call: str) -> set[str]:
    """Modules of other packages that printing the help has loaded."""
    loaded = modules_loaded_by(HELP.format(load=load, call=call))
    return {
        name for name in loaded if name.partition(".")[0] not in {*sys.stdlib_module_names, "forgetmap", "__main__"}
    }


def test_help_loads_no_package_that_an_empty_command_line_would_not_load() -> None:
    ours = packages_behind_help("from forgetmap.cli import main", "main()")
    empty = packages_behind_help(EMPTY_APP, "app()")

    assert {name.partition(".")[0] for name in ours - empty} == set()


def test_every_verb_of_the_readme_is_a_verb() -> None:
    code = "\n".join(CODE.findall((ROOT / "README.md").read_text(encoding="utf-8")))
    shown = re.findall(r"^[`$ ]*forgetmap ([a-z]+)\b", code, re.MULTILINE)

    assert set(shown) <= set(VERBS)
