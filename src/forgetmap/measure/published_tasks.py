"""The published formula, task by task and seed by seed, before any mean.

Per task and seed with accuracies a and k options, forgetting is max(p10 − (1−a_before)(1−a_after)/(k−1), 0), gain the same of p01, and
the ceilings are max((k·a − 1)/(k−1), 0). Here 1/(k−1) is the mean of c/(1−c) over the task's items: the same where all have k options
and one gold. A draw before goes with the draw after of the same seed. A task without a seed common to both sides has its draws by number in
the seeds that other tasks have, so that a mean over seeds is one over those there are.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from forgetmap.measure.columns import FAILED, RIGHT
from forgetmap.measure.evidence import Evidence, Leaf, Part
from forgetmap.stats.arrays import Floats, Ints, totals
from forgetmap.taxonomy.paper import SILENT_K, PaperTask, paper_task

Seeds = Sequence[int | None]
"""One a draw."""


class PerSeed(NamedTuple):
    """One line a seed and one entry a task, category or whole; NaN where a seed has nothing."""

    forgetting: Floats
    gain: Floats
    ceiling_before: Floats
    ceiling_after: Floats
    null_bias: Floats
    """What forgetting and gain would read if what is known had not changed and all guesses were fresh."""

    def over(self, group: Ints, size: int) -> "PerSeed":
        """Plain means over the entries of each group, seed by seed; −1 is in no group."""
        return PerSeed._make(_means(table, group, size) for table in self)

    def only(self, entries: Sequence[int]) -> "PerSeed":
        return PerSeed._make(table[:, list(entries)] for table in self)


class PerTask(NamedTuple):
    """Every task by itself, before any mean."""

    rates: PerSeed
    items: Floats
    unknown: Floats
    """Tasks with an item of unknown chance count 1, others 0."""
    by_number: Floats
    """Tasks whose draws went by number into the seeds of others count 1, others 0."""


def of_paper(leaf: Leaf) -> PaperTask | None:
    """Which task of the paper a leaf is, or a part of."""
    return paper_task(leaf.task, None if leaf.domain == leaf.task else leaf.domain)


def per_task(evidence: Evidence, unit: Ints, size: int, *, code_k: bool = False) -> PerTask:
    """The paper's numbers of every task and seed; `unit` has the task of each leaf, −1 for none."""
    by_seed: dict[Hashable, Floats] = {}
    items, unknown, by_number = np.zeros(size), np.zeros(size), np.zeros(size)
    every = list(evidence.parts)
    seeds = sorted({seed for part in every for seed in common_seeds(*_seeds(part))})
    parts = [part for part in every if (unit[part.leaf] >= 0).any()]
    draws = [list(paired_draws(*_seeds(part), seeds)) for part in parts]
    single = all(len(pairs) == 1 for pairs in draws)
    by_code = _code_luck(evidence.leaves) if code_k else None
    for part, pairs in zip(parts, draws, strict=True):
        code = unit[part.leaf]
        luck = _luck(part) if by_code is None else by_code[part.leaf]
        counted = code[code >= 0]
        unknown += totals(counted, np.isnan(luck[code >= 0]).astype(float), size)
        items += totals(counted, np.ones(len(counted)), size)
        if seeds and not single and not common_seeds(*_seeds(part)):
            by_number[counted] = 1.0
        for before, after, seed in pairs:
            sums = by_seed.setdefault(0 if single else seed, np.zeros((6, size)))
            sums += _sums(part, (before, after), code, luck, size)
    lines = np.array([_rates(sums) for sums in by_seed.values()]).reshape(len(by_seed), len(PerSeed._fields), size)
    return PerTask(PerSeed(*np.moveaxis(lines, 1, 0)), items, np.minimum(unknown, 1.0), by_number)


def _seeds(part: Part) -> tuple[Seeds, Seeds]:
    return part.task.before.seeds, part.task.after.seeds


