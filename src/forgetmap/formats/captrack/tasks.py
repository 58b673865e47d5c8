"""The tasks of CapTrack, and which of them a file of answers is about."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

TASKS = (
    *(
        "bfcl.subset",
        "boolq.subset",
        "eli5.subset",
        "followbench.subset",
        "gsm8k.rephrased",
        "gsm8k.schema",
        "gsm8k.subset",
    ),
    *(
        "gsm8k.table_schema",
        "harmbench.subset",
        "hellaswag.subset",
        "hotpotqa.citation",
        "hotpotqa.subset",
        "humaneval.full",
    ),
    *(
        "ifeval.subset",
        "livemathbench.full",
        "longbenchv2.full",
        "math.subset",
        "mbpp.full",
        "mgsm.subset",
        "mmlu_pro.rephrased",
    ),
    *(
        "mmlu_pro.schema",
        "mmlu_pro.subset",
        "mmlu_pro.table_schema",
        "mnms.full",
        "mtbench.turn1",
        "mtbench.turn2",
        "oasst1.full",
    ),
    *(
        "popqa.subset",
        "qasper.citation",
        "ragtruth.subset",
        "ruler.32k",
        "ruler.4k",
        "structflowbench.turn2",
        "supergpqa.subset",
    ),
    *("truthfulqa.full", "winogrande.subset", "xtreme.subset"),
)
"""Names as family.variant; `.core` is another name for `.subset`."""

LETTERED = frozenset(
    {"mmlu_pro.subset", "mmlu_pro.rephrased", "supergpqa.subset", "truthfulqa.full", "winogrande.subset"}
    | {"hellaswag.subset", "longbenchv2.full"}
)
"""An option is asked for by its letter."""
GUESSED = LETTERED | {"boolq.subset"}
"""An answer can be guessed, so that it has no chance unless its options are told."""
PASSAGES = frozenset({"boolq.subset", "hotpotqa.subset", "longbenchv2.full", "qasper.citation", "ragtruth.subset"})
"""Several questions may be about one text."""
STRUCTURED = frozenset(
    {"popqa.subset", "xtreme.subset", "hotpotqa.subset", "hotpotqa.citation", "qasper.citation", "humaneval.full"}
    | {"mbpp.full", "mnms.full", "bfcl.subset", "ifeval.subset"}
)
"""The gold is a list or an object, which a table of text holds as its text."""

ALIASES = frozenset({"popqa.subset", "xtreme.subset"})
"""The gold is a list of answers of which each is right."""

ENDINGS = (".jsonl", ".json", ".csv", ".parquet", ".pq")
"""In CapTrack's own order: of two files for one task the first is its."""


class Named(NamedTuple):
    """What a file's name says of its task."""

    task: str
    variants: tuple[str, ...]
    """The tasks of a family, where only that is named and it has several."""


@cache
def named(file_name: str) -> Named | None:
    """The task of `family_variant.jsonl`, `family.variant.jsonl` or `family.jsonl`; null for any other file.

    >>> named("mmlu_pro_subset.jsonl").task, named("popqa.csv").task, named("gsm8k.core.json").task
    ('mmlu_pro.subset', 'popqa.subset', 'gsm8k.subset')
    >>> named("gsm8k.parquet").task, len(named("gsm8k.parquet").variants), named("notes.csv")
    ('gsm8k', 4, None)
    """
    ending = Path(file_name).suffix.lower()
    stem = file_name[: -len(ending)].lower() if ending in ENDINGS else ""
    if task := known(stem):
        return Named(task, ())
    variants = tuple(task for task in TASKS if task.partition(".")[0] == stem)
    if not variants:
        return None
    return Named(variants[0], ()) if len(variants) == 1 else Named(stem, variants)


def known(name: str) -> str | None:
    """The task of that name, with a dot or an underscore before its variant."""
    plain = name.strip().replace(".", "_")
    plain = plain.removesuffix("_core") + "_subset" if plain.endswith("_core") else plain
    return next((task for task in TASKS if task.replace(".", "_") == plain), None)
