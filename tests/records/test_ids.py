"""Names of items."""

from hypothesis import given
from hypothesis import strategies as st

from forgetmap.records.ids import Namer, content_id
from forgetmap.records.schema import Item, Row, Sample, Score

texts = st.text(max_size=30)


def named(*items: Item, draws: int = 1) -> list[str | None]:
    namer = Namer()
    return [namer.name(Row(item, Sample(draw=draw), (Score("s"),))) for item in items for draw in range(draws)]


@given(texts, st.lists(texts, min_size=1, max_size=5))
def test_the_order_of_options_and_white_space_do_not_matter(question: str, options: list[str]) -> None:
    turned = sorted(options, reverse=True)

    one = Item("t", question=question, choices=tuple(options), golds=(options[0],))
    two = Item("t", question=f"  {question}\n", choices=tuple(f"{o} " for o in turned), golds=(options[0],))

    assert content_id(one) == content_id(two)


def test_the_gold_the_options_the_question_and_the_case_do_matter() -> None:
    base = Item("t", question="Q", choices=("a", "b"), golds=("a",))
    others = [base._replace(golds=("b",)), base._replace(choices=("a", "c")), base._replace(question="q")]

    assert len({content_id(item) for item in (base, *others)}) == 4


def test_the_task_the_native_id_and_the_letter_of_the_gold_do_not_matter() -> None:
    one = Item("t", "1", question="Q", choices=("a", "b"), golds=("b",))

    assert content_id(one) == content_id(one._replace(task="u", native_id="2", choices=("b", "a")))


def test_options_alone_name_nothing_where_there_is_a_native_id() -> None:
    one, two = (Item("t", str(number), choices=("yes", "no"), golds=("yes",)) for number in range(2))

    assert content_id(one) != content_id(two)


def test_repeated_content_is_numbered_by_native_id_and_draws_share_a_name() -> None:
    again = [Item("t", str(number), question="Q") for number in range(3)]
    name = content_id(again[0])

    assert named(*again, draws=2) == [name, name, f"{name}-1", f"{name}-1", f"{name}-2", f"{name}-2"]


def test_the_same_native_id_twice_is_a_duplicate_and_without_one_a_repeat() -> None:
    told, untold = Item("t", "1", question="Q"), Item("t", question="Q")
    name = content_id(told)

    assert named(told, told) == [name, None]
    assert named(untold, untold) == [name, f"{name}-1"]


def test_many_repeats_are_named_in_linear_time() -> None:
    items = [Item("t", str(number), question="Q") for number in range(20_000)]

    assert len(set(named(*items))) == 20_000
