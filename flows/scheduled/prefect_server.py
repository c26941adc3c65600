"""Prefect's server, guarded: `python -P -m flows.scheduled.prefect_server --host=127.0.0.1 --port=4200`.

It has no login, and anyone who reaches it can run code. So can a page from anywhere, through a browser on the
same machine or network: under a host name of its own that resolves to this machine (a foreign Host), or
across origins (a foreign Origin, which CORS does not keep from WebSockets). Prefect checks neither.
"""

import argparse
import os
import signal
import sys
from collections.abc import Collection
from threading import Thread

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from flows.settings import keep_new_files_private, prepare_prefect_server

OF_THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")


def guarded(app: ASGIApp, names: Collection[str]) -> ASGIApp:
    """Return an application that answers only to some host names, and in browsers only to its own pages."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        reason = why_refused(Headers(scope=scope), names) if scope["type"] in ("http", "websocket") else None
        if reason is None:
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


def thread_of_server(host: str, port: int) -> Thread:
    """Return a thread that serves Prefect, and asks this process to stop should it end.

    Call it before Prefect is imported, whose settings it makes. Its files are as private as PREFECT_HOME.
    """
    server = _server(host, port, OF_THIS_MACHINE)

    def serve() -> None:
        try:
            server.run()
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    return Thread(target=serve, name="Prefect", daemon=True)


def take_current_folder_out() -> None:
    """Let this process, and runs that it starts, import nothing from the current folder.

    Alembic, with which the server prepares its database, puts it before all others.
    """
    sys.path[:] = [folder for folder in sys.path if folder not in ("", ".")]


def _server(host: str, port: int, names: Collection[str]) -> uvicorn.Server:
    prepare_prefect_server([f"http://{name}:{port}" for name in names])
    from prefect.server.api.server import create_app  # after its settings are made

    app = guarded(create_app(final=True), names)
    return uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_level="error"))


if __name__ == "__main__":
    main()
