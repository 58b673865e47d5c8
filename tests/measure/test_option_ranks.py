"""Options are ranked by their texts, whatever those are."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from forgetmap.measure.option_ranks import option_ranks
from forgetmap.records.ids import collapse
from forgetmap.records.surrogates import spell, unspell

PIECES = st.sampled_from(
    ["a", "b", "ab", " ", "  ", "\t", "\x1c", "\0", "é", "\u00a0", "\u3000", "\ud83d", "\ufffd{d83d}", "z" * 9]
)
OPTION = st.lists(PIECES, max_size=7).map("".join)
ITEM = st.none() | st.lists(OPTION, max_size=6) | st.lists(OPTION, min_size=33, max_size=34)


@given(st.lists(ITEM, max_size=8), st.integers(0, 3))
def test_the_rank_of_an_option_is_the_number_of_others_that_sort_before_it(
    items: list[list[str] | None], start: int
) -> None:
    told = [None if item is None else [spell(option) for option in item] for item in items]

    found = option_ranks(pa.array(told, pa.list_(pa.string()))[start:]).tolist()

    assert found == [rank for item in told[start:] if item for rank in ranks([unspell(option) for option in item])]


def ranks(item: list[str]) -> list[int]:
    shown = {collapse(option) for option in item}
    return [sum(other < collapse(option) for other in shown) for option in item]


def test_options_that_begin_alike_are_told_apart_by_their_ends() -> None:
    alike = "the same beginning, for more than thirty-two letters: "

    assert option_ranks(pa.array([[alike + "b", alike + "a", alike]], pa.list_(pa.string()))).tolist() == [2, 1, 0]
