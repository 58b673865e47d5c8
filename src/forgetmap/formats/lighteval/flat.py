"""Rows of the flat layout, up to 0.10 and in logs of 2023: what is asked stands in several places, golds are texts or numbers.

A generated answer has the texts of its golds and no choices: the letters that it could choose from stand in the query.
"""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

from forgetmap.formats.lighteval.content import last_question, letters_shown
from forgetmap.formats.lighteval.details_row import Cells, Details
from forgetmap.formats.lm_eval.options import letter


def of_flat(cells: Cells, values: Any) -> Details:
    native, query = _native_and_query(cells.get("example"), cells.get("full_prompt"))
    predictions = cells.get("predictions")
    numbers = predicted_numbers(predictions)
    row = Details(
        native=native,
        query=query,
        original=None,
        instruction=cells.get("instruction"),
        choices=cells.get("choices"),
        gold_index=cells.get("gold_index"),
        gold=cells.get("gold"),
        specific=cells.get("specifics"),
        prompt=cells.get("full_prompt"),
        answers=predictions if numbers is None else None,
        logprobs=numbers,
        reasoning=None,
        limit=None,
        metrics=values,
        cells=cells,
    )
    return _completed(row)


def _native_and_query(example: Any, prompt: Any) -> tuple[Any, Any]:
    """`example` is the question where the prompt holds it; in the oldest files it is an id, and the prompt ends with the question."""
    if not isinstance(prompt, str):
        return None, example
    if isinstance(example, str) and example.strip() and example.strip() in prompt:
        return None, example
    if isinstance(example, str) and len(example.split()) > 1:
        return None, example
    return None if example in (None, "") else example, last_question(prompt)


def predicted_numbers(predictions: Any) -> list[float] | None:
    """Log-likelihoods among predictions: numbers, or lists that begin with one.

    >>> predicted_numbers([-1.5, -2]), predicted_numbers([[-1.5, 0.0]]), predicted_numbers(["B"])
    ([-1.5, -2.0], [-1.5], None)
    """
    given = predictions if isinstance(predictions, list) else []
    firsts = [one[0] if isinstance(one, list) and one else one for one in given]
    numbers = [float(one) for one in firsts if isinstance(one, int | float) and not isinstance(one, bool)]
    return numbers if firsts and len(numbers) == len(firsts) else None


def _completed(row: Details) -> Details:
    """The same row with choices and the places of its golds, as far as it tells them in another way."""
    if row.gold is None or row.gold_index not in (None, []):
        return row
    if row.choices:
        # A number counts the choices from 0.
        places = row.gold if isinstance(row.gold, list) else [row.gold]
        return row._replace(gold_index=places) if all(map(_is_index, places)) and places else row
    texts = _texts(row.gold)
    letters = letters_shown(row.query) if isinstance(row.query, str) else 0
    named = [letter(text) for text in texts]
    if texts and all(0 <= place < letters for place in named):
        return row._replace(choices=list(ascii_uppercase[:letters]), gold_index=named)
    return row._replace(choices=texts, gold_index=list(range(len(texts)))) if texts else row


def _is_index(given: Any) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _texts(gold: Any) -> list[str]:
    """The golds as texts, each once; none where some are something else."""
    listed: Sequence[Any] = gold if isinstance(gold, list) else [gold]
    return list(dict.fromkeys(listed)) if all(isinstance(one, str) for one in listed) else []
