"""A small Hub over HTTP on this machine, for tests: datasets with commits, branches, forms and tokens, and whatever can go wrong.

It answers what huggingface_hub asks: about a dataset, its tree in pages, access, and files with ranges; large files are redirected to
a second server, as the Hub does, which refuses to be shown a token. Every request is kept.
"""

import hashlib
import json
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

LARGE = 20_000
"""Bytes from which a file lies on the second server."""
PAGE = 40
"""Entries of a tree on one page."""
_BLOCK = 4096
TOKEN = "hf_made_up"
Files = Mapping[str, bytes]
Home = Callable[["StandIn"], Path]
"""Makes a stand-in the Hub of a test: the fixture `at`; gives the folder of its cache."""


@dataclass
class Dataset:
    """One dataset of the stand-in."""

    files: Files
    gated: bool = False
    private: bool = False
    ranges: bool = True
    """Whether parts of a file can be asked for."""
    said_sha: object = None
    """What it says that its commit is, in place of the truth."""
    entry: Callable[[dict[str, Any]], object] = lambda entry: entry
    """What it says of a file in place of the truth."""
    next_page: str | None = None
    """Where it says that its next page is, whatever comes."""

    @property
    def sha(self) -> str:
        told = "".join(f"{path}{hashlib.sha1(content).hexdigest()}" for path, content in sorted(self.files.items()))
        return hashlib.sha1(told.encode()).hexdigest()


@dataclass
class Asked:
    """One request and what became of it."""

    method: str
    path: str
    range: str | None
    authorised: bool
    status: int = 0
    sent: int = 0


@dataclass
class Trouble:
    """What goes wrong with requests whose path holds `where`, so many times."""

    where: str
    times: int = 1_000_000
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """Sent in place of what was asked for."""
    cut_after: int | None = None
    """Bytes of the body after which the connection breaks."""
    block_seconds: float = 0.0
    """A rest after each few kilobytes."""
    silent_seconds: float = 0.0
    """A rest before any answer."""


