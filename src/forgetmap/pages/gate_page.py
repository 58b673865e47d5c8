"""Verdicts as a page."""

from collections.abc import Iterator, Sequence

from forgetmap.measure.flat import percent
from forgetmap.measure.gate import Decision, Verdict, worst
from forgetmap.measure.map import Map
from forgetmap.measure.words import ABSENT, count, estimate, p_value
from forgetmap.pages.blocks import Bullets, Column, Entry, Page, Section, Sentences, Table, Tone
from forgetmap.pages.flags import flags

TONES: dict[Decision, Tone] = {"PASS": "good", "WARN": "strong", "INCONCLUSIVE": "strong", "BLOCK": "bad"}
_MEANS: dict[Decision, str] = {
    "PASS": "forgetting above the budget is excluded",
    "WARN": "the estimate is above the budget, but that is not shown",
    "INCONCLUSIVE": "it can neither be shown nor excluded that more was forgotten than the budget allows",
    "BLOCK": "more was forgotten than the budget allows",
}
_COLUMNS = (
    Column("", "left"),
    Column("budget %"),
    Column("verdict", "left"),
    Column("forgetting %", "estimate"),
    Column("items", spare=1),
    Column("p", spare=2),
)


def gate_page(map: Map, verdicts: Sequence[Verdict]) -> Page:
    """The decision, a row a budget, the reasons, and what was flagged."""
    decision = worst(verdicts)
    runs = ", ".join(f"{pair.after} since {pair.before}" for pair in map.comparisons)
    page = [
        Section(f"{decision} · {runs}", [Sentences([f"{_MEANS[decision].capitalize()}."])]),
        Section("", [Table(_COLUMNS, [_row(verdict) for verdict in verdicts])]),
    ]
    lines = list(_reasons(verdicts))
    page += [Section("Why", [Bullets(lines)])] if lines else []
    return [*page, *flags(map), Section("", [Sentences(_legend(map, verdicts), "dim")])]


def named(verdict: Verdict) -> str:
    """What the budget is for.

    >>> named(Verdict("a", "b", "domain", "physics", "mmlu", 0.1, "PASS", None, None, None, ()))
    'physics (domain of mmlu)'
    """
    if verdict.level == "all":
        return "all items"
    return f"{verdict.name} ({verdict.level}{f' of {verdict.task}' if verdict.level == 'domain' else ''})"


def _row(verdict: Verdict) -> tuple[Entry, ...]:
    return (
        Entry(named(verdict)),
        Entry(percent(verdict.budget)),
        Entry(verdict.decision, TONES[verdict.decision]),
        Entry(estimate(verdict.forgetting)),
        Entry(count(verdict.forgetting.n if verdict.forgetting else None)),
        Entry(ABSENT if verdict.p is None else p_value(verdict.p).removeprefix("= ")),
    )


def _reasons(verdicts: Sequence[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        if verdict.reasons:
            yield f"{named(verdict)}: {'; '.join(verdict.reasons)}."


def _legend(map: Map, verdicts: Sequence[Verdict]) -> list[str]:
    level = percent(map.confidence).removesuffix(".0")
    lines = [f"[low, high] is the {level} % interval, a … b a band; luck is taken off."]
    tested = sum(verdict.p is not None for verdict in verdicts)
    adjusted = f", adjusted for {tested} budgets (Holm)" if tested > 1 else ""
    return [*lines, f"p is the one-sided test of forgetting above the budget{adjusted}."]
