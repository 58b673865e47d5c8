"""What the core brings along: light enough to install in seconds, and no torch."""

from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def closure(name: str) -> set[str]:
    """A package and all it needs, without extras."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        found.add(canonicalize_name(current := waiting.pop()))
        waiting += [other for other in needs(distribution(current)) if canonicalize_name(other) not in found]
    return found


def needs(package: Distribution) -> Iterator[str]:
    for line in package.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name


def megabytes(package: Distribution) -> float:
    """Size of all that was installed, with the bytecode that the installer compiled."""
    paths = (Path(str(package.locate_file(file))) for file in package.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def test_the_core_weighs_less_than_450_megabytes_and_has_no_torch() -> None:
    core = closure("forgetmap")

    assert {"numpy", "scipy", "pyarrow", "typer"} <= core
    assert not core & {"torch", "transformers", "vllm", "ray", "pandas", "huggingface-hub"}
    assert sum(megabytes(distribution(name)) for name in core) < 450
