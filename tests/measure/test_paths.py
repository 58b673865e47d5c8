"""Paths: exactly unbiased, whatever the guesses do, and the same as forgetting, gain and known where there are two stages."""

from collections.abc import Iterator
from itertools import permutations, product

import pytest

from forgetmap.measure.paths import (
    OPEN,
    RIGHT,
    SILENT,
    Pattern,
    Shape,
    all_paths,
    bounds,
    identified,
    name_of,
    patterns,
    scores,
)

SHAPES = [Shape(1, 3), Shape(1, 4), Shape(2, 5), Shape(1, 10), Shape(1, 2)]


def groupings(stages: list[int]) -> Iterator[list[list[int]]]:
    """Every way in which guesses can equal each other."""
    if not stages:
        yield []
        return
    first, *rest = stages
    for groups in groupings(rest):
        yield [[first], *groups]
        for place in range(len(groups)):
            yield [*groups[:place], [first, *groups[place]], *groups[place + 1 :]]


def shown(states: str, guesses: list[list[int]], options: tuple[int, ...], golds: int) -> Pattern:
    """The pattern of an item known (K), silent (N) or guessing (G) at each stage, if each group of guesses falls on its option."""
    said = {stage: option for group, option in zip(guesses, options, strict=True) for stage in group}
    numbers: dict[int, int] = {}
    found = []
    for stage, state in enumerate(states):
        if state == "N":
            found.append(SILENT)
        elif state == "K" or said[stage] < golds:
            found.append(RIGHT)
        else:
            found.append(numbers.setdefault(said[stage], len(numbers) + 1))
    return tuple(found)


def worlds(stages: int, shape: Shape) -> Iterator[tuple[str, list[Pattern]]]:
    """Every way an item can be, as its true path and the patterns that it shows, each as likely as any other."""
    for states in map("".join, product("KGN", repeat=stages)):
        guessing = [stage for stage, state in enumerate(states) if state == "G"]
        for groups in groupings(guessing):
            if len(groups) <= shape.options:
                fallen = permutations(range(shape.options), len(groups))
                truth = "".join("K" if state == "K" else "U" for state in states)
                yield truth, [shown(states, groups, options, shape.golds) for options in fallen]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("stages", [2, 3])
def test_scores_of_a_path_have_its_share_as_their_mean_however_guesses_repeat(stages: int, shape: Shape) -> None:
    for truth, seen in worlds(stages, shape):
        for path in all_paths(stages):
            value, least, most = (
                sum(one) / len(seen) for one in zip(*(bounds(p, shape, [path]) for p in seen), strict=True)
            )
            if identified(stages, shape):
                assert value == pytest.approx(float(path == truth), abs=1e-9)
            assert least - 1e-9 <= (path == truth) <= most + 1e-9


def test_with_fewer_wrong_options_than_stages_the_band_holds_the_share_of_a_path_and_of_a_name() -> None:
    shape, stages = Shape(1, 4), 4
    named = [
        tuple(path for path in all_paths(stages) if name_of(path) == name)
        for name in ("kept", "lost", "back and forth")
    ]
    for truth, seen in worlds(stages, shape):
        for paths in [*named, ("KUUK",)]:
            _, least, most = (
                sum(one) / len(seen) for one in zip(*(bounds(p, shape, paths) for p in seen), strict=True)
            )
            assert least - 1e-9 <= (truth in paths) <= most + 1e-9


@pytest.mark.parametrize("shape", SHAPES[:4], ids=str)
def test_two_stages_give_the_scores_of_forgetting_gain_and_known(shape: Shape) -> None:
    c, r = shape.golds / shape.options, shape.golds / (shape.wrong - 1)
    right_wrong, other_wrong, same_wrong = scores((RIGHT, 1), shape), scores((1, 2), shape), scores((1, 1), shape)

    assert right_wrong["KU"] == pytest.approx(1 / (1 - c))
    assert other_wrong["KU"] == other_wrong["UK"] == pytest.approx(-r / (1 - c))
    assert "KU" not in same_wrong
    assert scores((1, SILENT), shape)["KU"] == pytest.approx(-c / (1 - c))
    assert scores((RIGHT, SILENT), shape) == {"KU": 1}


@pytest.mark.parametrize("shape", [Shape(1, 4), Shape(2, 6), Shape(1, 10), OPEN], ids=str)
def test_scores_summed_over_a_middle_stage_are_those_of_the_stages_around_it(shape: Shape) -> None:
    every = [*patterns(3, shape), (RIGHT, SILENT, 1), (1, SILENT, 2), (1, 1, SILENT), (SILENT, RIGHT, RIGHT)]
    for pattern in every:
        around = (pattern[0], pattern[2])
        renamed = {answer: number for number, answer in enumerate(dict.fromkeys(a for a in around if a > 0), 1)}
        outer = scores(tuple(renamed.get(answer, answer) for answer in around), shape)
        for path in all_paths(2):
            inner = sum(scores(pattern, shape).get(path[0] + middle + path[1], 0.0) for middle in "KU")
            assert inner == pytest.approx(outer.get(path, 0.0), abs=1e-9)


@pytest.mark.parametrize("shape", [*SHAPES, OPEN], ids=str)
@pytest.mark.parametrize("stages", [2, 3, 5])
def test_an_item_that_never_changes_counts_for_kept_and_never_alone(stages: int, shape: Shape) -> None:
    for answer in (RIGHT, 1, SILENT):
        for path in all_paths(stages)[1:-1]:
            assert bounds((answer,) * stages, shape, [path]) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("shape", [Shape(1, 4), Shape(1, 3), OPEN], ids=str)
def test_scores_of_all_paths_sum_to_one(shape: Shape) -> None:
    for pattern in patterns(4, shape):
        assert sum(scores(pattern, shape).values()) == pytest.approx(1.0)
