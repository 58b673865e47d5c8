"""Options of items."""

from hypothesis import given
from hypothesis import strategies as st

from forgetmap.records.ids import collapse
from forgetmap.records.options import distinct, letter

texts = st.lists(st.text(alphabet="ab \n\u3000", max_size=4), max_size=8)


@given(texts)
def test_every_option_shown_has_the_place_of_the_first_of_equal_text(shown: list[str]) -> None:
    found = distinct(shown)

    assert [collapse(found.texts[place]) for place in found.places] == [collapse(text) for text in shown]
    assert len({collapse(text) for text in found.texts}) == len(found.texts)
    assert list(found.texts) == [
        text for place, text in enumerate(shown) if found.places.index(found.places[place]) == place
    ]
    assert found.by_text == {collapse(text): place for place, text in enumerate(found.texts)}


def test_options_beyond_the_letters_have_names_of_their_own() -> None:
    names = [letter(place) for place in range(40)]

    assert (names[0], names[25], names[30]) == ("A", "Z", "30")
    assert len(set(names)) == 40
