"""Small logs of our own making, as plain tables."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

Line = Mapping[str, object]


def quiz(folder: Path, name: str, *, forget: Sequence[int] = (), items: int = 40, **said: object) -> Path:
    """Four-option questions in two tasks of two domains; all are right but those in `forget`."""
    lines = [
        {
            "task": f"quiz_{item % 2}",
            "domain": f"field {item % 4}",
            "item_id": item,
            "question": f"Which letter is number {item}?",
            "choices": '["alpha", "beta", "gamma", "omega"]',
            "gold": "beta",
            "choice": "gamma" if item in forget else "beta",
            "response": f"I think it is {'gamma' if item in forget else 'beta'}.",
            **said,
        }
        for item in range(items)
    ]
    return table(folder / f"{name}.csv", lines)


def table(path: Path, lines: Sequence[Line]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    return path
