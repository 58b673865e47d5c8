"""Logs of HELM: kept examples of the harness itself, published ones, tasks and runs, and what lies beside a log."""

import csv
import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from forgetmap import compare
from forgetmap.formats import FORMATS
from forgetmap.formats.bring_in import read
from forgetmap.formats.helm import FORMAT
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.records.schema import Row
from forgetmap.records.study import Study
from forgetmap.tables import load
from tests.formats.helm_told import GOLDEN, NAME, TYPOS, adapter, instance, run, save, state, stats, told, written

SIDES = ("before", "after")


def packed(path: Path) -> Any:
    with gzip.open(path, "rb") as file:
        return json.load(file)


def shown(row: Row) -> list[Any]:
    scores = [[score.scorer, score.outcome, score.value, score.choice] for score in row.scores]
    return [row.item.task, row.item.native_id, row.item_id, row.sample.draw, scores]


@pytest.mark.parametrize("side", SIDES)
def test_the_kept_logs_have_the_rows_noted_beside_them(side: str) -> None:
    noted = json.loads((GOLDEN / f"{side}.json").read_text(encoding="utf-8"))

    assert [shown(row) for row in told(GOLDEN / side)] == noted


@pytest.mark.parametrize("side", SIDES)
def test_every_score_of_the_kept_logs_is_the_stat_that_helm_wrote_or_says_why_there_is_none(side: str) -> None:
    wanted: dict[tuple[str, str, str, int], float] = {}
    for path in GOLDEN.glob(f"{side}/*/per_instance_stats.json.gz"):
        for entry in packed(path):
            native = " ".join(
                [entry["instance_id"], *([entry["perturbation"]["name"]] if "perturbation" in entry else [])]
            )
            for one in entry["stats"]:
                wanted[path.parent.name, native, one["name"]["name"], entry["train_trial_index"]] = one.get("mean", 0.0)
    folders = {"hm_gen": "sums", "barn": "barn", "attic": "attic", "cellar": "cellar"}
    values = [
        (
            score,
            wanted[folders[row.item.domain or row.item.task], str(row.item.native_id), score.scorer, row.sample.draw],
        )
        for row in told(GOLDEN / side)
        for score in row.scores
    ]

    assert len(values) > 100
    assert all(score.value == value for score, value in values if score.outcome == "scored")
    # HELM counts as wrong what broke off, was refused, or was cut.
    assert {value for score, value in values if score.outcome != "scored"} == {0.0}
    assert {"failed", "unparsed", "truncated", "refused"} & {score.outcome for score, _ in values}


def test_a_request_that_broke_is_failed_in_the_kept_log_though_helm_counts_it_as_wrong() -> None:
    broken = [row for row in told(GOLDEN / "before") if row.sample.error]

    assert [row.sample.error for row in broken] == ["the toy broke", "the toy broke"]
    assert {score.outcome for row in broken for score in row.scores} == {"failed"}


@pytest.mark.parametrize(
    "gone", [["scenario_state"], ["scenario_state", "run_spec"], ["scenario_state", "per_instance_stats"]]
)
def test_what_is_left_of_a_log_says_the_same(gone: list[str], tmp_path: Path) -> None:
    """Without the requests, from stats, instances and predictions; how an answer ended is then not known."""
    whole = {
        (row.item.task, row.item_id): row for row in told(GOLDEN / "after") if row.item.domain in ("barn", "attic")
    }
    for name, called in (
        ("barn", "hm_mc:subject=barn,model=toy_after"),
        ("attic", "hm_mc:subject=attic,model=toy_after"),
    ):
        shutil.copytree(GOLDEN / "after" / name, tmp_path / "suite" / called)
        for kind in gone:
            for file in (tmp_path / "suite" / called).glob(f"{kind}.*"):
                file.unlink()
    rows = told(tmp_path / "suite")

    assert len(rows) == len(whole)
    for row in rows:
        twin = whole[row.item.task, row.item_id]
        assert row.item == twin.item
        scores = {score.scorer: score for score in twin.scores}
        assert row.scores
        assert all(score[:4] == scores[score.scorer][:4] for score in row.scores)
        assert row.item.domain != "barn" or row.sample.prompt == twin.sample.prompt


def test_stats_alone_still_tell_which_free_answers_were_cut(tmp_path: Path) -> None:
    place = tmp_path / "suite" / "hm_gen:model=toy_before"
    place.mkdir(parents=True)
    shutil.copy(GOLDEN / "before" / "sums" / "per_instance_stats.json.gz", place)
    outcomes = {(row.item.native_id, row.scores[0].outcome) for row in told(place)}

    # That an answer was refused stood in the request only.
    assert outcomes == {
        ("id1", "scored"),
        ("id2", "scored"),
        ("id3", "truncated"),
        ("id4", "scored"),
        ("id5", "truncated"),
    }