class StandIn:
    """The servers; a `with` block starts and ends them."""

    def __init__(self, datasets: Mapping[str, Dataset]) -> None:
        self.datasets = dict(datasets)
        self.asked: list[Asked] = []
        self.troubles: list[Trouble] = []
        self.on_file: Callable[[str], None] = lambda path: None
        """Called when a file has been sent whole, or as far as was asked."""
        self._lock = threading.Lock()
        self._servers = [self._server(store=False), self._server(store=True)]
        self.endpoint, self.store = (f"http://127.0.0.1:{server.server_port}" for server in self._servers)
        self.public = self.endpoint
        """What it calls itself in links; a mirror of the Hub passes on the name of the Hub."""

    def _server(self, *, store: bool) -> ThreadingHTTPServer:
        hub = self

        class Handler(_Handler):
            stand_in, is_store = hub, store

        return _Server(("127.0.0.1", 0), Handler)

    def __enter__(self) -> "StandIn":
        for server in self._servers:
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def note(self, asked: Asked) -> None:
        with self._lock:
            self.asked.append(asked)

    def trouble(self, path: str) -> Trouble | None:
        """The trouble that a request meets, which is one less from now on."""
        with self._lock:
            for one in self.troubles:
                if one.where in path and one.times > 0:
                    one.times -= 1
                    return one
        return None

    @property
    def files_asked(self) -> list[str]:
        """Paths of the files that were asked for, in order, redirects counted once."""
        return [one.path.split("/resolve/")[1].partition("/")[2] for one in self.asked if "/resolve/" in one.path]

    @property
    def bytes_of_files(self) -> int:
        """Bytes of files sent."""
        return sum(one.sent for one in self.asked if one.status in (200, 206) and not one.path.startswith("/api/"))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed or gave up is no trouble of the server's."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    stand_in: ClassVar[StandIn]
    is_store: ClassVar[bool]
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are kept in `asked` instead."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        path = unquote(parts.path)
        said = self.headers.get("Authorization")
        self.one = Asked(self.command, path, self.headers.get("Range"), said is not None)
        self.stand_in.note(self.one)
        trouble = self.stand_in.trouble(path)
        self.slow, self.cut = (trouble.block_seconds, trouble.cut_after) if trouble else (0.0, None)
        if trouble is not None:
            time.sleep(trouble.silent_seconds)
            if trouble.status is not None:
                self._refuse(trouble.status, **trouble.headers)
                return
            if trouble.body is not None:
                self._send(trouble.body, trouble.headers)
                return
        try:
            if self.is_store:
                self._stored(path, said)
            elif said not in (None, f"Bearer {TOKEN}"):
                self._refuse(401, **{"X-Error-Message": "Invalid credentials in Authorization header"})
            elif path.startswith("/api/datasets/"):
                self._api(path.removeprefix("/api/datasets/"), parse_qs(parts.query))
            else:
                self._file(path)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _dataset(self, name: str, revision: str) -> Dataset | None:
        """The dataset as far as the user may know of it; null after a refusal."""
        found = self.stand_in.datasets.get(name)
        if found is None or (found.private and not self.one.authorised):
            self._refuse(404 if self.one.authorised else 401, **{"X-Error-Code": "RepoNotFound"})
            return None
        if revision not in ("main", found.sha, found.said_sha):
            self._refuse(404, **{"X-Error-Code": "RevisionNotFound"})
            return None
        return found

    def _api(self, path: str, query: Mapping[str, list[str]]) -> None:
        owner, name, kind, revision, *_ = [*path.split("/"), "", "main"]
        found = self._dataset(f"{owner}/{name}", revision or "main")
        if found is None:
            return
        if kind == "auth-check":
            self._gate(found) or self._send(b'"OK"', {})
        elif kind == "tree":
            self._tree(path, found, int(query.get("cursor", ["0"])[0]))
        else:
            siblings = [{"rfilename": path} for path in found.files]
            about = {
                "id": f"{owner}/{name}",
                "sha": found.sha if found.said_sha is None else found.said_sha,
                "private": found.private,
                "siblings": siblings,
            }
            self._send(json.dumps({**about, "gated": "auto" if found.gated else False}).encode(), {})

    def _tree(self, path: str, found: Dataset, start: int) -> None:
        entries: list[dict[str, Any]] = [{"type": "directory", "oid": "0" * 40, "size": 0, "path": "folder"}]
        entries += [_entry(path, content) for path, content in sorted(found.files.items())]
        more = {"Link": f'<{found.next_page}>; rel="next"'} if found.next_page is not None else {}
        if not more and start + PAGE < len(entries):
            url = f"{self.stand_in.public}/api/datasets/{path}?recursive=true&expand=false&cursor={start + PAGE}"
            more = {"Link": f'<{url}>; rel="next"'}
        page = [found.entry(entry) for entry in entries[start : start + PAGE]]
        self._send(json.dumps(page).encode(), more)

    def _gate(self, found: Dataset) -> bool:
        """Whether the form stands between; the made-up token's account has accepted none."""
        if found.gated:
            self._refuse(403 if self.one.authorised else 401, **{"X-Error-Code": "GatedRepo"})
        return found.gated

    def _file(self, path: str) -> None:
        name, _, rest = path.removeprefix("/datasets/").partition("/resolve/")
        revision, _, file = rest.partition("/")
        found = self._dataset(name, revision)
        if found is None or self._gate(found):
            return
        content = found.files.get(file)
        if content is None:
            self._refuse(404, **{"X-Error-Code": "EntryNotFound", "X-Repo-Commit": found.sha})
            return
        about = {"X-Repo-Commit": found.sha, "ETag": f'"{hashlib.sha1(content).hexdigest()}"'}
        if len(content) >= LARGE:
            linked = {"X-Linked-Size": str(len(content)), "X-Linked-ETag": f'"{hashlib.sha256(content).hexdigest()}"'}
            where = {"Location": f"{self.stand_in.store}/store/{name}/{hashlib.sha256(content).hexdigest()}"}
            self._send(b"", {**about, **linked, **where}, 302)
            return
        self._send_part(content, about, ranges=found.ranges)
        self.stand_in.on_file(file)

    def _stored(self, path: str, said: str | None) -> None:
        if said is not None:
            self._refuse(400, **{"X-Error-Message": "a token was shown to the store"})
            return
        name, _, sha = path.removeprefix("/store/").rpartition("/")
        found = self.stand_in.datasets[name]
        file, content = next(
            (file, content) for file, content in found.files.items() if hashlib.sha256(content).hexdigest() == sha
        )
        self._send_part(content, {}, ranges=found.ranges)
        self.stand_in.on_file(file)

    def _send_part(self, content: bytes, headers: Mapping[str, str], *, ranges: bool) -> None:
        if self.one.range is None or not ranges:
            self._send(content, headers)
            return
        first, _, last = self.one.range.removeprefix("bytes=").partition("-")
        start, stop = int(first), min(int(last) + 1 if last else len(content), len(content))
        about = {"Content-Range": f"bytes {start}-{stop - 1}/{len(content)}", "Accept-Ranges": "bytes"}
        self._send(content[start:stop], {**headers, **about}, 206)

    def _refuse(self, status: int, **headers: str) -> None:
        self.cut = None
        self._send(b'{"error": "refused"}', headers, status)

    def _send(self, body: bytes, headers: Mapping[str, str], status: int = 200) -> None:
        self.one.status = status
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        for start in range(0, 0 if self.command == "HEAD" else len(body), _BLOCK):
            block = body[start : start + _BLOCK]
            if self.cut is not None and self.one.sent + len(block) > self.cut:
                self.close_connection = True
                return
            self.wfile.write(block)
            self.one.sent += len(block)
            time.sleep(self.slow)


def _entry(path: str, content: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "type": "file",
        "oid": hashlib.sha1(content).hexdigest(),
        "size": len(content),
        "path": path,
    }
    if len(content) >= LARGE:
        entry["lfs"] = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 130}
    return entry
