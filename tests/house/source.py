"""The project's own files, as the house tests read them."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "forgetmap"
FOLDERS = ("src", "tests", "benchmarks")


class Function(NamedTuple):
    """A function as written: `name` is "path::qualified name", `lines` run from `def` to the end, docstring too."""

    name: str
    lines: int
    parameters: int


def within(path: Path) -> str:
    """A path as the project writes it, from its root."""
    return path.relative_to(ROOT).as_posix()


def python_files(*folders: str) -> list[Path]:
    """Every Python file of these folders of the project, or of all."""
    return sorted(path for folder in folders or FOLDERS for path in (ROOT / folder).rglob("*.py"))


def documents() -> list[Path]:
    """Every page of the documentation, and the pages at the project's root."""
    return sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])


def tracked_files() -> list[Path]:
    """What git tracks; in a source distribution, which has no git, the files of the project's folders."""
    if not (ROOT / ".git").exists():
        return [path for folder in (*FOLDERS, "docs") for path in (ROOT / folder).rglob("*") if path.is_file()]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of one file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(path: Path) -> Iterator[Function]:
    """Every function and method of a file, nested ones included."""
    yield from _functions(tree(path), within(path) + "::")


def _functions(node: ast.AST, prefix: str) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        inner = prefix
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{prefix}{child.name}."
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Function(prefix + child.name, (child.end_lineno or 0) - child.lineno + 1, _parameters(child.args))
        yield from _functions(child, inner)


def _parameters(arguments: ast.arguments) -> int:
    plain = [*arguments.posonlyargs, *arguments.args]
    own = sum(argument.arg not in ("self", "cls") for argument in plain)
    return own + len(arguments.kwonlyargs) + (arguments.vararg is not None) + (arguments.kwarg is not None)


def modules_loaded_by(code: str) -> set[str]:
    """Names of the modules that a fresh interpreter has loaded after running `code`."""
    after = "\nimport sys\nsys.stderr.write('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code + after], cwd=ROOT, capture_output=True, check=True, text=True)
    return set(done.stderr.splitlines())
