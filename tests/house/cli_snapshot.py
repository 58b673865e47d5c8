"""The command line as a text: verbs, arguments and options with their help.

Write it anew with `python -m tests.house.cli_snapshot` after a change of the command line that you mean.
"""

import inspect
from collections.abc import Iterator
from enum import EnumType
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args

SNAPSHOT = Path(__file__).with_name("cli.txt")
NO_DEFAULT: tuple[Any, ...] = (inspect.Parameter.empty, None, False, ..., (), [])


def command_line() -> str:
    """The whole tree, in a form that depends neither on the width of a terminal nor on the version of typer."""
    return "\n\n".join("\n".join(described(path, command)) for path, command in commands()) + "\n"


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with the words that call it."""
    from typer.main import get_command

    from forgetmap.cli import app

    yield from _below("forgetmap", get_command(app))


def _below(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, verb in sorted(getattr(command, "commands", {}).items()):
        yield from _below(f"{path} {name}", verb)


def described(path: str, command: Any) -> Iterator[str]:
    """One command, its help, and its parameters in the order of their declaration."""
    yield path
    yield from (f"    {line}".rstrip() for line in inspect.cleandoc(command.help or "").splitlines())
    declared = inspect.signature(command.callback, eval_str=True).parameters if command.callback else {}
    yield from (f"  {parameter(each, declared.get(each.name))}" for each in parameters(command))


def parameters(command: Any) -> list[Any]:
    """The arguments and options that a command shows."""
    return [each for each in command.params if not getattr(each, "hidden", False)]


def parameter(shown: Any, declared: inspect.Parameter | None) -> str:
    """One argument or option: how it is written, what it takes, its default and its help."""
    is_argument = shown.param_type_name == "argument"
    written = shown.metavar or shown.name.upper() if is_argument else ", ".join([*shown.opts, *shown.secondary_opts])
    parts = [written, "(required)" if shown.required else ""]
    if declared is not None:
        default = getattr(declared.default, "default", declared.default)
        parts.insert(1, takes(declared.annotation))
        parts += [f"= {default}"] if default not in NO_DEFAULT else []
    said = " ".join(part for part in parts if part)
    return f"{said}: {' '.join(shown.help.split())}" if getattr(shown, "help", None) else said


def takes(annotation: Any) -> str:
    """What kind of value, as the function behind the verb declares it; nothing for a switch.

    >>> takes(list[str] | None), takes(Path), takes(bool)
    ('list[str]', 'Path', '')
    """
    kind: Any = annotation.__origin__ if hasattr(annotation, "__metadata__") else annotation
    if isinstance(kind, UnionType):
        return " | ".join(takes(one) for one in get_args(kind) if one is not NoneType)
    if isinstance(kind, EnumType):
        members: list[Any] = list(kind)
        return "|".join(str(member.value) for member in members)
    return "" if kind is bool else kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)


if __name__ == "__main__":
    SNAPSHOT.write_text(command_line(), encoding="utf-8")
