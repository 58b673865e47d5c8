"""Published cells read again: from four printed numbers to the forgetting that they allow.

The post-training forgetting study (Harmon et al. 2025, arXiv 2510.17776) prints for a category forgetting F, gain G and their ceilings,
which are functions of the accuracies. Where every item has k options, so much can be undone: accuracies, the raw shares p10, p01 and
p00, and from these the band that repeated luck allows. Approximate: what is printed are means of clipped values over tasks and seeds.
"""

from typing import NamedTuple

import numpy as np

from forgetmap.errors import SettingError
from forgetmap.measure.band import band, band_gain
from forgetmap.measure.columns import RIGHT, WRONG
from forgetmap.measure.estimates import Bands, Groups
from forgetmap.measure.transitions import BAND, KINDS, STATES, UNKNOWN, Pairs

SPREAD = 0.15
"""Standard deviation of accuracy over the tasks of a category that is allowed for: subjects of MMLU differ by that much."""
_KINDS = (STATES * RIGHT + RIGHT, STATES * RIGHT + WRONG, STATES * WRONG + RIGHT, UNKNOWN)


class Printed(NamedTuple):
    """Four numbers of one category and pair, as shares."""

    forgetting: float
    gain: float
    ceiling_before: float
    ceiling_after: float


class Raw(NamedTuple):
    """What they were made from."""

    accuracy_before: float
    accuracy_after: float
    lost: float
    gained: float
    never: float
    clipped: float
    """F − G less the change of accuracy: what clipping added to F more than to G (less, where negative)."""


class Ends(NamedTuple):
    """A band before widening by sampling of items, and after."""

    least: float
    greatest: float
    low: float
    high: float


class Reread(NamedTuple):
    """Forgetting and gain that the printed numbers allow."""

    forgetting: Ends
    gain: Ends
    raw: Raw


def reread(
    printed: Printed, *, options: int = 4, items: float, spread: float = SPREAD, confidence: float = 0.95
) -> Reread:
    """The bands of forgetting and gain behind four printed numbers of a category whose items all have so many options.

    `items` is the number of items that one mean over all is worth: T²/Σ(1/n_t) for T tasks that count the same. Tasks are allowed to
    differ by `spread` in accuracy, before and after alike; 0 reads the category as one task.

    >>> found = reread(Printed(0.012, 0.012, 0.861, 0.860), items=4000)
    >>> [round(100 * end, 1) for end in found.forgetting[:2]]
    [0.1, 3.1]
    """
    _check(printed, options)
    worlds = [raw(printed, options=options, variance=variance) for variance in (0.0, spread**2)]
    bands = [_bands(world, options, items, confidence) for world in worlds]
    forgetting, gain = (_both(sides) for sides in zip(*bands, strict=True))
    return Reread(forgetting, gain, worlds[0])


def raw(printed: Printed, *, options: int, variance: float = 0.0) -> Raw:
    """The shares behind the printed numbers, if accuracies before and after vary together by so much from task to task.

    What is printed takes off the mean of (1−a)(1−a′)/(k−1), which is that of the mean accuracies and their covariance over tasks. The
    part of clipping that shows as F − G ≠ a − a′ is taken off again; what it added to both alike is not known.
    """
    before, after = (
        ((options - 1) * ceiling + 1) / options for ceiling in (printed.ceiling_before, printed.ceiling_after)
    )
    by_luck = ((1 - before) * (1 - after) + variance) / (options - 1)
    clipped = printed.forgetting - printed.gain - (before - after)
    lost = printed.forgetting - max(clipped, 0.0) + by_luck
    gained = printed.gain - max(-clipped, 0.0) + by_luck
    return Raw(before, after, lost, gained, max(1 - before - gained, 0.0), clipped)


def _check(printed: Printed, options: int) -> None:
    if options < 2:
        raise SettingError(f"items with {options} options cannot be guessed wrong; a number of 2 or more is wanted.")
    if not all(0 <= share <= 1 for share in printed):
        raise SettingError(
            f"printed numbers are wanted as shares between 0 and 1, such as 0.066 for 6.6 %; got {tuple(printed)}."
        )
    if min(printed.ceiling_before, printed.ceiling_after) == 0:
        raise SettingError("a ceiling of 0 was clipped: it says that accuracy is at most chance, but not what it is.")


def _bands(world: Raw, options: int, items: float, confidence: float) -> tuple[Ends, Ends]:
    shares = np.array([1 - world.lost - world.gained - world.never, world.lost, world.gained, world.never])
    pairs = _pairs(np.maximum(shares, 0.0) * items, 1 / options)
    groups = Groups(np.zeros(len(shares), np.int64), 1)
    return _ends(band(pairs, groups, confidence=confidence)), _ends(band_gain(pairs, groups, confidence=confidence))


def _pairs(items: np.ndarray, chance: float) -> Pairs:
    """Kept, lost, gained and never as so many items each, of which the chosen option is not known."""
    rows, nothing = len(items), np.full(len(items), np.nan)
    share = np.zeros((rows, KINDS))
    share[np.arange(rows), _KINDS] = 1
    right = np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]])
    return Pairs(
        leaf=np.zeros(rows, np.int64),
        items=items,
        cluster=np.full(rows, -1, np.int64),
        status=np.full(rows, BAND, np.int64),
        chance=np.full(rows, chance),
        luck=nothing,
        share=share,
        noise_before=nothing,
        noise_after=nothing,
        score_before=right[0],
        score_after=right[1],
    )


def _ends(found: Bands) -> Ends:
    return Ends(*(float(end[0]) for end in (found.least, found.greatest, found.low, found.high)))


def _both(sides: tuple[Ends, ...]) -> Ends:
    """The band that holds all of some bands."""
    least, greatest, low, high = zip(*sides, strict=True)
    return Ends(min(least), max(greatest), min(low), max(high))
