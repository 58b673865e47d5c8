"""Every benchmark can be run quickly and ends with its ratios, ready for a machine."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.source import ROOT, tree, within

BENCHMARKS = sorted((ROOT / "benchmarks").glob("[!_]*.py"))


def strings(path: Path) -> set[object]:
    """Every constant written in a file and in the files beside it that it imports."""
    nodes = list(ast.walk(tree(path)))
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    beside = [path.parent / f"{(module or '').removeprefix('benchmarks.')}.py" for module in modules]
    more = [node for other in beside if other.is_file() and other != path for node in ast.walk(tree(other))]
    return {node.value for node in [*nodes, *more] if isinstance(node, ast.Constant)}


def run(path: Path, *options: str) -> str:
    command = [sys.executable, within(path), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout


@pytest.mark.parametrize("path", BENCHMARKS, ids=within)
def test_a_benchmark_takes_quick_and_names_what_it_prints(path: Path) -> None:
    assert "--quick" in run(path, "--help")
    assert {"benchmark", "ratios", path.stem} <= strings(path)


def test_the_benchmark_of_help_ends_with_one_json_object() -> None:
    last = json.loads(run(ROOT / "benchmarks" / "help.py", "--quick").splitlines()[-1])

    assert last["benchmark"] == "help"
    assert set(last["ratios"]) == {"help_over_empty", "help_over_plain"}
    assert all(0 < ratio < 100 for ratio in last["ratios"].values())
