"""Names of columns: those a table may have, the user's `--map THEIRS=OURS`, and what a table must tell."""

from collections import Counter
from collections.abc import Mapping, Sequence

from forgetmap.errors import FormatError, SettingError

ITEM = ("item_id", "question", "choices", "gold", "k", "task", "domain", "category", "cluster")
ANSWER = ("choice", "correct", "outcome", "draw", "seed", "scorer", "prompt", "response")
RUN = ("run", "checkpoint", "stage", "step", "dtype", "template", "harness")
OURS = (*ITEM, *ANSWER, *RUN)
ALSO_CALLED = {"model": "checkpoint"}
FREE_TEXT = ("question", "choices", "prompt", "response")
"""Columns whose white space is kept as it is; in all others it is no part of the value at either end."""
LIKELY = {
    "item_id": ("id", "idx", "index", "uid", "qid", "question_id", "sample_id", "doc_id"),
    "gold": ("answer", "label", "target", "reference", "ground_truth", "gold_answer", "expected"),
    "choice": ("pred", "prediction", "predicted", "model_answer", "extracted_answer"),
    "correct": ("acc", "accuracy", "score", "is_correct", "exact_match", "right"),
}
"""Names that others give these columns: proposed in a message, never taken without being asked."""
LONGEST_SHOWN = 60

Columns = Mapping[str, tuple[str, ...]]
"""Ours → theirs: one column, or several for `choices`."""


def assign(columns: Sequence[str], renamed: Mapping[str, str], where: str) -> Columns:
    """Say which of the file's `columns` is which of ours. A mapped column wins over one that has our name already.

    >>> assign(["id", "a", "b", "correct"], {"id": "item_id", "a,b": "choices"}, "x.csv")
    {'item_id': ('id',), 'choices': ('a', 'b'), 'correct': ('correct',)}
    """
    assigned: dict[str, tuple[str, ...]] = {}
    for theirs, ours in renamed.items():
        ours = ALSO_CALLED.get(ours, ours)
        _demand_ours(theirs, ours, columns, twice=ours in assigned)
        assigned[ours] = _theirs(theirs, ours, columns, where)
    taken = {name for names in assigned.values() for name in names}
    for name in columns:
        ours = ALSO_CALLED.get(name, name)
        if ours in OURS and ours not in assigned and name not in taken:
            assigned[ours] = (name,)
    _demand_once(columns, assigned, where)
    _demand_enough(columns, assigned, where)
    return assigned


def shortened(names: Sequence[str]) -> str:
    """A list of columns for a message.

    >>> shortened(["", "a", "b\\nc"])
    '(unnamed), a, b c'
    """
    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
    said = (name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}..." for name in names[:20])
    return ", ".join(" ".join(name.split()) or "(unnamed)" for name in said) + more


def _demand_ours(theirs: str, ours: str, columns: Sequence[str], *, twice: bool) -> None:
    if ours not in OURS:
        turned = theirs in OURS and (ours in columns or ours.split(",")[0] in columns)
        wanted = f"it is THEIRS=OURS: write {ours}={theirs}" if turned else f"there are {', '.join(OURS)}"
        raise SettingError(f"--map {theirs}={ours} maps to {ours!r}, which is no column forgetmap knows; {wanted}.")
    if twice:
        raise SettingError(
            f"--map names {ours!r} twice (the second time as {theirs}={ours}); "
            f"map one column to it, or several for choices as --map a,b,c=choices."
        )


def _theirs(theirs: str, ours: str, columns: Sequence[str], where: str) -> tuple[str, ...]:
    names = (theirs,) if theirs in columns else tuple(part.strip() for part in theirs.split(","))
    missing = [name for name in names if name not in columns]
    if missing:
        raise FormatError(
            f"{where} has no column {missing[0]!r}, wanted by --map {theirs}={ours}; its columns are {shortened(columns)}."
        )
    if len(names) > 1 and ours != "choices":
        raise SettingError(f"--map {theirs}={ours} joins {len(names)} columns; only choices can be made of several.")
    return names


def _demand_once(columns: Sequence[str], assigned: Columns, where: str) -> None:
    count = Counter(columns)
    for names in assigned.values():
        for name in names:
            if count[name] > 1:
                raise FormatError(
                    f"{where} has {count[name]} columns called {name!r}; rename all but the one that counts."
                )


def _demand_enough(columns: Sequence[str], assigned: Columns, where: str) -> None:
    said = set(assigned)
    names_items, says_right = bool(said & {"item_id", "question"}), "correct" in said or {"choice", "gold"} <= said
    if names_items and says_right:
        return
    missing = ["item_id or question"] * (not names_items) + ["correct or choice + gold"] * (not says_right)
    taken = {name for names in assigned.values() for name in names}
    likely = {ours: name for name in columns if name not in taken for ours in LIKELY if name.lower() in LIKELY[ours]}
    answer = ["correct"] if "correct" in likely else [ours for ours in ("gold", "choice") if ours not in said]
    wanted = ["item_id"] * (not names_items) + answer * (not says_right)
    example = " ".join(f"--map {likely.get(ours, 'THEIRS')}={ours}" for ours in wanted)
    raise FormatError(
        f"{where} does not say {' nor '.join(missing)}: its columns are {shortened(columns)}. "
        f"Say which column is which, such as {example}."
    )
