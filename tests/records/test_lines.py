"""A row in plain values, and back."""

import math
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetmap.records.batches import Sizes
from forgetmap.records.lines import lines_of, row_of, text_of
from forgetmap.records.plain_json import dump, load
from forgetmap.records.schema import Item, Row, Sample, Score
from forgetmap.records.store import write
from forgetmap.records.study import Study
from forgetmap.records.surrogates import spell, unspell
from tests.records.made_up import run_of

# Letters, what other scripts use, controls, halves of characters, and the marks that stand for them.
TEXTS = st.text(st.one_of(st.characters(), st.sampled_from("a\0\n\\\ufffd{}\ud83d\udc00\U0001f600ud")), max_size=12)
SINGLE = st.floats(width=32, allow_nan=False)
PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=6,
)
MAYBE = st.one_of(st.none(), TEXTS)
WHOLE = st.integers(-(1 << 31), (1 << 31) - 1)
CHANCES = st.one_of(st.none(), st.floats(0, 1))
ITEMS = st.builds(
    Item,
    task=TEXTS,
    native_id=MAYBE,
    domain=MAYBE,
    question=MAYBE,
    choices=st.one_of(st.none(), st.lists(TEXTS, max_size=4).map(tuple)),
    golds=st.lists(TEXTS, max_size=2).map(tuple),
    k=st.one_of(st.none(), WHOLE),
    chance=CHANCES,
    cluster=MAYBE,
    source=MAYBE,
    meta=st.one_of(st.none(), st.dictionaries(TEXTS, PLAIN, max_size=3)),
)
SAMPLES = st.builds(
    Sample,
    draw=st.integers(0, 5),
    seed=st.one_of(st.none(), st.integers(-(1 << 63), (1 << 63) - 1)),
    prompt=MAYBE,
    permutation=st.one_of(st.none(), st.lists(WHOLE, max_size=4).map(tuple)),
    weight=st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
    response=MAYBE,
    reasoning=MAYBE,
    finish_reason=MAYBE,
    tokens=st.one_of(st.none(), WHOLE),
    seconds=st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
    error=MAYBE,
)
SCORES = st.builds(
    lambda value, score: score._replace(value=value, outcome="unparsed" if value is None else "scored"),
    st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
    st.builds(
        Score,
        scorer=TEXTS,
        choice=st.one_of(st.none(), WHOLE),
        version=MAYBE,
        found=MAYBE,
        margin=st.one_of(st.none(), st.floats(allow_nan=False)),
        logprobs=st.one_of(st.none(), st.lists(SINGLE, max_size=4).map(tuple)),
    ),
)
ROWS = st.builds(Row, ITEMS, SAMPLES, st.lists(SCORES, min_size=1, max_size=3).map(tuple), TEXTS)


@given(ROWS)
def test_a_row_is_the_same_after_its_way_through_json(row: Row) -> None:
    assert row_of(load(text_of(lines_of(row)))) == row


@settings(max_examples=30)
@given(st.lists(ROWS, min_size=1, max_size=8))
def test_any_rows_come_back_from_a_study_as_they_were_written(told: list[Row]) -> None:
    run = run_of(told)
    with TemporaryDirectory() as folder:
        write(folder, run, sizes=Sizes(batch=2, shard=3))
        assert list(Study.open(folder).run("made-up").rows()) == list(run.rows())


@given(TEXTS)
def test_a_text_with_half_characters_is_spelled_in_utf_8_and_unspelled_again(text: str) -> None:
    assert unspell(spell(text).encode().decode()) == text


def test_half_a_character_is_visible_to_other_readers_and_keeps_the_item_id(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    item = Item(
        "quiz", "0", question="What is \ud83d?", choices=("a", "b\udc00"), golds=("a",), meta={"\ud83d": "\ud83d"}
    )
    run = run_of([Row(item, Sample(prompt="\ud83d", response="\udfff"), (Score("acc", value=1.0),))])

    written = write(tmp_path, run)

    assert pq.read_table(written.folder / "items-0000.parquet")["question"].to_pylist() == ["What is \ufffd{d83d}?"]
    assert list(Study.open(tmp_path).run("made-up").rows()) == list(run.rows())


def test_nan_where_absence_is_allowed_is_absent(tmp_path: Path) -> None:
    nan = math.nan
    sample = Sample(weight=nan, seconds=math.inf)
    score = Score("acc", value=1.0, margin=nan, logprobs=(-1.0, nan))
    run = run_of([Row(Item("quiz", "0", question="?", meta={"loss": nan}), sample, (score,))])

    write(tmp_path, run)
    row = next(Study.open(tmp_path).run("made-up").rows())

    assert (row.sample.weight, row.sample.seconds) == (None, None)
    assert (row.scores[0].margin, row.scores[0].logprobs) == (None, None)
    assert row.item.meta == {"loss": None}


def test_an_option_without_any_probability_keeps_its_minus_infinity(tmp_path: Path) -> None:
    score = Score("acc", value=1.0, margin=math.inf, logprobs=(-0.5, -math.inf))
    run = run_of([Row(Item("quiz", "0", question="?"), Sample(), (score,))])

    write(tmp_path, run)

    assert next(Study.open(tmp_path).run("made-up").rows()).scores == (score,)


def test_log_probabilities_are_kept_in_single_precision(tmp_path: Path) -> None:
    run = run_of([Row(Item("quiz", "0", question="?"), Sample(), (Score("acc", value=1.0, logprobs=(-0.1, -1 / 3)),))])

    write(tmp_path, run)
    stored = next(Study.open(tmp_path).run("made-up").rows()).scores[0].logprobs

    assert stored == pytest.approx((-0.1, -1 / 3), rel=6e-8)
    assert stored != (-0.1, -1 / 3)


@given(PLAIN)
def test_plain_json_gives_back_what_it_was_given(value: object) -> None:
    assert load(dump(value)) == value
    assert load(dump(value, indent=True)) == value


@pytest.mark.parametrize("number", [1 << 64, -(1 << 63) - 1, 10**40, 5e-324, 1e22, 0.1 + 0.2])
def test_plain_json_rounds_no_number(number: float) -> None:
    assert load(dump({"seed": number})) == {"seed": number}


def test_plain_json_takes_what_json_has_no_word_for() -> None:
    import numpy

    assert load(dump({"a": numpy.int64(3), "b": numpy.array([1, 2]), "c": {1: "x"}})) == {
        "a": 3,
        "b": [1, 2],
        "c": {"1": "x"},
    }
    assert load(dump({"a": Path("x"), "b": "\ud83d", "n": math.nan})) == {"a": "x", "b": "\ud83d", "n": None}
