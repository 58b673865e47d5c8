"""The order of a study's runs by what they say of themselves: parents, stage and step."""

from collections.abc import Mapping
from itertools import pairwise

from forgetmap.errors import SettingError
from forgetmap.records.schema import RunInfo

_INSTEAD = "name the runs in their order, or put them into study.toml as [[stages]]"
_SAY = "Say it with `forgetmap read LOG --parent RUN` (and --stage, --step), or " + _INSTEAD


def order(runs: Mapping[str, RunInfo]) -> list[str]:
    """Run ids from the first to the last of the one chain that the lineage of these runs makes; other runs are left out.

    A parent is a run by its id, or by its checkpoint. Runs of the same parents and stage that have steps are checkpoints of one
    training, in the order of their steps. A fork, a cycle, several chains or none are a SettingError that names the runs.
    """
    before = _before(runs)
    after: dict[str, list[str]] = {}
    for run, parent in before.items():
        after.setdefault(parent, []).append(run)
    for parent, children in after.items():
        if len(children) > 1:
            raise SettingError(
                f"the lineage forks at {parent}: {_listed(children)} all come after it. Choose one branch and {_INSTEAD}; "
                "seeds of one recipe are several runs of one stage there."
            )
    chains = [_chain(run, after) for run in runs if run in after and run not in before]
    if sum(map(len, chains)) < len({*before, *after}):
        loop = [run for run in before if not any(run in chain for chain in chains)]
        raise SettingError(f"the lineage goes in a circle: {_listed(loop)} come after each other. Then {_INSTEAD}.")
    if not chains:
        raise SettingError(f"no run of the study names another as its parent, so they have no order. {_SAY}.")
    if len(chains) > 1:
        said = "; ".join(" → ".join(chain) for chain in chains)
        raise SettingError(f"the study holds {len(chains)} chains ({said}): {_INSTEAD}.")
    return chains[0]


def _before(runs: Mapping[str, RunInfo]) -> dict[str, str]:
    """For each run the one that comes right before it, where there is one."""
    parents = {run: _parent(run, runs) for run in runs}
    found = {run: parent for run, parent in parents.items() if parent is not None}
    trainings: dict[tuple[str | None, str | None], list[tuple[int, str]]] = {}
    for run, info in runs.items():
        if info.step is not None:
            trainings.setdefault((parents[run], info.stage), []).append((info.step, run))
    for checkpoints in trainings.values():
        ordered = sorted(checkpoints)
        for (step, earlier), (next_step, later) in pairwise(ordered):
            if step == next_step:
                raise SettingError(
                    f"{earlier} and {later} are both at step {step} of one training: {_INSTEAD}; "
                    "seeds of one recipe are several runs of one stage there."
                )
            found[later] = earlier
    return found


def _parent(run: str, runs: Mapping[str, RunInfo]) -> str | None:
    """The run that a run says it comes from; null where it names none of these."""
    named: dict[str, None] = {}
    for parent in runs[run].parents:
        if parent in runs:
            named[parent] = None
        else:
            named.update((other, None) for other, info in runs.items() if info.checkpoint == parent and other != run)
    if len(named) > 1:
        raise SettingError(
            f"{run} has several parents here ({_listed(list(named))}), so it has no place in a chain: {_INSTEAD}."
        )
    return next(iter(named), None)


def _chain(first: str, after: Mapping[str, list[str]]) -> list[str]:
    chain = [first]
    while chain[-1] in after:
        chain += after[chain[-1]]
    return chain


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
