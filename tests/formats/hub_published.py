"""Made-up logs in the two layouts in which logs of thousands of models are published: 38 tasks each."""

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.formats.lighteval_told import flat
from tests.formats.lm_eval_told import picked, results, said, text_of

V2_TIME, V2_LATER = "2024-06-17T17-37-25.144953", "2024-09-01T08-00-00.000001"
V1_TIME, V1_LATER = "2023-07-19T15:58:12.174583", "2023-10-01T08:00:00.000001"


def _words(listed: str) -> list[str]:
    return listed.split()


_BBH = _words(
    """
    boolean_expressions causal_judgement date_understanding disambiguation_qa formal_fallacies
    geometric_shapes hyperbaton logical_deduction_five_objects logical_deduction_seven_objects
    logical_deduction_three_objects movie_recommendation navigate object_counting penguins_in_a_table
    reasoning_about_colored_objects ruin_names salient_translation_error_detection snarks sports_understanding
    temporal_sequences tracking_shuffled_objects_five_objects tracking_shuffled_objects_seven_objects
    tracking_shuffled_objects_three_objects web_of_lies
    """
)
_HARD = _words("algebra counting_and_prob geometry intermediate_algebra num_theory prealgebra")
_FOUND = [f"math_{name}_hard" for name in _HARD]
_OTHERS = _words(
    """
    gpqa_diamond gpqa_extended gpqa_main ifeval mmlu_pro musr_murder_mysteries musr_object_placements musr_team_allocation
    """
)
V2_TASKS = [f"leaderboard_{name}" for name in [*(f"bbh_{name}" for name in _BBH), *_OTHERS, *_FOUND]]
_SUBJECTS = _words(
    """
    abstract_algebra anatomy astronomy business_ethics clinical_knowledge college_biology college_chemistry
    college_computer_science college_mathematics college_medicine college_physics computer_security
    conceptual_physics econometrics electrical_engineering elementary_mathematics formal_logic global_facts
    high_school_biology high_school_chemistry high_school_geography high_school_physics human_aging
    human_sexuality international_law jurisprudence logical_fallacies machine_learning management marketing
    medical_genetics miscellaneous moral_disputes
    """
)
V1_TASKS = [
    *(f"harness|hendrycksTest-{name}|5" for name in _SUBJECTS),
    *("harness|arc:challenge|25", "harness|hellaswag|10", "harness|truthfulqa:mc|0", "harness|winogrande|5"),
    "harness|gsm8k|5",
]
_SHOTS = "\n\n".join(f"An example, number {number}, that was answered.\nAnswer: yes" for number in range(12))

Content = dict[str, bytes]


def v2(model: str, *, lost: int = 0, items: int = 12, time: str = V2_TIME, suffix: str = "jsonl") -> Content:
    """The dataset of a model as lm-evaluation-harness was told to publish it; the first `lost` items of each task are wrong."""
    folder = model.replace("/", "__")
    files = {
        f"{folder}/samples_{task}_{time}.{suffix}": text_of(_v2_items(task, lost, items)).encode() for task in V2_TASKS
    }
    counts = {task: {"original": items, "effective": items} for task in V2_TASKS}
    told = results(model, **{"n-samples": counts, "lm_eval_version": "0.4.3"})
    told["config"]["model_args"] = f"pretrained={model},revision={'a' * 40},dtype=bfloat16"
    return {**files, f"{folder}/results_{time}.json": json.dumps(told).encode(), "README.md": b"# Made up\n"}


def _v2_items(task: str, lost: int, items: int) -> list[dict[str, Any]]:
    return [_v2_item(task, number, right=number >= lost) for number in range(items)]


def _v2_item(task: str, number: int, *, right: bool) -> dict[str, Any]:
    if "math" in task or "ifeval" in task:
        asked = {"problem": f"{task}: what is {number} and {number}?", "level": "Level 5"}
        answer = str(2 * number) if right else "I do not know"
        metric = "prompt_level_strict_acc" if "ifeval" in task else "exact_match"
        return said(number, asked, str(2 * number), answer, answer, **{metric: int(right)})
    gold = number % 4
    entry = picked(number, gold, gold if right else (gold + 1) % 4)
    entry["doc"]["question"] = f"{task}: {entry['doc']['question']}"
    for request in entry["arguments"].values():
        request["arg_0"] = f"{_SHOTS}\n\n{request['arg_0']}"
    return entry


def v1(model: str, *, lost: int = 0, items: int = 12, time: str = V1_TIME, tasks: Sequence[str] = V1_TASKS) -> Content:
    """The dataset of a model in the older layout: one Parquet file a task, in a folder of the time."""
    files = {
        f"{time}/details_{task}_{time}.parquet": parquet([_v1_item(task, n, n >= lost) for n in range(items)])
        for task in tasks
    }
    general = {"model_name": model, "model_sha": "b" * 40, "model_dtype": "torch.float16", "lighteval_sha": "?"}
    told = {"config_general": general, "results": {}, "versions": {}, "config_tasks": {}}
    return {**files, f"results_{time}.json": json.dumps(told).encode(), "README.md": b"# Made up\n"}


def _v1_item(task: str, number: int, right: bool) -> dict[str, Any]:
    query = f"Which of these is right in {task}, number {number}?"
    gold = number % 4
    chosen = gold if right else (gold + 1) % 4
    row = flat(
        query,
        [f"{task} word {number}-{place}" for place in range(4)],
        gold,
        [-1.0 if place == chosen else -2.0 - place for place in range(4)],
        acc=float(right),
        acc_norm=float(right),
    )
    hashes = {name: hashlib.sha256(f"{query}{name}".encode()).hexdigest()[:16] for name in ("example", "full_prompt")}
    tokens = [(number * 7919 + place * 104729) % 32000 for place in range(600)]
    return {
        **row,
        "full_prompt": f"{_SHOTS}\n\n{query}\nAnswer:",
        "hashes": hashes,
        "input_tokens": [[token + place for token in tokens] for place in range(4)],
        "cont_tokens": [[place, number] for place in range(4)],
    }


def parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), out)
    return out.getvalue()


def here(folder: Path, files: Mapping[str, bytes]) -> Path:
    """The same files on this disk."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder
