"""Traps of logs before 0.4.7: filters without names, names of files that tell model and task at once, lists instead of lines."""

import gzip
import json
import tracemalloc
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap.errors import FormatError
from forgetmap.formats.lm_eval import lists
from forgetmap.formats.opening import open_runs
from forgetmap.records.run import Run
from tests.formats.lm_eval_older_told import listing, older_log, older_sums, published
from tests.formats.lm_eval_told import Entry, filtered, log, picked, run, runs, said, sums, text_of

STRICT, LOOSE = "exact_match,strict", "exact_match,loose"
ARGUMENTS = "pretrained=lab/m,dtype=float32"


def two_filters(count: int = 4) -> list[Entry]:
    """Lines of one filter, then those of the other, which finds all."""
    made = [
        said(n, {"question": f"{n}+1?"}, str(n + 1), f"It is {n + 1}.", "no", exact_match=0.0) for n in range(count)
    ]
    return made + [filtered(one, "", str(n + 1), exact_match=1.0) for n, one in enumerate(made)]


def values(found: Run) -> list[dict[str, float | None]]:
    return [{score.scorer: score.value for score in row.scores} for row in found.rows()]


def test_filters_are_told_apart_by_the_order_of_lines_and_named_by_the_settings(tmp_path: Path) -> None:
    path = older_log(tmp_path, ARGUMENTS, "t", two_filters())
    older_sums(tmp_path, ARGUMENTS, t=listing("strict", "loose"))

    assert values(run(path)) == [{STRICT: 0.0, LOOSE: 1.0}] * 4


def test_one_filter_with_a_name_of_its_own_has_that_name(tmp_path: Path) -> None:
    path = older_log(tmp_path, ARGUMENTS, "t", two_filters()[:4])
    older_sums(tmp_path, ARGUMENTS, t=listing("get-answer"))

    assert values(run(path)) == [{"exact_match,get-answer": 0.0}] * 4


def test_filters_that_nothing_lists_are_numbered_and_it_is_said(tmp_path: Path) -> None:
    told = two_filters()
    same = [filtered(told[0], "", exact_match=0.0), *told[5:]]
    found = run(older_log(tmp_path, ARGUMENTS, "t", [*told[:4], *same]))

    assert values(found)[0] == {"exact_match,filter-1": 0.0, "exact_match,filter-2": 0.0}
    assert values(found)[1:] == [{"exact_match,filter-1": 0.0, "exact_match,filter-2": 1.0}] * 3
    assert [note for note in found.notes if "name no filter" in note and "filter-1, filter-2" in note]
    assert found.duplicates == 0


def test_a_task_logged_twice_has_no_filters_where_answers_differ(tmp_path: Path) -> None:
    told = [picked(0, 1, 1), picked(1, 1, 1)]
    found = run(older_log(tmp_path, ARGUMENTS, "t", [*told, picked(0, 1, 2), told[1]]))

    assert values(found) == [{"acc,none": 1.0}] * 2
    assert found.duplicates == 2


def test_a_log_that_was_cut_lacks_its_last_filter(tmp_path: Path) -> None:
    path = log(tmp_path, "t", [])
    lines = text_of(published_lines(two_filters())).splitlines(keepends=True)
    path.write_text("".join(lines[:6]) + lines[6][:30], encoding="utf-8")
    sums(tmp_path, "m", configs={"t": listing("strict", "loose")})
    found = run(path)

    assert values(found) == [{STRICT: 0.0, LOOSE: 1.0}] * 2 + [{STRICT: 0.0}] * 2
    assert [problem.where for problem in found.problems] == [f"{path.name} line 7"]


def published_lines(entries: list[Entry]) -> list[Entry]:
    return [{name: value for name, value in one.items() if name not in ("filter", "metrics")} for one in entries]


