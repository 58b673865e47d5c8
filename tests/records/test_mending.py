"""Chance that the user says."""

import pytest

from forgetmap.errors import SettingError
from forgetmap.records.mending import OPEN, k_said, mender
from forgetmap.records.schema import Item


def test_the_first_rule_whose_pattern_matches_counts() -> None:
    rules = [("other", "9"), ("q?iz", "4.0"), ("*", "OPEN")]

    assert [k_said(rules, task) for task in ("quiz", "other", "essay")] == [4, 9, OPEN]
    assert k_said([], "quiz") is None


@pytest.mark.parametrize("value", ["0", "-2", "2.5", "many", "", ".options", "1e3", "100001"])
def test_a_rule_that_says_nothing_is_refused_for_stored_runs_too(value: str) -> None:
    with pytest.raises(SettingError, match="a number of options from 1 to 100000 is wanted"):
        mender([("quiz", value)])(Item("quiz"))


def test_a_path_is_of_no_use_for_stored_items_and_leaves_the_next_rule_its_turn() -> None:
    mend = mender([("quiz", "doc.options"), ("*", "4")])

    assert mend(Item("quiz", golds=("a",))).chance == 0.25


def test_a_number_of_options_that_is_known_stays() -> None:
    mend = mender([("a", "4"), ("b", "open")])

    assert (mend(Item("a", k=3)).k, mend(Item("a", k=3)).chance) == (3, 1 / 3)
    assert mend(Item("b", k=3)) == Item("b", k=3)
