"""Outputs of BIG-Bench Hard as its repository publishes them: one JSON object a task, {canary, outputs: [{input, prediction, target}]}.

`input` is the whole prompt: an instruction, answered examples and the question. The folder is a run; where folders lie in a folder,
each is one. Its name ends in the prompt style (code-davinci-002-cot), which is no part of the checkpoint's.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.helm.elements import parts
from forgetmap.formats.json_list import files_at, head_of, is_any_at
from forgetmap.formats.lettered import shown
from forgetmap.formats.lines import open_seekable, parse_json
from forgetmap.formats.opening import slug
from forgetmap.formats.scoring import scored
from forgetmap.records.options import distinct
from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Problem, Row, RunInfo, Sample
from forgetmap.scorers.judging import letter, option

SCORER = "final_answer"
_HEAD = 1 << 16
_OBJECT = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{(?:\s*"canary"\s*:\s*"[^"]*"\s*,)?\s*"outputs"\s*:\s*\[\s*'
    rb'\{\s*"(?:input|prediction|target)"'
)
_TASK = re.compile(r"(?P<task>.+?)(?:_(?:few|zero|one|\d+)[_-]?shot.*)?\.jsonl?(?:\.gz)?")
_STYLE = re.compile(r"(?P<checkpoint>.+?)[-_](?P<style>cot|direct)", re.IGNORECASE)
_STYLES = {"cot": "chain of thought", "direct": "direct"}
_ENDINGS = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_QUESTION = re.compile(r"(?:^|\n\n)Q: ")
_REASONED = "step by step"
_PAIRS = (("yes", "no"), ("true", "false"), ("valid", "invalid"))
"""Answers of tasks that name two words in their instruction rather than in each question."""


def sniff(path: Path) -> bool:
    return is_any_at(path, _is_ours, _ENDINGS)


def _is_ours(file: Path) -> bool:
    return _OBJECT.match(head_of(file, _HEAD)) is not None


def read(path: Path, hints: Hints) -> Iterator[Run]:
    files = list(files_at(path, _is_ours, _ENDINGS))
    if not files:
        raise FormatError(f"{path} holds no outputs of BIG-Bench Hard: an object with outputs is wanted.")
    folders: dict[Path, list[Path]] = {}
    for file in files:
        folders.setdefault(file.resolve().parent, []).append(file)
    taken: set[str] = set()
    return (_run(folder, own, taken) for folder, own in folders.items())


FORMAT = Format(sniff=sniff, read=read, logs=r".*\.jsonl?(?:\.gz)?")


def _run(folder: Path, files: Sequence[Path], taken: set[str]) -> Run:
    named = _STYLE.fullmatch(folder.name)
    run_id = _unused(slug(folder.name), taken)
    first = next(iter(_entries(files[0], [])), None)
    prompt = _Prompt.of(first[1]) if first else _Prompt("", 0, False)
    style = named["style"].lower() if named else "cot" if prompt.reasons else "direct"
    tasks = [_task(file) for file in files]
    info = RunInfo(
        run_id=run_id,
        checkpoint=named["checkpoint"] if named else folder.name,
        prompt=f"{prompt.shots}-shot, {_STYLES[style]}",
        shots=dict.fromkeys(tasks, prompt.shots),
        harness="BIG-Bench Hard",
        source=tuple(file.name for file in files),
    )
    notes: list[str] = []
    return Run(info, partial(_rows, files, notes), notes=notes)


def _unused(name: str, taken: set[str]) -> str:
    free = next(one for one in (name, *(f"{name}-{number}" for number in range(2, 10_000))) if one not in taken)
    taken.add(free)
    return free


def _task(file: Path) -> str:
    """The task in a file's name, less what it says about the prompt.

    >>> _task(Path("word_sorting_few_shot_template_0-255000.json.gz"))
    'word_sorting'
    """
    named = _TASK.fullmatch(file.name)
    return named["task"] if named else file.name.partition(".json")[0]


class _Prompt(NamedTuple):
    """An input taken apart: the question asked, how many examples stand before it, and whether it asks for reasoning."""

    question: str
    shots: int
    reasons: bool

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> "_Prompt":
        text = str(entry.get("input") or "")
        starts = list(_QUESTION.finditer(text))
        asked = text[starts[-1].end() :] if starts else text
        question, found, behind = asked.rpartition("\nA:")
        return cls(question if found else asked, max(len(starts) - 1, 0), _REASONED in behind)


class _Told(NamedTuple):
    """One output that could be read."""

    prompt: str
    question: str
    options: tuple[str, ...]
    target: str
    prediction: str


def _rows(files: Sequence[Path], notes: list[str], problems: list[Problem]) -> Iterator[Row]:
    for file in sorted(files, key=_task):
        told = list(_told(file, problems))
        pair = _pair({one.target.strip() for one in told if not one.options})
        right = 0.0
        for one in told:
            item = _item(_task(file), one, pair)
            scores = scored((SCORER,), item, one.prediction, shown=one.options)
            right += scores[0].value or 0.0
            yield Row(item, Sample(prompt=one.prompt, response=one.prediction), scores)
        _hold_against_published(file, right, len(told), notes)


def _told(file: Path, problems: list[Problem]) -> Iterator[_Told]:
    for number, entry in _entries(file, problems):
        prompt, target, prediction = (entry.get(name) for name in ("input", "target", "prediction"))
        if not isinstance(prompt, str) or not isinstance(target, str) or not isinstance(prediction, str):
            problems.append(
                Problem(f"{file.name} output {number}", "lacks one of input, prediction and target as texts")
            )
            continue
        asked = shown(_Prompt.of(entry).question)
        if asked.options and _place(target, asked.options) is None:
            problems.append(
                Problem(f"{file.name} output {number}", f"has the target {target!r:.40}, which is none of its options")
            )
            continue
        yield _Told(prompt, asked.question, asked.options, target, prediction)


def _entries(file: Path, problems: list[Problem]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Number and content of every output of a file; what is none, and where a cut file ends, are problems."""
    damaged, number = list[Problem](), 0
    try:
        with open_seekable(file, damaged) as stream:
            for part in parts(stream):
                if part.key != "outputs" or part.number is None:
                    continue
                number = part.number
                try:
                    entry = parse_json(part.raw)
                    if not isinstance(entry, dict):
                        raise ValueError("is no object")
                except ValueError as error:
                    problems.append(Problem(f"{file.name} output {number}", str(error)))
                else:
                    yield number, entry
    except (FormatError, ValueError) as error:
        read = f"; only the {number} outputs before that are read" if number else ""
        damaged = damaged or [Problem(file.name, f"cannot be read to its end: {error}{read}")]
    if not number and not damaged:
        damaged.append(Problem(file.name, "has no list of outputs"))
    problems += damaged