@pytest.mark.parametrize(
    ("broken", "known"),
    [(lambda line: line[:20] + "\n", False), (lambda line: line.replace('"doc": {', '"doc": {{', 1), True)],
)
def test_a_broken_line_never_moves_a_score_to_another_filter(broken: Any, known: bool, tmp_path: Path) -> None:
    """Where the broken line still shows its item, the other one of that item has its filter by its place; else it has none."""
    path = log(tmp_path, "t", [])
    lines = text_of(published_lines(two_filters())).splitlines(keepends=True)
    path.write_text("".join([lines[0], broken(lines[1]), *lines[2:]]), encoding="utf-8")
    sums(tmp_path, "m", configs={"t": listing("strict", "loose")})
    found = run(path)

    both = {STRICT: 0.0, LOOSE: 1.0}
    assert values(found) == ([both, {LOOSE: 1.0}, both, both] if known else [both] * 3)
    places = [problem.where for problem in found.problems]
    assert places == [f"{path.name} line {number}" for number in ([2] if known else [2, 6])]


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 0, 1, 2, 3], [0, 0, 1, 1, 2, 2, 3, 3]])
def test_lines_written_twice_are_duplicates_and_no_filters(order: list[int], tmp_path: Path) -> None:
    told = two_filters(2)
    path = older_log(tmp_path, ARGUMENTS, "t", [told[place] for place in order])
    older_sums(tmp_path, ARGUMENTS, t=listing("strict", "loose"))
    found = run(path)

    assert values(found) == [{STRICT: 0.0, LOOSE: 1.0}] * 2
    assert (found.duplicates, found.problems) == (4, [])


def test_lines_too_many_to_be_told_apart_are_problems(tmp_path: Path) -> None:
    told = two_filters(1)
    path = older_log(tmp_path, ARGUMENTS, "t", [*told, told[1]])
    older_sums(tmp_path, ARGUMENTS, t=listing("strict", "loose"))
    found = run(path)

    assert values(found) == []
    assert [problem.where for problem in found.problems] == [f"{path.name} entry {number}" for number in (1, 2, 3)]
    assert "names no filter" in found.problems[0].why


def test_results_of_any_name_belong_to_the_samples_of_their_model(tmp_path: Path) -> None:
    for model in ("one", "two"):
        older_log(tmp_path, f"pretrained=lab/{model}", "t_u", [picked(0, 1, 1)])
        older_sums(tmp_path, f"pretrained=lab/{model}", f"{model}.json", t_u={}, u={})

    assert [(found.info.checkpoint, [row.item.task for row in found.rows()]) for found in runs(tmp_path)] == [
        ("lab/one", ["t_u"]),
        ("lab/two", ["t_u"]),
    ]
    assert [found.info.checkpoint for found in open_runs(tmp_path / "two.json")] == ["lab/two"]


def test_samples_whose_results_another_model_overwrote_keep_their_task_and_model(tmp_path: Path) -> None:
    for model in ("lab/one", "lab/two"):
        older_log(tmp_path, f"pretrained={model}", "mmlu_law", [picked(0, 1, 1)])
        older_sums(tmp_path, f"pretrained={model}", law={}, mmlu_law={})
    first, second = runs(tmp_path)

    assert ([row.item.task for row in first.rows()], first.info.checkpoint) == (["mmlu_law"], "lab__one")
    assert ([row.item.task for row in second.rows()], second.info.checkpoint) == (["mmlu_law"], "lab/two")
    assert [note for note in first.notes if "no results of its own beside it" in note]
    assert second.notes == ["results.json lists law, of which no samples can be read here."]


def test_without_results_the_task_is_known_where_the_name_leaves_no_doubt(tmp_path: Path) -> None:
    sure = run(older_log(tmp_path / "a", ARGUMENTS, "mmlu_law", [picked(0, 1, 1)]))
    open_ = run(older_log(tmp_path / "b", "pretrained=lab/m", "mmlu_law", [picked(0, 1, 1)]))

    assert ([row.item.task for row in sure.rows()], sure.info.checkpoint) == (["mmlu_law"], "lab__m")
    assert [row.item.task for row in open_.rows()] == ["pretrained__lab__m_mmlu_law"]
    assert [note for note in open_.notes if "would tell where in its name the task begins" in note]


