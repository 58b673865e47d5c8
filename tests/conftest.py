"""What tests of every room share."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.formats.hub_stand_in import Home, StandIn

ROOT = Path(__file__).parents[1]

# Time says nothing about correctness: a busy machine must not fail a property. In a continuous run a property sees the same examples each
# time, so that what fails there is the change; new examples are looked for everywhere else.
settings.register_profile(
    "house", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real items and model outputs, beside the project or at $FORGETMAP_DATA."""
    folder = Path(os.environ.get("FORGETMAP_DATA") or ROOT / "../shared/data").resolve()
    if not folder.is_dir():
        pytest.skip(f"the real data is not at {folder}: put it there or name its folder in $FORGETMAP_DATA")
    return folder


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Make a stand-in the Hub of this test, with an empty cache, no token, and short pauses; gives the folder of the cache."""
    constants = pytest.importorskip("huggingface_hub.constants")
    home = tmp_path / "home"
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("HF_ASSETS_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(home))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(home / "token"))
    monkeypatch.setattr("forgetmap.formats.hub.client.PAUSE", 0.01)

    def use(stand_in: StandIn) -> Path:
        monkeypatch.setenv("HF_ENDPOINT", stand_in.endpoint)
        return home / "assets" / "forgetmap" / "hub"

    return use


FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("Chromium is not installed; on Debian: apt-get install chromium")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()
