"""Paths of items through stages as a page."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from forgetmap.measure.flat import percent
from forgetmap.measure.labels import at
from forgetmap.measure.marks import legend
from forgetmap.measure.path_cells import PathCell, PathShare
from forgetmap.measure.paths import KNOWN
from forgetmap.measure.stages import Stages
from forgetmap.measure.words import ABSENT, clear_of_zero, count, estimate, is_band, listed, plural
from forgetmap.pages.blocks import Bullets, Column, Entry, Page, Part, Section, Sentences, Table, Tone
from forgetmap.pages.columns import cell_table
from forgetmap.pages.flags import flags, map_notes, scorers
from forgetmap.pages.seeds import seeds
from forgetmap.taxonomy.place import UNPLACED

MOST_PATHS = 12
"""Paths that a page shows of many, beside their sums by name."""
MOST_ROWS = 24
EXPLAINED = (
    "A path says at which stages an item was known. Shares are in % of the items, less what lucky guesses explain; beside them stands how "
    "many items were answered right at just these stages."
)
_SHOWN_NAMES = ("lost", "lost, regained", "gained", "gained, lost", "back and forth")


def stages_page(found: Stages, *, by: str | None = None, everything: bool = False) -> Page:
    """What became of the items in words, then paths, steps, capabilities, seeds, and what was flagged."""
    names = [stage.name for stage in found.stages]
    overall = found.paths[0] if found.paths else None
    page = [_opening(names, overall)]
    if overall:
        page += _paths(overall, names, everything=everything)
    page += [_steps(found)]
    if overall:
        page += _capabilities(found.paths, by, everything=everything)
    page += [*seeds(found.map.recipes), *_told(found), *flags(found.map)]
    page += _unclear(found)
    return [*page, Section("", [Sentences(list(_legend(found)), "dim")])]


def in_words(path: str, names: Sequence[str]) -> str:
    """
    >>> [in_words(path, ["base", "sft", "rl"]) for path in ("KKK", "KUK", "UUK", "UKU", "UUU")]
    ['kept', 'lost in sft, regained in rl', 'gained in rl', 'gained in sft, lost in rl', 'never']
    """
    turns: list[str] = []
    for place, (before, after) in enumerate(pairwise(path), 1):
        if before != after:
            word = "lost" if after != KNOWN else "regained" if KNOWN in path[:place] else "gained"
            turns.append(f"{word} in {names[place]}")
    return ", ".join(turns) or ("kept" if path[0] == KNOWN else "never")


def _opening(names: Sequence[str], overall: PathCell | None) -> Section:
    title = " → ".join(names)
    if overall is None:
        return Section(title, [])
    return Section(
        f"{title} · {plural(overall.n, 'item')} answered at all stages", [Sentences(list(_headline(overall, names)))]
    )


def _headline(overall: PathCell, names: Sequence[str]) -> Iterator[str]:
    shares = overall.names
    if not overall.n:
        yield f"No item was answered at every stage ({plural(overall.dropped.get('failed', 0), 'item')} failed at some)."
        return
    if shares["lost"].estimate is None:
        counted = ", ".join(f"{count(shares[name].items)} {name}" for name in _SHOWN_NAMES if name in shares)
        yield f"Of {plural(overall.n, 'item')}, by right answers alone: {counted}. How much of that is luck cannot be said."
        return
    again = f"lost in {names[1]} and regained in {names[2]}" if len(names) == 3 else "lost and then regained"
    back = f"gained in {names[1]} and lost again in {names[2]}" if len(names) == 3 else "gained and then lost again"
    said = [f"{_amount(shares['lost'])} were lost{' for good' * (len(names) > 2)}"]
    said += [f"{_amount(shares['lost, regained'])} were {again}"] if "lost, regained" in shares else []
    said += [f"{_amount(shares['gained'])} were gained{' and kept' * (len(names) > 2)}"]
    said += [f"{_amount(shares['gained, lost'])} were {back}"] if "gained, lost" in shares else []
    yield f"Of {plural(overall.n, 'item')}, {listed(said)}."
    accuracy = " → ".join(percent(one) for one in overall.accuracy)
    known = " → ".join(percent(one) for one in overall.known)
    yield f"Accuracy {accuracy} %; known, luck taken off, {known} %."


def _amount(share: PathShare) -> str:
    found = share.estimate
    if is_band(found) and found is not None:
        return f"between {percent(found.low)} and {percent(found.high)} %"
    return estimate(found, " %")


def _paths(overall: PathCell, names: Sequence[str], *, everything: bool) -> list[Section]:
    """Every path of up to three stages; of more the sums by name, then the paths that most right answers follow."""
    explained = Sentences([EXPLAINED], "dim")
    every = list(overall.paths.items())
    if len(names) <= 3:
        return [Section("", [explained, _table([(in_words(path, names), path, share) for path, share in every])])]
    ranked = sorted(every, key=lambda row: -row[1].items)[:MOST_PATHS]
    shown = every if everything else [row for row in every if row in ranked and row[1].items]
    more = len(every) - len(shown)
    note = [Sentences([f"{more} more, each of fewer items; --all shows them."], "dim")] if more else []
    return [
        Section("", [explained, _table([(name, "", share) for name, share in overall.names.items()])]),
        Section("Path by path", [_table([(in_words(path, names), path, share) for path, share in shown]), *note]),
    ]


def _table(rows: Sequence[tuple[str, str, PathShare]]) -> Table:
    """Paths in words, their codes where they have one, items and shares, and where there are seeds what other seeds may say."""
    coded, by_seed = any(code for _, code, _ in rows), any(share.seeds for *_, share in rows)
    columns = (
        Column("path", "left"),
        *([Column("code", "left", 2)] if coded else []),
        Column("items", spare=1),
        Column("share %", "estimate"),
        *([Column("other seeds and items", "estimate", 3)] if by_seed else []),
    )
    lines = []
    for words, code, share in rows:
        both = share.seeds.both if share.seeds else None
        line = [Entry(words), *([Entry(code, "dim")] if coded else []), Entry(count(share.items))]
        line.append(Entry(estimate(share.estimate), _tone(words, share)))
        line += [Entry(ABSENT if both is None else f"[{percent(both[0])}, {percent(both[1])}]")] if by_seed else []
        lines.append(tuple(line))
    return Table(columns, lines)


def _tone(words: str, share: PathShare) -> Tone:
    """Coloured where it stands clear of zero and ends otherwise than it began."""
    turn = words.split(", ")[-1]
    if not clear_of_zero(share.estimate):
        return "plain"
    return "bad" if turn.startswith("lost") else "good" if turn.startswith(("gained", "regained")) else "plain"


def _steps(found: Stages) -> Section:
    """Forgetting and gain of every step, each over the items that its own two runs share."""
    overall = at(found.map.cells, "all")
    graded = {cell.metric for cell in overall} == {"accuracy", "graded"}
    names = [
        f"{cell.before} → {cell.after}" + (" (graded)" if graded and cell.metric == "graded" else "")
        for cell in overall
    ]
    table = cell_table("step", overall, names, brief=True)
    return Section("Steps", [table._replace(rows=[(row[0]._replace(tone="plain"), *row[1:]) for row in table.rows])])


def _capabilities(cells: Sequence[PathCell], by: str | None, *, everything: bool) -> list[Section]:
    level = by or _level(cells)
    rows = sorted((cell for cell in cells if cell.level == level), key=lambda cell: (-_lost(cell), cell.name))
    if len(rows) < 2:
        return []
    shown = rows if everything else rows[:MOST_ROWS]
    names = [name for name in _SHOWN_NAMES if name in cells[0].names]
    columns = (Column(level, "left"), Column("items"), *(Column(f"{name} %", "estimate") for name in names))
    several = len({cell.task for cell in cells if cell.level == "domain"}) > 1
    lines = [
        (
            Entry(
                f"{cell.task} · {cell.name}" if several and level == "domain" and cell.task != cell.name else cell.name
            ),
            Entry(count(cell.n)),
            *(Entry(estimate(cell.names[name].estimate)) for name in names),
        )
        for cell in shown
    ]
    more = len(rows) - len(shown)
    note: list[Part] = [Sentences([f"{more} more; --all shows them."], "dim")] if more else []
    return [Section(f"Paths by {level}", [Table(columns, lines, wrap=True), *note])]


def _level(cells: Sequence[PathCell]) -> str:
    """Categories where at least two are known, else tasks where there are several, else domains."""
    names = {level: {cell.name for cell in cells if cell.level == level} for level in ("category", "task")}
    if len(names["category"] - {UNPLACED}) > 1:
        return "category"
    return "task" if len(names["task"]) > 1 else "domain"


def _lost(cell: PathCell) -> float:
    """To sort by: what was lost and not regained, a band by its middle."""
    found = cell.names["lost"].estimate
    if found is None or (found.value is None and (found.low is None or found.high is None)):
        return -2.0
    return found.value if found.value is not None else ((found.low or 0.0) + (found.high or 0.0)) / 2


def _told(found: Stages) -> list[Section]:
    overall = found.paths[0] if found.paths else None
    lines = [*found.notes, *(note for key, note in (overall.notes if overall else {}).items() if key != "paths")]
    dropped = overall.dropped.get("failed", 0) if overall else 0
    lines += [f"{plural(dropped, 'item')} failed at some stage and are left out"] if dropped else []
    unknown = overall.dropped.get("chance_unknown", 0) if overall else 0
    lines += (
        [f"the log does not say how many options {plural(unknown, 'item')} have: say so with --k"] if unknown else []
    )
    return [Section("About the paths", [Bullets(list(map_notes(lines)))])] if lines else []


def _unclear(found: Stages) -> list[Section]:
    """What these numbers cannot tell."""
    lines = []
    if min(found.map.draws.values()) == 1:
        lines.append(
            "Whether a path is more than sampling noise: with one draw a stage, an item that wavers from draw to draw looks lost, and "
            "regained. With several draws a stage the shares are means over them."
        )
    if found.paths and "paths" in found.paths[0].notes:
        lines.append(f"Paths: {found.paths[0].notes['paths']}.")
    return [Section("What cannot be concluded", [Bullets(lines)])] if lines else []


def _legend(found: Stages) -> Iterator[str]:
    level = percent(found.confidence).removesuffix(".0")
    yield f"[low, high] is the {level} % interval; a … b: only a band is known; {ABSENT} cannot be said."
    yield from legend(found.map.cells)
    yield from scorers(found.map)