def test_a_model_without_arguments_is_known_by_its_results(tmp_path: Path) -> None:
    older_log(tmp_path, "", "mmlu_law", [picked(0, 1, 1)])
    older_sums(tmp_path, "", mmlu_law={})
    found = run(tmp_path)

    assert ([row.item.task for row in found.rows()], found.info.checkpoint) == (["mmlu_law"], "hf")


def test_results_without_samples_say_how_to_get_them(tmp_path: Path) -> None:
    path = older_sums(tmp_path, ARGUMENTS, t={})

    for address in (tmp_path, path):
        with pytest.raises(FormatError, match="--log_samples"):
            open_runs(address)


@pytest.mark.parametrize("indent", [None, 0, 2, 4])
@pytest.mark.parametrize("packed", [True, False])
def test_lists_are_read_however_they_are_spread(indent: int | None, packed: bool, tmp_path: Path) -> None:
    told = [picked(n, 1, n % 4) for n in range(9)]
    path = older_log(tmp_path, ARGUMENTS, "t", told, indent)
    if packed:
        raw = path.read_bytes()
        path.unlink()
        path = tmp_path / f"{path.name}.gz"
        path.write_bytes(gzip.compress(raw + b"\n"))
    found = run(path)

    assert [row.scores[0].value for row in found.rows()] == [float(n % 4 == 1) for n in range(9)]
    assert (found.problems, found.duplicates) == ([], 0)


@pytest.mark.parametrize(("cut", "rows", "where"), [(60, 4, " entry 5"), (2, 4, " entry 5"), (1, 5, "")])
def test_a_list_that_was_cut_is_read_up_to_the_cut(cut: int, rows: int, where: str, tmp_path: Path) -> None:
    path = published(tmp_path, "t", [picked(n, 1, 1) for n in range(5)], as_list=True)
    path.write_bytes(path.read_bytes()[:-cut])
    found = run(path)

    assert len(list(found.rows())) == rows
    assert [(problem.where, problem.why) for problem in found.problems] == [
        (f"{path.name}{where}", "is cut off: the file ends before its list does")
    ]


def test_a_list_is_never_held_in_memory(tmp_path: Path) -> None:
    entry = picked(0, 1, 1)
    told = [entry | {"doc_id": n, "doc": entry["doc"] | {"padding": f"{n}" * 4000}} for n in range(1500)]
    path = published(tmp_path, "t", told, as_list=True)
    size = path.stat().st_size
    del told

    tracemalloc.start()
    count = sum(1 for _ in run(path).rows())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert count == 1500
    assert peak < size / 4


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from('a"\\[]{},: é\n'), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('"\\,]}', max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(VALUES, max_size=6), st.sampled_from([None, 0, 3]), st.integers(1, 9), st.booleans())
def test_the_entries_of_a_list_are_found_wherever_a_block_ends(
    told: list[Any], indent: int | None, block: int, ascii_only: bool
) -> None:
    raw = json.dumps(told, indent=indent, ensure_ascii=ascii_only).encode()
    before = lists.BLOCK
    lists.BLOCK = block
    try:
        found = list(lists.entries(BytesIO(raw)))
    finally:
        lists.BLOCK = before

    assert [json.loads(one.raw) for one in found if one.raw.strip()] == told
    assert [one.end for one in found] == [","] * (len(told) - 1) + ["]"]
    assert all(raw[one.offset : one.offset + len(one.raw)] == one.raw for one in found)


@pytest.mark.parametrize(
    ("raw", "is_list"),
    [
        (b'[{"a": 1}]', True),
        (b' \n[\n {"a": 1},\n {"b', True),
        (b'\xef\xbb\xbf[{"a": 1}]\n\n', True),
        (b'[{"a": 1}]\n{"doc_id": 2}\n', False),
        (b'[\n{"a": 1}\n{"doc_id": 2}\n', False),
        (b"[1, 2]", False),
        (b'{"doc_id": 2}\n[{"a": 1}]', False),
        (b"[", False),
        (b"", False),
    ],
)
def test_a_list_is_told_from_lines(raw: bytes, is_list: bool) -> None:
    file = BytesIO(raw)

    assert lists.is_list(file) is is_list
    assert file.tell() == 0
