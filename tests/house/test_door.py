"""The door, `import forgetmap`: few names, no logic, nothing heavy behind it."""

import ast

import pytest

import forgetmap
from tests.house.source import SRC, modules_loaded_by, tree

HEAVY = {
    "numpy",
    "scipy",
    "pyarrow",
    "pandas",
    "torch",
    "transformers",
    "rich",
    "typer",
    "pydantic",
    "orjson",
    "huggingface_hub",
}
PUBLIC = sorted(getattr(forgetmap, "__all__", ["__version__"]))


def test_the_door_has_at_most_thirty_names() -> None:
    assert len(PUBLIC) <= 30
    assert len(set(PUBLIC)) == len(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(forgetmap, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = forgetmap.what_nobody_wrote


def test_the_door_holds_no_logic_beyond_late_resolution() -> None:
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Expr)
    for node in tree(SRC / "__init__.py").body:
        if isinstance(node, ast.FunctionDef):
            assert node.name in ("__getattr__", "__dir__")
        elif isinstance(node, ast.If):
            assert ast.unparse(node.test) == "TYPE_CHECKING"
        else:
            assert isinstance(node, allowed), f"line {node.lineno} of the door does something"


def test_importing_forgetmap_loads_nothing_heavy() -> None:
    assert not HEAVY & modules_loaded_by("import forgetmap")
