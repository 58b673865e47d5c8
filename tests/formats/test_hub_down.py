"""A Hub that is out of order, wholly or in part: what was fetched before is taken as it was, and nothing else is in its place."""

from collections.abc import Callable

import pytest

from forgetmap.errors import HubError
from forgetmap.formats.hub import client
from forgetmap.formats.opening import open_run
from forgetmap.measure.compare import compare
from tests.formats.hub_published import V1_LATER, v1, v2
from tests.formats.hub_stand_in import Dataset, Home, StandIn, Trouble

V2, V1 = "open-llm-leaderboard/org__{}-details", "open-llm-leaderboard-old/details_org__{}"
SOURCES = ("hub:org/before", "hub:org/after")
NOWHERE = "http://127.0.0.1:9"


def pair(layout: str, **more: bool) -> dict[str, Dataset]:
    make, name = (v2, V2) if layout == "v2" else (v1, V1)
    return {name.format(side): Dataset(make(f"org/{side}"), **more) for side in ("before", "after")}


@pytest.mark.parametrize("layout", ["v2", "v1"])
def test_a_pair_that_was_fetched_is_compared_while_the_hub_is_down(
    layout: str, at: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StandIn(pair(layout)) as hub:
        at(hub)
        first = compare(*SOURCES)
    monkeypatch.setenv("HF_ENDPOINT", NOWHERE)

    assert compare(*SOURCES).to_dict()["cells"] == first.to_dict()["cells"]
    assert any("as it was fetched before" in note for note in open_run(SOURCES[0]).notes)


@pytest.mark.parametrize("layout", ["v2", "v1"])
def test_a_hub_that_was_waited_for_once_in_vain_is_not_waited_for_again(layout: str, at: Home) -> None:
    with StandIn(pair(layout)) as hub:
        at(hub)
        compare(*SOURCES)
        hub.asked.clear()
        hub.troubles.append(Trouble("/api/", status=503))
        compare(*SOURCES)

        names = 2 if layout == "v2" else 4
        assert len(hub.asked) == client.TRIES + names - 1


@pytest.mark.parametrize("out_of_order", ["open-llm-leaderboard-old", "open-llm-leaderboard/"])
def test_one_collection_out_of_order_keeps_nobody_from_what_was_fetched_of_the_other(
    out_of_order: str, at: Home
) -> None:
    layout = "v2" if "old" in out_of_order else "v1"
    with StandIn(pair(layout)) as hub:
        at(hub)
        first = compare(*SOURCES)
        hub.troubles.append(Trouble(out_of_order, status=503))

        assert compare(*SOURCES).to_dict()["cells"] == first.to_dict()["cells"]
        notes = [note for note in open_run("hub:org/after").notes if "newer logs in open-llm-leaderboard/" in note]
        assert len(notes) == (layout == "v1")


def test_the_older_collection_does_not_stand_in_for_a_newer_that_gives_no_answer(at: Home) -> None:
    with StandIn({**pair("v1"), **pair("v2")}) as hub:
        at(hub)
        hub.troubles.append(Trouble("open-llm-leaderboard/", status=503))

        with pytest.raises(HubError, match=r"out of order \(status 503\) and does not give open-llm-leaderboard/"):
            compare(*SOURCES)
        assert hub.files_asked == []


def test_the_older_collection_is_not_asked_where_the_newer_has_all(at: Home) -> None:
    with StandIn({**pair("v1"), **pair("v2")}) as hub:
        at(hub)
        compare(*SOURCES)

        assert not [one.path for one in hub.asked if "-old" in one.path]


def test_whether_a_form_was_accepted_is_not_asked_in_vain_of_what_is_here(at: Home) -> None:
    with StandIn(pair("v2")) as hub:
        at(hub)
        first = compare(*SOURCES)
        for dataset in hub.datasets.values():
            dataset.gated = True
        hub.troubles.append(Trouble("auth-check", status=503))

        assert compare(*SOURCES).to_dict()["cells"] == first.to_dict()["cells"]


def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", NOWHERE)


@pytest.mark.parametrize("silence", [offline, down])
def test_of_several_runs_of_a_model_the_one_of_last_time_is_had_without_the_hub(
    silence: Callable[[pytest.MonkeyPatch], None], at: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {**v1("org/m", time=V1_LATER, items=3), **v1("org/m")}
    with StandIn({V1.format("m"): Dataset(files)}) as hub:
        at(hub)
        rows = list(open_run("hub:org/m").rows())
    silence(monkeypatch)

    assert list(open_run("hub:org/m").rows()) == rows
