"""Floors: who may import whom."""

import os
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.house.source import ROOT, SRC

LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    """Run the contracts of the project at `root` over the package that stands there."""
    where = {**os.environ, "PYTHONPATH": str(root / "src")}
    return subprocess.run([sys.executable, "-c", LINT], cwd=root, env=where, capture_output=True, text=True)


def test_lower_floors_never_import_upper_ones_and_only_rooms_with_checkpoints_import_torch() -> None:
    linted = lint(ROOT)

    assert linted.returncode == 0, linted.stdout + linted.stderr


@pytest.mark.parametrize(
    ("file", "line", "broken"),
    [
        ("stats/__init__.py", "import forgetmap.measure", "forgetmap.stats is not allowed to import"),
        ("stats/__init__.py", "import forgetmap.records", "forgetmap.stats is not allowed to import"),
        ("measure/__init__.py", "def ask() -> None:\n    import torch", "forgetmap is not allowed to import torch"),
        ("attic/__init__.py", '"""A room without a floor."""', "not listed as layers"),
    ],
)
def test_a_breach_of_the_floors_is_found(tmp_path: Path, file: str, line: str, broken: str) -> None:
    shutil.copytree(SRC, tmp_path / "src" / "forgetmap", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    changed = tmp_path / "src" / "forgetmap" / file
    changed.parent.mkdir(exist_ok=True)
    changed.write_text(
        (changed.read_text(encoding="utf-8") if changed.exists() else "") + f"\n{line}\n", encoding="utf-8"
    )

    linted = lint(tmp_path)

    assert linted.returncode == 1
    assert broken in " ".join(linted.stdout.split())


def test_modules_import_each_other_in_no_ring() -> None:
    graph = grimp.build_graph("forgetmap", exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}

    TopologicalSorter(imports).prepare()  # raises a CycleError that names the ring
