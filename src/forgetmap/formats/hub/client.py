"""Asking the Hub: one sentence for every refusal, patience with what passes, and a cut transfer that goes on where it was cut."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from forgetmap import __version__
from forgetmap.errors import HubError
from forgetmap.formats.hub import refusals
from forgetmap.formats.hub.place import Place, library
from forgetmap.formats.hub.refusals import Wanted

TRIES = 5
PAUSE = 0.5
"""Seconds before the second try; each further pause is twice as long."""
LONGEST_PAUSE = 300
"""Seconds that the Hub may ask us to wait: its own limits count within five minutes."""
_PASSING = frozenset({408, 429, 500, 502, 503, 504})
_SLICE = 0.2

Say = Callable[[str], None]


class StoppedError(Exception):
    """Another part of the work failed, so this one ends."""


class _BusyError(Exception):
    """The Hub answered that it may answer otherwise later."""

    def __init__(self, status: int, seconds: int | None) -> None:
        super().__init__(f"status {status}")
        self.status, self.seconds = status, seconds


class _CutError(Exception):
    """A transfer ended before the file did."""


class Client:
    """The Hub, over the session and with the token of huggingface_hub."""

    def __init__(self, place: Place, say: Say) -> None:
        hub = library()
        self.place = place
        self.stop = threading.Event()
        self.ignores_ranges = False
        """Whether a part of a file was asked for and the whole came."""
        self.gave_up = False
        """Whether the last request had no answer after all its tries; the next has one try."""
        self.on_bytes: Callable[[int], None] = _ignored
        self._say = say
        self._session = hub.utils.get_session
        self._headers = _headers(hub)
        self._passing: tuple[type[Exception], ...] = (hub.errors.HTTPError, _BusyError, _CutError)

    @property
    def has_token(self) -> bool:
        return "authorization" in self._headers

    def json(self, path: str, wanted: Wanted) -> tuple[Any, str | None]:
        """What a path of the API holds, and the path of the next page."""
        response = self.get(path, wanted)
        try:
            return response.json(), _next_page(response)
        except (ValueError, RecursionError) as error:
            raise HubError(refusals.no_hub(wanted, self.place)) from error

    def get(self, path: str, wanted: Wanted) -> Any:
        """The answer of the API, read to its end."""
        patience = self._patience(wanted)
        while True:
            try:
                with self._opened(self.place.endpoint + path, {}, wanted) as response:
                    response.read()
                    self.gave_up = False
                    return response
            except self._passing as error:
                patience.bear(error)

    def stream(self, url: str, start: int, stop: int, wanted: Wanted) -> Iterator[bytes]:
        """Bytes of a file from `start` up to `stop`, in blocks as they come."""
        patience = self._patience(wanted)
        while start < stop:
            try:
                with self._opened(url, {"Range": f"bytes={start}-{stop - 1}"}, wanted) as response:
                    for block in self._blocks(response, start, stop):
                        self.check()
                        start += len(block)
                        patience.renew()
                        self.on_bytes(len(block))
                        yield block
                if start < stop:
                    raise _CutError
            except self._passing as error:
                patience.bear(error)

    def _blocks(self, response: Any, start: int, stop: int) -> Iterator[bytes]:
        """The bytes that were asked for, also where the whole file comes instead."""
        whole = response.status_code != 206
        self.ignores_ranges |= whole and start > 0
        skip, left = start if whole else 0, stop - start
        for block in response.iter_bytes():
            self.check()
            kept = block[skip : skip + left]
            skip = max(0, skip - len(block))
            left -= len(kept)
            if kept:
                yield kept
            if left == 0:
                return

    @contextmanager
    def _opened(self, url: str, headers: dict[str, str], wanted: Wanted) -> Iterator[Any]:
        """A response that is none of the refusals."""
        self.check()
        if self.place.offline:
            raise refusals.NotHereError(refusals.offline(wanted, self.place))
        headers = {**self._headers, **headers}
        with self._session().stream("GET", url, headers=headers, timeout=self.place.timeout) as response:
            if response.status_code in _PASSING:
                raise _BusyError(response.status_code, _asked_to_wait(response.headers))
            if response.status_code >= 400:
                response.read()
                raise refusals.of(response, wanted, self.place, has_token=self.has_token)
            yield response

    def check(self) -> None:
        """End here where another part of the work has failed."""
        if self.stop.is_set():
            raise StoppedError

    def _patience(self, wanted: Wanted) -> "_Patience":
        return _Patience(self, wanted, self._say)


class _Patience:
    """Bounded: a few tries, longer and longer pauses, or the pause that the Hub asks for."""

    def __init__(self, client: Client, wanted: Wanted, say: Say) -> None:
        self._client, self._wanted, self._say = client, wanted, say
        self._tries = 0

    def renew(self) -> None:
        """Something came, so all tries are there again."""
        self._tries = 0
        self._client.gave_up = False

    def bear(self, error: Exception) -> None:
        """Wait before the next try, or raise the sentence that says why there is none."""
        self._tries += 1
        asked = error.seconds if isinstance(error, _BusyError) else None
        if self._client.gave_up or self._tries >= TRIES or (asked or 0) > LONGEST_PAUSE or refusals.is_final(error):
            self._client.gave_up = True
            raise refusals.UnreachableError(self._sentence(error, asked)) from error
        seconds = PAUSE * 2 ** (self._tries - 1) if asked is None else float(asked)
        if seconds >= 1:
            self._say(f"waiting {seconds:.0f} s for the Hub ({refusals.cause(error, self._client.place)})")
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._client.check()
            time.sleep(min(_SLICE, left))

    def _sentence(self, error: Exception, asked: int | None) -> str:
        place = self._client.place
        if isinstance(error, _BusyError) and error.status == 429:
            return refusals.too_many(self._wanted, place, asked, has_token=self._client.has_token)
        if isinstance(error, _BusyError):
            return refusals.busy(self._wanted, place, error.status)
        return refusals.broken(self._wanted, place, error, cut=isinstance(error, _CutError))


def _headers(hub: Any) -> dict[str, str]:
    """Who asks; the headers of huggingface_hub would first ask the Hub for a list of programs."""
    try:
        token = None if hub.constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else hub.get_token()
    except (OSError, UnicodeDecodeError) as error:
        raise HubError(refusals.token_file(hub.constants.HF_TOKEN_PATH, error)) from error
    about = {"user-agent": f"forgetmap/{__version__}; hf_hub/{hub.__version__}", "accept-encoding": "identity"}
    return {**about, "authorization": f"Bearer {token}"} if token else about


def _asked_to_wait(headers: Any) -> int | None:
    """Seconds that the Hub asks for, in either of the headers it uses."""
    said = headers.get("Retry-After", "").strip()
    if said.isdecimal():
        return int(said)
    limit = dict(part.strip().partition("=")[::2] for part in headers.get("RateLimit", "").split(";") if "=" in part)
    return int(limit["t"]) if limit.get("r") == "0" and limit.get("t", "").isdecimal() else None


def _next_page(response: Any) -> str | None:
    """Path and query of the next page; it is asked of the same endpoint, with which a mirror may not agree. A ValueError: it is none."""
    url = response.links.get("next", {}).get("url")
    if url is None:
        return None
    parts = urlsplit(url)
    if not parts.path.startswith("/"):  # behind the endpoint it would name another host
        raise ValueError(url)
    return f"{parts.path}?{parts.query}"


def _ignored(count: int) -> None:
    """Nobody counts."""
