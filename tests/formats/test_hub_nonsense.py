"""A server that answers nonsense, by mistake or by design: one sentence, and nothing is written outside the cache."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forgetmap.errors import HubError, SettingError
from forgetmap.formats.opening import open_runs
from tests.formats.hub_stand_in import Dataset, Home, StandIn, Trouble

TABLE = b"item_id,correct,k\n" + b"".join(b"q%d,%d,4\n" % (number, number % 2) for number in range(20))
LOGS = "hub:datasets/some/logs"


@pytest.fixture
def logs() -> Dataset:
    return Dataset({"a.csv": TABLE})


@pytest.fixture
def hub(at: Home, logs: Dataset) -> Iterator[StandIn]:
    with StandIn({"some/logs": logs}) as stand_in:
        at(stand_in)
        yield stand_in


def refused(address: str = LOGS) -> str:
    with pytest.raises(HubError) as error:
        open_runs(address)
    sentence = str(error.value)
    assert "\n" not in sentence and sentence.endswith(".")
    return sentence


@pytest.mark.parametrize(
    "sha",
    ["../../../../outside", ".", "refs", "a/b", "x" * 300, "A" * 40, "1" * 39, "1" * 41, "a\0b", "é", 5, [], True],
)
def test_a_commit_is_forty_hex_digits_or_the_server_is_no_hub(
    hub: StandIn, logs: Dataset, tmp_path: Path, sha: object
) -> None:
    logs.said_sha = sha

    assert "did not answer for some/logs as the Hub does" in refused()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize("text", ["../../x", "1" * 39, "", "\0"])
def test_a_commit_that_was_kept_and_is_none_counts_as_not_kept(hub: StandIn, at: Home, text: str) -> None:
    (kept := at(hub) / "datasets--some--logs" / "refs" / "main").parent.mkdir(parents=True)
    kept.write_text(text)

    assert len(list(open_runs(LOGS)[0].rows())) == 20
    assert kept.read_text() == hub.datasets["some/logs"].sha


@pytest.mark.parametrize(
    "behind",
    ["@..", "@.", "@../x", "@a/../../b", "@%2F..", "@a\0", "@a\x1b[0m", "@a b", "@\udc80", "@-x", "/x@a//b", "/x@.."],
)
def test_a_revision_that_git_does_not_allow_is_refused_unasked(hub: StandIn, at: Home, behind: str) -> None:
    with pytest.raises(SettingError, match="an address on the Hub is"):
        open_runs(f"{LOGS}{behind}")
    assert hub.asked == [] and not at(hub).exists()


@pytest.mark.parametrize(
    "name", ["a--b/logs", "some/a..b", "some/a--b", "some/logs.git", "../logs", "some/..", "é/logs"]
)
def test_a_name_that_the_hub_does_not_allow_is_refused_unasked(hub: StandIn, at: Home, name: str) -> None:
    for address in (f"hub:datasets/{name}", f"hub:{name}"):
        with pytest.raises(SettingError, match="an address on the Hub is"):
            open_runs(address)
    assert hub.asked == [] and not at(hub).exists()


@pytest.mark.parametrize("page", ["@elsewhere.org/api", "elsewhere", "http://[::1", "https://elsewhere.org", ""])
def test_a_next_page_that_is_no_path_of_the_hub_is_not_asked_for(hub: StandIn, logs: Dataset, page: str) -> None:
    logs.next_page = page

    assert "did not answer for" in refused()


def test_pages_that_lead_back_to_one_of_before_end(hub: StandIn, logs: Dataset) -> None:
    logs.next_page = f"/api/datasets/some/logs/tree/{logs.sha}?again"

    assert "did not answer for" in refused()
    assert len(hub.asked) < 5


@pytest.mark.parametrize(
    "entry",
    [
        *({name: value} for name in ("path", "type") for value in (None, 5, ["a"])),
        *({"size": value} for value in (None, "x", -5, 1.5, True)),
        None,
        "a.csv",
        [],
    ],
)
def test_an_entry_that_tells_no_file_is_no_answer_of_the_hub(
    hub: StandIn, logs: Dataset, entry: dict[str, object] | None
) -> None:
    logs.entry = lambda told: {**told, **entry} if isinstance(entry, dict) and told["type"] == "file" else entry

    assert "did not answer for some/logs as the Hub does" in refused()


STRANGE = [
    "",
    ".",
    "..",
    "/a.csv",
    "b//a.csv",
    "b/./a.csv",
    "b/../../a.csv",
    "b\\a.csv",
    "a\0.csv",
    "a\n.csv",
    "a\x1b[31m.csv",
]
TOO_LONG = ["é" * 121 + ".csv", "b/" * 999 + "a.csv"]
HALF, OURS = "a\ud800.csv", ["a.csv.part", "a.csv.part.json"]


@pytest.mark.parametrize("name", [*STRANGE, *TOO_LONG, HALF, *OURS])
def test_a_name_that_no_file_can_have_is_noted_and_not_fetched(
    hub: StandIn, logs: Dataset, at: Home, name: str
) -> None:
    logs.files = {"a.csv": TABLE, "z.csv": TABLE}
    logs.entry = lambda told: {**told, "path": name} if told["path"] == "z.csv" else told
    for _ in range(2):  # the second time from what was kept of the list
        (run,) = open_runs(LOGS)
        assert [note for note in run.notes if "no file here can have such a name" in note and repr(name[:60]) in note]
    assert hub.files_asked == ["a.csv"]
    slim = next(at(hub).glob("*/*/slim-1"))
    assert [path.relative_to(slim).as_posix() for path in slim.rglob("*") if path.is_file()] == ["a.csv"]


def test_a_file_that_is_a_folder_of_others_too_is_left_out(hub: StandIn, logs: Dataset) -> None:
    logs.files = {"a.csv": b"no table", "a.csv/b.csv": TABLE}
    (run,) = open_runs(LOGS)

    assert len(list(run.rows())) == 20
    assert any("such a name: 'a.csv'" in note for note in run.notes)


def test_a_name_beside_the_address_is_not_noted_and_where_nothing_is_left_it_is_said(
    hub: StandIn, logs: Dataset
) -> None:
    logs.files = {"a.csv": TABLE, "b\0.csv": TABLE}
    assert not [note for note in open_runs(f"{LOGS}/a.csv")[0].notes if "such a name" in note]
    logs.files = {"b\0.csv": TABLE}

    assert (
        "some/logs has no files. Left out of some/logs, because no file here can have such a name: 'b\\x00.csv'"
        in refused()
    )
    logs.files = {}
    assert refused() == "some/logs has no files."


@pytest.mark.parametrize("said", [b"[" * 100_000, b"\xff", b"", b"{", b"5", b"null", b'{"sha": 1' + b"0" * 5000 + b"}"])
def test_what_is_no_json_of_the_hub_is_said_so(hub: StandIn, said: bytes) -> None:
    hub.troubles.append(Trouble("/api/", body=said))

    assert "did not answer for some/logs as the Hub does" in refused()
