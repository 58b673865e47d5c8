"""Published logs are found, fetched as far as they are needed, and give the map that the same logs give on this disk."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from forgetmap.formats.bring_in import read
from forgetmap.formats.contract import Hints
from forgetmap.formats.opening import open_run
from forgetmap.measure.compare import compare
from forgetmap.records.study import Study
from tests.formats.hub_published import V1_TASKS, V2_TASKS, here, v1, v2
from tests.formats.hub_stand_in import Dataset, Home, StandIn, Trouble

BEFORE, AFTER = "org/before", "org/after"
V2 = {f"open-llm-leaderboard/{model.replace('/', '__')}-details": model for model in (BEFORE, AFTER)}
V1 = {f"open-llm-leaderboard-old/details_{model.replace('/', '__')}": model for model in (BEFORE, AFTER)}
SOURCES = ("hub:org/before", "hub:org/after")
LOST = {BEFORE: 0, AFTER: 3}


def published(layout: str, **more: object) -> StandIn:
    """A pair of models with 38 tasks in one of the layouts."""
    make, names = (v2, V2) if layout == "v2" else (v1, V1)
    return StandIn({name: Dataset(make(model, lost=LOST[model], **more)) for name, model in names.items()})  # type: ignore[operator]


@pytest.fixture(params=["v2", "v1"])
def hub(request: pytest.FixtureRequest, at: Home) -> Iterator[StandIn]:
    with published(request.param) as stand_in:
        at(stand_in)
        yield stand_in


def test_a_published_pair_of_38_tasks_gives_the_map_of_the_same_logs_here(hub: StandIn, tmp_path: Path) -> None:
    folders = [here(tmp_path / str(place), one.files) for place, one in enumerate(hub.datasets.values())]

    found, wanted = compare(*SOURCES), compare(*folders)
    cells = [[{**cell.to_dict(), "before": "", "after": ""} for cell in made.cells] for made in (found, wanted)]

    assert cells[0] == cells[1]
    assert len([cell for cell in found.cells if cell.level == "task"]) == 38 == len(V2_TASKS) == len(V1_TASKS)
    assert found.comparisons[0].paired == 38 * 12
    assert found.comparisons[0].problems == 0
    assert list(found.runs) == ["org__before", "org__after"]


def test_a_run_says_from_which_dataset_and_commit_it_comes(hub: StandIn) -> None:
    (name, dataset), *_ = hub.datasets.items()
    run = open_run("hub:org/before")
    origin = f"hub:datasets/{name}@{dataset.sha}"

    assert run.info.source[0] == origin
    assert run.info.checkpoint.partition("@")[0] == "org/before"
    assert run.notes[0] == f"org__before comes from {origin}"
    assert len(list(open_run(origin).rows())) == 38 * 12


def test_what_was_fetched_is_not_asked_for_again_and_is_had_offline(
    hub: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compare(*SOURCES)
    hub.asked.clear()
    assert compare(*SOURCES).to_dict() == first.to_dict()
    assert hub.files_asked == []
    hub.asked.clear()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    assert compare(*SOURCES).to_dict() == first.to_dict()
    assert hub.asked == []


def test_a_process_that_is_killed_goes_on_without_asking_for_finished_files(hub: StandIn, at: Home) -> None:
    cache, enough, sent = at(hub), threading.Event(), list[str]()

    def count(path: str) -> None:
        sent.append(path)
        if len(set(sent)) == 30:
            enough.set()

    hub.on_file = count
    hub.troubles.append(Trouble("/resolve/", silent_seconds=0.03))
    command = [sys.executable, "-m", "forgetmap", "compare", *SOURCES, "--json"]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ)
    assert enough.wait(60)
    first.send_signal(signal.SIGKILL)
    first.wait()
    finished = finished_in(cache)
    hub.troubles.clear()
    hub.asked.clear()
    second = subprocess.run(command, capture_output=True, env=os.environ, check=False)

    assert second.returncode == 0, second.stderr
    assert 10 < len(finished) < 76
    assert not finished & set(asked_with_dataset(hub))
    assert len(finished_in(cache)) == 2 * 39


def finished_in(cache: Path) -> set[str]:
    """Files that are whole, by the name of their dataset and their path there."""
    whole = [path for path in cache.glob("datasets--*/*/slim-1/**/*") if path.is_file()]
    plain = [path for path in whole if path.suffix not in (".part", ".tmp") and ".part." not in path.name]
    return {
        f"{path.relative_to(cache).parts[0].split('--')[2]}/{'/'.join(path.relative_to(cache).parts[3:])}"
        for path in plain
    }


def asked_with_dataset(hub: StandIn) -> list[str]:
    asked = [one.path for one in hub.asked if "/resolve/" in one.path]
    return [f"{path.split('/')[3]}/{path.split('/resolve/')[1].partition('/')[2]}" for path in asked]


def test_of_parquet_only_the_needed_columns_travel(at: Home) -> None:
    with published("v1", items=60) as hub:
        cache = at(hub)
        run = open_run("hub:org/before")
        rows = list(run.rows())
        all_bytes = sum(len(content) for content in hub.datasets[next(iter(V1))].files.values())
        file = next(cache.rglob("details_harness|winogrande*.parquet"))
        names = pq.read_schema(file).names

    assert len(rows) == 38 * 60
    assert hub.bytes_of_files < 0.4 * all_bytes
    assert not {"input_tokens", "cont_tokens", "hashes"} & set(names)
    assert {"example", "full_prompt", "choices", "gold_index", "predictions", "acc", "acc_norm"} <= set(names)


@pytest.mark.parametrize("layout", ["v2", "v1"])
def test_what_is_left_out_changes_no_row(layout: str, at: Home, tmp_path: Path) -> None:
    with published(layout) as hub:
        cache = at(hub)
        folder = here(tmp_path / "whole", next(iter(hub.datasets.values())).files)

        assert list(open_run("hub:org/before").rows()) == list(open_run(folder).rows())
        kept = sum(path.stat().st_size for path in cache.rglob("slim-1/**/*") if path.is_file())
        assert 0 < kept < 0.5 * sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_a_study_takes_published_logs_and_compares_them_with_its_own(hub: StandIn, tmp_path: Path) -> None:
    written = read(["hub:org/before"], study=tmp_path / "study")
    assert [one.run_id for one in written] == ["org__before"]

    found = compare("org__before", "hub:org/after", study=Study.open(tmp_path / "study"))
    assert found.comparisons[0].paired == 38 * 12


def test_some_tasks_are_fetched_alone(at: Home) -> None:
    with published("v2") as hub:
        at(hub)
        run = open_run("hub:org/before/gpqa,*_mmlu_pro")
        tasks = {row.item.task for row in run.rows()}

        assert tasks == {f"leaderboard_gpqa_{name}" for name in ("diamond", "extended", "main")} | {
            "leaderboard_mmlu_pro"
        }
        assert len([path for path in hub.files_asked if "samples_" in path]) == 4
        assert len(list(open_run("hub:org/before/ifeval").rows())) == 12


def test_hints_count_for_published_logs_too(at: Home) -> None:
    with published("v2") as hub:
        at(hub)

        assert open_run("hub:org/before", Hints(name="mine")).info.run_id == "mine"
