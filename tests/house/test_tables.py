"""Every row of every table of things that can be added: it resolves, is documented, and sits its exam."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from forgetmap.tables import load
from tests.house.source import ROOT, SRC, python_files, tree, within

ROW = re.compile(r"[a-z_]\w*(\.\w+)*:[A-Za-z_]\w*")


def is_table(value: ast.expr | None) -> bool:
    """Whether a value is written as a dict of "module:attribute" by name."""
    rows = value.values if isinstance(value, ast.Dict) else []
    return bool(rows) and all(
        isinstance(row, ast.Constant) and isinstance(row.value, str) and ROW.fullmatch(row.value) for row in rows
    )


def tables_in(path: Path) -> dict[str, dict[str, str]]:
    """The public tables of one module, by name."""
    found = {}
    for node in tree(path).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and target.id.isupper() and is_table(getattr(node, "value", None)):
                found[target.id] = ast.literal_eval(node.value)  # type: ignore[attr-defined]
    return {name: table for name, table in found.items() if not name.startswith("_")}


@cache
def examined() -> set[str]:
    """Names of all tables that some test is parametrised over."""
    calls = (node for path in python_files("tests") for node in ast.walk(tree(path)) if isinstance(node, ast.Call))
    exams = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "parametrize"]
    return {node.id for exam in exams for node in ast.walk(exam) if isinstance(node, ast.Name)}


TABLES = {name: table for path in sorted(SRC.rglob("*.py")) for name, table in tables_in(path).items()}
ROWS = [(table, row) for table, rows in TABLES.items() for row in rows]


def test_no_two_rooms_have_a_table_of_one_name() -> None:
    tables = [(name, within(path)) for path in SRC.rglob("*.py") for name in tables_in(path)]

    assert len(tables) == len(TABLES), sorted(tables)


@pytest.mark.parametrize(("table", "row"), ROWS)
def test_every_row_resolves(table: str, row: str) -> None:
    try:
        assert load(TABLES[table], row, group=table.lower()) is not None
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("forgetmap"):
            raise
        pytest.skip(f"{row} needs {missing.name}, which is not installed here")


@pytest.mark.parametrize(("table", "row"), ROWS)
def test_every_row_is_documented(table: str, row: str) -> None:
    page = ROOT / "docs" / "reference" / f"{table.lower()}.md"

    assert f"`{row}`" in page.read_text(encoding="utf-8"), f"{within(page)} does not name `{row}`"


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_an_exam(table: str) -> None:
    assert table in examined(), f"no test is parametrised over {table}"