def test_two_kept_suites_compare_from_end_to_end() -> None:
    cells = {cell.name: cell for cell in compare(GOLDEN / "before", GOLDEN / "after").cells if cell.level == "task"}
    barn = cells["hm_mc:subject=barn"]

    assert (barn.n, barn.n10, barn.n01, barn.dropped) == (6, 1, 2, {"failed": 1})
    assert set(cells) == {
        "hm_gen",
        "hm_mc:subject=attic",
        "hm_mc:subject=barn",
        "hm_mc:subject=barn,perturbation=lowercase",
        "hm_mc:subject=cellar",
    }


def reference(shared_data: Path) -> list[dict[str, str]]:
    path = shared_data.parent / "reference" / "shared-raw-transitions.csv"
    if not path.is_file():
        pytest.skip(f"the table of counts is not at {path}")
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["table"] == "shared:helm_mmlu"]


def test_published_logs_have_the_counts_of_the_reference_in_every_domain(shared_data: Path) -> None:
    folder = shared_data / "sample_results" / "helm_mmlu"
    wanted = reference(shared_data)
    found = compare(folder / wanted[0]["model_before"], folder / wanted[0]["model_after"])
    cells = {cell.name: cell for cell in found.cells if cell.level in ("all", "domain")}

    assert len(wanted) == 4
    for row in wanted:
        cell = cells["all" if row["domain"] == "ALL" else row["domain"]]
        assert [cell.n, cell.n11, cell.n10, cell.n01, cell.n00] == [
            int(row[name]) for name in ("n", "n11", "n10", "n01", "n00")
        ]
        assert round(cell.accuracy_before or 0, 5) == float(row["acc_before"])
        assert round(cell.accuracy_after or 0, 5) == float(row["acc_after"])
        assert cell.unanswered_before == int(row["unparsed_before"])
        assert cell.dropped == {}


def test_the_one_published_answer_without_a_letter_is_unparsed(shared_data: Path) -> None:
    rows = told(shared_data / "sample_results" / "helm_mmlu" / "openai_gpt-4-0613")
    odd = [row for row in rows if row.scores[0].outcome != "scored"]

    assert [(row.item.task, row.sample.response, row.scores[0].outcome) for row in odd] == [
        ("global_facts", "This", "unparsed")
    ]
    assert {(row.item.k, row.item.chance) for row in rows} == {(4, 0.25)}


def test_a_run_says_what_was_asked_of_which_checkpoint(tmp_path: Path) -> None:
    written(tmp_path, [state("id1")], [stats("id1", exact_match=1)])
    found = run(tmp_path)

    info = found.info
    assert (info.checkpoint, info.run_id, info.engine) == ("org/some-model", "org__some-model", "host/some-model")
    assert (info.prompt, info.shots) == ("5-shot, multiple_choice_joint", {"quiz:subject=words": 5})
    assert (info.harness, info.decoding["temperature"], info.decoding["max_tokens"]) == ("HELM", 0.0, 5)
    assert [name.rpartition("/")[2] for name in info.source] == [
        "scenario_state.json",
        "per_instance_stats.json",
        "run_spec.json",
    ]
    assert found.notes == []


NAMES = [
    (NAME, "quiz:subject=words"),
    ("quiz,method=multiple_choice_joint,model=m", "quiz"),
    ("quiz:model=m,eval_split=test,groups=a-b,data_augmentation=canonical", "quiz"),
    (
        "math:subject=algebra,level=1,use_chain_of_thought=True,model=m",
        "math:subject=algebra,level=1,use_chain_of_thought=True",
    ),
    ("wmt_14:language_pair=de-en,model=m,stop=hash", "wmt_14:language_pair=de-en"),
]


@pytest.mark.parametrize(("name", "task"), NAMES)
def test_a_task_is_its_run_spec_less_model_and_manner_of_asking(name: str, task: str, tmp_path: Path) -> None:
    (row,) = told(written(tmp_path, [state("id1")], name=name))

    assert row.item.task == task


def test_an_argument_of_the_scenario_always_tells_the_task(tmp_path: Path) -> None:
    place = written(tmp_path, [state("id1")])
    spec = {
        "name": "quiz:prompt=long,model=m",
        "scenario_spec": {"args": {"prompt": "long"}},
        "adapter_spec": adapter(),
    }
    save(place / "run_spec.json", spec)

    assert told(tmp_path)[0].item.task == "quiz:prompt=long"


def test_two_manners_of_asking_in_one_suite_are_two_tasks(tmp_path: Path) -> None:
    for method in ("one", "two"):
        written(tmp_path, [state("id1")], name=f"quiz:subject=law,method={method},model=m")

    assert [row.item.task for row in told(tmp_path)] == ["quiz:subject=law,method=one", "quiz:subject=law,method=two"]


