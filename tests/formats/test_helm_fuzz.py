"""Whatever files of HELM hold: rows, problems, or one sentence; and a large log that is cut, packed, or read in a study that is killed."""

import gzip
import io
import json
import random
import signal
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetmap.errors import InputError
from forgetmap.formats.helm import FORMAT, elements
from forgetmap.formats.helm.elements import parts
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.records.schema import Row
from tests.formats.helm_told import NAME, adapter, free, instance, ranked, run, save, state, stats, told, written
from tests.formats.test_bring_in import started
from tests.records.made_up import files

PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["B", " B", "correct"])
)
JSON = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=6
)
MADE = [
    state(1),
    free(2, "x", "x"),
    *ranked(3, [-1, -2, -3, -4])[:2],
    state(1, instance=instance(1, perturbation={"name": "p"})),
]
DEEP = [("instance", name) for name in instance(1)] + [
    ("result", name) for name in ("success", "completions", "request_time")
]
PLACES = [(name,) for name in (*state(1), "reference_index", "request_mode")] + DEEP
COMPLETION = st.fixed_dictionaries({"text": JSON}, optional={"logprob": JSON, "tokens": JSON, "finish_reason": JSON})


def changed(entry: Any, place: tuple[str, ...], value: Any) -> Any:
    name, *rest = place
    return {**entry, name: changed(entry.get(name, {}), tuple(rest), value) if rest else value}


STATES = st.lists(
    JSON
    | st.builds(changed, st.sampled_from(MADE), st.sampled_from(PLACES), JSON)
    | st.builds(lambda told: changed(state(1), ("result", "completions"), told), st.lists(COMPLETION, max_size=2)),
    max_size=6,
)
STATS = st.lists(
    JSON
    | st.builds(lambda number, value: stats(number, exact_match=value), st.integers(0, 3), JSON)
    | st.builds(lambda name, value: {**stats(1, exact_match=1), name: value}, st.sampled_from(sorted(stats(1))), JSON),
    max_size=5,
)
METHODS = ["multiple_choice_joint", "generation", "multiple_choice_separate_calibrated", "language_modeling", 3, None]


def is_sound(row: Row) -> bool:
    item = row.item
    within = all(score.choice is None or 0 <= score.choice < (item.k or 0) for score in row.scores)
    valued = all((score.outcome == "scored") == (score.value is not None) for score in row.scores)
    bounded = all(score.value is None or 0.0 <= score.value <= 1.0 for score in row.scores)
    return within and valued and bounded and (item.chance is None or 0.0 <= item.chance <= 1.0) and bool(row.scores)


@given(STATES, st.sampled_from(METHODS))
@settings(max_examples=150)
def test_every_request_is_in_a_row_a_duplicate_or_a_problem(states: list[Any], method: Any) -> None:
    with TemporaryDirectory() as folder:
        found = run(written(Path(folder), states, method=method))
        rows = list(found.rows())
        ranked_ones = sum(isinstance(one, dict) and one.get("reference_index") is not None for one in states)

        assert all(map(is_sound, rows))
        count = len(rows) + found.duplicates + len(found.problems)
        assert len(states) - ranked_ones <= count <= len(states)


