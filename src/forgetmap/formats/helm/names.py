"""What a run spec's name says: "mmlu:subject=anatomy,method=multiple_choice_joint,model=org_name" is a task, how it was asked, of whom."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from forgetmap.formats.helm.files import Log
from forgetmap.formats.inspect_log.plain import mapping, text

# fmt: off
HOW = frozenset([
    "model", "model_deployment", "groups", "method",
    # What HELM can add to any run spec.
    "instructions", "prompt", "newline", "stop", "add_to_stop", "global_prefix", "anthropic", "claude_3",
    "amazon-nova", "follow_format_instructions", "idefics_instruct", "llava", "open_flamingo",
    "format_prompt", "num_train_trials", "max_train_instances", "max_eval_instances", "num_outputs",
    "num_trials", "eval_split", "data_augmentation", "tokenizer", "num_prompt_tokens", "num_output_tokens",
    "increase_max_tokens", "temperature", "increase_temperature", "chatml", "output_format_instructions",
    "process_output",
])
# fmt: on
"""Arguments that tell how, and of whom, a task is asked, not which task it is."""
NAMELESS = "helm"
"""The task of a log that nothing names."""
_HEAD = re.compile(r"[^:,]*")
_ARGUMENT = re.compile(r"[,:](?=[\w-]+=)")


class Spec(NamedTuple):
    """A run spec's name, taken apart."""

    scenario: str
    arguments: Mapping[str, str]


def spec_of(name: str) -> Spec:
    """
    >>> spec_of("mmlu:subject=anatomy,model=org_name")
    Spec(scenario='mmlu', arguments={'subject': 'anatomy', 'model': 'org_name'})
    >>> spec_of("legal_support,method=multiple_choice_joint")
    Spec(scenario='legal_support', arguments={'method': 'multiple_choice_joint'})
    """
    scenario, *given = _ARGUMENT.split(name)
    return Spec(scenario, {word.partition("=")[0]: word.partition("=")[2] for word in given})


def task_names(logs: Sequence[Log]) -> list[str]:
    """A name for the task of each log of one checkpoint.

    Where several would be called the same, the arguments in which they differ belong to it, then the file.
    """
    specs = [_spec(log) for log in logs]
    plain = [_task(spec, _telling(log, spec)) for log, spec in zip(logs, specs, strict=True)]
    alike = {name: [spec for spec, other in zip(specs, plain, strict=True) if other == name] for name in plain}
    found = [
        name if len(alike[name]) == 1 else _task(spec, {*_telling(log, spec), *_differing(alike[name])})
        for log, spec, name in zip(logs, specs, plain, strict=True)
    ]
    return [
        name if found.count(name) == 1 else f"{name} ({log.called(log.main_kind)})"
        for log, name in zip(logs, found, strict=True)
    ]


def model_in(log: Log) -> str | None:
    """The checkpoint as a run spec's name spells it, with its slash as an underscore."""
    return _spec(log).arguments.get("model") or None


def subject(log: Log) -> str | None:
    """The part of a task that its run spec is about."""
    return _spec(log).arguments.get("subject") or None


def _spec(log: Log) -> Spec:
    if log.name is None:
        return Spec(NAMELESS, {})
    return Spec(log.name, {}) if log.alone else spec_of(log.name)


def _telling(log: Log, spec: Spec) -> set[str]:
    """Arguments that tell the task: those of the scenario, and those that are not known to tell how it is asked."""
    of_scenario = mapping(mapping(log.spec.get("scenario_spec")).get("args"))
    return {name for name in spec.arguments if name in of_scenario or name not in HOW}


def _differing(specs: Sequence[Spec]) -> set[str]:
    names = {name for spec in specs for name in spec.arguments} - {"model", "model_deployment"}
    return {name for name in names if len({spec.arguments.get(name) for spec in specs}) > 1}


def _task(spec: Spec, telling: Collection[str]) -> str:
    given = [f"{name}={value}" for name, value in spec.arguments.items() if name in telling]
    return spec.scenario + (":" + ",".join(given) if given else "")


def perturbation_name(described: Any) -> str | None:
    """What a perturbation is called; null where the item is as it was.

    >>> perturbation_name({"name": "typos", "prob": 0.1, "robustness": True}), perturbation_name(None)
    ('typos', None)
    """
    return (text(mapping(described).get("name")) or "perturbed") if described else None