def test_without_a_run_spec_the_folder_or_the_scenario_names_the_task(tmp_path: Path) -> None:
    for folder in ("quiz:subject=law,model=org_m", "quiz:subject=art,model=org_m"):
        save(
            tmp_path / "suite" / folder / "scenario_state.json.gz",
            {"request_states": [state("id1")], "adapter_spec": {}},
        )
    labelled = save(
        tmp_path / "before" / "scenario_state.json", {"request_states": [state("id1")], "adapter_spec": adapter()}
    )

    found = run(tmp_path / "suite")
    assert (found.info.checkpoint, [row.item.task for row in found.rows()]) == (
        "org_m",
        ["quiz:subject=art", "quiz:subject=law"],
    )
    assert {row.item.task for path in (labelled, labelled.parent) for row in told(path)} == {"helm"}
    save(labelled.parent / "scenario.json", {"name": "quiz"})
    assert told(labelled)[0].item.task == "quiz"


def test_scenario_states_alone_are_tasks_by_their_names_and_the_folder_is_the_run(tmp_path: Path) -> None:
    for name in ("law", "art"):
        save(tmp_path / "m" / f"{name}.json.gz", {"adapter_spec": {}, "request_states": [state("id1")]})
    save(tmp_path / "m" / "law.json", {"adapter_spec": {}, "request_states": [state("id1"), state("id2")]})
    found = run(tmp_path)

    assert (found.info.checkpoint, [row.item.task for row in found.rows()]) == ("m", ["art", "law", "law"])
    assert "No stats were kept of art, law" in found.notes[0]
    assert len(told(tmp_path / "m" / "art.json.gz")) == 1


def test_checkpoints_and_suites_are_runs_of_their_own(tmp_path: Path) -> None:
    for suite, model in (("v1", "org/m"), ("v2", "org/m"), ("v2", "org/n")):
        written(tmp_path / suite, [state("id1")], name=f"quiz:model={model.replace('/', '_')}", model=model)

    assert sorted(found.info.run_id for found in open_runs(tmp_path)) == ["org__n", "v1-org__m", "v2-org__m"]
    assert [found.info.run_id for found in open_runs(f"{tmp_path}::v1-org__m")] == ["v1-org__m"]
    assert open_run(f"{tmp_path}::org/n").info.checkpoint == "org/n"


def test_logs_that_nothing_tells_apart_are_all_read(tmp_path: Path) -> None:
    for host in ("here", "there"):
        name = f"quiz:model=m,model_deployment={host}_m"
        written(tmp_path / "suite", [state("id1")], name=name, model="m", model_deployment=f"{host}/m")
    for folder in ("one", "two"):
        save(
            tmp_path / "twins" / folder / "scenario_state.json",
            {"adapter_spec": adapter(), "request_states": [state(1)]},
        )
        save(tmp_path / "twins" / folder / "run_spec.json", {"name": "quiz", "adapter_spec": adapter()})

    assert [found.info.run_id for found in open_runs(tmp_path / "suite")] == ["suite-m-here__m", "suite-m-there__m"]
    assert {row.item.task for row in told(tmp_path / "twins")} == {
        "quiz (one/scenario_state.json)",
        "quiz (two/scenario_state.json)",
    }


def test_the_word_of_the_user_on_options_holds_where_the_log_is_silent(tmp_path: Path) -> None:
    asked = state("id1", "yes", instance=instance("id1", ["yes"], [0]))
    place = written(tmp_path, [{**asked, "output_mapping": None}], method="generation")

    assert told(place)[0].item.chance is None
    assert told(place, k=(("quiz*", "2"),))[0].item.chance == 0.5
    assert told(place, k=(("quiz*", "instance.references"),))[0].item.chance == 1.0


def test_no_format_takes_the_logs_of_another(tmp_path: Path) -> None:
    ours = GOLDEN / "before"
    state_file = ours / "barn" / "scenario_state.json.gz"
    others = [path for path in GOLDEN.parent.iterdir() if path.name != "helm"]

    assert [name for name in FORMATS if load(FORMATS, name, group="formats").sniff(ours)] == ["helm"]
    assert [name for name in FORMATS if load(FORMATS, name, group="formats").sniff(state_file)] == ["helm"]
    assert not any(FORMAT.sniff(path) for path in others)
    assert not any(FORMAT.sniff(file) for path in others for file in path.rglob("*") if file.is_file())


def test_a_study_keeps_the_rows(tmp_path: Path) -> None:
    (kept,) = read(GOLDEN / "before", study=tmp_path)

    stored = Study.open(tmp_path).run(kept.run_id).rows()
    assert [shown(row) for row in stored] == [shown(row) for row in told(GOLDEN / "before")]


def test_perturbed_items_are_a_task_of_their_own_even_where_nothing_changed(tmp_path: Path) -> None:
    changed = instance("id1", perturbation=TYPOS)
    kept = [stats("id1", exact_match=1), stats("id1", perturbation=TYPOS, exact_match=0)]
    rows = told(written(tmp_path, [state("id1"), state("id1", " A", instance=changed)], kept))

    assert [(row.item.task, row.item.native_id, row.scores[0].value) for row in rows] == [
        ("quiz:subject=words", "id1", 1.0),
        ("quiz:subject=words,perturbation=typos", 'id1 typos {"prob": 0.1}', 0.0),
    ]
