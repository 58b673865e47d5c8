"""The same pair of checkpoints told by HELM, by Inspect and as a table gives the same map."""

import random
from pathlib import Path
from typing import Any

import pytest

from forgetmap import compare
from tests.formats import helm_told, inspect_told, table_told

LETTERS = "ABCD"
Answers = list[str | None]


def answers(seed: int, items: int = 80) -> Answers:
    """A letter an item, or none; the second option is right."""
    rng = random.Random(seed)
    return [rng.choices(["B", "A", "C", "D", None], [60, 10, 10, 10, 10])[0] for _ in range(items)]


def by_helm(folder: Path, said: Answers) -> Path:
    states = [helm_told.state(native, letter or "Hm.") for native, letter in enumerate(said)]
    return helm_told.written(folder, states, name="quiz:model=org_some-model")


def by_helm_with_stats(folder: Path, said: Answers) -> Path:
    kept = [helm_told.stats(native, exact_match=float(letter == "B")) for native, letter in enumerate(said)]
    states = [helm_told.state(native, letter or "Hm.") for native, letter in enumerate(said)]
    return helm_told.written(folder, states, kept, name="quiz:model=org_some-model")


def by_inspect(folder: Path, said: Answers) -> Path:
    entries = [
        inspect_told.sample(native, "C" if letter == "B" else "I", letter or "", metadata={})
        for native, letter in enumerate(said)
    ]
    return inspect_told.written(folder, entries)


def by_table(folder: Path, said: Answers) -> Path:
    rows = [
        {
            "task": "quiz",
            "item_id": str(native),
            "question": f"Which word is number {native}?",
            "choices": list(helm_told.WORDS),
            "gold": "that",
            "choice": letter and helm_told.WORDS[LETTERS.index(letter)],
        }
        for native, letter in enumerate(said)
    ]
    return table_told.told(folder / "quiz.jsonl", rows)


def cells(told: Any, folder: Path) -> list[dict[str, Any]]:
    before, after = (told(folder / f"{seed}", answers(seed)) for seed in (1, 2))
    named = ("before", "after", "scorer", "notes")
    found = compare(before, after).to_dict()["cells"]
    return [{name: value for name, value in cell.items() if name not in named} for cell in found]


@pytest.mark.parametrize("told", [by_helm_with_stats, by_inspect, by_table])
def test_the_same_pair_told_otherwise_gives_the_same_map(told: Any, tmp_path: Path) -> None:
    wanted = cells(by_helm, tmp_path / "helm")

    assert cells(told, tmp_path / "other") == wanted
    assert wanted[0]["n"] == 80
    assert wanted[0]["forgetting"]["value"] > 0
    assert wanted[0]["unanswered_after"] > 0


def test_the_same_items_have_the_same_names_in_both(tmp_path: Path) -> None:
    said = answers(1, 10)
    ours = helm_told.told(by_helm(tmp_path / "helm", said))
    (theirs,) = table_told.runs(by_table(tmp_path / "table", said))

    assert [row.item_id for row in ours] == [row.item_id for row in theirs.rows()]
