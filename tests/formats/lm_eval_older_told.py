"""Small logs of lm-evaluation-harness 0.4.0 to 0.4.5 for tests, written as those versions write them."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.formats.lm_eval_told import TIME, Entry, text_of

SINCE_0_4_7 = ("filter", "metrics")
SINCE_0_4_3 = ("doc_hash", "prompt_hash", "target_hash")


def without_filter(entry: Entry) -> Entry:
    """A sample as 0.4.3 to 0.4.5 wrote it."""
    return {name: value for name, value in entry.items() if name not in SINCE_0_4_7}


def older(entry: Entry) -> Entry:
    """A sample as 0.4.0 to 0.4.2 wrote it: requests are lists, numbers are numbers, and no hashes."""
    kept = {name: value for name, value in without_filter(entry).items() if name not in SINCE_0_4_3}
    ranked = isinstance(entry["filtered_resps"][0], list)
    return kept | {
        "arguments": [list(one.values()) for one in entry["arguments"].values()],
        "target": int(entry["target"]) if ranked and entry["target"].isdecimal() else entry["target"],
        "resps": [[_number(one) for one in given] for given in entry["resps"]] if ranked else entry["resps"],
        "filtered_resps": [_number(one) for one in entry["filtered_resps"]] if ranked else entry["filtered_resps"],
    }


def _number(pair: list[str]) -> list[Any]:
    return [float(pair[0]), pair[1] == "True"]


def older_log(folder: Path, arguments: str, task: str, entries: Iterable[Entry], indent: int | None = 2) -> Path:
    """One samples file: a JSON list, though it is called .jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{re.sub('/|=', '__', arguments)}_{task}.jsonl"
    path.write_text(json.dumps([older(entry) for entry in entries], indent=indent), encoding="utf-8")
    return path


def older_sums(folder: Path, arguments: str, name: str = "results.json", **configs: Entry) -> Path:
    """One results file; `configs` are the settings of its tasks."""
    folder.mkdir(parents=True, exist_ok=True)
    shots = dict.fromkeys(configs, 0)
    config = {"model": "hf", "model_args": arguments, "batch_size": 1, "gen_kwargs": None}
    told = {"results": {task: {} for task in configs}, "configs": configs, "n-shot": shots, "config": config}
    path = folder / name
    path.write_text(json.dumps(told, indent=2), encoding="utf-8")
    return path


def published(folder: Path, task: str, entries: Iterable[Entry], *, as_list: bool, suffix: str = "json") -> Path:
    """A samples file as the Hub has them from 2024: lines or a list, called .json or .jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_{task}_{TIME}.{suffix}"
    told = [without_filter(entry) for entry in entries]
    path.write_text(json.dumps(told) if as_list else text_of(told), encoding="utf-8")
    return path


def listing(*names: str) -> Entry:
    """Settings of a task with these filters."""
    return {"filter_list": [{"name": name, "filter": [{"function": "take_first"}]} for name in names]}
