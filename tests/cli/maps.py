"""Maps made by hand, of any size: what a page must be able to show, without logs behind it."""

import random
from collections.abc import Sequence

from forgetmap.measure.cell import Cell, Estimate, Level
from forgetmap.measure.map import Comparison, Map
from forgetmap.records.schema import RunInfo
from forgetmap.taxonomy.place import read_taxonomy

CATEGORIES = (
    "math",
    "science_technology_engineering",
    "knowledge_and_qa",
    "liberal_arts",
    "safety_and_truthfulness",
    "language",
)


def a_map(
    *, after: Sequence[str] = ("after",), domains: int = 6, categories: int = 3, task: str = "quiz", seed: int = 7
) -> Map:
    """One comparison for each name in `after`, over `domains` domains of one task."""
    chance = random.Random(seed)
    places = [(f"domain_{number}", CATEGORIES[number % categories]) for number in range(domains)]
    cells = [cell for name in after for cell in comparison_cells(name, places, task, chance)]
    return mapped(
        cells,
        [
            a_comparison(name, paired=sum(c.n for c in cells if (c.after, c.level) == (name, "domain")))
            for name in after
        ],
    )


def mapped(cells: list[Cell], comparisons: list[Comparison], estimators: tuple[str, ...] = ()) -> Map:
    names = dict.fromkeys(name for pair in comparisons for name in (pair.before, pair.after))
    return Map(
        version="0",
        confidence=0.95,
        taxonomy="default",
        estimator="option",
        estimators=estimators,
        runs={name: RunInfo(run_id=name, checkpoint=name) for name in names},
        draws=dict.fromkeys(names, 1),
        comparisons=comparisons,
        cells=cells,
        placed=read_taxonomy(),
    )


def a_comparison(after: str = "after", *, before: str = "before", paired: int = 600, **said: object) -> Comparison:
    nothing = {"only_before": 0, "only_after": 0, "duplicate": 0, "content_differs": 0, "problems": 0}
    lists: dict[str, object] = {
        "tasks_only_before": [],
        "tasks_only_after": [],
        "differs": [],
        "notes": [],
        "scorers": {"quiz": "acc"},
    }
    return Comparison(before=before, after=after, paired=paired, **{**nothing, **lists, **said})  # type: ignore[arg-type]


def comparison_cells(after: str, places: Sequence[tuple[str, str]], task: str, chance: random.Random) -> list[Cell]:
    leaves = [a_cell(name, level="domain", after=after, parent=task, task=task, chance=chance) for name, _ in places]
    found = [a_cell("all", level="all", after=after, n=sum(leaf.n for leaf in leaves), task=task, chance=chance)]
    for category in dict.fromkeys(category for _, category in places):
        n = sum(leaf.n for leaf, (_, own) in zip(leaves, places, strict=True) if own == category)
        found.append(a_cell(category, level="category", after=after, parent="all", n=n, task=task, chance=chance))
    found.append(a_cell(task, level="task", after=after, parent="all", n=found[0].n, task=task, chance=chance))
    return found + leaves


def a_cell(
    name: str = "all",
    *,
    level: Level = "all",
    after: str = "after",
    chance: random.Random | None = None,
    n: int | None = None,
    **said: object,
) -> Cell:
    """A cell whose numbers fit each other; anything can be overruled by its name."""
    luck = chance or random.Random(name)
    n = n if n is not None else luck.randint(40, 400)
    lost, gained, kept = (round(n * luck.uniform(low, high)) for low, high in ((0.02, 0.2), (0.02, 0.15), (0.2, 0.6)))
    counts = {"n11": float(kept), "n10": float(lost), "n01": float(gained), "n00": float(n - kept - lost - gained)}
    share = lost / n
    numbers: dict[str, object] = {
        **counts,
        "accuracy_before": (kept + lost) / n,
        "accuracy_after": (kept + gained) / n,
        "forgetting": around(share - 0.03, n),
        "gain": around(gained / n - 0.03, n),
        "net": around((gained - lost) / n, n),
        "unanswered_loss": around(0.01, n),
        "unanswered_gain": around(0.0, n),
        "p_net": luck.random(),
        "detectable": 1.4 / n**0.5,
        "causes": {"other_option": float(lost - 1), "unparsed": 1.0},
    }
    plain: dict[str, object] = {
        "parent": None,
        "task": "quiz",
        "scorer": "acc",
        "metric": "accuracy",
        "dropped": {},
        "before": "before",
    }
    if level == "domain":
        plain["q_net"] = luck.random() ** 3
    return Cell(level=level, name=name, after=after, n=n, **{**plain, **numbers, **said})  # type: ignore[arg-type]


def around(value: float, n: int) -> Estimate:
    half = 0.9 / n**0.5
    return Estimate(value, value - half, value + half, n, "padded")


def band(low: float, high: float, n: int = 100) -> Estimate:
    return Estimate(None, low, high, n, "band")
