"""The command line as a text: verbs, arguments and options with their help.

Write it anew with `python -m tests.house.cli_snapshot` after a change of the command line that you mean.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

SNAPSHOT = Path(__file__).with_name("cli.txt")


def command_line() -> str:
    """The whole tree, in a form that does not depend on the width of a terminal."""
    from typer.main import get_command

    from forgetmap.cli import app

    return "\n".join(described("forgetmap", get_command(app))) + "\n"


def verbs(command: Any) -> dict[str, Any]:
    """The verbs below a command by name; a verb itself has none."""
    return {name: command.get_command(None, name) for name in sorted(getattr(command, "commands", {}))}


def described(path: str, command: Any) -> Iterator[str]:
    """One command, its parameters in the order of their declaration, then the commands below it."""
    yield path
    yield from (f"    {line}".rstrip() for line in (command.help or "").strip().splitlines())
    yield from (f"    {parameter(each)}" for each in command.params if not getattr(each, "hidden", False))
    for name, verb in verbs(command).items():
        yield ""
        yield from described(f"{path} {name}", verb)


def parameter(declared: Any) -> str:
    """One argument or option: how it is written, what it takes, its default and its help.

    A default that is worked out when the command runs is not part of the text.
    """
    written = declared.name.upper() if declared.param_type_name == "argument" else ", ".join(spellings(declared))
    parts = [written, "" if getattr(declared, "is_flag", False) else takes(declared)]
    parts += ["..." if declared.nargs == -1 or declared.multiple else "", "required" if declared.required else ""]
    default = declared.default
    if not declared.required and default not in (None, False, (), []) and not callable(default):
        parts.append(f"[{default}]")
    said = " ".join(part for part in parts if part)
    return f"{said}: {' '.join(declared.help.split())}" if getattr(declared, "help", None) else said


def spellings(option: Any) -> list[str]:
    """`--this`, `-t`, and `--no-this` where there is one."""
    return [*option.opts, *option.secondary_opts]


def takes(declared: Any) -> str:
    """What kind of value: a type's name, or the words to choose from."""
    choices = getattr(declared.type, "choices", None)
    return "|".join(map(str, choices)) if choices else str(declared.type.name).upper()


if __name__ == "__main__":
    SNAPSHOT.write_text(command_line(), encoding="utf-8")
