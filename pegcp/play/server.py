"""The server of the page, for one person on this machine.

It listens on 127.0.0.1 alone. All addresses begin with a random token, so that no other page in the browser can guess
them; requests that name another host or come from another origin are refused, and so are bodies too large to be a game.
It keeps no games: each request brings its own. Answers that take time are streams of lines of JSON, and end with their
connection.
"""

from __future__ import annotations

import json
import logging
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from pegcp import library, plain
from pegcp.errors import InputError, Missing, PegcpError
from pegcp.game.problem import Problem
from pegcp.library import lookup
from pegcp.play import exchange, page
from pegcp.play.adviser import Adviser
from pegcp.play.exchange import LARGEST_BODY, body, checked, game, problem
from pegcp.play.race import Busy, Races

HOST = "127.0.0.1"
_LONGEST_RACE = 3600.0  # seconds
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"
_HEADERS = {
    "Content-Security-Policy": f"{_POLICY}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def application(first: Problem, token: str, port: int) -> tuple[Starlette, Callable[[], None]]:
    """The server for a page that opens with a problem, and what ends all that it has started."""
    adviser, races = Adviser(), Races()
    opening = page.online(checked(first))

    async def index(_: Request) -> Response:
        return Response(opening, media_type="text/html")

    async def file(request: Request) -> Response:
        found = page.FILES.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404, "there is no such file")
        return Response(page.read(request.path_params["name"]), media_type=found)

    async def about(request: Request) -> Response:
        """A problem for the page: by the name of one that ships, or by its text."""
        data = body(await request.body())
        name = data.get("board")
        if name is not None:
            where = library.board(plain.text("board", name, 60))
            found = lookup.compact(where, "", where.name)
        else:
            found = problem(data)
        shown = await run_in_threadpool(exchange.problem_view, checked(found))
        return JSONResponse(shown | {"methods": exchange.methods(found)})

    async def boards(_: Request) -> Response:
        return JSONResponse(exchange.boards())

    async def advice(request: Request) -> Response:
        return _stream(adviser.advise(game(body(await request.body()))))

    async def solve(request: Request) -> Response:
        data = body(await request.body())
        wanted, methods = game(data), data.get("methods")
        if not isinstance(methods, list) or not all(isinstance(name, str) and len(name) < 200 for name in methods):
            raise InputError("methods is a list of names")
        if not set(methods) <= set(exchange.methods(wanted.from_here)):
            raise InputError("choose methods of the list: model files and commands are not run for a page")
        limit = plain.amount("time_limit", data.get("time_limit", 60))
        return _stream(await races.race(wanted.from_here, methods, min(limit, _LONGEST_RACE)))

    routes = [
        Route(f"/{token}/", index),
        Route(f"/{token}/boards", boards),
        Route(f"/{token}/{{name}}", file),
        *(
            Route(f"/{token}/{name}", endpoint, methods=["POST"])
            for name, endpoint in (("problem", about), ("advice", advice), ("solve", solve))
        ),
    ]
    app = Starlette(routes=routes, exception_handlers=_HANDLERS)
    app.add_middleware(_Door, hosts={f"{HOST}:{port}", f"localhost:{port}"})

    def close() -> None:
        adviser.close()
        races.close()

    return app, close


def _stream(lines: AsyncIterator[Mapping[str, Any]]) -> Response:
    async def text() -> AsyncIterator[bytes]:
        async with aclosing(lines) as open_lines:  # type: ignore[type-var]
            async for line in open_lines:
                yield json.dumps(line).encode() + b"\n"

    return StreamingResponse(text(), media_type="application/x-ndjson")


async def _refused(_: Request, error: Exception) -> Response:
    status = 503 if isinstance(error, Busy) else 501 if isinstance(error, Missing) else 400
    return JSONResponse({"error": str(error)}, status)


async def _not_there(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code)


async def _gone(_: Request, __: Exception) -> Response:
    return Response(status_code=400)  # nobody reads it


_HANDLERS: Mapping[Any, Any] = {
    ClientDisconnect: _gone,
    PegcpError: _refused,
    ValueError: _refused,
    TypeError: _refused,
    HTTPException: _not_there,
}


class _Door:
    """Lets in what a page of this server sends: the right host, the right origin, not too much; adds the headers."""

    def __init__(self, app: Any, hosts: set[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        fault = self._fault({name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]})
        taken = 0

        async def counted() -> Any:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > LARGEST_BODY:
                raise HTTPException(413, f"a request has at most {LARGEST_BODY:,} bytes")
            return message

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]
            await send(message)

        if fault is not None:
            status, text = fault
            await JSONResponse({"error": text}, status)(scope, receive, with_headers)
        else:
            await self.app(scope, counted, with_headers)

    def _fault(self, headers: dict[str, str]) -> tuple[int, str] | None:
        if headers.get("host") not in self.hosts:
            return 421, "this server is reached as 127.0.0.1 or localhost alone"
        if "origin" in headers and headers["origin"].removeprefix("http://") not in self.hosts:
            return 403, "another page must not use this server"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return 413, f"a request has at most {LARGEST_BODY:,} bytes"
        return None


def listen(port: int) -> socket.socket:
    """A socket on the port, or where that is in use (or 0) on a free one. Raises InputError."""
    # The protocol is named: else asyncio does not see that it is TCP, and small answers wait for each other.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        if port:
            return listen(0)
        raise InputError(f"cannot listen on {HOST}: {error.strerror}") from None
    return listening


def serve(first: Problem, port: int, tell: Callable[[str, int], None]) -> None:
    """Serve until Ctrl-C. ``tell`` is called with the link, and the port that was found, when the server is there."""
    checked(first)
    listening = listen(port)
    found = listening.getsockname()[1]
    token = secrets.token_urlsafe(16)

    app, close = application(first, token, found)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            tell(f"http://{HOST}:{found}/{token}/", found)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            close()  # first: streams end when there is nothing to tell any more
            logging.getLogger("uvicorn.error").disabled = True  # what is cut off now is no error
            await super().shutdown(sockets)

    config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off", timeout_graceful_shutdown=0)
    with listening:
        Server(config).run(sockets=[listening])
