"""What a comparison says, in sentences made of its overall cells."""

from collections.abc import Iterable, Iterator

from forgetmap.measure.cell import CAUSES, Cell, Estimate
from forgetmap.measure.flat import percent
from forgetmap.measure.grouping import MACRO
from forgetmap.measure.labels import at
from forgetmap.measure.words import ABSENT, clear_of_zero, count, estimate, is_band, p_value, plural
from forgetmap.pages.blocks import Sentences

EXPLAINED = (
    "forgetting: known before, unknown after; gain: the other way round. "
    "Both are in % of the items, less what lucky guesses explain."
)
NEGLIGIBLE = 0.02
"""Share of items that may be missing from an estimate of forgetting, for it to be set against the raw loss of all items."""
EXPLAINED_GRADED = (
    "forgetting: how much lower the items score after, those that score higher counting as 0; gain: the other way round. "
    "Both are means over all items, in % of the full score; luck is not taken off."
)
_IN_WORDS = {
    "truncated": "cut off at the token limit",
    "refused": "refused",
    "unparsed": "without an answer that could be read",
    "looping": "caught in a loop",
    "other_option": "answered with another option",
    "wrong_answer": "answered wrongly",
}


def headline(cells: list[Cell]) -> list[str]:
    """Sentences about one comparison, for each kind of score it has."""
    return [line for overall in at(cells, "all") for line in _lines(overall)]


def explained(cells: Iterable[Cell]) -> Sentences:
    """What forgetting and gain mean, for the kinds of scores there are."""
    kinds = {cell.metric for cell in cells}
    lines = [EXPLAINED] * ("accuracy" in kinds) + [EXPLAINED_GRADED] * ("graded" in kinds)
    return Sentences(
        [f"Graded scores: {line}" if len(lines) > 1 and line is EXPLAINED_GRADED else line for line in lines], "dim"
    )


def in_brief(overall: Cell) -> str:
    """One comparison in one line, without its names."""
    lost, what = ("lost", "mean score") if overall.metric == "graded" else ("forgetting", "accuracy")
    return f"{lost} {_amount(overall.forgetting)}, gain {_amount(overall.gain)}; {what} {_net(overall)}"


def _lines(overall: Cell) -> Iterator[str]:
    if overall.metric == "graded":
        yield (
            f"{overall.after} scores {_change(overall.forgetting, 'lower')} and {_change(overall.gain, 'higher')} than {overall.before}, "
            f"item by item ({plural(overall.n, 'item')} with graded scores)."
        )
        yield f"Mean score {_net(overall)}."
    else:
        yield _forgotten(overall)
        yield f"Accuracy {_net(overall)}."
        yield from _where_the_loss_comes_from(overall)
        yield from _by_cause(overall)
    yield from _beyond_noise(overall)


def _forgotten(overall: Cell) -> str:
    who, since = overall.after, f"since {overall.before}"
    found = overall.forgetting
    if found is None:
        return (
            f"How much {who} forgot {since} cannot be said, for no item's luck can be taken off; of {plural(overall.n, 'item')}, "
            f"{_share(overall.n10, overall)} were right before and are not right after, {_share(overall.n01, overall)} the other way round."
        )
    resting = "" if found.n == overall.n else f" (both over {count(found.n)} of {plural(overall.n, 'item')})"
    if is_band(found):
        return (
            f"{who} forgot {_amount(found)} of the items {since}, and gained {_amount(overall.gain)}{resting}; how much exactly cannot be "
            "said, because a lost lucky guess looks like a forgotten item here."
        )
    forgot = _clear_or_not(found, "forgot {} of the items", "shows no clear forgetting ({} of the items)")
    shows = "shows " if clear_of_zero(found) else ""
    gained = _clear_or_not(overall.gain, "gained {}", shows + "no clear gain ({})")
    return f"{who} {forgot} and {gained} {since}{resting}."


def _clear_or_not(found: Estimate | None, clear: str, unclear: str) -> str:
    """One wording where the interval lies above 0, another where it does not; without an interval there is no verdict."""
    if found is not None and found.value is not None and found.low is None:
        return clear.format(f"{percent(found.value)} %, with no interval from one passage,")
    return (clear if clear_of_zero(found) else unclear).format(estimate(found, " %"))


def _where_the_loss_comes_from(overall: Cell) -> Iterator[str]:
    """The raw loss, and what luck and unanswered items explain of it."""
    if overall.n10 is None or not overall.n or overall.forgetting is None:
        return
    if not overall.n10:
        yield "Nothing that was right before is not right after."
        return
    raw = overall.n10 / overall.n
    said = f"Of the raw loss of {percent(raw)} points ({_right_then_not(overall)})"
    # A mean over domains and a count of items have no difference that means anything.
    parts = [] if MACRO in overall.notes else list(_explained(overall, raw))
    if parts:
        yield f"{said}, {' and '.join(parts)}."
    else:
        yield f"The raw loss is {percent(raw)} points ({_right_then_not(overall)})."


def _explained(overall: Cell, raw: float) -> Iterator[str]:
    found, unanswered = overall.forgetting, overall.unanswered_loss
    if found is not None and found.value is not None and found.n >= (1 - NEGLIGIBLE) * overall.n:
        by_luck = raw - found.value
        if by_luck >= raw:
            yield "lucky guesses explain all"
        elif by_luck > 0:
            yield f"lucky guesses explain {percent(by_luck)}"
        elif by_luck < 0:
            yield f"all is forgetting, and {percent(-by_luck)} more that lucky guesses hide"
    if unanswered is not None and unanswered.value:
        yield f"items no longer answered {estimate(unanswered)}"


def _right_then_not(overall: Cell) -> str:
    return f"{count(overall.n10)} of {plural(overall.n, 'item')} right, then not right"


def _by_cause(overall: Cell) -> Iterator[str]:
    told = [(overall.causes[cause], cause) for cause in CAUSES if overall.causes.get(cause)]
    if told:
        said = [f"{count(number)} {_IN_WORDS[cause]}" for number, cause in sorted(told, reverse=True)]
        lost = sum(number for number, _ in told)
        yield f"{'This item' if lost == 1 else f'These {count(lost)} items'} by cause: {', '.join(said)}."


def _beyond_noise(overall: Cell) -> Iterator[str]:
    if overall.excess is not None:
        floor = f"Two draws of one and the same checkpoint already differ by a loss of {estimate(overall.noise_floor, ' %')}"
        yield f"{floor}; beyond that noise {estimate(overall.excess, ' %')} were lost (p {p_value(overall.p)})."


def _net(overall: Cell) -> str:
    change = "" if overall.net is None else f" (net {_signed(overall.net)})"
    return f"{percent(overall.accuracy_before)} → {percent(overall.accuracy_after)} %{change}"


def _signed(found: Estimate) -> str:
    return ("+" if found.value is not None and found.value > 0 else "") + estimate(found, " points")


def _amount(found: Estimate | None) -> str:
    if found is None:
        return "an unknown share"
    return f"between {percent(found.low)} and {percent(found.high)} %" if is_band(found) else estimate(found, " %")


def _change(found: Estimate | None, direction: str) -> str:
    return f"{ABSENT if found is None else estimate(found)} points {direction}"


def _share(part: float | None, overall: Cell) -> str:
    return ABSENT if part is None or not overall.n else f"{percent(part / overall.n)} %"
