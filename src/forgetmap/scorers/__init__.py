"""Scorers: what a text answered is worth. One file each: `(item, answer) → Score`, with a VERSION that the score carries.

A scorer never raises and never calls what it could not read wrong: no answer found is *unparsed*, one that breaks off before its
answer *truncated*, an item without a gold (or one this scorer cannot hold against a text) *failed*. `found` says how the answer was
found. Text comes as it was generated: empty, huge, half characters and terminal colours included.
"""

SCORERS = {
    "exact": "forgetmap.scorers.exact:exact",
    "quasi_exact_match": "forgetmap.scorers.quasi_exact:quasi_exact_match",
    "choice": "forgetmap.scorers.choice:choice",
    "final_answer": "forgetmap.scorers.final_answer:final_answer",
    "yes_no": "forgetmap.scorers.yes_no:yes_no",
    "number": "forgetmap.scorers.number:number",
    "boxed": "forgetmap.scorers.boxed:boxed",
    "literal": "forgetmap.scorers.literal:literal",
    "json_answer": "forgetmap.scorers.json_answer:json_answer",
    "json_literal": "forgetmap.scorers.json_literal:json_literal",
    "json_number": "forgetmap.scorers.json_number:json_number",
    "accepted": "forgetmap.scorers.accepted:accepted",
}
