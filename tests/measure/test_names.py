"""Texts of many items in little memory read as they were."""

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from forgetmap.measure.names import NOTHING, Coded, Names

TEXT = st.none() | st.lists(st.sampled_from(["a", "é", "\ud83d", "\ufffd{", "\ufffd{d83d}", ""])).map("".join)


@given(st.lists(TEXT, max_size=6))
def test_names_and_codes_read_as_the_texts_they_are_made_of(listed: list[str | None]) -> None:
    names, coded = Names.of(listed), Coded.of(listed)

    for made in (names, coded, pickle.loads(pickle.dumps(names)), pickle.loads(pickle.dumps(coded))):
        assert list(made) == listed == [made[row] for row in range(len(made))]


@given(st.lists(st.text(max_size=2), unique=True, max_size=9), st.lists(TEXT, max_size=9))
def test_a_name_is_found_where_it_stands_among_others(others: list[str], listed: list[str | None]) -> None:
    found = Names.of(listed).places(Names.of(others)).tolist()

    assert found == [others.index(text) if text in others else NOTHING for text in listed]


@given(st.lists(TEXT, max_size=9), st.data())
def test_what_one_side_leaves_open_the_other_fills_in(here: list[str | None], data: st.DataObject) -> None:
    there = data.draw(st.lists(TEXT, min_size=len(here), max_size=len(here)))

    filled = Coded.of(here).filled(Coded.of(there))

    assert list(filled) == [one if one is not None else other for one, other in zip(here, there, strict=True)]
    assert list(filled.compact()) == list(filled)
    assert len(set(filled.compact().words)) == len(set(filled) - {None})


@given(st.lists(TEXT, max_size=6), st.lists(TEXT, max_size=6))
def test_the_parts_of_names_tell_them_from_all_others(one: list[str | None], two: list[str | None]) -> None:
    same = [
        all(np.array_equal(*parts) for parts in zip(Names.of(left).parts(), Names.of(right).parts(), strict=True))
        for left, right in ((one, two), (one, list(one)))
    ]

    assert same == [one == two, True]
    assert (Names.of(one) == Names.of(two)) == (one == two)
