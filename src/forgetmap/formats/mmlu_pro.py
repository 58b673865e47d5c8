"""Answers published with MMLU-Pro: one JSON list a checkpoint, plain, .gz, or alone in a zip.

Each entry has question_id, question, options, answer (a letter), answer_index, category, src, pred (a letter or null) and the
text generated. The letter was used for scoring, so the gold comes from the letter.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import IO, Any

from forgetmap.errors import FormatError
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.lines import DAMAGED, open_bytes, parse_json
from forgetmap.formats.opening import slug
from forgetmap.records.options import distinct
from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Problem, Row, RunInfo, Sample, Score

TASK = "mmlu_pro"
SCORER = "pred"
_HEAD = 1 << 16
_KEYS = (b'"question_id"', b'"options"', b'"answer"')
_NAME = re.compile(r"(?:model_outputs_)?(?P<name>.+?)(?:_(?P<shots>\d+)shots?)?(?:\.json|\.zip|\.gz)*")
_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, *DAMAGED)
_TEXTS = ("generated_text", "model_outputs")
_SAID_IDS = 5


def sniff(path: Path) -> bool:
    return any(_is_ours(file) for file in _files(path))


def read(path: Path, hints: Hints) -> Iterator[Run]:
    files = [path] if path.is_file() else [file for file in _files(path) if _is_ours(file)]
    return (_run(file, hints.name if len(files) == 1 else None) for file in files)


FORMAT = Format(sniff=sniff, read=read, logs=r".*\.(?:zip|json|json\.gz)")


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from sorted(file for file in path.iterdir() if file.is_file() and _NAME_ENDS.search(file.name))


_NAME_ENDS = re.compile(r"\.(zip|json|json\.gz)$")


def _is_ours(file: Path) -> bool:
    """Whether a file begins like a list of these entries."""
    try:
        with _open(file) as stream:
            head = stream.read(_HEAD)
    except (FormatError, *_BROKEN_ZIP):
        return False
    return head.lstrip().startswith(b"[") and all(key in head for key in _KEYS)


def _open(file: Path) -> IO[bytes]:
    """The one JSON file in a zip, or the file itself."""
    if not zipfile.is_zipfile(file):
        return open_bytes(file)
    archive = zipfile.ZipFile(file)
    members = [name for name in archive.namelist() if name.endswith(".json") and not name.startswith("__MACOSX")]
    if len(members) != 1:
        raise FormatError(f"{file} should hold one JSON file but holds {len(members)}: unpack it and name one of them.")
    return archive.open(members[0])


def _entries(file: Path) -> list[Any]:
    try:
        with _open(file) as stream:
            found = parse_json(stream.read())
    except _BROKEN_ZIP as error:
        raise FormatError(f"{file} is damaged or cut off ({error}): fetch it again.") from error
    except ValueError as error:
        raise FormatError(f"{file} should hold one JSON list, but {error}: was it written to its end?") from error
    if not isinstance(found, list):
        raise FormatError(f"{file} should hold one JSON list of answers, but holds a JSON {type(found).__name__}.")
    return found


def _run(file: Path, name: str | None) -> Run:
    named = _NAME.fullmatch(file.name)
    checkpoint, shots = (named["name"], named["shots"]) if named else (file.stem, None)
    info = RunInfo(
        run_id=slug(name or checkpoint),
        checkpoint=checkpoint,
        prompt=f"{shots}-shot" if shots else None,
        shots={TASK: int(shots)} if shots else {},
        harness="MMLU-Pro",
        source=(file.name,),
    )
    notes: list[str] = []
    return Run(info, partial(_rows, file, notes), notes=notes)


def _rows(file: Path, notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    """Rows in the order of question_id; notes where an answer's letter and index disagree."""
    numbered = sorted(enumerate(_entries(file), start=1), key=lambda pair: _order(pair[1]))
    disagree = []
    for number, entry in numbered:
        try:
            row = _row(entry)
        except ValueError as error:
            problems.append(Problem(f"{file.name} entry {number}", str(error)))
            continue
        if _index(entry["answer"]) != entry.get("answer_index", _index(entry["answer"])):
            disagree.append(str(row.item.native_id))
        yield row
    if disagree:
        _note(notes, f"{file.name}: gold letter and gold index disagree; the letter counts: {_listed(disagree)}.")


def _note(notes: list[str], said: str) -> None:
    if said not in notes:
        notes.append(said)


def _listed(ids: list[str]) -> str:
    more = len(ids) - _SAID_IDS
    return "question_id " + ", ".join(ids[:_SAID_IDS]) + (f" and {more} more" if more > 0 else "")


def _order(entry: Any) -> tuple[int, int, str]:
    """Question ids are numbers; anything else comes behind them."""
    native = entry.get("question_id") if isinstance(entry, dict) else None
    digits = isinstance(native, int) or (isinstance(native, str) and re.fullmatch(r"[0-9]{1,18}", native) is not None)
    return (0, int(native), "") if digits and native is not None else (1, 0, str(native))


def _row(entry: Any) -> Row:
    """One entry as a row; ValueError says what is missing."""
    if not isinstance(entry, dict):
        raise ValueError(f"is no JSON object but a {type(entry).__name__}")
    options, question = entry.get("options"), entry.get("question")
    if not isinstance(options, list) or not options or not all(isinstance(option, str) for option in options):
        raise ValueError("has no list of options")
    if not isinstance(question, str):
        raise ValueError("has no question")
    if "pred" not in entry:
        raise ValueError("has no pred: neither a letter nor null says what was answered")
    gold = _index(entry.get("answer"))
    if gold is None or gold >= len(options):
        raise ValueError(f"has the answer {entry.get('answer')!r:.40}, which is not the letter of an option")
    return Row(_item(entry, options, gold), Sample(response=_response(entry)), (_score(entry["pred"], options, gold),))


def _item(entry: dict[str, Any], options: list[str], gold: int) -> Item:
    choices = distinct(options).texts
    category, origin = entry.get("category"), entry.get("src")
    return Item(
        TASK,
        native_id=None if entry.get("question_id") is None else str(entry["question_id"]),
        domain=category.replace(" ", "_") if isinstance(category, str) else None,
        question=entry["question"],
        choices=choices,
        golds=(options[gold],),
        k=len(choices),
        chance=1 / len(choices),
        source=origin if isinstance(origin, str) else None,
    )


def _score(pred: Any, options: list[str], gold: int) -> Score:
    """What the letter in `pred` is worth. A letter beyond the options is wrong and names no option."""
    chosen = _index(pred)
    if chosen is None:
        return Score(SCORER, "unparsed")
    if chosen >= len(options):
        return Score(SCORER, "scored", 0.0, found="a letter beyond the options")
    places = distinct(options).places
    return Score(SCORER, "scored", float(places[chosen] == places[gold]), places[chosen], found="letter")


def _index(letter: Any) -> int | None:
    """Place of the option that a letter names; null where there is no letter.

    >>> _index("C"), _index("no idea")
    (2, None)
    """
    plain = letter.strip() if isinstance(letter, str) else ""
    return ascii_uppercase.index(plain) if len(plain) == 1 and plain in ascii_uppercase else None


def _response(entry: dict[str, Any]) -> str | None:
    texts = (entry.get(key) for key in _TEXTS)
    return next((text for text in texts if isinstance(text, str)), None)
