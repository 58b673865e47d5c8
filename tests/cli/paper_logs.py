"""Logs of lighteval 0.10 with tasks that are named as the post-training forgetting study names them: items and answers made up."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from forgetmap.stats.arrays import Ints
from tests.formats.lighteval_told import flat, settings, summed, written

LETTERS = "ABCDEFGH"


class Paper(NamedTuple):
    """A task of the study: name, category, options that its items show, and those that the code divides by."""

    code: str
    category: str
    options: int
    k_in_code: int


TASKS = (
    Paper("commonsense_qa_reasoning_letter:main", "Common Sense", 5, 4),
    Paper("piqa_reasoning_letter:main", "Common Sense", 2, 4),
    Paper("bbh_reasoning_letter:movie_recommendation", "Culture", 4, 6),
    Paper("bbh_reasoning_letter:navigate", "Logic", 2, 2),
    Paper("arc_reasoning_custom_prompt_letter:easy", "Missing", 4, 4),
    Paper("mmlu_reasoning_letter:world_religions", "Liberal Arts", 4, 4),
    Paper("mmlu_reasoning_letter:philosophy", "Liberal Arts", 4, 4),
    Paper("mmlu_reasoning_letter:jurisprudence", "Safety", 4, 4),
    Paper("mmlu_reasoning_letter:anatomy", "Science/Tech", 4, 4),
)
SEEDS = (0, 1, 2)
ITEMS = 24
Picked = Mapping[tuple[str, int], Ints]
"""By task and seed the option that was picked for each item; option 0 is right, −1 is no answer."""


def picked(
    rng: np.random.Generator, right: float, seeds: Sequence[int] = SEEDS, tasks: Sequence[Paper] = TASKS
) -> Picked:
    """Answers of one checkpoint that is right so often."""
    return {
        (task.code, seed): np.where(rng.random(ITEMS) < right, 0, rng.integers(-1, task.options, ITEMS))
        for task in tasks
        for seed in seeds
    }


def logged(folder: Path, model: str, answers: Picked) -> Path:
    """Details and results of every task and seed, one time a seed, as the study's own runs have them."""
    options = {task.code: task.options for task in TASKS}
    for seed in {seed for _, seed in answers}:
        time = f"2026-01-0{seed + 1}T03-04-05.678901"
        summed(folder, settings(f"org/{model}", seed), time=time, model=f"org/{model}")
        for (code, drawn), chosen in answers.items():
            if drawn == seed:
                rows = [_row(code, item, options.get(code, 4), int(choice)) for item, choice in enumerate(chosen)]
                written(folder, rows, full=f"community|{code}|0", time=time, model=f"org/{model}")
    return folder


def _row(code: str, item: int, options: int, choice: int) -> dict[str, object]:
    lines = "".join(f"{LETTERS[place]}) {code} {item} option {place}\n" for place in range(options))
    said = [] if choice < 0 else [LETTERS[choice]]
    return flat(
        f"Question {item} of {code}?\n{lines}",
        list(LETTERS[:options]),
        0,
        [f"Answer: {''.join(said)}"],
        specifics={"extracted_predictions": said, "extracted_golds": ["A"]},
        metrics={"extractive_match": float(choice == 0)},
    )
