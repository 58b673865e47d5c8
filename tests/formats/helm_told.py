"""Small logs of HELM for tests, written as the harness writes them."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from forgetmap.formats.contract import Hints
from forgetmap.formats.helm import FORMAT
from forgetmap.records.run import Run
from forgetmap.records.schema import Row

GOLDEN = Path(__file__).parents[1] / "golden" / "helm"
WORDS = ("this", "that", "those", "these")
NAME = "quiz:subject=words,method=multiple_choice_joint,model=org_some-model"
TYPOS = {"name": "typos", "robustness": True, "fairness": False, "computed_on": "perturbed", "prob": 0.1}
Entry = dict[str, Any]


def adapter(**more: Any) -> Entry:
    return {
        "method": "multiple_choice_joint",
        "reference_prefix": "A. ",
        "max_train_instances": 5,
        "num_outputs": 5,
        "num_train_trials": 1,
        "num_trials": 1,
        "model_deployment": "host/some-model",
        "model": "org/some-model",
        "temperature": 0.0,
        "max_tokens": 5,
        "stop_sequences": ["\n"],
        **more,
    }


def instance(native: Any, options: Sequence[str] = WORDS, golds: Sequence[int] = (1,), **more: Any) -> Entry:
    """A question with four options, of which the second is right."""
    references = [
        {"output": {"text": text}, "tags": ["correct"] if place in golds else []} for place, text in enumerate(options)
    ]
    asked = {"text": f"Which word is number {native}?"}
    return {"input": asked, "references": references, "split": "test", "id": native, **more}


def state(native: Any, said: Any = " B", *, reason: str | None = "stop", **more: Any) -> Entry:
    """A request that offers options by letter."""
    asked = more.pop("instance", None) or instance(native)
    options = [reference["output"]["text"] for reference in asked.get("references") or []]
    ended = {"finish_reason": {"reason": reason}} if reason else {}
    completion = {"text": said, "logprob": -0.5, "tokens": [{"text": said, "logprob": -0.5}], **ended}
    return {
        "instance": asked,
        "train_trial_index": 0,
        "output_mapping": dict(zip("ABCDEFGH", options, strict=False)),
        "request": {"model": "org/some-model", "prompt": f"Examples.\n\n{asked['input']}", "max_tokens": 5},
        "result": {"success": True, "completions": [completion], "embedding": [], "request_time": 0.5},
        "num_train_instances": 5,
        **more,
    }


def free(native: Any, said: Any, *golds: str, reason: str | None = "stop", **more: Any) -> Entry:
    """A request that is answered freely."""
    asked = instance(native, golds, range(len(golds)))
    found = state(native, said, reason=reason, instance=asked, **more)
    return {name: value for name, value in found.items() if name != "output_mapping"}


def ranked(native: Any, values: Sequence[float], mode: str = "original", **more: Any) -> list[Entry]:
    """A request for each option, whose words get these log-probabilities."""
    asked = instance(native, **more)
    found = []
    for place, (value, reference) in enumerate(zip(values, asked["references"], strict=True)):
        words = [{"text": word, "logprob": -1.0} for word in (asked["input"]["text"] + " ").split()]
        tokens = [*words, {"text": f" {reference['output']['text']}", "logprob": value}]
        text = f"{asked['input']['text']} {reference['output']['text']}"
        result = {"success": True, "completions": [{"text": text, "logprob": -9.0, "tokens": tokens}]}
        request = {"prompt": text, "max_tokens": 0, "echo_prompt": True}
        told = {"instance": asked, "reference_index": place, "request_mode": mode, "train_trial_index": 0}
        found.append({**told, "request": request, "result": result})
    return found


def stat(name: str, value: float, perturbation: Any = None) -> Entry:
    about = {"name": name, "split": "test", **({"perturbation": perturbation} if perturbation else {})}
    return {"name": about, "count": 1, "sum": value, "mean": value}


def stats(native: Any, trial: int = 0, perturbation: Any = None, **values: float) -> Entry:
    changed = {"perturbation": perturbation} if perturbation else {}
    told = [stat(name, value, perturbation) for name, value in {"num_references": 4, **values}.items()]
    return {"instance_id": native, **changed, "train_trial_index": trial, "stats": told}


def written(folder: Path, states: Any, kept: Any = None, *, name: str | None = NAME, **settings: Any) -> Path:
    """The folder of a run spec, in a suite; `kept` are its stats."""
    spec = adapter(**settings)
    place = folder / (name or "run").replace(":", "_")
    save(place / "scenario_state.json", {"adapter_spec": spec, "request_states": states})
    if kept is not None:
        save(place / "per_instance_stats.json", kept)
    if name is not None:
        args = {"subject": "words"} if "subject" in name else {}
        save(place / "run_spec.json", {"name": name, "scenario_spec": {"args": args}, "adapter_spec": spec})
    return place


def save(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = json.dumps(content, indent=2).encode()
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


def run(path: Path, **hints: Any) -> Run:
    (found,) = FORMAT.read(path, Hints(**hints))
    return found


def told(path: Path, **hints: Any) -> list[Row]:
    """All rows of a log that has nothing unreadable."""
    found = run(path, **hints)
    rows = list(found.rows())
    assert (found.problems, found.duplicates) == ([], 0)
    return rows


def judged(folder: Path, *states: Entry, kept: Any = None, **settings: Any) -> list[tuple[Any, ...]]:
    """Outcome, value and choice of each answer's first score."""
    return [row.scores[0][1:4] for row in told(written(folder, list(states), kept, **settings))]
