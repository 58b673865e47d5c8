"""Packed columns: what a page unpacks is what the map holds."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from forgetmap.front.facts import facts, pack, per_mille
from tests.cli.maps import a_map

SIGNS = "#$%'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}"


def unpacked(text: str) -> list[int | None]:
    """The rule of `facts.py` the other way round, written down once more."""
    found: list[int | None] = []
    signed, number, power = text.startswith("!"), 0, 1
    for sign in text.removeprefix("!"):
        if sign == "~":
            found.append(None)
            continue
        place = SIGNS.index(sign)
        number, power = number + (place % 44) * power, power * 44
        if place < 44:
            found.append((-(number + 1) // 2 if number % 2 else number // 2) if signed else number)
            number, power = 0, 1
    return found


@given(st.lists(st.none() | st.integers(-(10**7), 10**7)))
def test_every_column_comes_back(numbers: Sequence[int | None]) -> None:
    assert unpacked(pack(numbers)) == list(numbers)


@given(st.lists(st.integers(0, 10**6)))
def test_a_packed_column_has_no_sign_that_means_anything_in_json_or_html(numbers: list[int]) -> None:
    assert not set(pack(numbers)) & set('"\\<&\n ')


def test_the_cells_of_a_page_are_those_of_the_map() -> None:
    made = a_map(after=("sft", "rl"))
    level = facts(made)["levels"]["domain"]

    for place, after in enumerate(("sft", "rl")):
        columns = level["pairs"][place]
        forgetting = columns["forgetting"] if columns["forgetting"] != " " else level["pairs"][0]["forgetting"]
        value, below, farther = map_columns(forgetting)
        cells = {cell.name: cell for cell in made.select(level="domain", after=after)}
        for row, name in enumerate(level["names"]):
            found = cells[name].forgetting
            assert found is not None
            assert value[row] == per_mille(found.value)
            assert value[row] - below[row] == per_mille(found.low)
            assert value[row] + below[row] + farther[row] == per_mille(found.high)


def map_columns(columns: Sequence[str]) -> list[list[int]]:
    return [[number for number in unpacked(column) if number is not None] for column in columns]
