"""Where the Hub is and where its files are kept here, as the environment says at the moment of the call.

huggingface_hub reads its variables once, when it is imported; a notebook that sets one later means it all the same.
"""

import os
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from urllib.parse import urlsplit

from forgetmap.errors import HubError

_TRUE = frozenset({"1", "ON", "YES", "TRUE"})
PATIENCE = 10.0
"""Seconds in which the Hub must say something, unless HF_HUB_DOWNLOAD_TIMEOUT says otherwise."""


class Place(NamedTuple):
    """Settings of one call."""

    endpoint: str
    cache: Path
    """Our own folder among the assets of huggingface_hub."""
    hub_cache: Path
    """Where huggingface_hub keeps whole files."""
    offline: bool
    timeout: float

    def web(self, dataset: str) -> str:
        """The page of a dataset."""
        return f"{self.endpoint}/datasets/{dataset}"


def place() -> Place:
    """The settings as they are now."""
    constants = library().constants
    home = os.environ.get("HF_HOME")
    assets = _folder("HF_ASSETS_CACHE", home, "assets", constants.HF_ASSETS_CACHE)
    return Place(
        endpoint=_endpoint(os.environ.get("HF_ENDPOINT") or constants.ENDPOINT),
        cache=assets / "forgetmap" / "hub",
        hub_cache=_folder("HF_HUB_CACHE", home, "hub", constants.HF_HUB_CACHE),
        offline=_is_true("HF_HUB_OFFLINE") or _is_true("TRANSFORMERS_OFFLINE") or bool(constants.HF_HUB_OFFLINE),
        timeout=_seconds("HF_HUB_DOWNLOAD_TIMEOUT", PATIENCE),
    )


def library() -> ModuleType:
    """huggingface_hub, which is no part of the core."""
    try:
        import huggingface_hub
    except ModuleNotFoundError as missing:
        if missing.name != "huggingface_hub":
            raise
        raise HubError(
            "addresses that begin with hub: need huggingface_hub, which is not installed: pip install 'forgetmap[hub]'."
        ) from None
    import huggingface_hub.constants
    import huggingface_hub.errors
    import huggingface_hub.utils

    return huggingface_hub


def _endpoint(said: str) -> str:
    try:
        parts = urlsplit(said)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known:
        raise HubError(f"HF_ENDPOINT is {said!r}, but an address such as https://huggingface.co is wanted.")
    return said.rstrip("/")


def _folder(name: str, home: str | None, part: str, otherwise: str) -> Path:
    said = os.environ.get(name) or (os.path.join(home, part) if home else otherwise)  # noqa: PTH118 - not yet expanded
    return Path(os.path.expandvars(said)).expanduser()


def _is_true(name: str) -> bool:
    return os.environ.get(name, "").upper() in _TRUE


def _seconds(name: str, otherwise: float) -> float:
    said = os.environ.get(name, "")
    return float(said) if said.isdecimal() and int(said) > 0 else otherwise
