"""Tables of every kind against the rows expected of them, and the published answers that must give the published counts."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from forgetmap.formats.contract import Hints
from forgetmap.formats.table import FORMAT
from forgetmap.records.run import Run
from forgetmap.records.schema import Row
from tests.formats.table_told import run, runs

GOLDEN = Path(__file__).parents[1] / "golden" / "table"
LOGS = {
    "quiz.csv": Hints(),
    "many_runs.jsonl": Hints(),
    "semicolons.csv": Hints(
        columns={"Nr": "item_id", "Frage": "question", "Antwort": "choice", "Lösung": "gold", "a,b,c": "choices"}
    ),
    "judged.json": Hints(k=(("poems", "open"),)),
    "sft/step-0": Hints(columns={"label": "gold", "pred": "choice", "o0,o1,o2,o3": "choices"}),
    "sft/step-50": Hints(columns={"label": "gold", "pred": "choice", "o0,o1,o2,o3": "choices"}),
}
MAPPED = Hints(
    columns={
        "choice0,choice1,choice2,choice3": "choices",
        "answer": "gold",
        "prediction": "choice",
        "completion": "response",
    }
)


def as_json(found: Run) -> dict[str, object]:
    rows = [_row(row) for row in found.rows()]
    problems = [f"{problem.where}: {problem.why}" for problem in found.problems]
    return {"run": found.info.run_id, "rows": rows, "problems": problems, "duplicates": found.duplicates}


def _row(row: Row) -> dict[str, object]:
    """A row without what it does not say."""
    parts = {"item": row.item, "sample": row.sample, "score": row.scores[0]}
    said = {
        name: {key: cell for key, cell in part._asdict().items() if cell is not None} for name, part in parts.items()
    }
    return json.loads(json.dumps({"item_id": row.item_id, **said}))


@pytest.mark.parametrize("name", LOGS)
def test_a_golden_log_gives_the_expected_rows(name: str) -> None:
    expected = json.loads((GOLDEN / "expected" / f"{name.replace('/', '_')}.json").read_text(encoding="utf-8"))

    assert FORMAT.sniff(GOLDEN / name)
    assert [as_json(found) for found in runs(GOLDEN / name, LOGS[name])] == expected


def test_items_of_golden_runs_pair_by_content() -> None:
    before, after = (
        {(row.item.task, row.item_id) for row in run(GOLDEN / "sft" / step, LOGS["sft/step-0"]).rows()}
        for step in ("step-0", "step-50")
    )

    assert before == after
    assert len(before) == 6


@pytest.fixture(scope="module")
def published(shared_data: Path) -> dict[str, dict[tuple[str, str], float]]:
    """Right or wrong per task and item, of every checkpoint of the published federated fine-tuning."""
    folder = shared_data / "sample_results" / "openfedllm_mmlu"
    if not folder.is_dir():
        pytest.skip(f"the published answers are not at {folder}: fetch the sample results")
    return {
        found.info.run_id: {(row.item.task, row.item_id): row.scores[0].value or 0.0 for row in found.rows()}
        for found in runs(folder, MAPPED)
    }


def test_published_answers_give_the_published_counts(
    shared_data: Path, published: dict[str, dict[tuple[str, str], float]]
) -> None:
    reference = shared_data.parent / "reference" / "shared-raw-transitions.csv"
    if not reference.is_file():
        pytest.skip(f"the published counts are not at {reference}")
    with reference.open(encoding="utf-8", newline="") as lines:
        wanted = [row for row in csv.DictReader(lines) if row["table"] == "shared:openfedllm_mmlu"]
    for row in wanted:
        before, after = published[row["model_before"]], published[row["model_after"]]
        keys = [key for key in before if row["domain"] in ("ALL", key[0])]
        counts = Counter((before[key], after[key]) for key in keys)
        found = [counts[pair] for pair in ((1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0))]
        assert [len(keys), *found] == [int(row[name]) for name in ("n", "n11", "n10", "n01", "n00")], row["domain"]
    assert len(wanted) == 28


def test_each_published_folder_is_one_run_of_six_tasks(shared_data: Path) -> None:
    folder = shared_data / "sample_results" / "openfedllm_mmlu" / "checkpoint-0"
    if not folder.is_dir():
        pytest.skip(f"the published answers are not at {folder}: fetch the sample results")
    found = run(folder, MAPPED)
    rows = list(found.rows())

    assert FORMAT.sniff(folder)
    assert (found.info.run_id, len(rows), found.problems, found.duplicates) == ("checkpoint-0", 728, [], 0)
    assert Counter(row.item.task for row in rows)["econometrics"] == 114
    assert {row.item.k for row in rows} == {3, 4}
