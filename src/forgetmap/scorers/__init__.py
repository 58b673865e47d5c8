"""Scorers: what a text answered is worth. One file each: `(item, answer) → Score`, with a VERSION that the score carries."""

SCORERS = {
    "quasi_exact_match": "forgetmap.scorers.quasi_exact:quasi_exact_match",
}
