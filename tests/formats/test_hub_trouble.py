"""What the Hub refuses or breaks off: one sentence each, patience with what passes, and nothing fetched twice."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from forgetmap.errors import HubError, SettingError
from forgetmap.formats.contract import Hints
from forgetmap.formats.hub import cache, client, fetch
from forgetmap.formats.opening import open_run, open_runs
from tests.formats.hub_published import V1_TASKS, V2_TIME, v1, v2
from tests.formats.hub_stand_in import TOKEN, Dataset, Home, StandIn, Trouble
from tests.formats.lm_eval_told import picked, text_of

STORE = "/store/"
LOGS = "hub:datasets/some/logs"
ONE = "samples_quiz_2026-01-02T03-04-05.678901.jsonl"


def long_log(items: int = 400) -> bytes:
    """Lines of one task, a few megabytes with their repeated prompts."""
    entries = [picked(number, number % 4, number % 4) for number in range(items)]
    for entry in entries:
        for request in entry["arguments"].values():
            request["arg_0"] = f"{'A long example. ' * 200}{request['arg_0']}"
    return text_of(entries).encode()


@pytest.fixture
def hub(at: Home) -> Iterator[StandIn]:
    with StandIn({"some/logs": Dataset({ONE: long_log()})}) as stand_in:
        at(stand_in)
        yield stand_in


def refused(address: str, hints: Hints = Hints()) -> str:  # noqa: B008 - frozen
    with pytest.raises(HubError) as error:
        open_runs(address, hints)
    sentence = str(error.value)
    assert "\n" not in sentence and sentence.endswith(".")
    return sentence


def trouble(hub: StandIn, **what: object) -> None:
    hub.troubles.append(Trouble(str(what.pop("where", "quiz")), **what))  # type: ignore[arg-type]


def test_a_transfer_that_is_cut_goes_on_where_it_was_cut(hub: StandIn) -> None:
    trouble(hub, cut_after=1_000_000, times=2, where=STORE)

    assert len(list(open_run(LOGS).rows())) == 400
    starts = [int((one.range or "bytes=0-")[6:].split("-")[0]) for one in hub.asked if one.sent > 100_000]
    assert starts[0] == 0
    assert all(later - earlier > 500_000 for earlier, later in pairwise(starts))
    assert hub.bytes_of_files < 1.1 * len(long_log())


def test_a_transfer_that_is_cut_for_good_is_resumed_within_the_file_by_the_next_command(
    hub: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "_MARK", 100_000)
    trouble(hub, where=STORE, cut_after=2_000_000, times=1)
    trouble(hub, where=STORE, status=503)
    sentence = refused(LOGS)
    assert "out of order (status 503)" in sentence and "goes on from there" in sentence
    hub.troubles.clear()
    hub.asked.clear()

    assert len(list(open_run(LOGS).rows())) == 400
    first = next(one for one in hub.asked if one.range and one.sent > 0)
    assert int((first.range or "")[6:].split("-")[0]) > 1_500_000


def test_an_endless_cut_ends_with_a_sentence(hub: StandIn) -> None:
    trouble(hub, cut_after=0, where=STORE)

    assert "could not give" in refused(LOGS) or "cut off" in refused(LOGS)


def test_a_limit_on_requests_is_borne_as_long_as_the_hub_asks(hub: StandIn) -> None:
    trouble(hub, where="/resolve/", status=429, headers={"Retry-After": "1"}, times=1)
    start = time.monotonic()

    assert len(list(open_run(LOGS).rows())) == 400
    assert time.monotonic() - start >= 1


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"Retry-After": "86400"}, "wait 86400 s"),
        ({"RateLimit": '"api";r=0;t=4000'}, "wait 4000 s"),
        ({}, "wait a few minutes"),
    ],
)
def test_a_limit_that_lasts_ends_with_how_long_to_wait(hub: StandIn, headers: Mapping[str, str], said: str) -> None:
    trouble(hub, where="/api/", status=429, headers=headers)

    sentence = refused(LOGS)
    assert said in sentence and "too many requests" in sentence and "HF_TOKEN" in sentence


def test_a_hub_that_says_nothing_is_given_up_in_a_bounded_time(hub: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_DOWNLOAD_TIMEOUT", "1")
    monkeypatch.setattr(client, "TRIES", 2)
    trouble(hub, where="/api/", silent_seconds=3)

    assert "it said nothing for 1 s" in refused(LOGS)


def test_a_hub_that_is_slow_but_steady_is_waited_for(hub: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_DOWNLOAD_TIMEOUT", "1")
    trouble(hub, block_seconds=0.0025, where=STORE)

    assert len(list(open_run(LOGS).rows())) == 400


def test_a_hub_that_cannot_be_reached_is_said_so_unless_all_is_here(
    hub: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = list(open_run(LOGS).rows())
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")

    again = open_run(LOGS)
    assert list(again.rows()) == rows
    assert any("as it was fetched before" in note for note in again.notes)
    assert "http://127.0.0.1:9 could not give other/logs (it cannot be reached)" in refused("hub:datasets/other/logs")


@pytest.mark.parametrize("said", ["localhost:8000", "http://[::1", "http://localhost:port", "https://"])
def test_an_endpoint_that_is_no_address_is_named(hub: StandIn, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("HF_ENDPOINT", said)

    assert f"HF_ENDPOINT is {said!r}" in refused(LOGS)


def test_a_bare_404_for_a_file_speaks_of_the_file(hub: StandIn) -> None:
    trouble(hub, where="/resolve/", status=404)

    assert f"has no {ONE} of some/logs, or" in refused(LOGS)


def test_a_home_that_is_a_file_is_answered_with_what_to_do(
    hub: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    (home := tmp_path / "file").write_text("")
    monkeypatch.setenv("HF_HOME", str(home))
    assert "cannot be written: Not a directory. Set HF_HOME to a folder that you may write in" in refused(LOGS)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(home / "token"))

    assert f"the token in {home}/token cannot be read: Not a directory. Set HF_HOME to a folder" in refused(LOGS)


def test_a_name_too_long_for_the_disk_is_no_matter_of_room(tmp_path: Path) -> None:
    with pytest.raises(HubError, match=r"File name too long\. Set HF_HOME to a folder with a shorter name"):
        cache.Shelf(tmp_path, "some/logs").keep_commit("x" * 300, "1" * 40)


def test_a_server_that_is_no_hub_is_said_so(hub: StandIn) -> None:
    trouble(hub, where="/api/", status=200)

    assert "did not answer for some/logs as the Hub does" in refused(LOGS)


def test_a_hub_that_gives_no_parts_gives_the_whole(at: Home) -> None:
    files = v1("org/m", items=300, tasks=V1_TASKS[:3])
    with StandIn({"some/logs": Dataset(files, ranges=False)}) as hub:
        at(hub)

        assert len(list(open_run(LOGS).rows())) == 3 * 300


def test_a_gated_dataset_says_what_it_wants(at: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with StandIn({"open-llm-leaderboard/org__m-details": Dataset(v2("org/m"), gated=True)}) as hub:
        at(hub)
        form = f"accept its form at {hub.endpoint}/datasets/open-llm-leaderboard/org__m-details while you are logged in"
        assert f"{form}, and set HF_TOKEN" in refused("hub:org/m")
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        assert "the account of your token may not read it yet" in refused("hub:org/m")
        assert form in refused("hub:datasets/open-llm-leaderboard/org__m-details")
        assert hub.bytes_of_files == 0


def test_a_token_that_the_hub_does_not_know_is_said_so(hub: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")

    sentence = refused(LOGS)
    assert "does not know the token" in sentence and "hf_wrong" not in sentence


def test_a_private_dataset_is_had_with_a_token_only(at: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with StandIn({"some/logs": Dataset({ONE: long_log(9)}, private=True)}) as hub:
        at(hub)
        assert "there is no dataset some/logs" in refused(LOGS)
        assert "HF_TOKEN" in refused(LOGS)
        monkeypatch.setenv("HF_TOKEN", TOKEN)

        assert len(list(open_run(LOGS).rows())) == 9


def test_a_token_is_never_shown_to_the_store(hub: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)

    assert len(list(open_run(LOGS).rows())) == 400
    assert {one.authorised for one in hub.asked if one.path.startswith(STORE)} == {False}


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("hub:nobody/nothing", "looked for the datasets open-llm-leaderboard/nobody__nothing-details and"),
        ("hub:datasets/nobody/nothing", "there is no dataset nobody/nothing at"),
        ("hub:datasets/some/logs@dev", "some/logs has no revision dev"),
        ("hub:datasets/some/logs/here", r"some/logs has nothing at here: there are samples_quiz"),
        ("hub:datasets/some/logs::2020", "holds no run called '2020'"),
    ],
)
def test_what_is_not_there_is_answered_with_what_was_looked_for(hub: StandIn, address: str, said: str) -> None:
    with pytest.raises(Exception, match=said):
        open_runs(address)


def test_a_model_without_such_a_task_or_time_is_answered_with_those_it_has(at: Home) -> None:
    with StandIn({"open-llm-leaderboard/org__m-details": Dataset(v2("org/m"))}) as hub:
        at(hub)

        assert f"has no run of 2020; there are: {V2_TIME}" in refused("hub:org/m::2020")
        assert "no task of open-llm-leaderboard/org__m-details is called zzz; there are:" in refused("hub:org/m/zzz")


@pytest.mark.parametrize("address", ["hub:", "hub:one", "hub:datasets/one", "hub:a b/c", "hub:a/b/../c"])
def test_an_address_of_no_known_form_is_refused(address: str) -> None:
    with pytest.raises(SettingError, match="an address on the Hub is hub:ORG/MODEL or hub:datasets/ORG/NAME"):
        open_runs(address)


def test_offline_what_is_not_here_is_named(hub: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    assert "forgetmap/hub does not hold all of some/logs: unset it" in refused(LOGS)
    assert "forgetmap/hub does not hold all of the logs of org/m: unset it" in refused("hub:org/m")
    assert hub.asked == []


def test_a_full_disk_is_said_so_and_what_was_fetched_stays(hub: StandIn) -> None:
    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    command = [sys.executable, "-m", "forgetmap", "compare", LOGS, LOGS]
    ended = subprocess.run(command, capture_output=True, text=True, env=os.environ, preexec_fn=little_room, check=False)

    assert ended.returncode == 2
    assert "cannot be written: the disk is full" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_without_huggingface_hub_the_extra_is_named(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['huggingface_hub'] = None\n"
        "from forgetmap.cli import main; main(['compare', 'hub:a/b', 'hub:a/c'])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert ended.returncode == 2
    assert "pip install 'forgetmap[hub]'" in ended.stderr


def test_a_path_that_leads_out_of_the_folder_is_not_followed(at: Home, tmp_path: Path) -> None:
    files = {ONE: long_log(5), "../../outside.jsonl": long_log(5), "/abs.jsonl": long_log(5)}
    with StandIn({"some/logs": Dataset(files)}) as hub:
        at(hub)

        assert len(list(open_run(LOGS).rows())) == 5
    assert not list(tmp_path.rglob("outside*"))
