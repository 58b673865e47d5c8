"""What a report says besides its map: terms, methods with their sources, how to make it again, what to do next."""

from collections.abc import Iterator, Sequence
from shlex import join

from forgetmap.measure.flat import percent
from forgetmap.measure.labels import at
from forgetmap.measure.map import Map
from forgetmap.measure.words import ABSENT, clear_of_zero, is_band
from forgetmap.pages.blocks import Bullets, Column, Command, Entry, Part, Section, Sentences, Table
from forgetmap.records.schema import RunInfo

TERMS = {
    "Forgetting": "the share of items known before and no longer after, less what lucky guesses explain; at times just below 0.",
    "Gain": "the same with before and after exchanged (backward transfer, as papers call it).",
    "Net change": "accuracy after less accuracy before. It hides forgetting behind gain.",
    "Raw loss": "the share of items right before and not right after, luck included.",
    "No longer answered": "lost because no answer could be read any more: unparsed, refused, or cut off.",
    "Interval": "where the value lies with the stated confidence; [low, high]. Clear of zero: the whole interval lies above 0.",
    "Band": "low … high: no single value follows, for luck and knowledge look alike (yes/no questions, or no chosen option in the log).",
    "Noise": "what two draws of one checkpoint lose between them. Without it, sampling noise and forgetting look alike.",
    "Smallest forgetting it can show": "what would be seen in four of five studies like this one; less may be there unseen.",
}
METHODS = (
    "An item is known by what it says, and paired by that, never by its place in a file. Forgetting takes lucky guesses off by the "
    "option that was chosen: of answers that are wrong twice, those that changed the option show how often luck comes and goes. Items "
    "that are no longer answered count apart. Intervals are padded in the way of Agresti and Coull (1998), and clustered where items "
    "share a passage.",
    "Marks on single domains hold a false discovery rate of 5 % (Benjamini and Hochberg, 1995); a net change is tested by mid-p McNemar "
    "(Fagerland et al., 2013).",
    "Sample-wise forgetting was proposed by Harmon et al., Mapping Post-Training Forgetting in Language Models at Scale, arXiv 2510.17776; "
    "the estimator used here differs from theirs where wrong answers repeat. All formulas: docs/explain/forgetting.md.",
)


def methods() -> list[Section]:
    return [Section("", [Sentences(list(METHODS))])]


def again(map: Map, command: Sequence[str]) -> list[Section]:
    """How to make the report again, and from what."""
    parts: list[Part] = [
        Command("The command that made this file:", join(command)),
        Command("With this version:", f"forgetmap {map.version}"),
        _runs(map),
    ]
    return [Section("", parts)]


def _runs(map: Map) -> Table:
    titles = (
        "run",
        "checkpoint",
        "harness",
        "prompt",
        "template",
        "dtype",
        "decoding",
        "draws",
        "made",
        "hash of all rows",
    )
    columns = tuple(Column(title, "left") for title in titles)
    rows = [(Entry(name), *map_entries(info, map.draws[name])) for name, info in map.runs.items()]
    telling = [
        place
        for place in range(len(columns))
        if any(row[place].text not in (ABSENT, row[0].text) for row in rows) or not place
    ]
    return Table(tuple(columns[place] for place in telling), [tuple(row[place] for place in telling) for row in rows])


def map_entries(info: RunInfo, draws: int) -> Iterator[Entry]:
    """What a run was made with; – where its log does not say."""
    harness = " ".join(part for part in (info.harness, info.harness_version) if part)
    decoding = ", ".join(f"{key} {value}" for key, value in sorted(info.decoding.items())[:4])
    texts = (info.checkpoint, harness, info.prompt, info.template, info.dtype, decoding)
    yield from (Entry((text or ABSENT)[:60]) for text in texts)
    yield Entry(str(draws))
    yield Entry((info.created or ABSENT)[:10])
    yield Entry((info.hashes.get("content") or ABSENT)[:16])


def next_steps(map: Map, study: str | None) -> list[Section]:
    """What to do, from what the map shows and what it cannot show."""
    lines, where = list(_advice(map)), [] if study is None else ["--study", study]
    commands: list[Part] = []
    if map.comparisons:
        pair = map.comparisons[0]
        commands = [
            Command("Read the lost items:", join(["forgetmap", "lost", pair.before, pair.after, *where])),
            Command(
                "Hold releases against a budget:",
                join(["forgetmap", "gate", pair.before, pair.after, "--max-forgetting", "0.02", *where]),
            ),
        ]
    return [Section("", [*([Bullets(lines)] if lines else []), *commands])]


def _advice(map: Map) -> Iterator[str]:
    overall = at(map.cells, "all")
    leaves = [cell for cell in at(map.cells, "domain") if clear_of_zero(cell.forgetting)]
    if leaves:
        worst = max(
            leaves, key=lambda cell: (cell.forgetting and (cell.forgetting.value or cell.forgetting.low)) or 0.0
        )
        yield f"Look at {worst.name} first: of all single domains it forgot most ({worst.after})."
    for cell in overall:
        if cell.unanswered_loss is not None and clear_of_zero(cell.unanswered_loss):
            yield (
                f"{percent(cell.unanswered_loss.value)} % of the items are lost because {cell.after} no longer answers them readably: "
                "mend the prompt, the token limit or the extraction before you mend the weights."
            )
            break
    if any(pair.differs for pair in map.comparisons):
        yield "Ask both sides with the same prompt, template and settings: differences besides the weights look like forgetting."
    if overall and not any(cell.noise_floor for cell in overall):
        yield "Run one of the checkpoints a second time and give it as --null: without it, sampling noise cannot be taken off."
    if any(is_band(cell.forgetting) for cell in overall):
        yield "Log the chosen option of every answer (or use questions with three options and more): a band then becomes a value."
    few = [cell.name for cell in at(map.cells, "domain") if (cell.detectable or 0) > 0.05]
    if few:
        number = len(dict.fromkeys(few))
        yield f"Ask more items where a loss of 5 % would most likely go unseen: {number} domains (forgetmap power says how many)."
