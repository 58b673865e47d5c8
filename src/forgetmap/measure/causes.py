"""Why items were lost, as far as the log tells: a partition of n10."""

import numpy as np

from forgetmap.measure.cell import CAUSES
from forgetmap.measure.columns import NO_CHOICE, REFUSED, RIGHT, TRUNCATED, UNPARSED, WRONG
from forgetmap.measure.pair import TaskPairs
from forgetmap.measure.transitions import answers, draw_pairs
from forgetmap.stats.arrays import Floats

_OF_STATE = {TRUNCATED: "truncated", REFUSED: "refused", UNPARSED: "unparsed"}


def causes(task: TaskPairs) -> Floats:
    """Items × causes: the share of pairs of draws lost to each. The first that applies: truncated, refused, unparsed (from the
    outcome), looping, other option (a wrong answer that names an option), wrong answer."""
    before, after = answers(task.before, task.rows_before), answers(task.after, task.rows_after)
    looping = task.after.looping[task.rows_after]
    found, weight = np.zeros((len(before.state), len(CAUSES))), np.zeros(len(before.state))
    for i, j, valid in draw_pairs(before, after):
        weight += valid
        right = valid & (before.state[:, i] == RIGHT)
        for state, cause in _OF_STATE.items():
            found[:, CAUSES.index(cause)] += right & (after.state[:, j] == state)
        wrong = right & (after.state[:, j] == WRONG)
        option = after.choice[:, j] != NO_CHOICE
        found[:, CAUSES.index("looping")] += wrong & looping[:, j]
        found[:, CAUSES.index("other_option")] += wrong & ~looping[:, j] & option
        found[:, CAUSES.index("wrong_answer")] += wrong & ~looping[:, j] & ~option
    return found / np.maximum(weight, 1)[:, None]
