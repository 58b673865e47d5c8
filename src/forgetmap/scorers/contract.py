"""What a scorer is."""

from collections.abc import Callable

from forgetmap.records.schema import Item, Score

Scorer = Callable[[Item, str], Score]
"""One row of `SCORERS`: what an answer to an item is worth."""
