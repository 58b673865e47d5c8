"""The command line on published logs: what it says before it fetches, when it asks, and what it prints."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.formats.hub_published import v1, v2
from tests.formats.hub_stand_in import Dataset, Home, StandIn

PAIR = ("hub:org/before", "hub:org/after")


@pytest.fixture
def hub(at: Home) -> Iterator[StandIn]:
    datasets = {
        "open-llm-leaderboard/org__before-details": Dataset(v2("org/before")),
        "open-llm-leaderboard/org__after-details": Dataset(v2("org/after", lost=3)),
        "open-llm-leaderboard-old/details_org__before": Dataset(v1("org/before")),
    }
    with StandIn(datasets) as stand_in:
        at(stand_in)
        yield stand_in


def test_a_published_pair_is_one_command_and_says_what_it_fetches(run: Run, hub: StandIn) -> None:
    ran = run("compare", *PAIR)

    assert ran.code == 0
    assert "456 items in 38 tasks" in ran.out
    assert ran.err.splitlines()[0].startswith(
        "hub:org/before: 39 files of open-llm-leaderboard/org__before-details at commit "
    )
    assert "forgetmap lost hub:org/before hub:org/after" in ran.out
    assert run("compare", *PAIR).err == ""


def test_more_than_goes_without_asking_wants_yes_where_nobody_can_be_asked(run: Run, hub: StandIn) -> None:
    ran = run("compare", *PAIR, "--up-to", "0.5")
    last = ran.err.splitlines()[-1]

    assert (ran.code, ran.out) == (2, "")
    assert "MB are to be fetched from the Hub, and only 0.5 MB go without asking: say --yes" in last
    assert hub.files_asked == []
    assert run("compare", *PAIR, "--up-to", "0.5", "--yes").code == 0


def test_a_dry_run_lists_what_would_be_fetched_and_later_what_pairs(run: Run, hub: StandIn) -> None:
    ran = run("compare", *PAIR, "--dry-run")
    assert "Nothing was fetched yet" in ran.out
    assert hub.files_asked == []
    plan = json.loads(run("compare", *PAIR, "--dry-run", "--json").out)
    assert [len(one["files"]) for one in plan["to_fetch"]] == [39, 39]
    assert plan["bytes"] == sum(one["bytes"] for one in plan["to_fetch"])

    run("compare", *PAIR)
    assert "All 456 items of common tasks pair." in run("compare", *PAIR, "--dry-run").out


@pytest.mark.parametrize("form", [[], ["--markdown"], ["--json"], ["--csv"]])
def test_no_form_of_a_map_shows_an_item(run: Run, hub: StandIn, form: list[str]) -> None:
    ran = run("compare", "hub:org/before/gpqa", "hub:org/after/gpqa", *form)

    assert ran.code == 0
    assert "Which of these" not in ran.out + ran.err
    assert "word 0-" not in ran.out + ran.err


def test_lost_gate_and_read_take_published_logs(run: Run, hub: StandIn, tmp_path: Path) -> None:
    assert "Which of these is right" in run("lost", *PAIR, "-n", "3").out
    assert run("gate", *PAIR, "--max-forgetting", "0.01").code == 1
    assert run("read", *PAIR, "--study", tmp_path / "study").code == 0
    again = run("compare", "org__before", "hub:org/after", "--study", tmp_path / "study", "--json")
    assert json.loads(again.out)["comparisons"][0]["paired"] == 456


def test_a_refusal_is_one_sentence(run: Run, hub: StandIn) -> None:
    ran = run("compare", "hub:nobody/nothing", "hub:org/after")

    assert ran.code == 2
    assert ran.err.startswith("forgetmap: nobody/nothing has no published logs that are known")
    assert ran.err.count("\n") == 1
