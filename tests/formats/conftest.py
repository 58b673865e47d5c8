"""What tests of formats share: a home of their own for what comes from the Hub."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.formats.hub_stand_in import StandIn

Home = Callable[[StandIn], Path]


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
