"""The view: a real server on this machine, asked as a browser asks, and as somebody would who should not."""

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from signal import SIGINT
from subprocess import PIPE, Popen
from threading import Thread
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest

from forgetmap import Study, compare, read
from tests.cli.logs import quiz

uvicorn = pytest.importorskip("uvicorn", reason="the view is not installed: pip install 'forgetmap[view]'")


@pytest.fixture
def served(study: Study) -> Iterator[str]:
    from forgetmap.view.app import app
    from forgetmap.view.desk import Desk
    from forgetmap.view.serving import bound

    with bound(0) as listening:
        port = listening.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(app(Desk(study), port), log_level="error", lifespan="off", ws="none"))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            sleep(0.01)
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join()


def asked(address: str, *, method: str = "GET", **headers: str) -> tuple[int, bytes, Any]:
    try:
        with urlopen(Request(address, method=method, headers=headers)) as answer:
            return answer.status, answer.read(), answer.headers
    except HTTPError as error:
        return error.code, error.read(), error.headers


def found(address: str) -> Any:
    return json.loads(asked(address)[1])


def test_a_foreign_host_or_origin_or_method_is_refused(served: str) -> None:
    port = served.rsplit(":", 1)[1]
    foreign = [{"Host": "evil.example"}, {"Host": "127.0.0.1:1"}, {"Host": f"evil.example:{port}"}]
    foreign += [{"Origin": "http://evil.example"}, {"Origin": "null"}]

    assert [asked(served + "/api/runs", **headers)[0] for headers in foreign] == [403] * 5
    assert [asked(served + "/", method=method)[0] for method in ("POST", "PUT", "DELETE", "OPTIONS")] == [405] * 4
    assert asked(served + "/", Host=f"localhost:{port}", Origin=f"http://localhost:{port}")[0] == 200


def test_the_policy_goes_with_every_answer_and_no_script_stands_in_the_page(served: str) -> None:
    for path in ("/", "/app.js", "/nothing", "/api/map"):
        headers = asked(served + path)[2]
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"
    text = asked(served + "/")[1].decode()
    assert "<script>" not in text and "<style" not in text and " style=" not in text and " onclick" not in text


@pytest.mark.parametrize("name", ["../../secret", "%2e%2e", "..", "/etc/passwd", "nobody", "", "\x00"])
def test_a_name_that_is_no_run_reads_nothing(served: str, name: str) -> None:
    status, body, _ = asked(f"{served}/api/map?before={quote(name)}&after=sft")

    assert status == 404 and "the study has no whole run" in json.loads(body)["error"]
    assert asked(f"{served}/{quote(name)}/../../study.toml")[0] == 404


def test_the_items_of_a_cell_are_those_that_the_map_counts(served: str, study: Study) -> None:
    counted = compare("base", "sft", study=study)
    for level, name in [("all", "all items"), ("task", "quiz_1"), ("domain", "quiz_1 · field 1")]:
        cell = counted.cell(None if level == "all" else name.split(" · ")[-1], level=level)
        query = f"before=base&after=sft&level={level}&name={quote(name)}"
        assert found(f"{served}/api/items?{query}")["total"] == cell.n10
    assert found(f"{served}/api/items?before=sft&after=base&kind=gained")["total"] == 4
    assert found(f"{served}/api/items?before=base&after=sft&find=NUMBER+13")["total"] == 1
    assert len(found(f"{served}/api/items?before=base&after=sft&n=3&from=2")["items"]) == 2


def test_an_item_comes_with_both_answers(served: str) -> None:
    for one in found(f"{served}/api/items?before=base&after=sft")["items"]:
        item = found(f"{served}/api/item?before=base&after=sft&id={one['id']}&task={one['task']}")
        assert item["golds"] == ["beta"] and item["question"] == one["question"]
        assert item["before"]["response"] == "I think it is beta." and item["before"]["right"] == 1
        assert item["after"]["response"] == "I think it is gamma." and item["after"]["choice"] == "gamma"


def test_it_opens_silently_and_a_link_leads_back_to_the_item(chromium: Any, served: str) -> None:
    context = chromium.new_context()
    page, said, requests = context.new_page(), [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(served)
    page.wait_for_selector("body[data-ready]")
    page.select_option("#before", "sft")
    page.wait_for_selector("#pair-name:has-text('since sft')")
    page.focus("[role=gridcell][tabindex='0']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#detail:not([hidden])")
    page.select_option("#kind", "gained")
    page.wait_for_selector("#items-said:has-text('gained')")
    page.focus("#items summary")
    page.keyboard.press("Enter")
    page.wait_for_selector("#items details[open] .question")
    assert page.inner_text("#items mark") == "gamma."
    page.click("text=Link to this item")
    page.reload()
    page.wait_for_selector("#items details[open] .question")

    assert page.input_value("#before") == "sft" and page.input_value("#kind") == "gained"
    assert said == [] and all(url.startswith((served, "data:")) for url in requests)
    context.close()


def test_a_port_in_use_is_a_sentence(study: Study) -> None:
    from forgetmap.errors import SettingError
    from forgetmap.view.serving import view

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(SettingError, match="choose another with --port"):
            view(study, port=taken.getsockname()[1])


def test_text_from_logs_is_text_and_axe_finds_nothing(chromium: Any, served: str, study: Study, tmp_path: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    hostile = "<img src=x onerror=alert(1)></script><script>alert(2)</script>\x1b[31m\u202etxet " * 20_000
    logs = [
        quiz(tmp_path / "more", name, forget=lost, response=hostile, domain=hostile[:90])
        for name, lost in {"one": (), "two": (3,)}.items()
    ]
    read(logs, study=study.folder)
    page = chromium.new_context(bypass_csp=True).new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{served}/#before=one&after=two&cell=all+items")
    page.click("#items summary")
    page.wait_for_selector("#items details[open] .question")

    assert "<img src=x onerror=alert(1)></script>" in page.inner_text("#items details[open]")
    assert "\u202e" not in page.inner_text("main") and "\x1b" not in page.inner_text("main")
    assert page.query_selector_all("img") == [] and said == []
    assert {one["id"] for one in axe.Axe().run(page).response["violations"]} == set()
    page.context.close()


def test_a_run_that_arrives_is_listed_and_ctrl_c_ends_the_verb_cleanly(study: Study, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "forgetmap", "view", str(study.folder)]
    started = Popen(command, stdout=PIPE, stderr=PIPE, text=True)
    assert started.stdout is not None
    address = started.stdout.readline().split()[4]
    before = [run["id"] for run in found(address + "api/runs")["runs"]]
    read([quiz(tmp_path / "late", "late")], study=study.folder)
    after = [run["id"] for run in found(address + "api/runs")["runs"]]
    started.send_signal(SIGINT)
    _, errors = started.communicate(timeout=20)

    assert set(after) - set(before) == {"late"}
    assert errors == "" and started.returncode in (0, 130)
