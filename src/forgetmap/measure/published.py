"""The published estimate in the paper's order: clipped per task and seed, averaged over tasks, then categories, then seeds.

Cite: harmon2025postforgetting.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from forgetmap.measure.cell import Estimate, Level
from forgetmap.measure.evidence import Evidence, Leaf
from forgetmap.measure.grouping import Group
from forgetmap.measure.numbers import number
from forgetmap.measure.published_tasks import PerSeed, PerTask, of_paper, per_task
from forgetmap.measure.words import plural
from forgetmap.stats.arrays import Floats, Ints
from forgetmap.taxonomy.paper import NOWHERE

PUBLISHED = "published"


class InOrder(NamedTuple):
    """One cell as the paper would print it, and what it rests on."""

    forgetting: float | None
    gain: float | None
    forgetting_sd: float | None
    """Over seeds, with divisor seeds − 1; null with one seed."""
    gain_sd: float | None
    ceiling_before: float | None
    ceiling_after: float | None
    null_bias: float | None
    seeds: int
    tasks: int
    left_out: int
    """Tasks with an item of unknown chance."""
    items: int
    by_number: int = 0
    """Tasks without a seed common to both sides, whose draws went by number into the seeds of others."""

    def estimates(self, *, macro: bool) -> dict[str, Estimate | None]:
        """As alternatives of a cell; no interval was published."""
        seeds = f"{self.seeds} seed{'' if self.seeds == 1 else 's'}"
        method = f"published: {'macro, ' if macro else ''}clipped, mean over {seeds}"
        sides = {"forgetting": self.forgetting, "gain": self.gain}
        return {
            side: None if value is None else Estimate(value, None, None, self.items, method)
            for side, value in sides.items()
        }

    def note(self) -> str:
        """What stands beside the value: spread over seeds, ceilings, tasks left out."""
        said = []
        if self.forgetting_sd is not None and self.gain_sd is not None:
            said += [f"sd over {self.seeds} seeds {self.forgetting_sd:.4f} (gain {self.gain_sd:.4f})"]
        if self.ceiling_before is not None and self.ceiling_after is not None:
            said += [f"ceiling {self.ceiling_before:.4f} (gain {self.ceiling_after:.4f})"]
        said += [f"{self.left_out} of {self.tasks} tasks left out: unknown chance"] if self.left_out else []
        said += [paired_by_number(self.by_number)] if self.by_number else []
        return "; ".join(said)


def paired_by_number(tasks: int) -> str:
    """How the draws of tasks met that have no seed on both sides."""
    return f"draws of {plural(tasks, 'task')} without a seed common to both sides go by number into the seeds of the others"


def in_order(evidence: Evidence, groups: Sequence[Group], level: Level, *, code_k: bool = False) -> list[InOrder]:
    """Every group of one level; `code_k` divides by the constants of the paper's code in place of the items' own numbers of options."""
    if level in ("domain", "task"):
        unit = _group_of_leaf(groups, len(evidence.leaves))
        found = per_task(evidence, unit, len(groups), code_k=code_k)
        return [_cell(found, found.rates.only([place]), [place]) for place in range(len(groups))]
    return [_macro(evidence, _counted(evidence, group, level), code_k=code_k) for group in groups]


def _counted(evidence: Evidence, group: Group, level: Level) -> Sequence[int]:
    """The leaves that count: in a total not those that the paper counts nowhere, unless there are no others."""
    kept = [leaf for leaf in group.leaves if level != "all" or not _is_nowhere(evidence.leaves[leaf])]
    return kept or group.leaves


def _is_nowhere(leaf: Leaf) -> bool:
    task = of_paper(leaf) if leaf.category in NOWHERE else None
    return task is not None and task.category == leaf.category


def _macro(evidence: Evidence, leaves: Sequence[int], *, code_k: bool) -> InOrder:
    """The mean over categories of the means over tasks, among these leaves."""
    keys = [unit_of(evidence.leaves[leaf]) for leaf in leaves]
    codes = {key: code for code, key in enumerate(dict.fromkeys(keys))}
    unit = np.full(len(evidence.leaves), -1, np.int64)
    unit[list(leaves)] = [codes[key] for key in keys]
    found = per_task(evidence, unit, len(codes), code_k=code_k)
    names = list(dict.fromkeys(key[0] for key in codes))
    category = np.array([names.index(key[0]) for key in codes], np.int64)
    whole = found.rates.over(category, len(names)).over(np.zeros(len(names), np.int64), 1)
    return _cell(found, whole, range(len(codes)))


def unit_of(leaf: Leaf) -> tuple[str, str, Hashable]:
    """What counts as one task in a mean: a task of the paper by whatever name, else a task's part in a category.

    Some logs have MMLU's subjects as domains of one task; the paper, and other logs, have them as tasks.
    """
    known = of_paper(leaf)
    return leaf.category, leaf.task, None if known is None else known.code


def _cell(found: PerTask, rates: PerSeed, tasks: Sequence[int]) -> InOrder:
    """One cell from its rates by seed and the tasks behind it."""
    numbers = {name: _over_seeds(table[:, 0]) for name, table in rates._asdict().items()}
    return InOrder(
        forgetting=numbers["forgetting"][0],
        gain=numbers["gain"][0],
        forgetting_sd=numbers["forgetting"][1],
        gain_sd=numbers["gain"][1],
        ceiling_before=numbers["ceiling_before"][0],
        ceiling_after=numbers["ceiling_after"][0],
        null_bias=numbers["null_bias"][0],
        seeds=int((~np.isnan(rates.forgetting[:, 0])).sum()),
        tasks=len(tasks),
        left_out=int(found.unknown[list(tasks)].sum()),
        items=int(found.items[list(tasks)].sum()),
        by_number=int(found.by_number[list(tasks)].sum()),
    )


def _group_of_leaf(groups: Sequence[Group], leaves: int) -> Ints:
    unit = np.full(leaves, -1, np.int64)
    for place, group in enumerate(groups):
        unit[list(group.leaves)] = place
    return unit


def _over_seeds(line: Floats) -> tuple[float | None, float | None]:
    """Mean and standard deviation (divisor seeds − 1) over the seeds that have a value."""
    known = line[~np.isnan(line)]
    spread = number(float(known.std(ddof=1))) if len(known) > 1 else None
    return (number(float(known.mean())) if len(known) else None), spread
