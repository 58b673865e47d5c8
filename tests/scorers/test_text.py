"""What a text shows of how it ended."""

import json
import time
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap.scorers.text import cut_off, looping

PROSE = (
    "First we count the apples in each basket, and there are seven of them. Then we see that two baskets are empty, "
    "so five times seven apples remain, which makes thirty-five. "
)


@pytest.mark.parametrize(
    "piece", ["So it is 7. ", "The answer is (B).\n", "6", "=504^3", "ha", "\\text{Whole} = 360\n\n", "また"]
)
@pytest.mark.parametrize("start", ["", PROSE])
@pytest.mark.parametrize("cut", [0, 1])
def test_a_piece_said_over_and_over_is_looping_even_where_the_last_is_cut(piece: str, start: str, cut: int) -> None:
    text = start + piece * (400 // len(piece) + 4)

    assert looping(text[: len(text) - cut])


def test_a_paragraph_said_four_times_is_looping_and_twice_is_not() -> None:
    assert looping("Well: " + PROSE * 4)
    assert not looping("Well: " + PROSE * 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        PROSE,
        "ha ha ha ha ha ha",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "Result\n" + "-" * 10,
        "Result\n" + "=" * 80,
        "Signed: " + "_" * 120,
        "".join(f"{number}. item number {number}\n" for number in range(60)),
        "".join(
            f"- {word}\n"
            for word in ["apples", "pears", "plums", "grapes", "figs", "dates", "limes", "nuts", "oats", "rice"] * 2
        ),
        "Contents " + "." * 130 + " 7",
        "So it is 7. " * 30 + PROSE,
        PROSE + "\n" * 20,
    ],
)
def test_lists_tables_rules_and_prose_are_not_looping(text: str) -> None:
    assert not looping(text)


def test_a_flood_of_dashes_or_empty_lines_is_looping() -> None:
    assert looping(PROSE + "-" * 500)
    assert looping(PROSE + "\n" * 500)
    assert looping(PROSE + "- " * 300)


def test_the_end_is_found_although_its_words_occur_elsewhere_at_other_distances() -> None:
    piece = "we add the next number to what we have, " * 2 + "then we add the next number to what we had; "

    assert looping(PROSE + piece * 8)


@given(st.text(max_size=300), st.integers(-5, 600))
def test_no_text_raises(text: str, limit: int) -> None:
    assert looping(text) in (True, False)
    assert cut_off(text, limit) in (True, False)
    assert not cut_off(text, 0)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=40), st.integers(0, 39))
def test_any_piece_of_letters_repeated_is_looping(piece: str, cut: int) -> None:
    text = piece * (150 // len(piece) + 6)

    assert looping(text[: len(text) - min(cut, len(piece) - 1)])


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=60, unique=True))
def test_sentences_that_all_differ_are_not_looping(numbers: list[int]) -> None:
    assert not looping("".join(f"Take {number} away. " for number in numbers) + "So we are done with all of it.")


def test_a_long_answer_that_stops_in_the_middle_ran_into_its_limit() -> None:
    text = PROSE * 10

    assert cut_off(text + "and so the", 256)
    assert not cut_off(text, 256), "it ends like a sentence"
    assert not cut_off(text + "and so the", 2048), "there was room left"
    assert not cut_off("", 256)
    assert not cut_off(text + "and so the", 0)


@pytest.mark.parametrize("end", [".", "!", "?", '."', ")", "。", "`", "|", "$$ 7 $$."])
def test_an_answer_that_ends_like_one_is_not_cut_off(end: str) -> None:
    assert not cut_off(PROSE * 20 + "and so the" + end + "\n", 256)


def test_looping_costs_microseconds() -> None:
    texts = ["".join(f"Line {number} is new. " for number in range(400)), PROSE + "ab" * 5000, "-" * 10_000]
    start = time.perf_counter()
    for _ in range(1000):
        for text in texts:
            looping(text)

    assert time.perf_counter() - start < 1.0, "3,000 texts of 8 to 10 kB; a few microseconds each are 0.02 seconds"


def test_real_loops_are_found_where_no_answer_was(shared_data: Path) -> None:
    with zipfile.ZipFile(
        shared_data / "sample_results/mmlu_pro/model_outputs_Mistral-7B-v0.2-hf_5shots.zip"
    ) as archive:
        entries = json.loads(archive.read(archive.namelist()[0]))
    loops = [entry for entry in entries if looping(entry["generated_text"])]
    cuts = [entry for entry in entries if cut_off(entry["generated_text"], 256)]

    assert len(loops) > 500
    assert sum(entry["pred"] is None for entry in loops) > 0.99 * len(loops)
    assert len(cuts) > 200
    assert sum(entry["pred"] is None for entry in cuts) > 0.99 * len(cuts)
