"""A map and budgets in, verdicts out: may this checkpoint be released?"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.measure.cell import Cell, Estimate
from forgetmap.measure.flat import percent
from forgetmap.measure.map import Comparison, Map
from forgetmap.measure.task_names import TOLERATED
from forgetmap.stats.interval import tail
from forgetmap.stats.power import items_deciding
from forgetmap.stats.significance import holm

Decision = Literal["PASS", "WARN", "INCONCLUSIVE", "BLOCK"]
DECISIONS: tuple[Decision, ...] = ("BLOCK", "WARN", "INCONCLUSIVE", "PASS")
"""Worst first: the decision on several cells is the worst of theirs."""
UNSEEN = ("chance_unknown", "failed", "unanswered", "band_only")
"""Reasons for which items are left out that could as well have been forgotten."""


class Verdict(NamedTuple):
    """What a gate says of one cell and its budget."""

    before: str
    after: str
    level: str
    name: str
    task: str | None
    budget: float
    decision: Decision
    forgetting: Estimate | None
    p: float | None
    """One-sided test of forgetting > budget, adjusted (Holm) over the budgeted cells of the comparison."""
    items_needed: int | None
    """Items that would decide, if estimate and spread stay as they are; null where decided, or where no number would."""
    reasons: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        estimate = self.forgetting.to_dict() if self.forgetting else None
        return {**self._asdict(), "forgetting": estimate, "reasons": list(self.reasons)}


def gate(map: Map, *, max_forgetting: float | None = None, budgets: Mapping[str, float] | None = None) -> list[Verdict]:
    """One verdict for each budgeted cell of each comparison, at the map's confidence.

    `max_forgetting` is the budget of the overall cell, `budgets` those of categories, tasks or domains by name (a domain also as
    TASK/DOMAIN); a name means the widest level that has it. What is not given is taken from the study's `[gate]`. PASS: the upper
    bound is at most the budget. BLOCK: forgetting above the budget is shown, Holm over the budgeted cells. WARN: the estimate is
    above, but that is not shown. INCONCLUSIVE: none of these. A band counts by its ends.
    """
    overall = map.settings.max_forgetting if max_forgetting is None else max_forgetting
    limits: dict[str | None, float] = {} if overall is None else {None: overall}
    for named in (map.settings.budgets, budgets or {}):
        limits.update(named.items())
    _check(limits)
    return [verdict for pair in map.comparisons for verdict in _verdicts(map, pair, limits)]


def worst(verdicts: Sequence[Verdict]) -> Decision:
    """The decision on all cells together."""
    said = {verdict.decision for verdict in verdicts}
    return next(decision for decision in DECISIONS if decision in said)


def _check(limits: Mapping[str | None, float]) -> None:
    if not limits:
        raise SettingError(
            "a gate needs a budget: give --max-forgetting 0.02 or --budget NAME=0.02, or a table [gate] in study.toml."
        )
    for name, budget in limits.items():
        if not 0 <= budget <= 1:
            raise SettingError(
                f"the budget of {name or 'all items'} is a share between 0 and 1, such as 0.02 for 2 %; got {budget:g}."
            )


def _verdicts(map: Map, pair: Comparison, limits: Mapping[str | None, float]) -> list[Verdict]:
    cells = [cell for cell in map.cells if (cell.before, cell.after) == (pair.before, pair.after)]
    budgeted = [(cell, budget) for name, budget in limits.items() for cell in _named(cells, _own(name, pair))]
    single = np.array([_p(cell, budget) for cell, budget in budgeted])
    level = (1 - map.confidence) / 2
    return [
        _all_asked(_verdict(cell, budget, float(p), level / len(budgeted), level), pair)
        for (cell, budget), p in zip(budgeted, holm(single), strict=True)
    ]


def _own(name: str | None, pair: Comparison) -> str | None:
    """The name before of a task that is given by its name after, also as TASK/DOMAIN."""
    own = {after: before for before, after in pair.tasks_after.items()}
    task, sign, domain = (name or "").partition("/")
    return own.get(name or "", own[task] + sign + domain if task in own else name)


def _named(cells: Sequence[Cell], name: str | None) -> list[Cell]:
    """The cells of the widest level that has the name; several where tasks share a domain's name, or scores are partly graded."""
    if name is None:
        return [cell for cell in cells if cell.level == "all"]
    for level in ("category", "task", "domain"):
        found = [cell for cell in cells if cell.level == level and name in (cell.name, f"{cell.task}/{cell.name}")]
        if found:
            return found
    known = list(dict.fromkeys(cell.name for cell in cells if cell.level != "all"))
    close = get_close_matches(name, known, n=1)
    meant = f"Is {close[0]} meant?" if close else f"There are: {', '.join(known[:8])}{' …' if len(known) > 8 else ''}."
    raise SettingError(f"a budget is given for {name!r}, and no category, task or domain is called that. {meant}")


def _p(cell: Cell, budget: float) -> float:
    return float(tail(cell.rests_on.lower, at=budget)[0]) if cell.rests_on else np.nan


