"""The lab: every claim tried, and one world trained and watched; what a report walks over."""

import time
from collections.abc import Iterable, Iterator, Mapping
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.stats.arrays import Floats
from forgetmap.tables import load, names
from forgetmap.theory.two_modes.cloud import quadrature
from forgetmap.theory.two_modes.dynamics import LAB_DYNAMICS
from forgetmap.theory.two_modes.dynamics.path import EVEN, Rates
from forgetmap.theory.two_modes.laws import CLAIMS
from forgetmap.theory.two_modes.laws.claim import Claim, Shown
from forgetmap.theory.two_modes.objectives import LAB_OBJECTIVES
from forgetmap.theory.two_modes.observe import Observed, observe
from forgetmap.theory.two_modes.world import Mixture, World


class Verdict(NamedTuple):
    """A claim and what came of trying it."""

    name: str
    claim: Claim
    shown: Shown
    seconds: float

    @property
    def holds(self) -> bool:
        return all(figure.holds for figure in self.shown.figures)

    @property
    def says(self) -> str:
        """ "holds" or "fails", and where a failure was expected why."""
        if self.holds:
            return "holds"
        return f"fails: {self.claim.known_to_fail}" if self.claim.known_to_fail else "fails"


def verdicts(only: Iterable[str] | None = None, *, seed: int = 0) -> Iterator[Verdict]:
    """Every claim, or those named, each tried with random numbers of its own; one after the other, about half a minute in all."""
    for name in names(CLAIMS, group="claims") if only is None else only:
        claim = load(CLAIMS, name, group="claims")
        start = time.perf_counter()
        shown = claim.show(np.random.default_rng([seed, *name.encode()]))
        yield Verdict(name, claim, shown, time.perf_counter() - start)


class Watched(NamedTuple):
    """A learner over time, and what was read off it."""

    times: Floats
    learners: Mixture
    observed: Observed


def watch(
    world: World,
    before: Mixture,
    objective: str,
    times: Floats,
    *,
    settings: Mapping[str, Any] | None = None,
    rates: Rates = EVEN,
) -> Watched:
    """Train by gradient flow on a row of `LAB_OBJECTIVES` with its settings, in one dimension, and read everything off on the way."""
    row = load(LAB_OBJECTIVES, objective, group="lab_objectives")
    known = [name for name, one in signature(row).parameters.items() if one.kind is one.KEYWORD_ONLY]
    for name in settings or {}:
        if name not in known:
            raise SettingError(
                f"the objective {objective} has no setting {name!r}; it has {', '.join(known) or 'none'}."
            )
    path = load(LAB_DYNAMICS, "flow", group="lab_dynamics")(
        row(world, before, **(settings or {})), before, times, rates=rates
    )
    return Watched(path.times, path.learners, observe(world, path.learners, quadrature()))


def side_by_side(world: World, before: Mixture, times: Floats) -> Iterator[tuple[str, Watched]]:
    """Every objective with its settings as they come, those of other packages too, from one start in one world."""
    for name in names(LAB_OBJECTIVES, group="lab_objectives"):
        yield name, watch(world, before, name, times)
