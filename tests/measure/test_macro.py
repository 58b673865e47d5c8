"""`macro=True`: every domain counts the same in the cells above it."""

from statistics import mean

import numpy as np
import pytest

from forgetmap import Cell, Map, compare
from tests.measure.conftest import MakeRun
from tests.measure.test_published import rows

ESTIMATES = ("forgetting", "gain", "net", "unanswered_loss", "unanswered_gain")


def two_maps(make_run: MakeRun, *, k: int | None = 4, **more: object) -> tuple[Map, Map]:
    """Micro and macro of four domains of unlike size in two tasks, the chosen options told."""
    rng = np.random.default_rng(3)
    sizes = {("mmlu_anatomy", None): 30, ("mmlu_virology", None): 90, ("quiz", "one"): 20, ("quiz", "two"): 200}
    right = {"before": 0.7, "after": 0.6}
    words = {
        side: {leaf: "".join(rng.choice([*"R"] * round(10 * share) + [*"wv?"], n)) for leaf, n in sizes.items()}
        for side, share in right.items()
    }
    sides = [
        make_run(
            side,
            [_told(row) for leaf, word in words[side].items() for row in rows(leaf[0], {0: word}, k=k, domain=leaf[1])],
        )
        for side in words
    ]
    return compare(*sides, **more), compare(*sides, macro=True, **more)  # type: ignore[arg-type]


def _told(row: dict[str, object]) -> dict[str, object]:
    """v is another wrong option than w."""
    if row["outcome"] != "scored":
        return row
    choice = {1.0: 0, 0.0: 1}.get(row["value"], 2)  # type: ignore[call-overload]
    return row | {"value": row["value"] or 0.0, "choice": choice}


def leaves(found: Map, *, category: str | None = None, task: str | None = None) -> list[Cell]:
    placed = {cell.name: cell.parent for cell in found.select(level="task")}
    return [
        cell
        for cell in found.select(level="domain")
        if task in (None, cell.task) and (category is None or placed[cell.task or ""] == category)
    ]


@pytest.mark.parametrize("k", [4, None])
def test_every_estimate_above_domains_is_the_plain_mean_over_them(make_run: MakeRun, k: int | None) -> None:
    _, found = two_maps(make_run, k=k)

    for cell, parts in (
        (found.cell(), leaves(found)),
        (found.cell("science_technology_engineering"), leaves(found, category="science_technology_engineering")),
        (found.cell("quiz", level="task"), leaves(found, task="quiz")),
    ):
        for name in ESTIMATES if k else ("net",):
            ours, theirs = getattr(cell, name), [getattr(part, name) for part in parts]
            assert ours.value == pytest.approx(mean(each.value for each in theirs))
            assert (ours.n, ours.method) == (sum(each.n for each in theirs), "padded, macro")
            assert ours.low <= ours.value <= ours.high
        for name in ("accuracy_before", "accuracy_after", *(("known_before", "known_after") if k else ())):
            assert getattr(cell, name) == pytest.approx(mean(getattr(part, name) for part in parts))


def test_counts_and_domains_are_as_without_it(make_run: MakeRun) -> None:
    micro, macro = two_maps(make_run)

    for one, two in zip(micro.cells, macro.cells, strict=True):
        assert (one.n, one.n10, one.n01, one.causes, one.dropped) == (two.n, two.n10, two.n01, two.causes, two.dropped)
        if one.level == "domain":
            assert (one.forgetting, one.net, one.p_net) == (two.forgetting, two.net, two.p_net)
            assert "macro" not in two.notes
        else:
            assert "every domain counts the same" in two.notes["macro"]


def test_a_cell_of_one_domain_says_what_it_says_without_it(make_run: MakeRun) -> None:
    micro, macro = two_maps(make_run)
    one, two = (found.cell("mmlu_anatomy", level="task").forgetting for found in (micro, macro))

    assert one is not None and two is not None
    assert two[:3] == pytest.approx(one[:3])


def test_gain_less_forgetting_is_still_the_change_of_what_is_known_and_net_that_of_accuracy(make_run: MakeRun) -> None:
    cell = two_maps(make_run)[1].cell()

    assert cell.gain and cell.forgetting and cell.net and cell.gain.value and cell.forgetting.value
    assert cell.known_after is not None and cell.known_before is not None
    assert cell.accuracy_after is not None and cell.accuracy_before is not None
    assert cell.gain.value - cell.forgetting.value == pytest.approx(cell.known_after - cell.known_before)
    assert cell.net.value == pytest.approx(cell.accuracy_after - cell.accuracy_before)


def test_a_band_is_found_for_the_mean_over_domains(make_run: MakeRun) -> None:
    """Without options the least share of repeated luck is that at which neither mean over domains is negative."""
    _, found = two_maps(make_run, k=2)
    cell = found.cell()

    assert cell.forgetting is not None and cell.forgetting.value is None
    assert cell.forgetting.method == "band, macro"
    assert cell.net is not None and cell.net.value is not None
    raw = mean((part.n10 or 0.0) / part.n for part in leaves(found))
    assert cell.forgetting.low is not None and cell.forgetting.high is not None
    assert cell.forgetting.low <= raw <= cell.forgetting.high
    assert cell.detectable is None


def test_other_estimators_are_means_over_domains_too(make_run: MakeRun) -> None:
    _, found = two_maps(make_run, estimators=["table", "raw", "score"])

    for name in ("table", "raw", "score"):
        ours = found.cell().alternatives[name]["forgetting"]
        theirs = [part.alternatives[name]["forgetting"] for part in leaves(found)]
        assert ours is not None and ours.method == "padded, macro"
        assert ours.value == pytest.approx(mean(each.value or 0.0 for each in theirs if each))


def test_graded_scores_can_be_macro(make_run: MakeRun) -> None:
    def told(name: str, scores: dict[str, list[float]]) -> object:
        return make_run(
            name,
            [
                {
                    "task": "essay",
                    "domain": domain,
                    "native_id": f"{domain} {i}",
                    "question": f"{domain} {i}?",
                    "value": value,
                }
                for domain, values in scores.items()
                for i, value in enumerate(values)
            ],
        )

    before = told("before", {"long": [0.9] * 30, "short": [0.5] * 10})
    after = told("after", {"long": [0.8] * 30, "short": [0.1] * 10})
    cell = compare(before, after, macro=True).cell()  # type: ignore[arg-type]

    assert cell.forgetting is not None and cell.forgetting.value == pytest.approx((0.1 + 0.4) / 2)
    assert (cell.accuracy_before, cell.accuracy_after) == (pytest.approx(0.7), pytest.approx(0.45))
    assert cell.forgetting.method == "padded, macro"
