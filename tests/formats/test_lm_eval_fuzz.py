"""Whatever a samples file holds: no exception but ours, and every line in exactly one place."""

import gzip
import json
import re
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from forgetmap.errors import InputError
from forgetmap.formats.contract import Hints
from forgetmap.formats.lm_eval import FORMAT, from_results
from forgetmap.formats.lm_eval.lists import is_list
from forgetmap.formats.opening import open_runs
from forgetmap.records.run import Run
from forgetmap.records.schema import Row
from tests.formats.lm_eval_told import filtered, picked, run, said

REAL = [
    picked(0, 1, 1),
    picked(1, 0, 3, acc=0.0, acc_norm=1.0),
    filtered(said(2, {"question": "1+1?"}, 2, "It is 2", "2", exact_match=1.0), "strict"),
    filtered(said(2, {"question": "1+1?"}, 2, "It is 2", "[invalid]", exact_match=0.0), "loose"),
    said(3, {"options": ["x", "y"], "passage": "z"}, "A", ["(B)", "(A)"], "(A)", em=1.0),
]
KEYS = [*REAL[0], "acc_norm", "exact_match", "em"]
TEXT = st.text(max_size=12) | st.sampled_from(
    ["", "0", "1", "[0, 1]", "A", "(B)", "[invalid]", "none", "nan", "-inf", "\ud83d"]
)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
NAMES = st.sampled_from(
    [*KEYS, "question", "choices", "options", "answer", "text", "gen_args_0", "arg_0", "arg_1", "x"]
)
JSON = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | TEXT, inner, max_size=5), max_leaves=12
)


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """A real sample with some of its values replaced, somewhere down to the third level."""
    entry = json.loads(json.dumps(draw(st.sampled_from(REAL))))
    for _ in range(draw(st.integers(0, 3))):
        within: Any = entry
        for _ in range(draw(st.integers(0, 2))):
            inner = [value for value in (within.values() if isinstance(within, dict) else within) if value]
            inner = [value for value in inner if isinstance(value, dict | list)]
            within = draw(st.sampled_from(inner)) if inner else within
        if isinstance(within, dict):
            within[draw(st.sampled_from(sorted(within) or ["x"]) | NAMES)] = draw(JSON)
        elif within:
            within[draw(st.integers(0, len(within) - 1))] = draw(JSON)
    return entry


def written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True).encode()


ENTRIES = mutated() | JSON | st.dictionaries(st.sampled_from(KEYS), JSON)
RAW_LINES = st.lists(ENTRIES.map(written) | st.binary(max_size=30) | st.just(b""), max_size=8)
GZIP = b"\x1f\x8b"
ENDS = st.sampled_from([b"\n", b"\r\n"])


def filters(row: Row) -> set[str]:
    """The filters whose lines a row was made of: what follows the name of the metric."""
    return {score.scorer.partition(",")[2] for score in row.scores}


def accounted_for(found: Run) -> int:
    """Lines in rows (one for each filter), duplicates, problems of single lines, and lines of a task without any score."""
    in_rows = sum(len(filters(row)) for row in found.rows())
    alone = [problem for problem in found.problems if re.search(r" (line|entry) \d+$|, number \d+$", problem.where)]
    together = [
        re.search(r"none of its (\d+) samples", problem.why) for problem in found.problems if problem not in alone
    ]
    return in_rows + found.duplicates + len(alone) + sum(int(told[1]) for told in together if told)


def commas(value: Any) -> bool:
    """Whether the name of a metric or filter holds a comma, which would hide where one ends."""
    names = [*value, value.get("filter")] if isinstance(value, dict) else []
    return any(isinstance(name, str) and "," in name for name in names)


@given(
    st.lists(ENTRIES.filter(lambda entry: not commas(entry)).map(written) | st.binary(max_size=30), max_size=8), ENDS
)
@settings(max_examples=250)
def test_every_line_is_in_a_row_a_duplicate_or_a_problem(lines: list[bytes], end: bytes) -> None:
    content = end.join(lines) + end
    assume(not content.startswith(GZIP) and not is_list(BytesIO(content)))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "samples_t.jsonl"
        path.write_bytes(content)
        found = run(path)

        assert accounted_for(found) == sum(1 for line in content.split(b"\n") if line.strip())


