"""The exam that every law sits: what it says of itself is what its simulations show."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from forgetmap import KnowOrGuess
from forgetmap.measure import METRICS
from forgetmap.measure.evidence import gather
from forgetmap.measure.fold import fold
from forgetmap.measure.pair import pair
from forgetmap.measure.raw import raw
from forgetmap.measure.transitions import Pairs, condensed
from forgetmap.tables import load
from forgetmap.taxonomy.place import read_taxonomy
from forgetmap.theory import LAWS
from tests.measure.told import by_study, together

MIXED = {2: 0.1, 3: 0.3, 4: 0.4, 10: 0.2}
CHANGE = {"known": 0.55, "forgotten": 0.15, "gained": 0.1}
WORLDS: Mapping[str, Sequence[Any]] = {
    "know_or_guess": [
        KnowOrGuess(**CHANGE),
        KnowOrGuess(**CHANGE, repeated_luck=0.7, options=MIXED),
        KnowOrGuess(**CHANGE, options=5, golds=2, repeated_luck=0.5, misconceptions=0.5),
        KnowOrGuess(**CHANGE, options={None: 0.5, 4: 0.5}, unanswered_before=0.05, unanswered_after=0.3),
        KnowOrGuess(**CHANGE, options=MIXED, unanswered_before=0.2, unanswered_after=0.2, repeated_luck=0.3),
        KnowOrGuess(**CHANGE, options=4, passages=(1, 5, 9), intraclass=0.2, repeated_luck=0.5),
        KnowOrGuess(**CHANGE, options=MIXED, draws=3, slip=0.2, repeated_luck=0.5, unanswered_before=0.1),
        KnowOrGuess(**CHANGE, options=None, draws=4, slip=0.1, passages=(4,), intraclass=0.1),
    ]
}
CASES = [pytest.param(name, law, id=f"{name} {place}") for name in LAWS for place, law in enumerate(WORLDS[name])]
ITEMS = 4000


def recorded(law: Any, *, texts: bool) -> Pairs:
    """A study that went through records, the fold and the pairing."""
    before, after = (fold(run) for run in law.runs(items=ITEMS, seed=8, texts=texts))
    pairs = gather(pair(before, after), read_taxonomy(None)).pairs
    assert pairs is not None
    return pairs._replace(leaf=np.zeros(len(pairs.leaf), np.int64))


def mean_shares(pairs: Pairs) -> np.ndarray:
    """The share of all items that make each kind of transition, for each chance."""
    chances = np.unique(pairs.chance)
    weighted = pairs.share * pairs.items[:, None]
    return np.stack([weighted[pairs.chance == chance].sum(axis=0) for chance in chances]) / pairs.items.sum()


@pytest.mark.parametrize("name", LAWS)
def test_every_law_has_worlds_to_be_examined_in(name: str) -> None:
    law = load(LAWS, name, group="laws")

    assert len(WORLDS[name]) > 1
    assert all(isinstance(world, law) for world in WORLDS[name])


@pytest.mark.parametrize(("name", "law"), CASES)
def test_simulations_show_the_truth_that_the_law_states(name: str, law: Any) -> None:
    pairs = law.simulate(items=2000, studies=40, seed=2)
    groups = by_study(pairs)

    for metric in METRICS:
        found = load(METRICS, metric, group="metrics")(pairs, groups).value
        if not np.isnan(found).all():
            # Standard errors are .0005 to .002; items in passages vary more.
            assert found.mean() == pytest.approx(getattr(law, metric), abs=0.006), metric
    assert raw(pairs, groups).value.mean() == pytest.approx(law.raw_loss, abs=0.006)


@pytest.mark.parametrize(("name", "law"), CASES)
def test_records_and_simulated_pairs_tell_one_story(name: str, law: Any) -> None:
    many = law.simulate(items=200_000, seed=1)
    one = recorded(law, texts=False)

    expected, found = mean_shares(many), mean_shares(one)

    assert set(np.unique(one.chance)) == set(np.unique(many.chance))
    assert set(np.unique(one.status)) == set(np.unique(many.status))
    # Several draws of an item, or items of a passage, are worth fewer items than they are.
    error = np.sqrt(expected * (1 - expected) / ITEMS) * (2 if law.passages != (1,) or law.draws > 1 else 1)
    assert (np.abs(found - expected) <= 5 * error + 0.0015).all()


@pytest.mark.parametrize(("name", "law"), CASES)
def test_texts_change_nothing_of_the_figures(name: str, law: Any) -> None:
    with_texts, without = (condensed(recorded(law, texts=texts)) for texts in (True, False))

    for metric in METRICS:
        one, two = (load(METRICS, metric, group="metrics")(p, together(p)).value for p in (with_texts, without))
        assert two == pytest.approx(one, nan_ok=True)


@pytest.mark.parametrize(("name", "law"), CASES)
def test_a_seed_gives_the_same_study_again_and_another_seed_another(name: str, law: Any) -> None:
    one, again, other = (law.simulate(items=200, studies=2, seed=seed) for seed in (3, 3, 4))

    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(mean_shares(one), mean_shares(other))


@pytest.mark.parametrize(("name", "law"), CASES)
def test_every_study_has_as_many_items_as_asked_for(name: str, law: Any) -> None:
    pairs = law.simulate(items=130, studies=7, seed=5)

    assert np.bincount(pairs.leaf, pairs.items).tolist() == [130.0] * 7
