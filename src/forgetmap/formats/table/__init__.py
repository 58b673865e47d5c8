"""Plain tables: CSV, TSV, JSON lines, a JSON list of objects (each also as .gz), Parquet; a file, or a folder of them.

A row is one item and one draw, told by `item_id` or `question` (better both), and by `correct` or `choice` and `gold`. Other columns
that count: `choices` (a list, JSON text, or several columns: `--map a,b,c=choices`), task, domain, category, cluster, k, draw, seed,
outcome, scorer, prompt, response; and about the run: run, checkpoint (or model), stage, step, dtype, template, harness. `--map
THEIRS=OURS` says which column is which; columns of other names do not count. Empty cells are absent.

- `choice` and `gold` are each a letter, an index from 0 or an option's text. A file is read as it is written in most of its rows;
  what fits nothing is unparsed in `choice` and a problem in `gold`. Without options and k, letters and indices match, all else is right
  if the texts are equal, and chance is unknown. Where every gold is a letter, a choice that is none (nor an index) is unparsed.
- `correct` is 0 or 1, true or false, yes or no, or a number between; where it is empty and no outcome says why, the row has failed.
- Options of equal text are one, and `k` is their number.
- The task of a row is its `task`, else its file's name in the folder less the words that all files share, else (a single file)
  "items", so that before.csv and after.csv can be compared.
- The run of a row is its `run`, else the file or folder. Folders in a folder that hold files of the same names are a run each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from forgetmap.errors import FormatError
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.table import names as told
from forgetmap.formats.table.files import Source, sniff, source, tables_in
from forgetmap.formats.table.runs import Part, Suite
from forgetmap.records.run import Run


def read(path: Path, hints: Hints) -> Iterator[Run]:
    """Every run in a file or folder."""
    suites = list(_suites(path, hints) if path.is_dir() else _suite_of_file(path, hints))
    if hints.name is not None and len(suites) == 1:
        suites = [replace(suites[0], name=hints.name)]
    for suite in suites:
        yield from suite.runs()


def _suite_of_file(path: Path, hints: Hints) -> Iterator[Suite]:
    part = Part(source(path, path.name, hints.columns), told.ONE_TASK)
    yield Suite(told.stem(path.name), [part], hints.k)


def _suites(folder: Path, hints: Hints) -> Iterator[Suite]:
    sources, notes = _sources(folder, hints)
    names = [found.name for found in sources]
    if not told.folders_are_runs(names):
        yield _suite(folder.resolve().name, sources, hints, notes)
        return
    inner = list(dict.fromkeys(PurePath(name).parts[0] for name in names if "/" in name))
    notes += [
        f"{folder} holds files of the same names in {len(inner)} folders, so each folder is read as a run of its own."
    ]
    notes += [f"{name} stands outside of these folders and was left out." for name in names if "/" not in name]
    for name in inner:
        own = [found for found in sources if found.name.startswith(f"{name}/")]
        yield _suite(name, own, hints, notes)


def _suite(name: str, sources: Sequence[Source], hints: Hints, notes: Sequence[str]) -> Suite:
    by_file = [found for found in sources if "task" not in found.columns]
    told.demand_distinct([found.name for found in by_file])
    tasks = told.tasks([found.name for found in sources])
    parts = [Part(found, task) for found, task in zip(sources, tasks, strict=True)]
    return Suite(name, parts, hints.k, notes)


def _sources(folder: Path, hints: Hints) -> tuple[list[Source], list[str]]:
    """The tables of items in a folder; others, such as tables of sums, are noted where there is at least one."""
    sources: list[Source] = []
    left_out: list[FormatError] = []
    for path in tables_in(folder):
        try:
            sources.append(source(path, path.relative_to(folder).as_posix(), hints.columns))
        except FormatError as error:
            left_out.append(error)
    if not sources:
        raise (
            left_out[0] if left_out else FormatError(f"{folder} holds no table: CSV, JSON lines or Parquet is wanted.")
        )
    return sources, [f"{error} It was left out." for error in left_out]


FORMAT = Format(sniff, read, takes_columns=True, logs=r".*\.(?:csv|tsv|jsonl?|ndjson)(?:\.gz)?|.*\.(?:parquet|pq)")
