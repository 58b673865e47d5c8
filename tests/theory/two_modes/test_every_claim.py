"""The exam of claims: each is tried, and its verdict is the one that it is known for."""

import math

import numpy as np
import pytest

from forgetmap.tables import load
from forgetmap.theory.two_modes.lab import Verdict, verdicts
from forgetmap.theory.two_modes.laws import CLAIMS
from forgetmap.theory.two_modes.laws.claim import ABSTRACT, DERIVED, Claim

REFUTED = {"em_geometric"}
FALSIFIERS = {"four_quadrants", "reward_without_kl"}


@pytest.fixture(scope="module")
def tried() -> dict[str, Verdict]:
    return {}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_holds_unless_it_is_known_to_fail(name: str, tried: dict[str, Verdict]) -> None:
    tried[name] = verdict = next(verdicts([name]))

    missed = [figure for figure in verdict.shown.figures if not figure.holds]
    assert verdict.shown.figures
    assert verdict.holds == (name not in REFUTED), missed
    assert bool(verdict.claim.known_to_fail) == (name in REFUTED)
    assert verdict.says.startswith("holds" if verdict.holds else "fails: ")


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_gives_finite_figures_and_curves_of_one_length(name: str, tried: dict[str, Verdict]) -> None:
    shown = (tried.get(name) or next(verdicts([name]))).shown

    assert all(math.isfinite(figure.found) for figure in shown.figures)
    for curve in shown.curves:
        assert len(curve.x.values) == len(curve.simulated.values) > 2
        assert len(curve.predicted) in (0, len(curve.x.values))
        assert np.isfinite(curve.simulated.values).all()
        assert curve.name and curve.x.name and curve.x.unit and curve.simulated.name and curve.simulated.unit


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_says_its_formula_its_assumptions_and_whose_it_is(name: str) -> None:
    claim: Claim = load(CLAIMS, name, group="claims")

    assert claim.says.endswith(".")
    assert claim.formula and claim.assumes
    assert claim.source.startswith((ABSTRACT, DERIVED))


def test_the_falsifiers_say_which_belief_they_are_against() -> None:
    assert all(load(CLAIMS, name, group="claims").against for name in FALSIFIERS)


def test_a_claim_is_tried_the_same_way_for_the_same_seed() -> None:
    one, again, other = (next(verdicts(["starvation"], seed=seed)).shown.figures for seed in (1, 1, 2))

    assert one == again
    assert one != other
