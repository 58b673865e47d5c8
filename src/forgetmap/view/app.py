"""The server's routes, and its guard: only this machine is answered, and nothing but reading is allowed."""

from collections.abc import Callable
from functools import cache
from json import dumps
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forgetmap.errors import InputError
from forgetmap.front.assets import script, style
from forgetmap.measure.visible import visible
from forgetmap.view.desk import Desk, NotThereError

ASSETS = Path(__file__).parent / "assets"
NAMES = ("127.0.0.1", "localhost", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def app(desk: Desk, port: int) -> ASGIApp:
    """The whole server, for requests that name this machine and this port."""
    routes = [
        Route("/", _text("text/html", lambda: (ASSETS / "page.html").read_text("utf-8"))),
        Route("/app.js", _text("text/javascript", lambda: script(ASSETS / "asked.js"))),
        Route("/style.css", _text("text/css", lambda: style(ASSETS / "view.css"))),
        Route("/api/runs", _asked(lambda _: desk.runs())),
        Route("/api/map", _asked(lambda asked: desk.map(asked.get("before", ""), asked.getlist("after")))),
        Route("/api/items", _asked(lambda asked: desk.items(*_pair(asked), asked))),
        Route("/api/item", _asked(lambda asked: desk.item(*_pair(asked), asked.get("id", ""), asked.get("task", "")))),
    ]
    return Guard(Starlette(routes=routes), port)


def _pair(asked: Any) -> tuple[str, str]:
    return asked.get("before", ""), asked.get("after", "")


def _text(kind: str, make: Callable[[], str]) -> Callable[[Request], Any]:
    made = cache(make)

    async def answer(_: Request) -> Response:
        return Response(made(), media_type=kind)

    return answer


def _asked(find: Callable[[Any], Any]) -> Callable[[Request], Any]:
    """A route that answers with JSON, found in a thread so that others are answered meanwhile."""

    async def answer(request: Request) -> Response:
        try:
            found = await run_in_threadpool(find, request.query_params)
        except InputError as error:
            status = 404 if isinstance(error, NotThereError) else 400
            return _json({"error": visible(str(error))}, status)
        return _json(found)

    return answer


def _json(found: Any, status: int = 200) -> Response:
    """JSON in plain ASCII, in which half characters of a name do no harm."""
    body = found if isinstance(found, bytes) else dumps(found).encode()
    return Response(body, status, media_type="application/json")


class Guard:
    """Refuses requests that another site or another name for this machine led here, and adds the headers."""

    def __init__(self, inner: ASGIApp, port: int) -> None:
        self._inner = inner
        self._hosts = {f"{name}:{port}" for name in NAMES} | ({*NAMES} if port == 80 else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await (self._refusal(scope) or self._inner)(scope, receive, sent)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return PlainTextResponse("This address answers only by the name 127.0.0.1 or localhost.", 403)
        if any(origin not in {f"http://{host}" for host in self._hosts} for origin in headers.getlist("origin")):
            return PlainTextResponse("Another site may not ask here.", 403)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Only GET and HEAD are answered.", 405, {"Allow": "GET, HEAD"})
        return None
