"""Scored generations of CRUXEval: {raw_generations: {sample_7: [text, …]}, raw_scored_generations: {sample_7: [true, …]}}.

Each item has several draws. The file holds no questions, so items are known by their names.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from forgetmap.errors import FormatError
from forgetmap.formats.contract import Format, Hints
from forgetmap.formats.json_list import files_at, head_of, is_any_at
from forgetmap.formats.lines import DAMAGED, open_bytes, parse_json
from forgetmap.formats.opening import slug
from forgetmap.formats.scoring import natural
from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Problem, Row, RunInfo, Sample, Score

SCORER = "execution"
_TEXTS, _MARKS = "raw_generations", "raw_scored_generations"
_HEAD = 1 << 16
_OBJECT = re.compile(rb'\s*\{\s*"raw_(?:scored_)?generations"\s*:\s*\{')
_NAME = re.compile(
    r"(?:sample_scored_)?(?P<checkpoint>.+?)(?:_temp(?P<temperature>\d+(?:\.\d+)?))?(?:_(?P<task>input|output))?"
)
_MODE = re.compile(r"(?P<checkpoint>.+?)\+cot")


def sniff(path: Path) -> bool:
    return is_any_at(path, _is_ours)


def _is_ours(file: Path) -> bool:
    return _OBJECT.match(head_of(file, _HEAD)) is not None


def read(path: Path, hints: Hints) -> Iterator[Run]:
    """A run for each checkpoint and temperature, over its files of inputs and outputs."""
    files = list(files_at(path, _is_ours))
    if not files:
        raise FormatError(f"{path} holds no scored generations of CRUXEval: an object with {_MARKS} is wanted.")
    runs: dict[tuple[str, str | None, str], list[_File]] = {}
    for file in map(_File.of, files):
        again = sum(file.task == other.task for own in runs.values() for other in own if file.kind == other.kind)
        runs.setdefault((*file.kind, f"-{again + 1}" if again else ""), []).append(file)
    several = {checkpoint for checkpoint, _, _ in runs if sum(checkpoint == other for other, _, _ in runs) > 1}
    return (_run(key, own, key[0] in several) for key, own in runs.items())


FORMAT = Format(sniff=sniff, read=read, logs=r".*\.json(?:\.gz)?")


class _File(NamedTuple):
    """One file and what its name says."""

    path: Path
    checkpoint: str
    temperature: str | None
    task: str

    @property
    def kind(self) -> tuple[str, str | None]:
        return self.checkpoint, self.temperature

    @classmethod
    def of(cls, path: Path) -> "_File":
        stem = re.sub(r"\.json(\.gz)?$", "", path.name)
        named = _NAME.fullmatch(stem)
        task = named["task"] if named else None
        return cls(
            path,
            named["checkpoint"] if named else stem,
            named["temperature"] if named else None,
            f"cruxeval_{task}" if task else "cruxeval",
        )


def _run(key: tuple[str, str | None, str], files: Sequence[_File], several: bool) -> Run:
    checkpoint, temperature, number = key
    name = f"{checkpoint}-temp{temperature}" if several and temperature else checkpoint
    info = RunInfo(
        run_id=slug(f"{name}{number}"),
        checkpoint=checkpoint,
        prompt="chain of thought" if _MODE.fullmatch(checkpoint) else None,
        decoding={"temperature": float(temperature)} if temperature else {},
        harness="CRUXEval",
        source=tuple(file.path.name for file in files),
    )
    return Run(info, partial(_rows, files))


def _rows(files: Sequence[_File], problems: list[Problem]) -> Iterator[Row]:
    for file in sorted(files, key=lambda file: file.task):
        content = _content(file.path, problems)
        texts, marks = (_table(content, name, file.path, problems) for name in (_TEXTS, _MARKS))
        for name in sorted({**texts, **marks}, key=natural):
            item = Item(file.task, native_id=name, chance=0.0)
            try:
                pairs = _draws(texts.get(name), marks.get(name))
            except ValueError as error:
                problems.append(Problem(f"{file.path.name} {name}", str(error)))
                continue
            for draw, (text, right) in enumerate(pairs):
                score = Score(SCORER, "scored", float(right), found="the published mark")
                yield Row(item, Sample(draw=draw, response=text), (score,))


def _content(path: Path, problems: list[Problem]) -> Mapping[str, Any]:
    try:
        with open_bytes(path) as stream:
            found = parse_json(stream.read())
    except (FormatError, ValueError, *DAMAGED) as error:
        problems.append(Problem(path.name, f"cannot be read: {error}"))
        return {_TEXTS: {}, _MARKS: {}}
    return found if isinstance(found, dict) else {}


def _table(content: Mapping[str, Any], name: str, path: Path, problems: list[Problem]) -> Mapping[str, Any]:
    found = content.get(name)
    if isinstance(found, dict):
        return found
    problems.append(Problem(path.name, f"has no table {name}"))
    return {}


def _draws(texts: Any, marks: Any) -> list[tuple[str | None, bool]]:
    """Each draw's text and whether it is right."""
    if not isinstance(marks, list) or not marks or not all(isinstance(mark, bool) for mark in marks):
        raise ValueError("has no list of true and false")
    if texts is None:
        return [(None, mark) for mark in marks]
    if not isinstance(texts, list) or len(texts) != len(marks):
        raise ValueError("has not as many texts as marks")
    return [(text if isinstance(text, str) else None, mark) for text, mark in zip(texts, marks, strict=True)]
