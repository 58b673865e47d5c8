"""The tasks and categories of "Mapping Post-Training Forgetting in Language Models at Scale" (arXiv 2510.17776), as its code has them.

The table beside this file lists its 98 tasks: the name in its code, the names that other harnesses have for it, the category under
which its code counts it, the number of options k that the code divides by, and the numbers of options that the items truly have.
"""

import csv
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from forgetmap.taxonomy.place import Taxonomy

HIDDEN = "Missing"
"""Where the code's lookup leaves both ARC tasks: in no category that is shown, but in every total."""
IGNORED = "(ignored)"
"""Tasks that the code reads and leaves out of everything."""
NOWHERE = (IGNORED, "Instruction")
"""Categories that come into no table and no total: the code loses the scores of IFEval on the way."""
WITHOUT_BASE = ("Safety", "Instruction")
"""Categories that plots of checkpoints before instruction tuning leave out."""
SILENT_K = 4
"""The number of options that the code takes a task to have which is not in its table."""
_OTHER_FAMILIES = (
    "*mmlu_pro",
    "*mmlu_pro_*",
    "*mmlu_prox*",
    "*mmlu_redux*",
    "*mmlu_cf*",
    "*global_mmlu*",
    "*arabic_mmlu*",
)
_TABLE = Path(__file__).with_name("paper.csv")


class PaperTask(NamedTuple):
    """One of its tasks."""

    code: str
    """Its name in the code."""
    names: tuple[str, ...]
    """Its names as "family/leaf", as patterns of a taxonomy."""
    category: str
    k_in_code: int
    options: str
    """Numbers of options of its items, such as 4, 5/6, 3-6, open; empty where they are not known."""


@lru_cache(maxsize=1)
def paper_tasks() -> tuple[PaperTask, ...]:
    """All 98, by category in the order of the printed tables.

    >>> len(paper_tasks()), paper_tasks()[0].code, paper_tasks()[0].k_in_code
    (98, 'commonsense_qa_reasoning_letter:main', 4)
    """
    with _TABLE.open(encoding="utf-8", newline="") as lines:
        return tuple(
            PaperTask(row["code"], tuple(row["names"].split()), row["category"], int(row["k_in_code"]), row["options"])
            for row in csv.DictReader(lines)
        )


@lru_cache(maxsize=1)
def paper() -> Taxonomy:
    """Its categories as a taxonomy. Only its own tasks are placed: those of MMLU, not those of MMLU-Pro that are called alike."""
    categories: dict[str, list[str]] = {}
    for task in paper_tasks():
        categories.setdefault(task.category, []).extend(task.names)
    return Taxonomy("paper", categories, own=True, strict=True, excluded=_OTHER_FAMILIES)


@lru_cache(maxsize=4096)
def paper_task(task: str, domain: str | None) -> PaperTask | None:
    """Which of its tasks a task's domain is, by whatever name a harness has for it; null where it is none of them.

    >>> paper_task("community|bbh_reasoning_letter:snarks|0", None).k_in_code, paper_task("mmlu", "anatomy").category
    (2, 'Science/Tech')
    """
    fit = paper().fit(task, domain)
    return None if fit is None else next(one for one in paper_tasks() if fit[1] in one.names)
