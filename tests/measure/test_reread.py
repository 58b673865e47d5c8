"""Published cells read again: worlds of known forgetting, printed as the study prints, must lie in the band."""

import re

import numpy as np
import pytest

from forgetmap import KnowOrGuess
from forgetmap.errors import SettingError
from forgetmap.measure.raw import raw_loss
from forgetmap.measure.reread import Printed, raw, reread
from forgetmap.measure.transitions import Pairs, swapped
from tests.house.source import ROOT

PAGE = ROOT / "docs" / "explain" / "published.md"
TASKS, ITEMS = 25, 150
NUMBER = r"−?\d+\.\d"
ROW = re.compile(
    rf"\| ([^|]+) \| (Liberal Arts|Science/Tech) \| ({NUMBER}) \(({NUMBER})\) \| ({NUMBER}) \(({NUMBER})\) "
    rf"\| ({NUMBER}) … ({NUMBER}) \[({NUMBER}), ({NUMBER})\] \| ({NUMBER}) … ({NUMBER}) \[({NUMBER}), ({NUMBER})\] \|"
)
WORTH = {"Liberal Arts": 3817, "Science/Tech": 3832}
"""Items that one mean over all is worth, with tasks of their true sizes that count the same."""


def rates(pairs: Pairs, k: int) -> list[float]:
    """One task as the study's code counts it: forgetting and gain clipped, and both ceilings."""
    weight = pairs.items / pairs.items.sum()
    before, after = float(weight @ pairs.score_before), float(weight @ pairs.score_after)
    luck = (1 - before) * (1 - after) / (k - 1)
    losses = [max(float(weight @ raw_loss(side)) - luck, 0.0) for side in (pairs, swapped(pairs))]
    return [*losses, *(max((k * right - 1) / (k - 1), 0.0) for right in (before, after))]


def printed(laws: list[KnowOrGuess], items: int, seed: int, k: int = 4) -> Printed:
    """A category of tasks, in per cent with one decimal."""
    every = [rates(law.simulate(items=items, seed=1000 * seed + place), k) for place, law in enumerate(laws)]
    return Printed(*(round(float(mean), 3) for mean in np.mean(every, axis=0)))


@pytest.mark.parametrize("options", [2, 4, 10])
@pytest.mark.parametrize("repeated", [0.0, 0.4, 1.0])
def test_the_band_holds_the_truth_where_all_is_one_large_task(options: int, repeated: float) -> None:
    law = KnowOrGuess(known=0.7, forgotten=0.08, gained=0.05, options=options, repeated_luck=repeated)

    found = reread(printed([law], 10**8, 1, options), options=options, items=1e12, spread=0.0)

    assert found.forgetting.least - 0.002 <= law.forgetting <= found.forgetting.greatest + 0.002
    assert found.gain.least - 0.002 <= law.gain <= found.gain.greatest + 0.002
    if repeated == 0:
        assert found.forgetting.least == pytest.approx(law.forgetting, abs=0.003)
    if repeated == 1:
        assert found.forgetting.greatest == pytest.approx(law.forgetting, abs=0.003)


@pytest.mark.parametrize(
    ("repeated", "forgotten", "gained"), [(0.0, 0.05, 0.1), (0.5, 0.02, 0.02), (0.9, 0.1, 0.0), (0.3, 0.0, 0.0)]
)
def test_the_widened_band_holds_the_truth_of_many_small_tasks_that_differ(
    repeated: float, forgotten: float, gained: float
) -> None:
    inside = []
    for world in range(60):
        known = np.random.default_rng(world).uniform(0.45, 0.9, TASKS)
        laws = [
            KnowOrGuess(known=share, forgotten=forgotten * share, gained=gained * (1 - share), repeated_luck=repeated)
            for share in known.tolist()
        ]
        found = reread(printed(laws, ITEMS, world), items=TASKS * ITEMS)
        truths = [np.mean([getattr(law, side) for law in laws]) for side in ("forgetting", "gain")]
        inside += [ends.low <= truth <= ends.high for ends, truth in zip(found[:2], truths, strict=True)]

    assert np.mean(inside) >= 0.935


def test_the_shares_behind_the_printed_numbers_are_found_again() -> None:
    law = KnowOrGuess(known=0.6, forgotten=0.1, gained=0.1)
    pairs = law.simulate(items=10**8, seed=3)
    weight = pairs.items / pairs.items.sum()

    found = raw(printed([law], 10**8, 0), options=4)

    assert found.accuracy_before == pytest.approx(float(weight @ pairs.score_before), abs=0.001)
    assert found.lost == pytest.approx(float(weight @ raw_loss(pairs)), abs=0.001)
    assert found.gained == pytest.approx(float(weight @ raw_loss(swapped(pairs))), abs=0.001)
    assert found.lost + found.gained + found.never <= 1
    assert found.clipped == pytest.approx(0, abs=0.001)


def test_clipping_shows_where_forgetting_less_gain_is_not_the_change_of_accuracy() -> None:
    laws = [KnowOrGuess(known=0.5, forgotten=0.05, repeated_luck=0.8) for _ in range(TASKS)]

    assert raw(printed(laws, ITEMS, 5), options=4).clipped < -0.002


@pytest.mark.parametrize(
    ("cell", "options", "complaint"),
    [
        (Printed(0.1, 0.1, 0.0, 0.5), 4, "a ceiling of 0 was clipped"),
        (Printed(6.6, 5.7, 74.2, 73.0), 4, "wanted as shares between 0 and 1"),
        (Printed(0.1, 0.1, 0.5, 0.5), 1, "cannot be guessed wrong"),
    ],
)
def test_numbers_that_allow_nothing_are_refused(cell: Printed, options: int, complaint: str) -> None:
    with pytest.raises(SettingError, match=complaint):
        reread(cell, options=options, items=100)


def test_every_band_on_the_page_follows_from_the_numbers_beside_it() -> None:
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))

    assert len(rows) == 62
    for _, category, *texts in rows:
        forgetting, before, gain, after, *ends = (float(text.replace("−", "-")) for text in texts)
        found = reread(Printed(*(share / 100 for share in (forgetting, gain, before, after))), items=WORTH[category])
        assert ends == pytest.approx([100 * end for side in (found.forgetting, found.gain) for end in side], abs=0.0501)