def common_seeds(before: Seeds, after: Seeds) -> list[int]:
    """Seeds of both sides; none where the seeds of a side do not tell its draws apart."""
    if any(None in side or len(set(side)) < len(side) for side in (before, after)):
        return []
    return [seed for seed in before if seed is not None and seed in after]


def paired_draws(before: Seeds, after: Seeds, known: Sequence[int] = ()) -> Iterator[tuple[int, int, Hashable]]:
    """Places of the draws that belong together, and their seed: those of one seed; where there are none, by number, and the seed is that
    of this number among the `known`.

    >>> list(paired_draws([0, 1, 2], [2, 0])), list(paired_draws([None, None], [4, 5])), list(paired_draws([7], [8]))
    ([(0, 1, 0), (2, 0, 2)], [(0, 0, 'draw 0'), (1, 1, 'draw 1')], [(0, 0, 'draw 0')])
    >>> list(paired_draws([None, None], [4, 5], [42]))
    [(0, 0, 42), (1, 1, 'draw 1')]
    """
    common = common_seeds(before, after)
    if common:
        yield from ((before.index(seed), after.index(seed), seed) for seed in common)
    else:
        numbers = range(min(len(before), len(after)))
        yield from ((place, place, known[place] if place < len(known) else f"draw {place}") for place in numbers)


def _sums(part: Part, draw: tuple[int, int], code: Ints, luck: Floats, size: int) -> Floats:
    """Per task: items, right before, right after, lost, gained, luck."""
    before = part.task.before.state[part.task.rows_before, draw[0]]
    after = part.task.after.state[part.task.rows_after, draw[1]]
    counted = (before < FAILED) & (after < FAILED) & (code >= 0)
    one, two = (before == RIGHT)[counted], (after == RIGHT)[counted]
    columns = (np.ones(len(one)), one, two, one & ~two, two & ~one, luck[counted])
    return np.array([totals(code[counted], column.astype(float), size) for column in columns])


def _rates(sums: Floats) -> tuple[Floats, ...]:
    """Clipped rates of every task in one seed; NaN where it has no item, or one of unknown chance."""
    n = np.where(sums[0] > 0, sums[0], np.nan)
    before, after, lost, gained, luck = sums[1:] / n
    # The sum of c/(1−c) is not known if one is not, so that NaN stays where it belongs: in its own task.
    by_luck = (1 - before) * (1 - after) * luck
    ceilings = [np.maximum(right - (1 - right) * luck, 0.0) for right in (before, after)]
    unknown, chance = 1 - (ceilings[0] + ceilings[1]) / 2, luck / (1 + luck)
    null_bias = unknown * (1 - unknown) * chance * (1 - chance)
    return np.maximum(lost - by_luck, 0.0), np.maximum(gained - by_luck, 0.0), *ceilings, null_bias


def _luck(part: Part) -> Floats:
    """c/(1−c) of every item, from the side that knows its chance; 0 where nothing can be guessed wrong, NaN where chance is unknown."""
    before = part.task.before.chance[part.task.rows_before]
    chance = np.where(np.isnan(before), part.task.after.chance[part.task.rows_after], before)
    return np.where(chance >= 1, 0.0, chance / np.where(chance >= 1, 1.0, 1 - chance))


def _code_luck(leaves: Sequence[Leaf]) -> Floats:
    """1/(k−1) of every leaf, by the constants of the paper's code."""
    tasks = [of_paper(leaf) for leaf in leaves]
    k = np.array([SILENT_K if task is None else task.k_in_code for task in tasks], float)
    return np.where(k > 1, 1 / np.maximum(k - 1, 1), 0.0)


def _means(table: Floats, group: Ints, size: int) -> Floats:
    """Means over the entries of a group that are not NaN."""
    known = ~np.isnan(table) & (group >= 0)
    rows = [
        np.array([totals(group[here], weight[here], size) for weight in (line, np.ones(len(line)))])
        for line, here in zip(table, known, strict=True)
    ]
    found = [np.where(count > 0, total / np.maximum(count, 1), np.nan) for total, count in rows]
    return np.array(found).reshape(len(table), size)