@given(
    st.lists(ENTRIES.filter(lambda entry: not commas(entry)), max_size=6),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([b"", b"\n", b" \r\n\n"]),
    st.integers(0, 300),
)
@settings(max_examples=250)
def test_every_entry_of_a_list_is_in_a_row_a_duplicate_or_a_problem(
    entries: list[Any], indent: int | None, behind: bytes, cut: int
) -> None:
    first = json.loads(json.dumps(REAL[0]))
    content = json.dumps([first, *entries], indent=indent).encode() + behind
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pretrained__m_t.jsonl"
        path.write_bytes(content)
        found = run(path)
        assert accounted_for(found) == 1 + len(entries)

        path.write_bytes(content[: max(len(content) - cut, len(json.dumps(first, indent=indent)) + 40)])
        shorter = run(path)
        assert len(list(shorter.rows())) <= 1 + len(entries)
        assert all(map(is_sound, shorter.rows()))


def is_sound(row: Row) -> bool:
    """What every row promises, whatever it was read from."""
    item, texts = (
        row.item,
        [row.item.question, row.item.domain, row.sample.prompt, row.sample.response, *row.item.golds],
    )
    "".join(text for text in texts if text is not None).encode()
    return (
        (item.chance is None or 0.0 <= item.chance <= 1.0)
        and (item.k is None or item.k >= 1)
        and (item.choices is None or item.k is None or len(item.choices) == item.k)
        and all((score.outcome == "scored") == (score.value is not None) for score in row.scores)
        and all(score.value is None or 0.0 <= score.value <= 1.0 for score in row.scores)
        and all(score.choice is None or (item.k is not None and 0 <= score.choice < item.k) for score in row.scores)
    )


@given(RAW_LINES, st.integers(0, 400))
@settings(max_examples=200)
def test_rows_are_sound_and_the_same_when_read_again(lines: list[bytes], cut: int) -> None:
    content = b"\n".join(lines)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "samples_t.jsonl"
        path.write_bytes(content[: len(content) - cut] if cut < len(content) else content)
        found = run(path)
        rows = list(found.rows())

        assert all(map(is_sound, rows))
        assert repr(list(found.rows())) == repr(rows)


@given(st.lists(ENTRIES, max_size=5), JSON)
@settings(max_examples=150)
def test_whatever_a_dict_in_memory_holds_is_read_or_refused_in_a_sentence(samples: list[Any], around: Any) -> None:
    results = around if isinstance(around, dict) else {}
    found = from_results(results | {"samples": {"t": samples}})

    assert all(map(is_sound, found.rows()))
    if not any(map(commas, samples)):
        assert accounted_for(found) == len(samples)


@given(JSON | st.dictionaries(st.sampled_from(["results", "config", "n-shot", "configs", "date", "model_name"]), JSON))
@settings(max_examples=150)
def test_whatever_a_results_file_holds_the_samples_are_read(results: Any) -> None:
    with TemporaryDirectory() as folder:
        (Path(folder) / "results_2026-01-01T00-00-00.json").write_bytes(written(results))
        path = Path(folder) / "samples_t_2026-01-01T00-00-00.jsonl"
        path.write_bytes(b"\n".join(map(written, REAL)))

        (found,) = FORMAT.read(path, Hints())

        assert len(list(found.rows())) == 4
        assert found.info.run_id


@given(
    st.binary(max_size=80) | RAW_LINES.map(b"\n".join),
    st.sampled_from(["x.jsonl", "x.json", "x.jsonl.gz", "x.zip", "x"]),
)
@settings(max_examples=150)
def test_opening_any_bytes_gives_runs_or_one_sentence(content: bytes, name: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(gzip.compress(content) if name.endswith("gz") and len(content) % 2 else content)
        try:
            for found in open_runs(path):
                list(found.rows())
        except InputError as error:
            assert str(error)
            assert "\n" not in str(error)
