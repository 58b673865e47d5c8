"""Small logs of lm-evaluation-harness for tests, written as the harness writes them."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from forgetmap.formats.contract import Hints
from forgetmap.formats.lm_eval import FORMAT
from forgetmap.records.run import Run
from forgetmap.records.schema import Row, Score

TIME = "2026-01-02T03-04-05.678901"
LATER = "2026-02-02T03-04-05.678901"
Entry = dict[str, Any]


def ranked(
    number: int, content: Entry, shown: Sequence[str], target: Any, loglikelihoods: Sequence[float], **metrics: Any
) -> Entry:
    """A multiple-choice sample; `shown` are the continuations without their delimiter."""
    prompt = f"An example.\n\nQuestion: {content.get('question')}\nAnswer:"
    asked = [{"arg_0": prompt, "arg_1": f" {text}"} for text in shown]
    pairs = [[str(value), "False"] for value in loglikelihoods]
    return _entry(number, content, target, asked, ([[pair] for pair in pairs], pairs), metrics)


def picked(number: int, gold: int, chosen: int, **metrics: Any) -> Entry:
    """A question with four options of its own, `chosen` ranked first; its accuracy is stored unless it is given."""
    options = [f"word {number}-{place}" for place in range(4)]
    content = {"question": f"Which of these is right, number {number}?", "choices": options, "answer": gold}
    values = [-1.0 if place == chosen else -2.0 - place for place in range(4)]
    return ranked(number, content, list("ABCD"), str(gold), values, **(metrics or {"acc": float(gold == chosen)}))


def said(number: int, content: Entry, target: Any, response: str | Sequence[str], found: Any, **metrics: Any) -> Entry:
    """A generated answer (or several repeats), and what the filter found in it; 64 tokens were allowed."""
    asked = [{"arg_0": f"Q: {content.get('question')}\nA:", "arg_1": {"until": ["\n\n"], "max_gen_toks": 64}}]
    repeats = [response] if isinstance(response, str) else list(response)
    return _entry(number, content, target, asked, ([repeats], [found]), metrics)


def _entry(
    number: int, content: Entry, target: Any, asked: list[Entry], answers: tuple[Any, Any], metrics: Entry
) -> Entry:
    hashed = hashlib.sha256(json.dumps(content, indent=2, ensure_ascii=False).encode()).hexdigest()
    return {
        "doc_id": number,
        "doc": content,
        "target": str(target),
        "arguments": {f"gen_args_{place}": one for place, one in enumerate(asked)},
        "resps": answers[0],
        "filtered_resps": answers[1],
        "filter": "none",
        "metrics": list(metrics),
        "doc_hash": hashed,
        "prompt_hash": hashed,
        "target_hash": hashed,
        **metrics,
    }


def filtered(entry: Entry, name: str, found: Any = None, **metrics: Any) -> Entry:
    """The same sample under another filter."""
    changed = {**entry, "filter": name, **metrics}
    return changed if found is None else {**changed, "filtered_resps": [found]}


def text_of(entries: Iterable[Entry]) -> str:
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)


def log(folder: Path, task: str, entries: Iterable[Entry], time: str = TIME) -> Path:
    """One samples file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_{task}_{time}.jsonl"
    path.write_text(text_of(entries), encoding="utf-8")
    return path


def sums(folder: Path, model: str, time: str = TIME, stem: str = "results", **more: Any) -> Path:
    """One results file, with what tests do not change left out."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{stem}_{time}.json"
    path.write_text(json.dumps(results(model, **more)), encoding="utf-8")
    return path


def results(model: str, **more: Any) -> Entry:
    config = {"model": "hf", "model_args": {"pretrained": model, "dtype": "bfloat16"}}
    return {"results": {}, "configs": {}, "n-shot": {}, "config": config, "lm_eval_version": "0.4.13", **more}


def runs(path: Path, hints: Hints = Hints()) -> list[Run]:  # noqa: B008 - frozen
    return list(FORMAT.read(path, hints))


def run(path: Path, hints: Hints = Hints()) -> Run:  # noqa: B008 - frozen
    (found,) = runs(path, hints)
    return found


def rows(path: Path, hints: Hints = Hints()) -> list[Row]:  # noqa: B008 - frozen
    """The rows of the one run at a path, none of which may be a problem or a duplicate."""
    found = run(path, hints)
    told = list(found.rows())
    assert (found.problems, found.duplicates) == ([], 0)
    return told


def row(folder: Path, entry: Entry, hints: Hints = Hints(), **more: Any) -> Row:  # noqa: B008 - frozen
    """The row of a log that holds one sample; `more` is what its results file says."""
    if more:
        sums(folder, "model", **more)
    (told,) = rows(log(folder, "task", [entry]), hints)
    return told


def score(row: Row, scorer: str) -> Score:
    (found,) = (score for score in row.scores if score.scorer == scorer)
    return found
