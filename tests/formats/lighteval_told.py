"""Small logs of lighteval for tests, written as the harness writes them, in both layouts."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from forgetmap.formats.contract import Hints
from forgetmap.formats.lighteval import FORMAT
from forgetmap.records.run import Run
from forgetmap.records.schema import Row

TIME = "2026-01-02T03-04-05.678901"
LATER = "2026-02-02T03-04-05.678901"
GOLDEN = Path(__file__).parents[1] / "golden" / "lighteval"
Cells = dict[str, Any]


def structs(number: int, query: str, choices: Sequence[str] | None, gold: Any, metric: Cells, **more: Any) -> Cells:
    """A row since 0.11; `more` are fields of `doc` or of `model_response`."""
    asked = {
        "query": query,
        "choices": choices if choices is None else list(choices),
        "gold_index": gold,
        "instruction": None,
        "specific": None,
        "original_query": None,
        "id": str(number),
        "generation_size": 64,
    }
    answered: Cells = {"input": None, "text": [], "reasonings": [], "logprobs": []}
    return {
        "doc": {name: more.get(name, value) for name, value in asked.items()},
        "metric": metric,
        "model_response": {name: more.get(name, value) for name, value in answered.items()},
    }


def flat(query: str, choices: Sequence[str], gold: Any, predictions: Any, **more: Any) -> Cells:
    """A row up to 0.10."""
    return {
        "example": query,
        "instruction": "",
        "full_prompt": f"An example.\n\n{query}",
        "choices": list(choices),
        "gold": [],
        "gold_index": gold,
        "predictions": predictions,
        "num_asked_few_shots": 5,
        "specifics": None,
        **more,
    }


def lettered(question: str, options: Sequence[str]) -> str:
    lines = "".join(f"{letter}. {text}\n" for letter, text in zip("ABCDEFGH", options, strict=False))
    return f"Question: {question}\n{lines}Answer:"


def picked(number: int, gold: int, chosen: int, **more: Any) -> Cells:
    """A question with four options of its own, `chosen` ranked first."""
    query = lettered(f"Which is right, number {number}?", [f"word {number}-{place}" for place in range(4)])
    values = [-1.0 if place == chosen else -2.0 - place for place in range(4)]
    return structs(
        number, query, [" A", " B", " C", " D"], gold, {"acc": int(gold == chosen)}, **({"logprobs": values} | more)
    )


def settings(model: str = "some/model", seed: int | None = 3, **more: Any) -> Cells:
    generation = {"seed": seed, "temperature": 0.7, "top_p": None, "max_new_tokens": None}
    config = {"model_name": model, "dtype": "bfloat16", "revision": "main", "generation_parameters": generation}
    general = {"lighteval_sha": "?", "model_name": model, "model_config": config}
    return {"config_general": general, "results": {}, "config_tasks": {}, **more}


def written(folder: Path, rows: Sequence[Cells], full: str = "quiz|5", time: str = TIME, model: str = "model") -> Path:
    """Details in the harness's own place below a folder."""
    path = folder / "details" / model / time / f"details_{full}_{time}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def summed(folder: Path, content: Any, time: str = TIME, model: str = "model") -> Path:
    path = folder / "results" / model / f"results_{time}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def kept(folder: Path, side: str) -> Path:
    """The kept example of one side, laid out as the harness does; not every system allows its file names, so they are kept plain."""
    for task, full in (("hm_mc", "hm_mc|5"), ("hm_gen", "hm_gen|0")):
        place = folder / "details" / side / TIME
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(GOLDEN / side / f"{task}.parquet", place / f"details_{full}_{TIME}.parquet")
    summed(folder, json.loads((GOLDEN / side / "results.json").read_text(encoding="utf-8")), model=side)
    return folder


def run(path: Path, hints: Hints = Hints()) -> Run:  # noqa: B008 - never changed
    (found,) = FORMAT.read(path, hints)
    return found


def told(path: Path, hints: Hints = Hints()) -> list[Row]:  # noqa: B008 - never changed
    """All rows of a log that has nothing unreadable."""
    found = run(path, hints)
    rows = list(found.rows())
    assert (found.problems, found.duplicates) == ([], 0)
    return rows