def _verdict(cell: Cell, budget: float, p: float, each: float, level: float) -> Verdict:
    decision = _decision(cell, budget, p, level)
    needed = None if decision in ("PASS", "BLOCK") else _needed(cell, budget, each, level)
    return Verdict(
        before=cell.before,
        after=cell.after,
        level=cell.level,
        name=cell.name,
        task=cell.task,
        budget=budget,
        decision=decision,
        forgetting=cell.forgetting,
        p=None if np.isnan(p) else p,
        items_needed=needed,
        reasons=tuple(_reasons(cell, budget, decision, needed, level)),
    )


def _all_asked(verdict: Verdict, pair: Comparison) -> Verdict:
    """The verdict; on all items nothing passes that was asked only before."""
    if verdict.level != "all" or verdict.decision != "PASS" or not pair.tasks_only_before:
        return verdict
    reason = (
        f"{len(pair.tasks_only_before)} of the tasks before were not asked after ({', '.join(pair.tasks_only_before[:3])}): "
        "ask them, or give the tasks that both have budgets of their own"
    )
    return verdict._replace(decision="INCONCLUSIVE", reasons=(*verdict.reasons, reason))


def _decision(cell: Cell, budget: float, p: float, level: float) -> Decision:
    found = cell.forgetting
    if found is None or found.low is None or found.high is None:
        return "INCONCLUSIVE"
    if p <= level:
        return "BLOCK"
    if found.high <= budget:
        return "INCONCLUSIVE" if _unseen(cell) else "PASS"
    return "WARN" if found.value is not None and found.value > budget else "INCONCLUSIVE"


def _unseen(cell: Cell) -> dict[str, int]:
    """Items that forgetting does not rest on and that could hold it, by reason; nothing where they are few."""
    left_out = {reason: cell.dropped[reason] for reason in UNSEEN if cell.dropped.get(reason)}
    items = cell.n + sum(cell.dropped.get(reason, 0) for reason in ("failed", "unanswered"))
    return left_out if sum(left_out.values()) > TOLERATED * items else {}


def _needed(cell: Cell, budget: float, each: float, level: float) -> int | None:
    """To exclude more than the budget where the upper end is below it, else to show more."""
    if cell.rests_on is None or _unseen(cell):
        return None
    lower, upper = cell.rests_on
    if upper.n[0] and upper.total[0] / upper.n[0] < budget:
        return items_deciding(upper, budget, 1 - level)
    if lower.n[0] and lower.total[0] / lower.n[0] > budget:
        return items_deciding(lower, budget, 1 - each)
    return None


def _reasons(cell: Cell, budget: float, decision: Decision, needed: int | None, level: float) -> Iterator[str]:
    yield from _why(cell, budget, decision, needed)
    left_out = _unseen(cell) if cell.forgetting else {}
    for reason in (one for one in left_out if one in _UNSEEN):
        said = f"{left_out[reason]:,} items are left out ({_UNSEEN[reason]})"
        yield f"{said}, and what became of them is not known{_mend(cell, reason)}"
    if cell.dropped.get("band_only"):
        yield (
            f"{cell.dropped['band_only']:,} items (with one wrong option, or without chosen options) are not part of it: "
            "give their tasks budgets of their own"
        )
    if cell.excess is not None and cell.p is not None and cell.p > level:
        yield (
            f"the loss is no more than sampling noise explains: excess {percent(cell.excess.value)} % "
            f"[{percent(cell.excess.low)}, {percent(cell.excess.high)}] is not shown to be above 0"
        )


_UNSEEN = {
    "chance_unknown": "their number of options is not in the log",
    "failed": "without an answer on one side",
    "unanswered": "without a score on one side",
}


def _mend(cell: Cell, reason: str) -> str:
    return f"; say it with --k '{cell.task or 'TASK'}=4', or open" if reason == "chance_unknown" else ""


def _why(cell: Cell, budget: float, decision: Decision, needed: int | None) -> Iterator[str]:
    found = cell.forgetting
    if found is None:
        yield _nothing(cell)
    elif found.low is None:
        yield cell.notes.get("clusters", "no interval can be had")
    elif found.value is None and decision == "INCONCLUSIVE":
        yield "only a band is known (one wrong option, or no chosen options in the log), and the budget lies in it"
    elif decision == "INCONCLUSIVE" and not _unseen(cell):
        yield "the budget lies within the interval"
    elif decision == "WARN":
        yield f"the estimate is above {percent(budget)} %, but that is not shown"
    if needed is not None:
        yield f"about {needed:,} items would decide, if all stays as it is (there are {found.n if found else 0:,})"
    elif decision == "INCONCLUSIVE" and found is not None and found.value is None and not _unseen(cell):
        yield "more items would not decide"


def _nothing(cell: Cell) -> str:
    if cell.n == 0:
        return "no item has an answer on both sides"
    if cell.dropped.get("chance_unknown"):
        return (
            "the number of options is not in the log, so luck cannot be told from loss: "
            f"say it with --k '{cell.task or 'TASK'}=4' (a number, or open for answers without options)"
        )
    return cell.notes.get("forgetting", "forgetting cannot be had")
