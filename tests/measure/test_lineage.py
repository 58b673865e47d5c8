"""The order of runs by parents, stage and step; what is no chain is refused by name."""

import pytest

from forgetmap.errors import SettingError
from forgetmap.measure.lineage import order
from forgetmap.records.schema import RunInfo


def runs(*said: tuple[str, str | None] | tuple[str, str | None, str | None, int | None]) -> dict[str, RunInfo]:
    """Runs told as name, parent and perhaps stage and step."""
    found = {}
    for name, parent, *rest in said:
        stage, step = rest if rest else (None, None)
        parents = (parent,) if parent else ()
        found[name] = RunInfo(run_id=name, checkpoint=f"org/{name}", parents=parents, stage=stage, step=step)
    return found


def test_parents_make_a_chain_whatever_the_order_of_names() -> None:
    assert order(runs(("rl", "sft"), ("base", None), ("sft", "base"), ("other", None))) == ["base", "sft", "rl"]


def test_a_parent_may_be_named_by_its_checkpoint() -> None:
    assert order(runs(("base", None), ("sft", "org/base"))) == ["base", "sft"]


def test_steps_order_the_checkpoints_of_one_training_and_the_next_training_goes_on_from_the_last() -> None:
    said = runs(("s200", "base", "sft", 200), ("s50", "base", "sft", 50), ("base", None), ("rl", "s200", "rl", None))

    assert order(said) == ["base", "s50", "s200", "rl"]


def test_steps_alone_make_a_chain() -> None:
    assert order(runs(("c", None, None, 100), ("a", None, None, 0), ("b", None, None, 50))) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (runs(("base", None), ("a", "base"), ("b", "base")), r"forks at base: a and b all come after it"),
        (runs(("base", None), ("s1", "base", "sft", 1), ("s2", "base", "sft", 2), ("rl", "s1")), r"forks at s1: .*rl"),
        (runs(("a", "b"), ("b", "a")), r"goes in a circle: a and b"),
        (runs(("base", None), ("x", "base"), ("a", "b"), ("b", "a")), r"goes in a circle: a and b"),
        (runs(("a", None), ("b", "elsewhere")), r"no run of the study names another as its parent"),
        (runs(("a", None), ("b", "a"), ("c", None), ("d", "c")), r"holds 2 chains \(a → b; c → d\)"),
        (runs(("a", "x", "sft", 5), ("b", "x", "sft", 5)), r"a and b are both at step 5"),
    ],
)
def test_what_is_no_chain_is_named(said: dict[str, RunInfo], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        order(said)


def test_a_merge_has_no_place_in_a_chain() -> None:
    said = runs(("a", None), ("b", None), ("merged", "a"))
    said["merged"] = RunInfo(run_id="merged", checkpoint="m", parents=("a", "b"))

    with pytest.raises(SettingError, match=r"merged has several parents here \(a and b\)"):
        order(said)
