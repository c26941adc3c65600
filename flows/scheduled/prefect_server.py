"""Prefect's server, guarded: `python -P -m flows.scheduled.prefect_server --host=127.0.0.1 --port=4200`.

It has no login, and anyone who reaches it can run code. So can a page from anywhere, through a browser on the
same machine or network: under a host name of its own that resolves to this machine (a foreign Host), or
across origins (a foreign Origin, which CORS does not keep from WebSockets). Prefect checks neither.
"""

import argparse
import os
import signal
import socket
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from threading import Thread
from typing import NamedTuple

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from flows.settings import keep_new_files_private, prepare_prefect_server
from storage.settings import set_unless_given

OF_THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")
_OURS = "x-skysieve"  # a header of the requests by this process and by the runs that it starts


class OtherClients:
    """The clients of the server besides the schedule and its runs. Only the server's thread counts them."""

    def __init__(self) -> None:
        self._open = 0
        self._last_s = -float("inf")

    @contextmanager
    def served(self) -> Iterator[None]:
        """Count a request, or a WebSocket, while it is being served."""
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            self._last_s = time.monotonic()

    def unused_s(self) -> float:
        """Return for how long there has been none, s."""
        return 0.0 if self._open else time.monotonic() - self._last_s


class OwnServer(NamedTuple):
    """Prefect's server in this process."""

    thread: Thread  # not yet started
    listening: socket.socket
    others: OtherClients


def guarded(app: ASGIApp, names: Collection[str], others: OtherClients | None = None) -> ASGIApp:
    """Return an application that answers only to some host names, and in browsers only to its own pages.

    `others` counts the clients that do not say that they are ours.
    """

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] in ("http", "websocket")
        headers = Headers(scope=scope) if asked else Headers()
        reason = why_refused(headers, names) if asked else None
        if reason is None:
            counted = others is not None and asked and _OURS not in headers
            with others.served() if counted and others is not None else nullcontext():
                await app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(reason=reason)(scope, receive, send)
        else:
            await PlainTextResponse(reason, status_code=403)(scope, receive, send)

    return serve


def why_refused(headers: Headers, names: Collection[str]) -> str | None:
    """Return why a request is refused as foreign, None if it is allowed.

    Clients other than browsers send no Origin; a page of this server sends this server's.
    """
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1 or _without_port(hosts[0]) not in names:
        return f"This server only answers to {', '.join(names)} only."
    if any(origin.partition("://")[2].lower() != hosts[0].lower() for origin in origins):
        return "Pages of other origins may not use this server."
    return None


def _without_port(host: str) -> str:
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdecimal() else host.lower()


def main() -> None:
    """Serve Prefect until the process is asked to stop."""
    parser = argparse.ArgumentParser(description="Prefect's server, guarded against foreign Host and Origin.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", default=4200, type=int, help="port to listen on")
    parser.add_argument(
        "--name", action="append", default=[], help="host name by which clients may address it"
    )
    chosen = parser.parse_args()
    keep_new_files_private()
    server = _server(chosen.host, chosen.port, (*OF_THIS_MACHINE, *(name.lower() for name in chosen.name)))
    server.run()
    if not server.started:
        sys.exit(1)


def own_server(listening: socket.socket) -> OwnServer:
    """Return Prefect's server for this process; if it ends, it asks this process to stop.

    Call it before Prefect is imported, whose settings it makes. Its files are as private as PREFECT_HOME.
    """
    set_unless_given("PREFECT_CLIENT_CUSTOM_HEADERS", f'{{"{_OURS}": "schedule"}}')
    host, port = listening.getsockname()[:2]
    others = OtherClients()
    server = _server(host, port, OF_THIS_MACHINE, others)

    def serve() -> None:
        try:
            server.run([listening])
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    return OwnServer(Thread(target=serve, name="Prefect", daemon=True), listening, others)


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that does not listen yet: whoever connects sees that the server is not up."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((host, port))
    return bound


def take_current_folder_out() -> None:
    """Let this process, and runs that it starts, import nothing from the current folder.

    Alembic, with which the server prepares its database, puts it before all others.
    """
    sys.path[:] = [folder for folder in sys.path if folder not in ("", ".")]


def _server(
    host: str, port: int, names: Collection[str], others: OtherClients | None = None
) -> uvicorn.Server:
    prepare_prefect_server([f"http://{name}:{port}" for name in names])
    from prefect.server.api.server import create_app  # after its settings are made

    app = guarded(create_app(final=True), names, others)
    return uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_level="error"))


if __name__ == "__main__":
    main()
