"""Sizes: what fits on a screen is read."""

from pathlib import Path
from statistics import median

from tests.house.exceptions import LONG_FILES, LONG_FUNCTIONS, MANY_PARAMETERS, unexplained
from tests.house.source import Function, functions, python_files, within


def every_function(*folders: str) -> list[Function]:
    """All functions of these folders, or of the project."""
    return [function for path in python_files(*folders) for function in functions(path)]


def is_verb(function: Function) -> bool:
    """Whether this is a verb of the command line: its parameters are the options it declares."""
    path, name = function.name.split("::")
    return path.startswith("src/forgetmap/cli/") and name == Path(path).stem.rstrip("_")


def test_every_python_file_parses_without_a_warning() -> None:
    for path in python_files():
        compile(path.read_text(encoding="utf-8"), str(path), "exec")


def test_files_have_at_most_four_hundred_lines() -> None:
    lines = {within(path): len(path.read_text(encoding="utf-8").splitlines()) for path in python_files()}

    assert unexplained({name for name, count in lines.items() if count > 400}, LONG_FILES) == set()


def test_functions_have_at_most_sixty_lines() -> None:
    long = {function.name for function in every_function() if function.lines > 60}

    assert unexplained(long, LONG_FUNCTIONS) == set()


def test_the_median_function_of_the_package_has_at_most_twelve_lines() -> None:
    assert median(function.lines for function in every_function("src")) <= 12


def test_functions_have_at_most_six_parameters() -> None:
    many = {function.name for function in every_function() if function.parameters > 6 and not is_verb(function)}

    assert unexplained(many, MANY_PARAMETERS) == set()