@given(STATES, STATS)
@settings(max_examples=150)
def test_any_stats_beside_any_requests_give_rows_or_problems(states: list[Any], kept: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        found = run(written(Path(folder), states, kept))

        assert all(map(is_sound, found.rows()))


@given(st.dictionaries(st.sampled_from(["instances", "display_predictions", "display_requests"]), STATS | JSON), STATS)
@settings(max_examples=150)
def test_whatever_lies_beside_stats_they_are_read(beside: dict[str, Any], kept: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder) / "suite" / "quiz:model=m"
        save(place / "per_instance_stats.json", [*kept, stats("sound", exact_match=1)])
        for name, content in beside.items():
            save(place / f"{name}.json", content)
        if not FORMAT.sniff(Path(folder)):
            return
        (found,) = open_runs(Path(folder), format="helm")
        rows = list(found.rows())

        assert all(map(is_sound, rows))
        assert rows or found.problems


@given(JSON, JSON, st.sampled_from(["run_spec", "scenario"]))
@settings(max_examples=100)
def test_whatever_a_run_spec_says_the_answers_are_read(value: Any, inner: Any, name: str) -> None:
    with TemporaryDirectory() as folder:
        place = written(Path(folder), [state("id1")])
        for content in (value, {"name": value, "adapter_spec": inner}, {"adapter_spec": {**adapter(), "model": value}}):
            save(place / f"{name}.json", content)
            assert len(list(run(place).rows())) == 1


@given(st.data())
@settings(max_examples=150)
def test_any_damage_gives_rows_problems_or_one_sentence(data: st.DataObject) -> None:
    raw = bytearray(json.dumps({"adapter_spec": adapter(), "request_states": [state(n) for n in range(3)]}).encode())
    if data.draw(st.booleans()):
        raw = bytearray(gzip.compress(bytes(raw)))
    for place in data.draw(st.lists(st.integers(0, len(raw) - 1), max_size=4)):
        raw[place] = data.draw(st.integers(0, 255))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.json"
        path.write_bytes(raw[: data.draw(st.integers(1, len(raw)))])
        FORMAT.sniff(path)
        try:
            for found in open_runs(path, format="helm"):
                assert all(map(is_sound, found.rows()))
        except InputError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize("ending", [".json", ".json.gz"])
def test_of_a_file_that_was_cut_all_whole_answers_are_read_and_the_cut_is_one_problem(
    ending: str, tmp_path: Path
) -> None:
    place = written(tmp_path, [state(number) for number in range(400)])
    whole = (place / "scenario_state.json").read_bytes()
    (place / "scenario_state.json").unlink()
    if ending == ".json":
        (place / "scenario_state.json").write_bytes(whole[: len(whole) // 2])
    else:
        packed = gzip.compress(whole)
        (place / "scenario_state.json.gz").write_bytes(packed[: len(packed) // 2])
    found = run(place)

    assert 50 < len(list(found.rows())) < 300
    assert len(found.problems) == 1
    assert "cut off" in found.problems[0].why
    assert found.problems[0].where == f"{place.name}/scenario_state{ending}"


def test_a_damaged_log_among_others_is_a_problem_and_they_are_read(tmp_path: Path) -> None:
    written(tmp_path, [state("id1")], name="one:model=m")
    cut = written(tmp_path, [state("id1")], name="two:model=m") / "scenario_state.json"
    cut.write_bytes(cut.read_bytes()[:1200])
    found = run(tmp_path)

    assert [row.item.task for row in found.rows()] == ["one"]
    assert len(found.problems) == 1


@given(JSON, st.integers(1, 9))
@settings(max_examples=200)
def test_entries_are_found_whatever_the_window(content: Any, block: int) -> None:
    text = json.dumps({"first": content, "list": [content, {"é": [content]}]}, indent=1, ensure_ascii=False)
    raw = text.encode("utf-8", "surrogatepass")
    with patch.object(elements, "_BLOCK", block):
        found = list(parts(io.BytesIO(raw)))

    assert all(raw[part.start : part.start + len(part.raw)] == part.raw for part in found)
    listed = [part for part in found if part.key == "list"]
    assert [part.number for part in listed] == [1, 2]
    assert (
        json.loads(listed[1].raw.decode("utf-8", "surrogatepass")) == json.loads(json.dumps({"é": [content]}))
        or "NaN" in text
    )


@pytest.mark.parametrize(
    "raw", ["", "3", '"x"', "[1,", "[1}", "[1 2]", '{"a" 1}', '{"a": 1', "{1: 2}", "[] []", "[" * 99_999]
)
def test_what_is_no_list_or_object_says_so(raw: str) -> None:
    with pytest.raises(ValueError, match=r"holds|is "):
        list(parts(io.BytesIO(raw.encode())))


def test_a_large_log_is_read_in_its_order_without_being_held(tmp_path: Path) -> None:
    numbers = list(range(1500))
    random.Random(1).shuffle(numbers)
    long = {"model": "m", "prompt": "An example. " * 400}
    place = written(tmp_path, [state(f"id{number}", request=long) for number in numbers])
    rows = told(place)

    assert [row.item.native_id for row in rows] == [f"id{number}" for number in range(1500)]


@pytest.mark.parametrize("seed", [1, 2])
def test_items_have_the_same_names_in_whatever_order_they_stand(seed: int, tmp_path: Path) -> None:
    same = {"text": "Which word is meant?"}
    states = [state(f"id{number}", instance=instance(f"id{number}", input=same)) for number in range(20)]
    wanted = [(row.item.native_id, row.item_id) for row in told(written(tmp_path / "one", states))]
    random.Random(seed).shuffle(states)

    assert [(row.item.native_id, row.item_id) for row in told(written(tmp_path / "two", states))] == wanted
    assert len({item_id for _, item_id in wanted}) == 20


def test_a_read_that_is_killed_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    written(tmp_path / "suite", [state(number) for number in range(1500)], name=NAME)
    logs = [tmp_path / "suite"]
    start = time.perf_counter()
    hashes = started(logs, tmp_path / "undisturbed").communicate()[0]
    seconds, kills = time.perf_counter() - start, 0
    rng = random.Random()
    for number in range(6):
        study = tmp_path / f"study {number}"
        for _ in range(3):
            process = started(logs, study)
            time.sleep(rng.random() * seconds)
            process.kill()
            process.communicate()
            kills += process.returncode == -signal.SIGKILL
        assert started(logs, study).communicate()[0] == hashes
        assert files(study) == files(tmp_path / "undisturbed")

    assert kills
    assert len(list(open_run(logs[0]).rows())) == 1500
