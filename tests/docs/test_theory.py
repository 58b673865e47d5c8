"""The pages of the two modes: their code runs, and the numbers they name are those of the formulas."""

import re
from typing import Any

import numpy as np
import pytest

from forgetmap.theory.two_modes.cloud import quadrature
from forgetmap.theory.two_modes.dynamics.flow import flow
from forgetmap.theory.two_modes.laws.batches import noise_ratio, samples_needed, starved
from forgetmap.theory.two_modes.laws.penalties import ewc_weight, forward_anchor_weight, reverse_anchor_weight
from forgetmap.theory.two_modes.laws.reward import tilted_log_odds
from forgetmap.theory.two_modes.laws.teachers import anchored_log_odds
from forgetmap.theory.two_modes.observe import old_mass
from forgetmap.theory.two_modes.world import World
from tests.docs.pages import DOCS, code

RECIPE = (DOCS / "how-to" / "choose-a-recipe.md").read_text("utf-8")
WHY = (DOCS / "explain" / "theory.md").read_text("utf-8")


def row(page: str, start: str) -> list[float]:
    """The numbers in the cells of the first line of a table that starts so, bold or not."""
    line = next(line for line in page.splitlines() if line.startswith(f"| {start}"))
    cells = [cell.strip(" *") for cell in line.split("|")[2:-1]]
    return [float(found[0]) for cell in cells if (found := re.search(r"\d*\.\d+|\d+", cell))]


def ran(block: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(block, "page", "exec"), names)
    return names


def test_the_objective_of_ones_own_on_the_page_keeps_half_of_the_log_odds() -> None:
    """Its target is the geometric mean of new data and the learner before, where both modes are at home in one of them alone."""
    watched, own = (ran(block) for block in code("reference/lab_objectives.md", "python"))
    world = watched["world"]
    assert watched["run"].observed.old_mass.shape == (3,)

    start = world.learner(0.5)
    last = flow(own["half_way"](world, start, strength=1.0), world.learner(0.2), np.array([200.0])).last

    assert old_mass(world, last) == pytest.approx(0.5, abs=0.01)
    assert own["half_way"](world, start)(start, quadrature())


def test_the_code_of_the_page_of_claims_runs(capsys: pytest.CaptureFixture[str]) -> None:
    ran(code("reference/claims.md", "python")[0])

    said = capsys.readouterr().out
    assert "four_quadrants holds Being on-policy" in said
    assert "False" not in said


def test_the_table_of_penalties_is_that_of_the_formulas() -> None:
    strengths = (0.1, 0.5, 1.0, 2.0)
    for start, formula in (
        ("forward anchor", forward_anchor_weight),
        ("reverse anchor", reverse_anchor_weight),
        ("EWC", ewc_weight),
    ):
        assert row(WHY, start) == pytest.approx([formula(c) for c in strengths], rel=0.1, abs=6e-4)


@pytest.mark.parametrize(
    ("start", "kept"), [("b from .5 to .25", 0.25), ("b from .5 to .10", 0.1), ("b from .5 to .05", 0.05)]
)
def test_the_strengths_recommended_keep_what_they_say(start: str, kept: float) -> None:
    forward, reverse = row(RECIPE, start)

    assert forward_anchor_weight(forward) == pytest.approx(kept, rel=0.02)
    assert reverse_anchor_weight(reverse) == pytest.approx(kept, rel=0.04)


def test_the_numbers_in_the_recipes_are_those_of_the_formulas() -> None:
    assert starved(0.02, np.array([16, 64])) == pytest.approx([0.72, 0.27], abs=0.006)
    assert round(samples_needed(0.02, 100, 0.05)) == 376
    assert noise_ratio(0.01, 0.1) == pytest.approx(0.1, abs=0.005)
    assert 1 / (1 + np.exp(-tilted_log_odds(0.0, 0.1, 0.05))) == pytest.approx(0.12, abs=0.005)
    assert [anchored_log_odds(0.0, 1.0, share) for share in (0.5, 0.1)] == pytest.approx([1, 9])
    assert World(distance=2.0).floor == pytest.approx(0.159, abs=0.0005)
