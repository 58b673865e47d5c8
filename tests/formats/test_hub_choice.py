"""Which dataset, which run and which files an address stands for, and that it is said."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from forgetmap.errors import FormatError, HubError
from forgetmap.formats.bring_in import read
from forgetmap.formats.contract import Hints
from forgetmap.formats.hub.settle import settled
from forgetmap.formats.opening import open_run, open_runs
from forgetmap.measure.compare import compare
from tests.formats.hub_published import V1_LATER, V1_TASKS, V1_TIME, V2_LATER, V2_TIME, v1, v2
from tests.formats.hub_stand_in import Dataset, Home, StandIn
from tests.formats.lm_eval_told import picked, text_of

V2, V1 = "open-llm-leaderboard/org__{}-details", "open-llm-leaderboard-old/details_org__{}"


def stand_in(**files: Mapping[str, bytes]) -> StandIn:
    """The logs of org/m in the layouts named."""
    names = {"v2": V2.format("m"), "v1": V1.format("m")}
    return StandIn({names[layout]: Dataset(content) for layout, content in files.items()})


def times_of(hub: StandIn) -> set[str]:
    return {time for path in hub.files_asked for time in (V2_TIME, V2_LATER, V1_TIME, V1_LATER) if time in path}


def test_the_newer_layout_is_taken_where_all_models_have_it(at: Home) -> None:
    with StandIn({name.format("m"): Dataset(made) for name, made in ((V2, v2("org/m")), (V1, v1("org/m")))}) as hub:
        at(hub)

        assert open_run("hub:org/m").info.harness == "lm-evaluation-harness"


def test_models_meet_in_the_layout_that_both_have(at: Home) -> None:
    datasets = {
        V2.format("one"): Dataset(v2("org/one")),
        V1.format("one"): Dataset(v1("org/one")),
        V1.format("two"): Dataset(v1("org/two", lost=2)),
    }
    with StandIn(datasets) as hub:
        at(hub)
        found = compare("hub:org/one", "hub:org/two")

    assert found.comparisons[0].paired == 38 * 12
    assert {info.harness for info in found.runs.values()} == {"lighteval"}


def test_models_without_a_common_layout_are_told_apart_before_anything_is_fetched(at: Home) -> None:
    with StandIn({V2.format("one"): Dataset(v2("org/one")), V1.format("two"): Dataset(v1("org/two"))}) as hub:
        at(hub)
        with pytest.raises(HubError, match=r"no collection of logs in common.*org/one in v2, org/two in v1"):
            compare("hub:org/one", "hub:org/two")

        assert hub.files_asked == []


def test_where_the_newer_layout_is_gated_the_open_one_is_taken_and_said(at: Home) -> None:
    with StandIn({V2.format("m"): Dataset(v2("org/m"), gated=True), V1.format("m"): Dataset(v1("org/m"))}) as hub:
        at(hub)
        run = open_run("hub:org/m")

    assert run.info.harness == "lighteval"
    assert f"org/m has newer logs in {V2.format('m')}, which is gated for you" in run.notes


@pytest.mark.parametrize(("layout", "first", "later"), [("v2", V2_TIME, V2_LATER), ("v1", V1_TIME, V1_LATER)])
def test_a_later_run_that_is_cut_short_is_not_taken(layout: str, first: str, later: str, at: Home) -> None:
    make = {"v2": v2, "v1": v1}[layout]
    with stand_in(**{layout: {**make("org/m", time=later, items=3), **make("org/m", time=first)}}) as hub:
        at(hub)
        run = open_run("hub:org/m")

        assert len(list(run.rows())) == 38 * 12
        (said,) = [note for note in run.notes if "evaluated 2 times" in note]
        assert f"that of {first} is taken (38 tasks); also there: {later} (38 tasks)" in said
        assert len(list(open_run(f"hub:org/m::{later}").rows())) == 38 * 3


@pytest.mark.parametrize(("layout", "first", "later"), [("v2", V2_TIME, V2_LATER), ("v1", V1_TIME, V1_LATER)])
def test_of_runs_as_long_the_latest_is_taken(layout: str, first: str, later: str, at: Home) -> None:
    make = {"v2": v2, "v1": v1}[layout]
    with stand_in(**{layout: {**make("org/m", time=later, lost=4), **make("org/m", time=first)}}) as hub:
        at(hub)
        rows = list(open_run("hub:org/m").rows())

        assert sum(row.scores[0].value == 0 for row in rows) == 38 * 4
        assert len([path for path in hub.files_asked if first in path and "results_" not in path]) <= 5


def test_runs_without_counted_rows_are_told_apart_by_size(at: Home) -> None:
    plain = {path: made for path, made in v2("org/m").items() if "results_" not in path}
    short = {path: made for path, made in v2("org/m", time=V2_LATER, items=3).items() if "results_" not in path}
    with stand_in(v2={**plain, **short}) as hub:
        at(hub)

        assert len(list(open_run("hub:org/m").rows())) == 38 * 12
        assert times_of(hub) == {V2_TIME}


def test_tasks_that_the_fullest_run_lacks_come_from_another_of_the_same_checkpoint(at: Home) -> None:
    added = v1("org/m", time=V1_LATER, tasks=V1_TASKS[30:])
    with stand_in(v1={**v1("org/m", tasks=V1_TASKS[:33]), **added}) as hub:
        at(hub)
        run = open_run("hub:org/m")

        assert len({row.item.task for row in run.rows()}) == 38
        assert f"that of {V1_TIME} is taken (33 tasks), with 5 tasks that it lacks from {V1_LATER}." in " ".join(
            run.notes
        )


def test_a_file_a_folder_or_a_pattern_of_any_dataset_can_be_named(at: Home) -> None:
    table = b"task,item_id,correct\nquiz,1,1\nquiz,2,0\n"
    log = text_of([picked(0, 1, 1), picked(1, 1, 2)]).encode()
    files = {
        "tables/one.csv": table,
        "tables/two.csv": table.replace(b",1,1", b",1,0"),
        "logs/m/samples_quiz_2026-01-02T03-04-05.678901.jsonl": log,
        "README.md": b"# Logs\n",
        ".gitattributes": b"*.parquet filter=lfs\n",
        "picture.png": b"\x89PNG",
    }
    with StandIn({"some/logs": Dataset(files)}) as hub:
        at(hub)
        sha = hub.datasets["some/logs"].sha

        assert len(list(open_run("hub:datasets/some/logs/tables/one.csv").rows())) == 2
        assert open_run(f"hub:datasets/some/logs@{sha}/tables/one.csv").info.run_id == "one"
        assert hub.files_asked == ["tables/one.csv"]
        assert len(list(open_run("hub:datasets/some/logs/logs").rows())) == 2
        assert len(open_runs("hub:datasets/some/logs/tables/*.csv")) == 1
        assert open_run("hub:datasets/some/logs/logs/m::m").info.run_id == "m"
        with pytest.raises(HubError, match=r"no logs at README.md|holds no logs"):
            open_runs("hub:datasets/some/logs/pict*")
        assert "picture.png" not in hub.files_asked


def test_logs_of_another_harness_in_the_dataset_are_named(at: Home) -> None:
    with StandIn({"some/logs": Dataset({**v2("org/m"), **v1("org/m", tasks=V1_TASKS[:3])})}) as hub:
        at(hub)
        run = open_run("hub:datasets/some/logs")

    (said,) = [note for note in run.notes if "left aside" in note]
    assert run.info.harness == "lm-evaluation-harness"
    assert said.startswith("some/logs also holds logs of lighteval, which are left aside: ")
    assert "details_harness|hendrycksTest-abstract_algebra|5" in said


def test_records_of_ours_travel_whole_and_once(at: Home, tmp_path: Path) -> None:
    table = tmp_path / "quiz.csv"
    table.write_text("task,item_id,question,correct\n" + "".join(f"quiz,{n},What is {n}?,1\n" for n in range(500)))
    read([table], study=tmp_path / "study")
    files = {path.relative_to(tmp_path / "study").as_posix(): path for path in (tmp_path / "study").rglob("*")}
    content = {name: path.read_bytes() for name, path in files.items() if path.is_file()}
    with StandIn({"some/study": Dataset(content)}) as hub:
        at(hub)
        run = open_run("hub:datasets/some/study::quiz")

        assert list(run.rows()) == list(open_run(tmp_path / "study").rows())
        assert hub.bytes_of_files <= sum(map(len, content.values()))
        with pytest.raises(FormatError, match=r"^hub:datasets/some/study holds no run called 'other'; it holds quiz"):
            open_run("hub:datasets/some/study::other")


def test_pictures_in_a_table_do_not_travel(at: Home) -> None:
    import os

    from tests.formats.hub_published import parquet

    rows = [{"item_id": n, "task": "quiz", "correct": n % 2, "picture": {"bytes": os.urandom(9000)}} for n in range(40)]
    with StandIn({"some/logs": Dataset({"t.parquet": parquet(rows)})}) as hub:
        at(hub)

        assert len(list(open_run("hub:datasets/some/logs/t.parquet").rows())) == 40
        assert hub.bytes_of_files < 100_000


def test_a_file_that_another_tool_fetched_is_not_fetched_again(at: Home) -> None:
    from huggingface_hub import hf_hub_download

    name = "samples_quiz_2026-01-02T03-04-05.678901.jsonl"
    with StandIn({"some/logs": Dataset({name: text_of([picked(0, 1, 1)]).encode()})}) as hub:
        home = at(hub).parents[2]
        hf_hub_download(
            "some/logs", name, repo_type="dataset", endpoint=hub.endpoint, cache_dir=home / "hub", token=False
        )
        hub.asked.clear()

        assert len(list(open_run("hub:datasets/some/logs").rows())) == 1
        assert hub.files_asked == []


def test_the_stand_in_is_a_hub_to_huggingface_hub_itself(at: Home, tmp_path: Path) -> None:
    from huggingface_hub import HfApi, hf_hub_download

    files = v2("org/m", items=40)
    with StandIn({"some/logs": Dataset(files)}) as hub:
        at(hub)
        api = HfApi(endpoint=hub.endpoint, token=False)
        name = next(path for path in files if "mmlu_pro" in path)
        got = hf_hub_download(
            "some/logs", name, repo_type="dataset", endpoint=hub.endpoint, cache_dir=tmp_path, token=False
        )

        assert api.dataset_info("some/logs").sha == hub.datasets["some/logs"].sha
        assert Path(got).read_bytes() == files[name]
        tree = api.list_repo_tree("some/logs", recursive=True, repo_type="dataset")
        assert {one.path: one.size for one in tree if hasattr(one, "size")} == {
            path: len(content) for path, content in files.items()
        }
        assert sum("/tree/" in one.path for one in hub.asked) == 2


def test_pages_of_a_mirror_that_name_the_hub_are_asked_of_the_mirror(at: Home) -> None:
    with stand_in(v2=v2("org/m")) as hub:
        at(hub)
        hub.public = "https://hub.invalid"

        assert len({row.item.task for row in open_run("hub:org/m").rows()}) == 38


class Told:
    """Who is told and asked."""

    def __init__(self, answer: bool | None) -> None:
        self.answer, self.lines, self.questions = answer, list[str](), list[str]()

    def say(self, line: str) -> None:
        self.lines.append(line)

    def progress(self, line: str) -> None:
        """Nobody looks."""

    def agree(self, question: str) -> bool | None:
        self.questions.append(question)
        return self.answer


@pytest.mark.parametrize("answer", [True, False, None])
def test_more_than_goes_without_asking_is_asked_for_once_for_both_sides(answer: bool | None, at: Home) -> None:
    datasets = {V2.format(name): Dataset(v2(f"org/{name}")) for name in ("one", "two")}
    with StandIn(datasets) as hub:
        at(hub)
        told = Told(answer)
        hints = Hints(up_to=0.001, talk=told)
        if answer:
            assert set(settled(["hub:org/one", "hub:org/two"], hints).fetched) == {"hub:org/one", "hub:org/two"}
        else:
            with pytest.raises(
                HubError, match="nothing was fetched" if answer is False else r"say --yes .*Hints\(up_to=None\)"
            ):
                settled(["hub:org/one", "hub:org/two"], hints)
            assert hub.files_asked == []

    assert len(told.questions) == 1
    assert told.lines[0].startswith("hub:org/one: 39 files of open-llm-leaderboard/org__one-details at commit ")


def test_the_library_alone_asks_nobody_and_says_how_to_go_on(at: Home) -> None:
    with stand_in(v2=v2("org/m")) as hub:
        at(hub)
        with pytest.raises(HubError, match=r"only 0.5 MB go without asking: say --yes"):
            open_run("hub:org/m", Hints(up_to=0.5))

        assert len(list(open_run("hub:org/m", Hints(up_to=None)).rows())) == 38 * 12
