"""One row of lighteval's details, whichever layout it had."""

from typing import Any, NamedTuple

Cells = dict[str, Any]


class Details(NamedTuple):
    """One row, whichever layout it had. Nothing is checked: any field may hold anything."""

    native: Any
    query: Any
    original: Any
    instruction: Any
    choices: Any
    gold_index: Any
    gold: Any
    specific: Any
    prompt: Any
    answers: Any
    """Texts generated, one a repeat."""
    logprobs: Any
    """Log-likelihoods, one an option."""
    reasoning: Any
    limit: Any
    """Tokens that could be generated."""
    metrics: Any
    cells: Cells
    """The row as it was read."""