def _place(target: str, options: Sequence[str]) -> int | None:
    place = letter(target) if target.strip().startswith("(") else option(target, options)
    return place if place is not None and place < len(options) else None


def _pair(targets: set[str]) -> tuple[str, ...]:
    """The two words that are all of a task's targets, in the case in which it writes them; none where it has others."""
    for pair in _PAIRS:
        words = {target.lower() for target in targets}
        if targets and words <= set(pair):
            like = next(iter(sorted(targets)))
            return tuple([word.capitalize() if like[:1].isupper() else word for word in pair])
    return ()


def _item(task: str, one: _Told, pair: tuple[str, ...]) -> Item:
    options = distinct(one.options or pair)
    if not options.texts:
        return Item(task, question=one.question, golds=(one.target,), chance=0.0)
    place = _place(one.target, one.options) if one.options else option(one.target, pair)
    gold = (one.options or pair)[place or 0]
    k = len(options.texts)
    return Item(task, question=one.question, choices=options.texts, golds=(gold,), k=k, chance=1 / k)


def _hold_against_published(file: Path, right: float, count: int, notes: list[str]) -> None:
    """Say where the accuracy published beside the outputs is another."""
    stem = re.sub(r"\.jsonl?(\.gz)?$", "", file.name)
    beside = file.with_name(f"{stem}_eval_metrics.jsonl")
    try:
        said = parse_json(beside.read_bytes())["accuracy"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    ours = 100 * right / count if count else 0.0
    if not isinstance(said, int | float) or abs(said - ours) < 0.06:
        return
    note = f"{_task(file)}: the accuracy published beside it is {said:.1f}, that of the scorer {SCORER} {ours:.1f}."
    if note not in notes:
        notes.append(note)
